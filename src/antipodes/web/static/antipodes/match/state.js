// The state of a match and the position that is shown. No elements and no rules.

import { t } from "../i18n.js";
import { sideOf, textFrom } from "../board/sides.js";
import { matchAnalysisUrl, setupText } from "../analysis/server.js";
import { piecesAfter } from "../board/state.js";
import { untilNextTick } from "./times.js";

/** @import { BoardData, Changed, Pieces, State } from "../board/state.js" */
/** @import { Step } from "./conditional_tree.js" */
/** @import { Options } from "../analysis/server.js" */

/**
 * @typedef {Object} Seat
 * @property {number} seat
 * @property {string} name
 * @property {boolean} computer
 * @property {number | null} level of a computer
 * @property {string} color
 */
/** @typedef {"draw" | "takeback" | "pause" | "rematch"} Offer */
/**
 * @typedef {Object} PlayedMove
 * @property {number} move
 * @property {string} text
 * @property {number} seat
 * @property {string} color of the seat when it moved
 * @property {number} at milliseconds since 1970
 * @property {"hand"|"conditional"|"given"} source `conditional` for conditional moves, `given` before the match
 * @property {number|null} last cell to mark
 * @property {Changed} changed
 * @property {number[][]} flips cells whose pieces each step flipped.
 */
/**
 * @typedef {Object} Clock Times are milliseconds.
 * @property {string} pace
 * @property {number | null} seat whose clock is running or paused
 * @property {boolean} running
 * @property {boolean} paused
 * @property {number[]} away seats on vacation
 * @property {number[]} vacations vacation that each seat has left
 * @property {(number | null)[]} left time that each seat has left; null without a limit
 * @property {number} since the server's time of these values
 * @property {number} grace of each seat's first turn, in which the clock stands still
 * @property {number | null} freeUntil until when a first turn costs no time; null in other turns
 * @property {boolean} abortsLate whether the game is aborted without a first move by then
 */
/**
 * @typedef {Object} Series Several games with one score.
 * @property {number} points to win it
 * @property {number[]} scores
 * @property {string[][]} sides names of the players
 * @property {number | null} winner side
 */
/**
 * @typedef {Object} MatchView A match in the server's format.
 * @property {string} slug
 * @property {number} version
 * @property {number} [now] the server's time
 * @property {number} [from] number of moves that the client has and the message leaves out
 * @property {string} game
 * @property {Options} options
 * @property {object | null} setup the position before the moves, if it is not the start of the game
 * @property {number} given moves that were made before the players' first turns
 * @property {boolean} analysis whether it is allowed during the game
 * @property {boolean} draws whether the game can be drawn
 * @property {string} caption
 * @property {Seat[]} seats
 * @property {number[]} own seats of the viewer
 * @property {number | null} toMove
 * @property {string | null} result
 * @property {string | null} winner colour
 * @property {string | null} reason
 * @property {string | null} loser colour that gave up where none of the others has won
 * @property {Clock} clock
 * @property {Partial<Record<Offer, number[]>>} offers seats that have agreed
 * @property {number | null} takebackTo moves that an open offer of a takeback leaves
 * @property {Partial<Record<Offer, {by: number, agreed: number[]}>>} declined
 * @property {Partial<Record<Offer, number>>} withdrawn seats that withdrew their offer
 * @property {Record<string, string>} goals the goal of each colour
 * @property {string} swapExchanges "stones" or "sides"
 * @property {number[]} chain
 * @property {Pieces} start
 * @property {PlayedMove[]} moves
 * @property {State["legal"]} legal
 * @property {number | null} swap
 * @property {Series | null} series
 * @property {string | null} next slug of the next game
 * @property {Record<number, Step[]>} conditionalMoves of the viewer's seats
 * @property {number[]} resigning own seats that will resign on their next turn
 * @property {number | null} [seen] moves that the viewer has seen
 */
/**
 * @typedef {Object} Changes
 * @property {MatchView | undefined} before
 * @property {PlayedMove[]} added
 * @property {boolean} takenBack
 * @property {boolean} ended
 */

/** A match as one viewer sees it. */
export class MatchState {
  /**
   * The last message of the server.
   * @type {MatchView}
   */
  view = /** @type {any} set before anything is drawn */ (undefined);
  /** The board's data, once it is loaded. */
  board = /** @type {BoardData | null} */ (null);
  /** Whether the computer has to compile its kernels first. */
  isWarming = false;
  /** Seconds until the computer begins to think; 0 unless it is busy with other games. */
  wait = 0;
  /** Number of moves in the shown position, or `null` for the current position. */
  #shown = /** @type {number | null} */ (null);
  /** Server's clock minus this machine's, in milliseconds. */
  #offset = /** @type {number | null} */ (null);

  /**
   * Apply a message of the server.
   * @param {MatchView} message
   * @returns {Changes | null} the changes, or `null` if the message is outdated
   */
  update(message) {
    const before = this.view;
    if (before && message.version < before.version) return null;
    this.#measureOffset(message.now);
    // Messages leave out moves that the client has already.
    const kept = before?.moves.slice(0, message.from ?? 0) ?? [];
    const view = { ...message, moves: [...kept, ...message.moves] };
    this.view = view;
    this.isWarming = false;
    this.wait = 0;
    if (this.#shown !== null && this.#shown >= view.moves.length) this.#shown = null;
    const common = before ? commonMoves(before.moves, view.moves) : view.moves.length;
    return {
      before,
      added: view.moves.slice(common),
      takenBack: before !== undefined && common < before.moves.length,
      ended: before !== undefined && before.result === null && view.result !== null,
    };
  }

  /**
   * Estimate the offset of the clocks: messages arrive late, so the quickest one is the best.
   * @param {number | undefined} now
   */
  #measureOffset(now) {
    if (now === undefined) return;
    const offset = now - Date.now();
    this.#offset = this.#offset === null ? offset : Math.max(this.#offset, offset);
  }

