// Written by tools/declarations.py from the schemas of the site.

declare module "wire" {
  export type AnswerMessage = DoneMessage | RefusedMessage | LaterMessage;

  /**
   * The board of a game, which does not change during a match. A place is: cell, number of the
   * drawn board, x, y, name. Lengths are steps between cells.
   */
  export interface BoardOut {
    game: string;
    title: string;
    /** such as sphere, cylinder or grid */
    kind: string;
    /** of the cells: pointy, flat or square */
    shape: string;
    places: [number, number, number, number, string][];
    /** where some cells are drawn a second time */
    repeated: [number, number, number, number, string][];
    /** text, x and y */
    labels: [string, number, number][];
    /** of each cell */
    names: string[][];
    /** of each cell */
    neighbours: number[][];
    /** of each cell of a sphere: its place, as x, y and z of unit length */
    directions: [number, number, number][];
    rims: Record<string, number[]>;
    /** names of the rims that each colour connects */
    goals: Record<string, string[]>;
    /** of a colour: outlines along the cells, and back outside of them */
    borders: [string, [number, number][]][];
    seams: [number, number][][];
    shaded: number[];
    poles: number[];
    pointsNamed: boolean;
    colors: string[];
    /** for each seat: quarter turns by which it sees the board rotated */
    turns: number[];
    /**
     * for each seat: the names of the cells, seen from its own side; moves and ``names`` are
     * always those of the first seat
     */
    seen: string[][];
    /** cells that lock a cell once all of them are full */
    locks: Record<string, number[]>;
    /** whether moves change pieces on the board */
    flips: boolean;
    /** pieces of each colour, if they are limited */
    supply: Record<string, number>;
  }

  /** Chat messages: on connection all that you may read, then each new one. */
  export interface ChatMessage {
    type: "chat";
    lines: ChatMessageOut[];
  }

  /** A chat message. */
  export interface ChatMessageOut {
    id: number;
    room: "seated" | "spectators" | "lobby";
    name: string;
    text: string;
    /** milliseconds since 1970, or a duration */
    at: number;
    own: boolean;
  }

  export type ClientMessage = PlayMessage | PlainMessage | OfferMessage | QueueMessage | ConditionalMovesMessage | SayMessage;

  /** The clock at ``since``, from when the time of ``seat`` runs. */
  export interface ClockOut {
    control: string;
    pace: string;
    seat: number | null;
    running: boolean;
    paused: boolean;
    /** seats on vacation */
    away: number[];
    /** for each seat: vacation left, in milliseconds */
    vacations: number[];
    /** for each seat: when its vacation ends */
    until: (number | null)[];
    /** for each seat: milliseconds left, or null */
    left: (number | null)[];
    since: number | null;
    /** milliseconds of each seat's first turn in which the clock stands still */
    grace: number;
    /** in a first turn: the instant until which it costs no time */
    freeUntil: number | null;
    /** whether the match is aborted without a move by then */
    abortsLate: boolean;
  }

  /** A move of the opponent or the answer to it, with the moves that follow. */
  export interface ConditionalMoveIn {
    /** -1 stands for any other move */
    move: number;
    then?: ConditionalMoveIn[];
  }

  /** A conditional move with the moves that follow. */
  export interface ConditionalMoveOut {
    move: number;
    text: string;
    color: string;
    own: boolean;
    then: ConditionalMoveOut[];
  }

