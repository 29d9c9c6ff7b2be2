// The data that a board shows, and helpers for it. All functions are pure.

/** @import { Shape } from "./notes.js" */
/** @import { Vector } from "./space.js" */
/** @import { BoardOut, MatchOut, ShownMove } from "wire" */

/** @typedef {MatchOut["start"]} Pieces cell -> piece. */
/** @typedef {BoardOut["places"][number]} Place */

/** @typedef {ShownMove["changed"]} Changed by cell. */

/**
 * A move that was made.
 * @typedef {object} Move
 * @property {number | null} [last] cell of its piece.
 * @property {string} [color] of its player.
 * @property {Changed} [changed] what it changed, if that is known.
 * @property {number[][]} [flips] cells whose pieces each of its steps flipped, in their order.
 */

/**
 * The state that a board shows.
 * @typedef {object} State
 * @property {BoardOut} board
 * @property {Pieces} pieces
 * @property {MatchOut["legal"]} legal each move's number and steps, or a product of many.
 * @property {string} [own] colour of the viewer, if it is not the one to move.
 * @property {string} [turn] colour to move, for the pieces of hovered moves.
 * @property {Move | null} move the last one, if it is known: it is shown as it happens.
 * @property {number | null} last cell of the last move; that of `move` by default.
 * @property {number[]} chain the winning chain, in its order.
 * @property {Record<number, number>} plies cell -> number of the move that filled it, shown if
 *   the setting for move numbers is on.
 * @property {Record<number, number>} numbers cell -> number that is always shown.
 * @property {Record<number, string>} marks cell -> mark of a suggested move.
 * @property {Record<number, number>} heat cell -> weight from 0 to 1.
 * @property {number[]} picked cells that the learner of a lesson has marked.
 * @property {Shape[]} shapes marks and arrows of a study.
 * @property {number[]} pointed cells that the text of a lesson points at.
 * @property {boolean} isPremove whether `legal` are moves to set while the opponent thinks.
 * @property {number | null} premove the one that is set.
 * @property {number | string | null} seat number or colour of the seat whose side is at the bottom.
 * @property {boolean} isSlow whether it is a correspondence game between people.
 * @property {boolean} [confirm] whether moves are confirmed; overrides the player's setting.
 * @property {string} [announcement] for screen readers, instead of the board's own.
 */

/**
 * Defaults of the state.
 * @type {Omit<State, "board">}
 */
export const EMPTY_STATE = {
  pieces: {},
  legal: [],
  move: null,
  last: null,
  chain: [],
  plies: {},
  numbers: {},
  marks: {},
  heat: {},
  picked: [],
  pointed: [],
  isPremove: false,
  premove: null,
  isSlow: false,
  shapes: [],
  seat: null,
};

/**
 * Return whether two states have the same position and legal moves.
 * @param {Omit<State, "board">} before
 * @param {Omit<State, "board">} after
 */
export function isSamePosition(before, after) {
  return (
    before.legal.length === after.legal.length &&
    isEqual(before.legal[0], after.legal[0]) &&
    isEqual(before.legal.at(-1), after.legal.at(-1)) &&
    isEqual(before.pieces, after.pieces)
  );
}

/**
 * Return the pieces after moves.
 * @param {Pieces} before
 * @param {{changed?: Changed}[]} moves
 */
export function piecesAfter(before, moves) {
  const pieces = { ...before };
  for (const { changed } of moves) {
    for (const [cell, [, after]] of Object.entries(changed ?? {})) {
      if (after === null) delete pieces[Number(cell)];
      else pieces[Number(cell)] = after;
    }
  }
  return pieces;
}

/**
 * Return the numbers of moves at the cells where they ended, from 1.
 * @param {{last: number | null}[]} moves
 */
export function numbersOf(moves) {
  /** @type {Record<number, number>} */
  const numbers = {};
  for (const [index, { last }] of moves.entries()) if (last !== null) numbers[last] = index + 1;
  return numbers;
}

/**
 * Return whether two values of plain data are equal.
 * @param {unknown} a
 * @param {unknown} b
 */
export function isEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Return the quarter turns of the board for a seat, given by its number or colour.
 * @param {BoardOut} board
 * @param {number | string | null} seat
 */
export function turnsOf({ turns, colors }, seat) {
  const number = typeof seat === "number" ? seat : colors.indexOf(seat ?? "");
  return turns[number] ?? 0;
}

/** @type {Record<string, string>} */
const OTHER = { "/": "\\", "\\": "/" };

/**
 * Return a piece after a quarter turn of the board: rods lie on the other diagonal.
 * @param {string} piece
 */
export function turnedPiece(piece) {
  return piece.replace(/[/\\]$/, (end) => OTHER[end]);
}

/**
 * Map the values of an object.
 * @template T
 * @param {Record<string, T>} object
 * @param {(value: T) => T} change
 */
export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
