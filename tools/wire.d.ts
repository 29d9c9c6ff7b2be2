// Written by tools/declarations.py from the schemas of the site.

declare module "wire" {
  /** Add a move after a node. */
  export interface AddEdit {
    kind: "add";
    /** moves to the node */
    path: number[];
    move: number;
  }

  /** The last move of a line as advice. */
  export interface AdviceOut {
    /** a sentence in your language */
    words: string;
  }

  /** The description at the front of a kit for analyses. */
  export interface AnalysisKitOut {
    calls: Record<string, KitCall>;
    arrays: KitArray[];
    /** numbers of the arrays of the report, by name */
    report: Record<string, number>;
    /** the same of the report of a whole game */
    game: Record<string, number>;
    /** that descriptions of moves consist of */
    names: string[];
    /** their names */
    cells: string[];
    /** by the number in a report */
    terminations: Record<string, string>;
    /** as kernels count them */
    colors: string[];
    /** of these in the order of the first turns */
    order: number[];
  }

  /** The state and results of an analysis; `found` grows until `isOver`. */
  export interface AnalysisOut {
    /** the identifier in addresses */
    slug: string;
    state: AnalysisState;
    isOver: boolean;
    found: AnalysisResultOut | null;
    /** approximate seconds until it begins */
    wait: number | null;
  }

  /** The result of an analysis so far, with the overlay of the board. */
  export interface AnalysisResultOut {
    game: string;
    /** all of them, by name */
    options: Record<string, number | string>;
    ply: number;
    outcome: OutcomeOut | null;
    rootInfo: RootOut;
    estimates: EstimateOut[];
    moveInfos: CandidateOut[];
    /** weights of cells, by name */
    criticality?: Record<string, number>;
    threats?: ThreatOut[];
    connections?: ConnectionsOut;
    /** of the search that is done, from 0 to 1 */
    share: number;
    /** of the best moves, by cell */
    marks: Record<string, string>;
    /** weights of cells, from 0 to 1 */
    heat: Record<string, number>;
  }

  /** State of an analysis or a review. */
  export type AnalysisState = "waiting" | "working" | "done" | "stopped";

  export type AnswerMessage = DoneMessage | RefusedMessage | LaterMessage;

  /** The judgement of a move, as far as it is known. */
  export type AnswerVerdict = "right" | "solved" | "wrong" | "undecided" | "waiting";

  /** A live game of the user begins; also told to pages opened within its first seconds. */
  export interface BeganMessage {
    /** the identifier in addresses */
    slug: string;
    words: string;
    /** the game of which it is the rematch */
    after: string | null;
    type: "began";
  }

