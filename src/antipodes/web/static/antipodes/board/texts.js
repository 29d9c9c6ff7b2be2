// Texts for cells, pieces and moves. All functions are pure.

import { t, tc, tn } from "../i18n.js";
import { defined } from "../defined.js";

/** @import { Pieces } from "./state.js" */
/** @import { BoardOut } from "wire" */

/**
 * Split a piece's short name: `red/` is a rod, `blue*` a pawn, `black` a stone.
 * @param {string} name
 */
export function pieceParts(name) {
  const [color] = defined(name.match(/^[a-z]+/));
  return { color, kind: name.slice(color.length) };
}

/** @type {Record<string, string>} */
const COLORS = {
  black: tc("colour", "black"),
  white: tc("colour", "white"),
  red: tc("colour", "red"),
  blue: tc("colour", "blue"),
  vert: tc("colour", "vert"),
  horz: tc("colour", "horz"),
};

/**
 * Return a colour's name in the language of the page.
 * @param {string} color
 */
export function colorText(color) {
  return COLORS[color] ?? color;
}

/** @type {Record<string, (color: string) => string>} */
const KINDS = {
  "/": (/** @type {string} */ color) => t("{color} rod, rising", { color }),
  "\\": (/** @type {string} */ color) => t("{color} rod, falling", { color }),
  "*": (/** @type {string} */ color) => t("{color} pawn", { color }),
};

/**
 * Describe the piece on a cell.
 * @param {string | null | undefined} name
 */
export function pieceText(name) {
  if (!name) return t("empty");
  const { color, kind } = pieceParts(name);
  return kind ? KINDS[kind](colorText(color)) : colorText(color);
}

/**
 * Return a point's name at this spot, and its others: points on a sphere's rim have two names.
 * @param {string} name
 * @param {string[]} names
 */
export function pointText(name, names) {
  const others = names.filter((other) => other !== name);
  return others.length ? t("{name}, also {others}", { name, others: others.join(", ") }) : name;
}

/**
 * Describe a cell: its name, its piece and its marks.
 * @param {string} name
 * @param {string | undefined} piece
 * @param {string[]} marks
 */
export function cellText(name, piece, marks) {
  return [name, pieceText(piece), ...marks].join(", ");
}

/**
 * Describe what a move has changed; empty if the position changed otherwise.
 * @param {string[][]} names of each cell.
 * @param {Pieces} before
 * @param {Pieces} after as the view shows them.
 * @param {number | null} last cell of the move's piece.
 */
export function moveText(names, before, after, last) {
  const shown = last === null ? undefined : after[last];
  if (last === null || !shown || shown === before[last]) return "";
  const cells = Object.keys(after).map(Number);
  const pawn = cells.find((cell) => isPawn(after[cell]) && !isPawn(before[cell]));
  const flipped = cells.filter((cell) => isFlipped(before[cell], after[cell]));
  const gone = Object.keys(before)
    .map(Number)
    .find((cell) => !after[cell]);
  const parts = [];
  if (gone !== undefined) parts.push(t("from {cell}", { cell: names[gone][0] }));
  parts.push(`${names[last][0]}, ${pieceText(pawn === last ? pieceParts(shown).color : shown)}`);
  if (pawn !== undefined) parts.push(t("pawn to {cell}", { cell: names[pawn][0] }));
  if (flipped.length) parts.push(tn("{count} flipped", "{count} flipped", flipped.length));
  return parts.join(", ");
}

/**
 * Return whether a piece has a pawn.
 * @param {string | null | undefined} piece
 */
export function isPawn(piece) {
  return piece?.endsWith("*") ?? false;
}

/**
 * Return whether a piece has changed its colour; a pawn that leaves or reaches it does not change that.
 * @param {string | null | undefined} before
 * @param {string | null | undefined} after
 */
export function isFlipped(before, after) {
  return (
    Boolean(before && after) &&
    pieceParts(defined(before)).color !== pieceParts(defined(after)).color
  );
}

/**
 * Tell the seat from whose side the board is read; empty if the side makes no difference.
 * @param {BoardOut} board
 * @param {number} side
 */
export function sideText({ seen, colors }, side) {
  if (!seen?.length) return "";
  const color = colorText(colors[side % colors.length]);
  return t("Coordinates of seat {number} ({color}): A1 is at its lower left.", {
    number: side + 1,
    color,
  });
}

/**
 * Return a composed move as text: the names of its cells, and the rod's diagonal.
 * @param {string[][]} names
 * @param {number[]} cells
 * @param {number | null} diagonal
 */
export function stepsText(names, cells, diagonal) {
  const shown = cells.map((cell) => names[cell][0]).join("–");
  if (diagonal === null) return shown;
  return diagonal ? t("{cells} falling", { cells: shown }) : t("{cells} rising", { cells: shown });
}
