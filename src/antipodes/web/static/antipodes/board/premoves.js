// Moves that a player can set while the opponent thinks. All functions are pure.
//
// The board has no rules, and the opponent's move is not known: these are the moves that some
// position after it may allow. The server's legal moves decide when the turn has come.

import { piecesLeft } from "./appearance.js";
import { pieceParts } from "./texts.js";

/** @import { Pieces, Place } from "./state.js" */
/** @import { BoardOut, MoveProductOut } from "wire" */

const TOLERANCE = 0.05; // steps; places nearer to a line lie on it

/**
 * Return the moves that a colour can set in advance, as one product; none without an own pawn.
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @param {string} color of the player
 * @returns {MoveProductOut[]}
 */
export function premoves(board, pieces, color) {
  const cells = board.neighbours.map((_, cell) => cell);
  const empty = cells.filter((cell) => !pieces[cell]);
  if (board.kind === "grid") return [rodMoves(board, pieces, color, empty)];
  if (!board.flips) return [{ base: 0, strides: [1], steps: [empty] }];
  const pawn = cells.find((cell) => pieces[cell] === `${color}*`);
  if (pawn === undefined) return [];
  const landings = linesFrom(board, pawn).filter((cell) => !pieces[cell]?.endsWith("*"));
  return [{ base: 0, strides: [cells.length, 1], steps: [empty, landings] }];
}

/**
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @param {string} color
 * @param {number[]} empty cells
 * @returns {MoveProductOut}
 */
function rodMoves(board, pieces, color, empty) {
  const left = new Map(piecesLeft(board, pieces)).get(color);
  if (left === undefined || left > 0) return { base: 0, strides: [2, 1], steps: [empty, [0, 1]] };
  const placements = 2 * board.neighbours.length;
  const own = Object.keys(pieces)
    .map(Number)
    .filter((cell) => pieceParts(pieces[cell]).color === color);
  return { base: placements, strides: [placements, 2, 1], steps: [own, empty, [0, 1]] };
}

/**
 * Return the cells on the straight lines through a cell.
 * @param {BoardOut} board
 * @param {number} cell
 */
function linesFrom({ places, neighbours }, cell) {
  const at = new Map(places.map(([one, , x, y]) => [one, { x, y }]));
  const here = at.get(cell);
  if (!here) return [];
  return neighbours[cell].flatMap((next) => {
    const { x, y } = at.get(next) ?? here;
    const [dx, dy] = [x - here.x, y - here.y];
    const onLine = (/** @type {Place} */ [, , placeX, placeY]) => {
      const [ahead, aside] = [
        (placeX - here.x) * dx + (placeY - here.y) * dy,
        (placeX - here.x) * dy - (placeY - here.y) * dx,
      ];
      return ahead > 0 && Math.abs(aside) < TOLERANCE;
    };
    return places.filter(onLine).map(([other]) => other);
  });
}
