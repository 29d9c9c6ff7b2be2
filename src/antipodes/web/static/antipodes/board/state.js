// What owners tell a board, and what follows from it. All functions are pure.

/** @import { Product } from "./compose.js" */
/** @import { Vector } from "./space.js" */

/** @typedef {Record<number, string>} Pieces cell -> piece. */
/** @typedef {[cell: number, panel: number, x: number, y: number, name: string]} Place */

/**
 * What never changes in a game, as board.json has it. Lengths are steps between cells.
 * @typedef {object} BoardData
 * @property {string} game
 * @property {string} kind `sphere`, `cylinder`, `grid` or another one.
 * @property {string} shape of the cells: `pointy`, `flat` or `square`.
 * @property {Place[]} places where each cell is drawn.
 * @property {Place[]} repeated where some cells are drawn once more.
 * @property {[text: string, x: number, y: number][]} labels coordinates.
 * @property {string[][]} names of each cell.
 * @property {number[][]} neighbours of each cell.
 * @property {Vector[]} directions of each cell of a sphere; empty elsewhere.
 * @property {Record<string, number[]>} rims cells by the name of their rim.
 * @property {Record<string, string[]>} goals names of the rims that each colour joins.
 * @property {[color: string, points: [number, number][]][]} borders
 * @property {[number, number][][]} seams
 * @property {number[]} shaded cells.
 * @property {number[]} poles cells.
 * @property {string[]} colors
 * @property {number[]} turns quarter turns by which each seat sees the board turned.
 * @property {string[][]} [seen] for each seat the names that it gives to the cells, where they differ.
 * @property {Record<number, number[]>} [locks] cells that lock a cell once all of them are full.
 * @property {boolean} flips whether moves change pieces that lie on the board.
 * @property {Record<string, number>} [supply] pieces of each colour, where they run out.
 */

/**
 * What a board shows.
 * @typedef {object} State
 * @property {BoardData} board
 * @property {Pieces} pieces
 * @property {(number[] | Product)[]} legal each move's number and steps,
 *   or many moves at once.
 * @property {string} [turn] colour to move, for the pieces that are pointed at.
 * @property {number | null} last cell of the last move.
 * @property {number[]} chain the winning chain, in its order.
 * @property {Record<number, number>} plies cell -> number of the move that filled it, shown if
 *   whoever looks wants move numbers.
 * @property {Record<number, number>} numbers cell -> number that is always shown.
 * @property {Record<number, string>} marks cell -> proposal.
 * @property {Record<number, number>} heat cell -> weight from 0 to 1.
 * @property {number | string | null} seat number or colour of the seat from whose side it is seen.
 * @property {boolean} [confirm] whether moves are confirmed; else as whoever plays has chosen.
 * @property {string} [said] what to announce instead of what the board can tell by itself.
 */

/**
 * What is shown where nothing was told.
 * @type {Omit<State, "board">}
 */
export const NOTHING = {
  pieces: {},
  legal: [],
  last: null,
  chain: [],
  plies: {},
  numbers: {},
  marks: {},
  heat: {},
  seat: null,
};

/**
 * Whether two states have the same position and legal moves, so that a begun move may stay.
 * @param {Omit<State, "board">} before
 * @param {Omit<State, "board">} after
 */
export function isSame(before, after) {
  return (
    before.legal.length === after.legal.length &&
    isEqual(before.legal[0], after.legal[0]) &&
    isEqual(before.legal.at(-1), after.legal.at(-1)) &&
    isEqual(before.pieces, after.pieces)
  );
}

/**
 * Whether two values of plain data are the same.
 * @param {unknown} a
 * @param {unknown} b
 */
export function isEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The quarter turns by which a seat, told by its number or colour, sees the board turned.
 * @param {BoardData} board
 * @param {number | string | null} seat
 */
export function turnsOf({ turns, colors }, seat) {
  const number = typeof seat === "number" ? seat : colors.indexOf(seat ?? "");
  return turns[number] ?? 0;
}

/** @type {Record<string, string>} */
const OTHER = { "/": "\\", "\\": "/" };

/**
 * A piece as it looks after a quarter turn of the board: rods lie on the other diagonal.
 * @param {string} piece
 */
export function turned(piece) {
  return piece.replace(/[/\\]$/, (end) => OTHER[end]);
}

/**
 * An object with the same keys and changed values.
 * @template T
 * @param {Record<string, T>} object
 * @param {(value: T) => T} change
 */
export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
