// How a match stands and which of its positions is looked at. No elements here, and no rules.

import { t } from "../i18n.js";
import { sideOf, textFrom } from "../board/sides.js";
import { matchAnalysisAddress } from "../study/source.js";

/** @import { BoardData, Pieces, State } from "../board/state.js" */
/** @import { Step } from "./plan_tree.js" */
/** @import { Changed, Options } from "../study/source.js" */

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
 * @typedef {Object} Made A move that stands.
 * @property {number} move
 * @property {string} text
 * @property {number} seat
 * @property {string} color colour of the seat when it moved
 * @property {number} at milliseconds since 1970
 * @property {"hand"|"plan"} source
 * @property {number|null} last cell to mark
 * @property {Changed} changed
 */
/**
 * @typedef {Object} Clock Times are milliseconds.
 * @property {string} pace
 * @property {number | null} seat whose time runs, or would
 * @property {boolean} running
 * @property {boolean} paused
 * @property {number[]} away seats on vacation
 * @property {number[]} vacations what each seat has left of its vacation
 * @property {(number | null)[]} left what each seat has left; null without a limit
 * @property {number} since when that was so
 */
/**
 * @typedef {Object} Series Several games that are counted together.
 * @property {number} points to win it
 * @property {number[]} scores
 * @property {string[][]} sides names of the players
 * @property {number | null} winner side
 */
/**
 * @typedef {Object} MatchView A match as the server tells it.
 * @property {string} slug
 * @property {number} version
 * @property {number} [now] the server's time
 * @property {number} [from] how many moves are known and not told again
 * @property {string} game
 * @property {Options} options
 * @property {boolean} analysis whether it is allowed during the game
 * @property {boolean} draws whether the game can be drawn
 * @property {string} caption
 * @property {Seat[]} seats
 * @property {number[]} own seats of the viewer
 * @property {number | null} toMove
 * @property {string | null} result
 * @property {string | null} winner colour
 * @property {Clock} clock
 * @property {Partial<Record<Offer, number[]>>} offers seats that have agreed
 * @property {Partial<Record<Offer, {by: number, agreed: number[]}>>} declined
 * @property {Record<string, string>} goals what each colour has to do
 * @property {string} swapExchanges "stones" or "sides"
 * @property {number[]} chain
 * @property {Pieces} start
 * @property {Made[]} moves
 * @property {State["legal"]} legal
 * @property {number | null} swap
 * @property {Series | null} series
 * @property {string | null} next slug of the next game
 * @property {Record<number, Step[]>} plans of the viewer's seats
 * @property {number[]} resigning own seats that resign when their turn comes
 * @property {number | null} [seen] moves that the viewer has seen
 */
/**
 * @typedef {Object} News
 * @property {MatchView | undefined} before
 * @property {Made[]} added
 * @property {boolean} takenBack
 * @property {boolean} ended
 */

export class MatchState {
  /**
   * What the server told last; nothing before that is asked for.
   * @type {MatchView}
   */
  view = /** @type {any} the page draws nothing before it has this */ (undefined);
  /** The board as data, once it is known. */
  board = /** @type {BoardData | null} */ (null);
  /** Whether the computer's first answer waits until its kernels are compiled. */
  isWarming = false;
  /** Seconds until the computer begins to think, because it is busy elsewhere; 0 if it is not. */
  wait = 0;
  /** How many moves are on the board that is shown, or `null` for all of them. */
  #shown = /** @type {number | null} */ (null);
  /** Server's clock minus this machine's, in milliseconds. */
  #offset = /** @type {number | null} */ (null);

  /**
   * Take in what the server tells.
   * @param {MatchView} told
   * @returns {News | null} what is new, or `null` if it is older than what is known
   */
  take(told) {
    const before = this.view;
    if (before && told.version < before.version) return null;
    this.#measure(told.now);
    // Moves that are known already are not told again.
    const kept = before?.moves.slice(0, told.from ?? 0) ?? [];
    const view = { ...told, moves: [...kept, ...told.moves] };
    this.view = view;
    this.isWarming = false;
    this.wait = 0;
    if (this.#shown !== null && this.#shown >= view.moves.length) this.#shown = null;
    const known = before ? sameMoves(before.moves, view.moves) : view.moves.length;
    return {
      before,
      added: view.moves.slice(known),
      takenBack: before !== undefined && known < before.moves.length,
      ended: before !== undefined && before.result === null && view.result !== null,
    };
  }

  /**
   * News come late by the way they take; the quickest one tells the offset best.
   * @param {number | undefined} now
   */
  #measure(now) {
    if (now === undefined) return;
    const offset = now - Date.now();
    this.#offset = this.#offset === null ? offset : Math.max(this.#offset, offset);
  }

