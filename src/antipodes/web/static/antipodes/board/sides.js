// The side from which a board is read: in Antipalos, A1 is at each seat's own lower left.
//
// The server uses the first seat's coordinates, and `board.seen` has the cell names of every seat.
// Boards with the same names for all seats have no `seen`.

import { preferences } from "./settings.js";

/** @import { Place } from "./state.js" */
/** @import { BoardOut } from "wire" */

/**
 * Return whether the cell names depend on the seat.
 * @param {BoardOut} board
 */
export function hasSides(board) {
  return Boolean(board.seen?.length);
}

/**
 * Return the seat whose coordinates are used: the viewer's, or the first one if they prefer that.
 * @param {BoardOut} board
 * @param {number | string | null} seat of the viewer, by its number or colour
 */
export function sideOf(board, seat) {
  if (!hasSides(board) || preferences.value("side", board) !== "own") return 0;
  const number = typeof seat === "number" ? seat : board.colors.indexOf(seat ?? "");
  return Math.max(0, number);
}

/**
 * Return the board with a seat's cell names.
 * @param {BoardOut} board
 * @param {number} side
 * @returns {BoardOut}
 */
export function boardFrom(board, side) {
  const seen = board.seen?.[side];
  if (!seen || !side) return board;
  /** @type {Place[]} */
  const places = board.places.map(([cell, panel, x, y]) => [cell, panel, x, y, seen[cell]]);
  return { ...board, places, names: seen.map((name) => [name]) };
}

/**
 * Convert a move's text, or sentences about moves, from the server's coordinates to those of a seat.
 * @param {BoardOut} board
 * @param {number} side
 * @param {string} text
 */
export function textFrom(board, side, text) {
  const seen = board.seen?.[side];
  if (!text || !seen || !side) return text;
  const isOdd = board.turns[side] % 2 === 1; // rods appear on the other diagonal
  const turned = isOdd ? text.replace(/[/\\]/g, (one) => (one === "/" ? "\\" : "/")) : text;
  return turned.replace(/(\*?)([A-Z]\d+)(\*?)/g, (rod, left, name, right) => {
    const cell = board.names.findIndex(([one]) => one === name);
    if (cell < 0) return rod;
    return isOdd ? `${right}${seen[cell]}${left}` : `${left}${seen[cell]}${right}`;
  });
}