  /** The number of unread notifications, on connection and after each change. */
  export interface BellMessage {
    type: "bell";
    unseen: number;
    /** of the latest notification */
    words?: string;
    /** of the latest notification */
    address?: string;
  }

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
    /**
     * shift and scale of the map from values of the search to chances of the first colour: log(p
     * / (1 - p)) = shift + scale * log(v / (1 - v))
     */
    chances: [number, number];
  }

  /** A position with its legal moves. */
  export interface BoardPositionOut {
    /** the colour to move */
    toMove: string;
    caption: string;
    /** how it ended, as a sentence in your language */
    result: string | null;
    /** the winning chain, in its order */
    chain: number[];
    /** the piece on each cell that is not empty, such as black, red/ or blue* */
    pieces: Record<string, string>;
    legal: (MoveProductOut | number[])[];
    /** the move that swaps, if it is legal */
    swap: number | null;
    /** the cell of the last move */
    last: number | null;
  }

  /** One of the best moves. */
  export interface CandidateOut {
    order: number;
    move: string;
    visits: number;
    /** from 0 to 1 */
    winrate: number;
    error: number;
    /** for its player; null if it is not known */
    proven: "win" | "loss" | "draw" | null;
    /** the principal variation, beginning with the move */
    pv: string[];
  }

  /** A chapter in the list of a study. */
  export interface ChapterLineOut {
    number: number;
    title: string;
    game_id: string;
  }

  /** Chat messages: on connection all that you may read, then each new one. */
  export interface ChatMessage {
    type: "chat";
    lines: ChatMessageOut[];
  }

  /** A chat message. */
  export interface ChatMessageOut {
    id: number;
    room: "seated" | "spectators" | "lobby" | "tournament" | "simul";
    name: string;
    text: string;
    /** milliseconds since 1970, or a duration */
    at: number;
    own: boolean;
  }

  export type ClientMessage = PlayMessage | PlainMessage | OfferMessage | QueueMessage | ConditionalMovesMessage | PageEngineMessage | ComputerMoveMessage | SayMessage;

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

  /** Replace the comment of a node; ``before`` is the one that its writer has seen. */
  export interface CommentEdit {
    kind: "comment";
    /** moves to the node */
    path: number[];
    text: string;
    before: string;
  }

  /** Make the move of the computer, on its seat, that the engine in your page has found. */
  export interface ComputerMoveMessage {
    /** the computer's seat */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    command: "computer-move";
    move: number;
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

  /** The proofs by virtual connections. */
  export interface ConnectionsOut {
    /** colour; null for a draw and where none has won */
    winner: string | null;
    /** cells, any other of which loses */
    mustPlay: string[] | null;
    /** cells that the win needs */
    carrier: string[];
  }

  /** A next move with the games that went on with it. */
  export interface ContinuationOut {
    move: number;
    text: string;
    /** number of moves that are the same by a symmetry */
    same: number;
    /** of its piece and of those of the symmetric moves */
    cells: number[];
    games: number;
    /** by colour */
    wins: Record<string, number>;
    /** for its player, from 0 to 1 */
    value: number | null;
    proven: Proven | null;
    isFair: boolean;
  }

  /** An offer that was declined. */
  export interface DeclinedOfferOut {
    /** a seat, from 0, in order of first turns */
    by: number;
    /** the seats that had accepted it */
    agreed: number[];
  }

  /** An example: a line of moves that is shown. */
  export interface DemonstrationOut {
    /** the piece on each cell that is not empty, such as black, red/ or blue* */
    start: Record<string, string>;
    moves: ShownMove[];
    /** what each of them does */
    words: string[];
  }

  /** A command had effect. */
  export interface DoneMessage {
    type: "done";
    key: string;
  }

  /** Make an edit of a chapter. */
  export interface EditMessage {
    /** a repeated key does nothing */
    key: string;
    edit: AddEdit | CommentEdit | MarkEdit | ShapeEdit | PromoteEdit | RemoveEdit;
  }

  /** An edit that was made: the fields of its kind, and by whom. */
  export interface EditOut {
    kind: "add" | "comment" | "mark" | "shape" | "promote" | "remove";
    /** moves to the node */
    path: number[];
    move?: number;
    /** of the move or the comment */
    text?: string;
    color?: string;
    mark?: Mark | null;
    shape?: ["circle" | "triangle" | "square" | "cross", number] | ["arrow", number, number];
    on?: boolean;
    seen?: number;
    number: number;
    by: string;
  }

  /** A position to edit. */
  export interface EditorOut {
    /** URL of the board */
    board: string;
    /** pieces that can be set, rods without their diagonal */
    kinds: string[];
    /** at the start of the game */
    start: Record<string, string>;
    /** the piece on each cell that is not empty, such as black, red/ or blue* */
    pieces: Record<string, string>;
    /** colour; empty where the pieces tell whose turn it is */
    turn: string;
    swapped: boolean;
    phase: number;
    /** of Phase Two */
    plies: number;
  }

  /** Edits that the client lacks, in their order. */
  export interface EditsMessage {
    type: "edits";
    edits: EditOut[];
  }

  /** The changes by moves after the first ``since``, and the state of the game. */
  export interface EffectOut {
    since: number;
    /** before these moves */
    start: Record<string, string>;
    moves: ShownMove[];
    /** the colour to move */
    toMove: string;
    caption: string;
    /** how it ended, as a sentence in your language */
    result: string | null;
    /** the winning chain, in its order */
    chain: number[];
  }

  /** The chance of a colour. */
  export interface EstimateOut {
    color: string;
    seats: number[];
    winrate: number | null;
    error: number;
  }

  /** A game that went on from the position. */
  export interface ExploredGameOut {
    address: string;
    players: string[];
    result: string;
    date: string;
  }

  /** The next moves after an opening, and the latest games. */
  export interface ExploredOut {
    games: number;
    /** whether there are more games, which were not counted */
    isSample: boolean;
    moves: ContinuationOut[];
    colors: string[];
    latest: ExploredGameOut[];
    /** URL of all these games */
    search: string | null;
  }

  /** A coached game. */
  export interface FirstGameOut {
    /** URL of the board */
    board: string;
    position: BoardPositionOut;
    /** the last ones */
    moves: ShownMove[];
    /** what each of them does */
    words: string[];
    /** good moves */
    advice: string[];
    /** what each of these does */
    adviceWords: string[];
    /** of each of them */
    cells: number[][];
    isOver: boolean;
    result: string;
    /** signed moves so far, to send with the next answer */
    state: string;
  }

  /** Moderators or the director of an event have deleted a chat message. */
  export interface HiddenMessage {
    type: "chat-hidden";
    id: number;
  }

  /** The answer to a move. */
  export interface JudgedMoveOut {
    verdict: AnswerVerdict;
    /** whether no refutation will follow */
    isFinal: boolean;
    /** right moves and replies so far */
    moves: string[];
    /** the move, and what follows it */
    shown: ShownMove[];
    /** what each of them does */
    words: string[];
    /** after a right move and the reply */
    position: BoardPositionOut | null;
    /** instead of the usual one */
    message?: string;
    /** of the refutation, which the server has not made */
    search?: RefutationSearchOut;
  }

  /** The judgement of the rules on the pieces that were set. */
  export interface JudgementOut {
    verdict: "regular" | "composed" | "refused";
    faults: RuleFaultOut[];
    /** that the faults are about */
    cells: number[];
    /** the position as JSON, unless it is refused */
    setup?: string;
    /** the colour to move */
    toMove?: string;
    phase?: number;
    caption?: string;
    isOver?: boolean;
    chain?: number[];
  }

  /** A game that the page plays by itself. */
  export interface KeptGameOut {
    game: string;
    title: string;
    /** URL of the board */
    board: string;
    levels: Record<string, KeptLevelOut>;
    /** names of pieces by the numbers of the kernels */
    pieces: string[];
    forms: MoveForm[];
    /** the move that swaps */
    swap: number | null;
    /** colours by the numbers of the kernels */
    colors: string[];
    /** colour of each seat: at first, and after a swap */
    seats: string[][];
    /** ends as sentences, by the kernels' numbers of winner and reason */
    results: Record<string, string>;
  }

  /** A level of the computer that plays in the page. */
  export interface KeptLevelOut {
    name: string;
    engine: PageEngineOut;
  }

  /** All that a browser keeps for times without a network. */
  export interface KeptOut {
    version: string;
    /** bytes to download */
    size: number;
    /** URLs */
    files: string[];
    games: KeptGameOut[];
    puzzles: KeptPuzzleOut[];
  }

  /** A puzzle with its solution. */
  export interface KeptPuzzleOut {
    title: string;
    task: string;
    start: PuzzleStartOut;
    /** to right moves, by the number of moves before and the move */
    answers: Record<string, JudgedMoveOut>;
    solution: PuzzleLineOut;
  }

  /** An array of a kit. */
  export interface KitArray {
    /** i, u or f, and the bytes of a number */
    type: string;
    shape: number[];
    /** where its content begins in the file; null for zeros */
    at: number | null;
  }

  /**
   * A kernel of the module: its name, and the numbers of the arrays that it takes. A text
   * stands for a number that the driver chooses.
   */
  export interface KitCall {
    name: string;
    arguments: (number | string)[];
  }

  /** The description at the front of a kit for levels. */
  export interface KitOut {
    calls: Record<string, KitCall>;
    arrays: KitArray[];
    /** number of the array with the state of the random generator */
    rng: number;
    /** number of the array with the skill of a level */
    skill: number;
    /** number of the array with the position */
    root: number;
    /** where the parts of a position are in that array */
    header: Record<string, number>;
    /** the skill of each level */
    levels: Record<string, number[]>;
    /** for each level those of arrays that differ */
    shapes: Record<string, Record<string, number[]>>;
  }

  /** The disk is full or fails, so a command was not stored; repeat it later with its key. */
  export interface LaterMessage {
    type: "later";
    key: string | null;
    code: string;
    message: string;
  }

  /**
   * A player has left a live game, or is back. If it is their turn, the opponent may claim the
   * end `claimAfter` milliseconds after they left, or after their turn began, whichever was
   * later. Players who return receive their own absence.
   */
  export interface LeftMessage {
    type: "left";
    /** a seat, from 0, in order of first turns */
    seat: number;
    /** milliseconds since 1970; null if the player is back */
    at: number | null;
    claimAfter: number;
  }

  /** A step after some moves. */
  export interface LessonOut {
    /** URL of the board */
    board: string;
    position: BoardPositionOut;
    /** what an answer marks; null for one move */
    selects: "points" | "moves" | null;
    /** cells that the text points at */
    show: number[];
    line: LineOut;
    demonstration: DemonstrationOut;
    /** signed moves so far, to send with the next answer */
    state: string;
  }

  /** A position, by moves from the start of a game or from a setup. */
  export interface LineOut {
    game: string;
    /** options that differ from the defaults, by name */
    options: Record<string, number | string>;
    setup: string;
    moves: number[];
  }

  /** The match that is visible, sent at least once a minute; null when it no longer is. */
  export interface LookingMessage {
    looking: string | null;
  }

  /** An annotator's judgement of a move. */
  export type Mark = "very-good" | "good" | "interesting" | "doubtful" | "bad" | "very-bad";

  /** Mark a move, or remove its mark. */
  export interface MarkEdit {
    kind: "mark";
    /** moves to the node */
    path: number[];
    mark: Mark | null;
  }

  /** The engine in the page for a match or a position, or why there is none. */
  export interface MatchEngineOut {
    engine: PageEngineOut | null;
    /** why there is none, in your language */
    reason: string | null;
  }

  /** The state of the match, on connection and after each change. */
  export interface MatchMessage {
    type: "match";
    match: MatchOut;
  }

  export type MatchNews = MatchMessage | ChatMessage | HiddenMessage | WatchingMessage | LeftMessage | ThinkingMessage;

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

  /** The ratings at a match. */
  export interface MatchRatingsOut {
    rated: boolean;
    /** whether they will not change any more */
    isDone: boolean;
    /** why a match that was meant to be rated is not */
    why: string | null;
    seats: SeatRatingOut[];
  }

  /** How moves from a base on are composed of steps: the base plus steps times strides. */
  export interface MoveForm {
    base: number;
    strides: number[];
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
  export type MoveSource = "hand" | "conditional" | "given" | "device";

  /** A node of a tree; each comes after its parent, and the first one has none. */
  export interface NodeOut {
    move?: number;
    text?: string;
    color?: string;
    /** index of the parent */
    parent?: number;
    comment?: string;
    mark?: Mark;
    shapes?: (["circle" | "triangle" | "square" | "cross", number] | ["arrow", number, number])[];
  }

  export type Notice = BellMessage | BeganMessage;

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
    kind: OfferKind;
  }

  /** How a finished game ended. */
  export interface OutcomeOut {
    /** colour; null for a draw and where none has won */
    winner: string | null;
    termination: string;
    points: number;
  }

  /**
   * Say whether your page makes the computer's moves in this casual match against it alone. A
   * move that does not come within 10 seconds is made by the server.
   */
  export interface PageEngineMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    command: "page-engine";
    on: boolean;
  }

  /** Where a page finds the engine for a game. */
  export interface PageEngineOut {
    /** URL of the arrays and calls of its kernels, as a file */
    kit: string;
    /** URL of the WebAssembly module */
    module: string;
    /** the state of a setup in base64; empty for the start of the game */
    start: string;
  }

  /**
   * Resign, abort, end a pause, start or end a vacation, or claim an end. That is a win on
   * time, or a win or a draw from an opponent who has left a live game.
   */
  export interface PlainMessage {
    /** your seat; optional if you have only one */
    seat: number;
    /** how many moves the match had; with another number the command is stale */
    ply: number;
    /** idempotency key, different for each command; a repeated one has no effect */
    key: string;
    command: "resign" | "abort" | "claim-flag" | "claim-win" | "claim-draw" | "resume" | "vacation" | "back";
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

  /** The chances at one position of a match. */
  export interface PlyEstimateOut {
    /** by colour */
    values: Record<string, number | null>;
    error: number;
    proven: boolean;
    /** the best move */
    best: string | null;
  }

  /** A position with its last moves and the legal moves. */
  export interface PositionOut {
    since: number;
    /** before these moves */
    start: Record<string, string>;
    moves: ShownMove[];
    /** the colour to move */
    toMove: string;
    caption: string;
    /** how it ended, as a sentence in your language */
    result: string | null;
    /** the winning chain, in its order */
    chain: number[];
    /** the piece on each cell that is not empty, such as black, red/ or blue* */
    pieces: Record<string, string>;
    legal: (MoveProductOut | number[])[];
    /** the move that swaps, if it is legal */
    swap: number | null;
    /** the cell of the last move */
    last: number | null;
    game: string;
    title: string;
    /** options that differ from the defaults, by name */
    options: Record<string, number | string>;
    /** URL of the board */
    board: string;
    query: string;
    /** the seat to move */
    seat: number;
  }

  /** Make the line to a node the main line. */
  export interface PromoteEdit {
    kind: "promote";
    /** moves to the node */
    path: number[];
  }

  /** A proven result for the seat that makes the move. */
  export type Proven = "win" | "draw" | "loss";

  /** The data of a push message; one replaces another of its tag on a device. */
  export interface PushOut {
    title: string;
    body: string;
    url: string;
    tag: string;
  }

  /** The themes, and a few cells of which one begins the right move. */
  export interface PuzzleHintOut {
    themes: string[];
    cells: number[];
  }

  /** A solution, with the position after it. */
  export interface PuzzleLineOut {
    shown: ShownMove[];
    /** what each of them does */
    words: string[];
    position: BoardPositionOut;
  }

  /** The position to solve, with nothing about its solution. */
  export interface PuzzleStartOut {
    id: string;
    game: string;
    /** options that differ from the defaults, by name */
    options: Record<string, number | string>;
    setup: string;
    /** URL of the board */
    board: string;
    /** the solver's seat */
    solver: number;
    moves: string[];
    position: BoardPositionOut;
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

  /** Why a match ended. The first seven are ends by the rules, as in ``Termination``. */
  export type Reason = "connection" | "ring" | "blocked" | "full-board" | "repetition" | "move-limit" | "misere" | "resignation" | "time" | "agreement" | "forfeit" | "abandoned" | "void" | "unknown";

  /** A command was refused; nothing has changed. */
  export interface RefusedMessage {
    type: "refused";
    key: string | null;
    code: string;
    message: string;
  }

  /** How a page may search for the refutation of a wrong move. */
  export interface RefutationSearchOut {
    /** the solver's, in which it must not win any more; null if the opponent must win */
    turns: number | null;
    /** whether only a proven win refutes the move */
    proves: boolean;
  }

  /** Remove a branch, of which the writer has seen a number of nodes. */
  export interface RemoveEdit {
    kind: "remove";
    /** moves to the node */
    path: number[];
    seen: number;
  }

  /** The computer's evaluation of each position of a finished match, complete or not. */
  export interface ReviewOut {
    /** null before it has begun */
    state: string | null;
    /** of each position reviewed so far */
    estimates: PlyEstimateOut[];
    turns: TurningPointOut[];
    /** of thinking about each position; 0 if there is no review */
    seconds: number;
    /** whether pages make it, unless a player asks the server */
    isLeft: boolean;
  }

  /** The position that was searched; in a finished game no player is to move. */
  export interface RootOut {
    /** the colour to move */
    currentPlayer: string | null;
    seat: number | null;
    visits: number;
    seconds: number;
    /** from 0 to 1 */
    winrate: number;
    error: number;
    /** for its player; null if it is not known */
    proven: "win" | "loss" | "draw" | null;
  }

  /** A rule that a position breaks. */
  export interface RuleFaultOut {
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

  /** The rating of a player: after the match, or the current one. */
  export interface SeatRatingOut {
    /** a seat, from 0, in order of first turns */
    seat: number;
    /** URL of the player's profile */
    profile: string;
    /** initially, accounts have one in rated matches only */
    rating?: number;
    provisional?: boolean;
    /** points won or lost by the match */
    gain?: number;
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

  /** Add a shape to a position, or remove it. */
  export interface ShapeEdit {
    kind: "shape";
    /** moves to the node */
    path: number[];
    shape: ["circle" | "triangle" | "square" | "cross", number] | ["arrow", number, number];
    on: boolean;
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

  /** Where one goes on with the position of a solved step. */
  export interface StepLinksOut {
    analysis?: string;
    practice?: string;
  }

  /** The judgement of an answer. */
  export interface StepVerdictOut {
    /** null if the computer could not decide it */
    right: boolean | null;
    solved: boolean;
    message: string;
    /** the answer, then the reply or the refutation */
    moves: ShownMove[];
    /** what each of them does */
    words: string[];
    position: BoardPositionOut;
    links: StepLinksOut;
    /** signed moves so far, to send with the next answer */
    state: string;
    /** of a refutation that is missing */
    search?: RefutationSearchOut;
  }

  /** The pieces that the first steps of a move change, before and after. */
  export interface StepsOut {
    changed: Record<string, [string, string]>;
  }

  /** Title, chapters and permissions: on connection, and after each change. */
  export interface StudyMessage {
    type: "study";
    title: string;
    chapters: ChapterLineOut[];
    canWrite: boolean;
  }

  export type StudyNews = TreeMessage | EditsMessage | StudyMessage;

  /** An answer that the computer suggests, with the cells that show it. */
  export interface SuggestionOut {
    /** null if the computer knows none */
    answer: string | null;
    /** what it does, if it is a move; else empty */
    words: string;
    cells: number[];
    /** signed moves so far, to send with the next answer */
    state: string;
  }

  /**
   * The computer's progress, from 0 to 1, or why it has not started. `wait` is the approximate
   * number of seconds until it starts, if it is busy in other matches.
   */
  export interface ThinkingMessage {
    type: "thinking";
    /** a seat, from 0, in order of first turns */
    seat: number;
    share: number;
    wait: number;
  }

  /** A move that the opponent would make if it were their turn. */
  export interface ThreatOut {
    move: string;
    cell?: number | null;
    /** from 0 to 1 */
    winrate: number;
    error: number;
    /** for its player; null if it is not known */
    proven: "win" | "loss" | "draw" | null;
    /** whether it ends the game */
    atOnce: boolean;
  }

  /** Moves in words. */
  export interface ToldMovesOut {
    shown: ShownMove[];
    /** what each of them does */
    words: string[];
  }

  /** The whole tree: on connection, and to a client that lacks many edits. */
  export interface TreeMessage {
    type: "tree";
    tree: TreeOut;
  }

  /** A chapter's tree, after a number of edits. */
  export interface TreeOut {
    edits: number;
    nodes: NodeOut[];
  }

  /** A move that changed the chances considerably. */
  export interface TurningPointOut {
    ply: number;
    color: string;
    move: string;
    /** a better move */
    better: string;
    /** the better move and what may follow */
    line: string[];
    /** from 0 to 1 */
    before: number;
    /** from 0 to 1 */
    after: number;
    /** whether it gave away a proven win */
    decides: boolean;
  }

  /** The number of spectators, and the seats whose players are present. */
  export interface WatchingMessage {
    type: "watching";
    count: number;
    seats: number[];
  }
}