  /** The server's time, in milliseconds since 1970. */
  get now() {
    return Date.now() + (this.#offset ?? 0);
  }

  /** Number of moves in the shown position. */
  get ply() {
    return this.#shown ?? this.view.moves.length;
  }

  /** Whether the current position is shown. */
  get isPresent() {
    return this.#shown === null;
  }

  /**
   * Show the position after a number of moves, limited to the existing ones.
   * @param {number} ply
   */
  go(ply) {
    const last = this.view.moves.length;
    const shown = Math.max(0, Math.min(last, ply));
    this.#shown = shown === last ? null : shown;
  }

  /** Whether the viewer is a player of this match. */
  get isSeated() {
    return this.view.own.length > 0;
  }

  /** Whether the viewer's colour has won. */
  get isWinner() {
    return this.view.seats.some(
      (one) => this.view.own.includes(one.seat) && one.color === this.view.winner,
    );
  }

  /** Whether the viewer has won or lost; a player who gave up has lost, though no other has won. */
  get isDecided() {
    const { own, winner, loser } = this.view;
    return (
      this.isSeated && (winner !== null || own.some((seat) => this.seat(seat)?.color === loser))
    );
  }

  get isOver() {
    return this.view.result !== null;
  }

  /** The seat whose coordinates the viewer uses. */
  get side() {
    return this.board ? sideOf(this.board, this.view.own[0] ?? 0) : 0;
  }

  /**
   * Convert a move's text to the viewer's coordinates.
   * @param {string} text
   */
  textOf(text) {
    return this.board ? textFrom(this.board, this.side, text) : text;
  }

  /** Whether this is a game of a series that is not decided. */
  get isSeriesOpen() {
    return Boolean(this.view.series && this.view.series.winner === null);
  }

  get isMyTurn() {
    return this.view.toMove !== null && this.view.own.includes(this.view.toMove);
  }

  /** The viewer's seat for commands: the one to move if it is theirs. */
  get mySeat() {
    const { own, toMove } = this.view;
    return own.find((seat) => seat === toMove) ?? own[0];
  }

  /**
   * @param {number | null} number
   * @returns {Seat | undefined}
   */
  seat(number) {
    return this.view.seats.find((one) => one.seat === number);
  }

  /** The seats of other players. */
  get others() {
    return this.view.seats.filter((one) => !this.view.own.includes(one.seat));
  }

  /**
   * Return "You", or the name of a seat's player.
   * @param {number} number
   */
  nameOf(number) {
    return this.view.own.includes(number) ? t("You") : (this.seat(number)?.name ?? "");
  }

  /** The pieces of the shown position, as cell -> piece. */
  get pieces() {
    return piecesAfter(this.view.start, this.view.moves.slice(0, this.ply));
  }

  /** Game, options and the moves up to the shown position. */
  get line() {
    return this.lineAt(this.ply);
  }

  /**
   * Return game, options and the first moves.
   * @param {number} ply number of moves
   */
  lineAt(ply) {
    const { game, options, setup, moves } = this.view;
    return {
      game,
      options,
      setup: setupText(setup),
      moves: moves.slice(0, ply).map((played) => played.move),
    };
  }

  /** The URL of the analysis of the shown position. */
  get analysisUrl() {
    return matchAnalysisUrl(this.view.slug, this.lineAt(this.view.moves.length), this.ply);
  }

  /** The numbers of the moves whose pieces are still in place, as cell -> number. */
  get numbers() {
    const { pieces } = this;
    /** @type {Record<number, number>} */
    const numbers = {};
    for (const [index, move] of this.view.moves.slice(0, this.ply).entries()) {
      if (move.last !== null && pieces[move.last]) numbers[move.last] = index + 1;
    }
    return numbers;
  }

  /**
   * Return the milliseconds that a seat has left, or `null` without a limit.
   * @param {number} number
   */
  left(number) {
    const { left, seat, running, since } = this.view.clock;
    const budget = left[number];
    if (budget === null) return null;
    return running && seat === number ? budget - Math.max(0, this.now - since) : budget;
  }

  /** Milliseconds in which a first move still costs no time, or `null` in other turns. */
  get grace() {
    const { running, freeUntil } = this.view.clock;
    if (this.isOver || !running || freeUntil === null || freeUntil === undefined) return null;
    return freeUntil > this.now ? freeUntil - this.now : null;
  }

  /** The milliseconds until the text of the running clock changes. */
  get untilNextTick() {
    const { seat } = this.view.clock;
    return untilNextTick(this.grace ?? (seat === null ? null : this.left(seat)));
  }

  /** The seat whose time is up without a claim, or `null`. */
  get flagged() {
    const { seat, running } = this.view.clock;
    if (this.isOver || !running || seat === null) return null;
    const left = this.left(seat);
    return left !== null && left <= 0 ? seat : null;
  }
}

/**
 * Return the number of moves that two lists have in common at the beginning.
 * @param {PlayedMove[]} one
 * @param {PlayedMove[]} other
 */
function commonMoves(one, other) {
  let count = 0;
  while (
    count < Math.min(one.length, other.length) &&
    one[count].at === other[count].at &&
    one[count].text === other[count].text
  ) {
    count++;
  }
  return count;
}
