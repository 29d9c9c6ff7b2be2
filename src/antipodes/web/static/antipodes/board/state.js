// What owners tell a board, and what follows from it. All functions are pure.

/**
 * What a board shows.
 * @typedef {object} State
 * @property {object} board what never changes in a game, as board.json has it.
 * @property {Object<number, string>} pieces cell -> piece.
 * @property {(number[] | import("./compose.js").Product)[]} legal each move's number and steps,
 *   or many moves at once.
 * @property {string} [turn] colour to move, for the pieces that are pointed at.
 * @property {number | null} last cell of the last move.
 * @property {number[]} chain the winning chain, in its order.
 * @property {Object<number, number>} plies cell -> number of the move that filled it, shown if
 *   whoever looks wants move numbers.
 * @property {Object<number, number>} numbers cell -> number that is always shown.
 * @property {Object<number, string>} marks cell -> proposal.
 * @property {Object<number, number>} heat cell -> weight from 0 to 1.
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

/** Whether two states have the same position and legal moves, so that a begun move may stay. */
export function isSame(before, after) {
  return (
    before.legal.length === after.legal.length &&
    isEqual(before.legal[0], after.legal[0]) &&
    isEqual(before.legal.at(-1), after.legal.at(-1)) &&
    isEqual(before.pieces, after.pieces)
  );
}

/** Whether two values of plain data are the same. */
export function isEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The quarter turns by which a seat, told by its number or colour, sees the board turned. */
export function turnsOf({ turns, colors }, seat) {
  const number = typeof seat === "number" ? seat : colors.indexOf(seat);
  return turns[number] ?? 0;
}

const OTHER = { "/": "\\", "\\": "/" };

/** A piece as it looks after a quarter turn of the board: rods lie on the other diagonal. */
export function turned(piece) {
  return piece.replace(/[/\\]$/, (end) => OTHER[end]);
}

/** An object with the same keys and changed values. */
export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