  /** Set your conditional moves: a tree of moves and their answers. */
  export interface ConditionalMovesMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    moves: ConditionalMoveIn[];
    command: "conditional-moves";
  }

  /** An offer that was declined. */
  export interface DeclinedOfferOut {
    /** a seat, from 0, in order of first turns */
    by: number;
    /** the seats that had accepted it */
    agreed: number[];
  }

  /** A command had effect. */
  export interface DoneMessage {
    type: "done";
    key: string;
  }

  /** Moderators have deleted a chat message. */
  export interface HiddenMessage {
    type: "chat-hidden";
    id: number;
  }

  /** The disk is full or fails, so a command was not stored; repeat it later with its key. */
  export interface LaterMessage {
    type: "later";
    key: string | null;
    code: string;
    message: string;
  }

  /** The state of the match, on connection and after each change. */
  export interface MatchMessage {
    type: "match";
    match: MatchOut;
  }

  export type MatchNews = MatchMessage | ChatMessage | HiddenMessage | WatchingMessage | ThinkingMessage;

  /** A match, as the viewer may see it. */
  export interface MatchOut {
    /** the identifier in addresses */
    slug: string;
    game: string;
    title: string;
    /** options that differ from the defaults, by name */
    options: Record<string, number | string>;
    rated: boolean;
    /** whether players may try variations */
    analysis: boolean;
    /** the position before the first move, if it is not the start of the game */
    setup: Record<string, any> | null;
    /** number of moves made before the players' first turns */
    given: number;
    /** milliseconds since 1970, or a duration */
    begun: number;
    /** whether a draw is possible with these options */
    draws: boolean;
    /** the goal of each colour */
    goals: Record<string, string>;
    /** what a swap exchanges: seats, stones or nothing */
    swapExchanges: string;
    /** the piece on each cell that is not empty, such as black, red/ or blue* */
    start: Record<string, string>;
    /** how it ended, as a sentence in your language */
    result: string | null;
    /** colour; null for a draw and where none has won */
    winner: string | null;
    /** why it ended; null before the end */
    reason: Reason | null;
    /** colour that gave up where none of the others has won */
    loser: string | null;
    /** number of events; it grows with each change */
    version: number;
    /** number of moves */
    ply: number;
    caption: string;
    seats: SeatOut[];
    toMove: number | null;
    clock: ClockOut;
    /** open offers with the seats that have accepted */
    offers: Partial<Record<OfferKind, number[]>>;
    /** number of moves that an open offer of a takeback leaves */
    takebackTo: number | null;
    /** offers declined since the last move */
    declined: Partial<Record<OfferKind, DeclinedOfferOut>>;
    /** offers withdrawn since the last move, with the seats that withdrew them */
    withdrawn: Partial<Record<OfferKind, number>>;
    chain: number[];
    /** the swap move, if it is possible now */
    swap: number | null;
    series: SeriesOut | null;
    /** the rematch, or the next game of a series */
    next: string | null;
    /** number of earlier moves that remain */
    from: number;
    moves: MoveOut[];
    /** milliseconds since 1970, or a duration */
    now: number;
    seen: number | null;
    /** your seats */
    own: number[];
    /** of your seats */
    conditionalMoves: Record<string, ConditionalMoveOut[]>;
    resigning: number[];
    /** in your turn: each legal move with its steps, or many moves as a product */
    legal: (MoveProductOut | number[])[];
  }

  /** A move of the match. */
  export interface MoveOut {
    move: number;
    text: string;
    color: string;
    /** the cell of the piece, if it has one */
    last: number | null;
    /** for each cell that changed: the piece before and the piece after */
    changed: Record<string, [string | null, string | null]>;
    /** the cells whose tokens the new token flips, then those that the pawn flips */
    flips: number[][];
    /** a seat, from 0, in order of first turns */
    seat: number;
    /** milliseconds since 1970, or a duration */
    at: number;
    source: MoveSource;
  }

  /**
   * Many legal moves as a product. Each choice of one step from each list is a move: ``base``
   * plus the sum of steps times strides.
   */
  export interface MoveProductOut {
    base: number;
    strides: number[];
    steps: number[][];
  }

  /** Where a move came from; all players and spectators see it. */
  export type MoveSource = "hand" | "conditional" | "given";

  /** Kinds of offers, each of which needs the consent of all players. */
  export type OfferKind = "draw" | "takeback" | "pause" | "rematch";

  /** Make or accept an offer, or decline or withdraw it. */
  export interface OfferMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    command: "offer" | "accept" | "decline";
    kind: "draw" | "takeback" | "pause" | "rematch";
  }

  /** Resign, abort, claim a win on time, end a pause, or start or end a vacation. */
  export interface PlainMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    command: "resign" | "abort" | "claim-flag" | "resume" | "vacation" | "back";
  }

  /** Make a move, by its number or in the game's notation. */
  export interface PlayMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    move?: number | null;
    text?: string | null;
    command: "play";
  }

  /** Resign when it is your turn, or cancel that. */
  export interface QueueMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    command: "queue-resignation";
    on?: boolean;
  }

  /** Why a match ended. The first six are ends by the rules, as in ``Termination``. */
  export type Reason = "connection" | "ring" | "blocked" | "full-board" | "repetition" | "move-limit" | "resignation" | "time" | "agreement" | "forfeit" | "abandoned" | "void" | "unknown";

  /** A command was refused; nothing has changed. */
  export interface RefusedMessage {
    type: "refused";
    key: string | null;
    code: string;
    message: string;
  }

  /** Send a chat message. */
  export interface SayMessage {
    command: "chat";
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    text: string;
    room?: "seated" | "spectators" | null;
    seat?: number | null;
    ply?: number | null;
  }

  /** A seat with its player. */
  export interface SeatOut {
    /** a seat, from 0, in order of first turns */
    seat: number;
    name: string;
    computer: boolean;
    /** of the computer */
    level: number | null;
    color: string;
  }

  /** The match-play series of a match. */
  export interface SeriesOut {
    slug: string;
    points: number;
    scores: number[];
    games: number;
    sides: string[][];
    winner: number | null;
  }

  /** A move as boards show it. */
  export interface ShownMove {
    move: number;
    text: string;
    color: string;
    /** the cell of the piece, if it has one */
    last: number | null;
    /** for each cell that changed: the piece before and the piece after */
    changed: Record<string, [string | null, string | null]>;
    /** the cells whose tokens the new token flips, then those that the pawn flips */
    flips: number[][];
  }

  /**
   * The computer's progress, from 0 to 1, or why it has not started. `warming` means that its
   * engine is being compiled; `wait` is the approximate number of seconds until it starts, if
   * it is busy in other matches.
   */
  export interface ThinkingMessage {
    type: "thinking";
    /** a seat, from 0, in order of first turns */
    seat: number;
    share: number;
    warming: boolean;
    wait: number;
  }

  /** The number of spectators, and the seats whose players are present. */
  export interface WatchingMessage {
    type: "watching";
    count: number;
    seats: number[];
  }
}
