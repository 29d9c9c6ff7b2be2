// The state of a match and the position that is shown. No elements and no rules.

import { t } from "../i18n.js";
import { sideOf, textFrom } from "../board/sides.js";
import { matchAnalysisUrl, setupText } from "../analysis/server.js";
import { piecesAfter } from "../board/state.js";
import { untilNextTick } from "./times.js";

/** @import { Changed, Pieces, State } from "../board/state.js" */
/** @import { Options } from "../analysis/server.js" */
/** @import { BoardOut, MatchOut, MoveOut, SeatOut, ShownMove } from "wire" */

/**
 * @typedef {Object} Changes
 * @property {MatchOut | undefined} before
 * @property {MoveOut[]} added
 * @property {boolean} takenBack
 * @property {boolean} ended
 */

/** A match as one viewer sees it. */
export class MatchState {
  /**
   * The last message of the server.
   * @type {MatchOut}
   */
  view = /** @type {any} set before anything is drawn */ (undefined);
  /** The board's data, once it is loaded. */
  board = /** @type {BoardOut | null} */ (null);
  /** Seconds until the computer begins to think; 0 unless it is busy with other games. */
  wait = 0;
  /**
   * Moves that are shown after the position without being part of the match.
   * @type {ShownMove[]}
   */
  variation = [];
  /** Number of moves in the shown position, or `null` for the current position. */
  #shown = /** @type {number | null} */ (null);
  /** Server's clock minus this machine's, in milliseconds. */
  #offset = /** @type {number | null} */ (null);

  /**
   * Apply a message of the server.
   * @param {MatchOut} message
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
    this.variation = [];
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
   * @returns {SeatOut | undefined}
   */
  seat(number) {
    return this.view.seats.find((one) => one.seat === number);
  }

  /** The seats of other players. */
  get others() {
    return this.view.seats.filter((one) => !this.view.own.includes(one.seat));
  }

  /** Whether all other players are the computer. */
  get isAgainstComputer() {
    return this.others.length > 0 && this.others.every((seat) => seat.computer);
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
    return piecesAfter(this.view.start, [...this.view.moves.slice(0, this.ply), ...this.variation]);
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
    return running && seat === number && since !== null
      ? budget - Math.max(0, this.now - since)
      : budget;
  }

  /** Milliseconds in which a first move still costs no time, or `null` in other turns. */
  get grace() {
    const { running, freeUntil } = this.view.clock;
    if (this.isOver || !running || freeUntil === null) return null;
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
 * @param {MoveOut[]} one
 * @param {MoveOut[]} other
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