  /** The server's time, in milliseconds since 1970. */
  get now() {
    return Date.now() + (this.#offset ?? 0);
  }

  /** How many moves are on the board that is shown. */
  get ply() {
    return this.#shown ?? this.view.moves.length;
  }

  /** Whether the present position is shown. */
  get isPresent() {
    return this.#shown === null;
  }

  /**
   * Look at the position after so many moves; whatever is too large is the present.
   * @param {number} ply
   */
  go(ply) {
    const last = this.view.moves.length;
    const wanted = Math.max(0, Math.min(last, ply));
    this.#shown = wanted === last ? null : wanted;
  }

  /** Whether the viewer sits at this match. */
  get isSeated() {
    return this.view.own.length > 0;
  }

  /** Whether the viewer's colour has won. */
  get isWinner() {
    return this.view.seats.some((one) => this.view.own.includes(one.seat) && one.color === this.view.winner);
  }

  get isOver() {
    return this.view.result !== null;
  }

  /** The seat as which the viewer reads the board and writes moves. */
  get side() {
    return this.board ? sideOf(this.board, this.view.own[0] ?? 0) : 0;
  }

  /**
   * A move that the server has written as the viewer writes it.
   * @param {string} text
   */
  textOf(text) {
    return this.board ? textFrom(this.board, this.side, text) : text;
  }

  /** Whether this is a game of a series that goes on after it. */
  get isSeriesOpen() {
    return Boolean(this.view.series && this.view.series.winner === null);
  }

  get isMyTurn() {
    return this.view.toMove !== null && this.view.own.includes(this.view.toMove);
  }

  /** The viewer's seat that a command is for: the one to move if it is theirs. */
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

  /** Others at the match, from the viewer's side. */
  get others() {
    return this.view.seats.filter((one) => !this.view.own.includes(one.seat));
  }

  /**
   * "You", or the name of whoever sits there.
   * @param {number} number
   */
  nameOf(number) {
    return this.view.own.includes(number) ? t("You") : (this.seat(number)?.name ?? "");
  }

  /** What lies on the board that is shown: cell -> piece. */
  get pieces() {
    const pieces = { ...this.view.start };
    for (const move of this.view.moves.slice(0, this.ply)) {
      for (const [cell, [, after]] of Object.entries(move.changed)) {
        if (after === null) delete pieces[Number(cell)];
        else pieces[Number(cell)] = after;
      }
    }
    return pieces;
  }

  /** Game, options and the moves up to the position that is shown. */
  get line() {
    const { game, options, moves } = this.view;
    return { game, options, moves: moves.slice(0, this.ply).map((made) => made.move) };
  }

  /** The address of the page that analyses the position that is shown. */
  get analysisAddress() {
    const { slug, game, options, moves } = this.view;
    return matchAnalysisAddress(slug, { game, options, moves: moves.map((made) => made.move) }, this.ply);
  }

  /** Numbers of the moves whose pieces lie where they were put: cell -> number. */
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
   * Milliseconds that a seat has left, or `null` without a limit.
   * @param {number} number
   */
  left(number) {
    const { left, seat, running, since } = this.view.clock;
    const whole = left[number];
    if (whole === null) return null;
    return running && seat === number ? whole - Math.max(0, this.now - since) : whole;
  }

  /** The seat whose time is up though nobody has said so yet, or `null`. */
  get flagged() {
    const { seat, running } = this.view.clock;
    if (this.isOver || !running || seat === null) return null;
    const left = this.left(seat);
    return left !== null && left <= 0 ? seat : null;
  }
}

/**
 * How many moves two lists have in common from the beginning.
 * @param {Made[]} one
 * @param {Made[]} other
 */
function sameMoves(one, other) {
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
