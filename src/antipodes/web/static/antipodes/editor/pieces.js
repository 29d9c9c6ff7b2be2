// Pieces that are set on a board by hand. All functions are pure.

import { pieceParts } from "../board/texts.js";

/** @import { Pieces, State } from "../board/state.js" */
/** @import { BoardOut } from "wire" */

export const ERASER = "";
const DIAGONALS = "/\\";
const PAWN = "*";

/**
 * Return the pieces after a tool was used on a cell: it replaces what lies there, and removes the
 * same piece. A colour has one pawn, so a pawn leaves its former cell.
 * @param {Pieces} pieces
 * @param {string} tool a piece; a rod without its diagonal; or the eraser
 * @param {number} cell
 * @param {number} diagonal of a rod
 * @param {boolean} isRods
 * @returns {Pieces}
 */
export function used(pieces, tool, cell, diagonal, isRods) {
  const { [cell]: before, ...others } = pieces;
  const piece = isRods && tool ? tool + DIAGONALS[diagonal] : tool;
  if (!piece || piece === before) return others;
  if (!piece.endsWith(PAWN)) return { ...others, [cell]: piece };
  const { color } = pieceParts(piece);
  const token = (/** @type {string} */ one) => (one === piece ? color : one);
  return {
    ...Object.fromEntries(Object.entries(others).map(([at, one]) => [at, token(one)])),
    [cell]: piece,
  };
}

/**
 * Return what a board offers for a tool, as legal moves: see `toolMove`.
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @param {string} tool
 * @returns {State["legal"]}
 */
export function offered({ names, kind }, pieces, tool) {
  if (tool === ERASER) return Object.keys(pieces).map((cell) => [2 * Number(cell), Number(cell)]);
  if (kind !== "grid") return names.map((_, cell) => [2 * cell, cell]);
  return names.flatMap((_, cell) =>
    [0, 1].map((diagonal) => [2 * cell + diagonal, cell, diagonal]),
  );
}

/**
 * Return the cell and the diagonal of a move that `offered` has listed.
 * @param {number} move
 */
export function toolMove(move) {
  return { cell: Math.floor(move / 2), diagonal: move % 2 };
}

/**
 * Return pieces as the server reads them.
 * @param {Pieces} pieces
 */
export function piecesText(pieces) {
  return Object.entries(pieces)
    .map(([cell, piece]) => `${cell}:${piece}`)
    .join(",");
}

/**
 * Read typed colours and points. An asterisk before or after a square tells the diagonal of a rod.
 * @param {BoardOut} board
 * @param {string} text
 * @param {string} tool at the beginning
 * @param {(word: string) => string | undefined} toolNamed returns the tool with a name
 * @returns {{tool: string, uses: {tool: string, cell: number, diagonal: number}[], unknown: string[]}}
 */
export function readTyped({ names }, text, tool, toolNamed) {
  const cells = new Map(
    names.flatMap((all, cell) => all.map((name) => [name.toLowerCase(), cell])),
  );
  const uses = [];
  const unknown = [];
  for (const word of text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const named = toolNamed(word);
    const cell = cells.get(word.replaceAll("*", ""));
    if (named !== undefined) tool = named;
    else if (cell === undefined) unknown.push(word);
    else uses.push({ tool, cell, diagonal: word.startsWith("*") ? 1 : 0 });
  }
  return { tool, uses, unknown };
}
