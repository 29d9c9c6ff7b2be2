// From whose side a board is read: in Antipalos A1 is at each seat's own lower left.
//
// The server names cells and writes moves as the first seat does, and tells for each seat what its
// names are (`board.seen`). Boards that all seats read alike have none.

import { chosen } from "./settings.js";

/** @import { BoardData, Place } from "./state.js" */

/**
 * Whether seats have names of their own for the cells.
 * @param {BoardData} board
 */
export function hasSides(board) {
  return Boolean(board.seen?.length);
}

/**
 * The seat as which a board is read: the viewer's own, or the first one if they prefer that.
 * @param {BoardData} board
 * @param {number | string | null} seat of the viewer, by its number or colour
 */
export function sideOf(board, seat) {
  if (!hasSides(board) || chosen.value("side", board) !== "own") return 0;
  const number = typeof seat === "number" ? seat : board.colors.indexOf(seat ?? "");
  return Math.max(0, number);
}

/**
 * The same board with the names that a seat gives to the cells.
 * @param {BoardData} board
 * @param {number} side
 * @returns {BoardData}
 */
export function boardFrom(board, side) {
  const seen = board.seen?.[side];
  if (!seen || !side) return board;
  /** @type {Place[]} */
  const places = board.places.map(([cell, panel, x, y]) => [cell, panel, x, y, seen[cell]]);
  return { ...board, places, names: seen.map((name) => [name]) };
}

/**
 * A move as a seat writes it, from its text as the server writes it.
 * @param {BoardData} board
 * @param {number} side
 * @param {string} text
 */
export function textFrom(board, side, text) {
  const seen = board.seen?.[side];
  if (!text || !seen || !side) return text;
  const isOdd = board.turns[side] % 2 === 1; // then rods lie on the other diagonal
  return text.replace(/(\*?)([A-Z]\d+)(\*?)/g, (rod, left, name, right) => {
    const cell = board.names.findIndex(([one]) => one === name);
    if (cell < 0) return rod;
    return isOdd ? `${right}${seen[cell]}${left}` : `${left}${seen[cell]}${right}`;
  });
}
