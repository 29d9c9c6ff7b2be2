// What is spoken: cells, pieces and moves as short phrases. All functions are pure.

import { t, tc, tn } from "../i18n.js";
import { sure } from "../sure.js";

/** @import { BoardData, Pieces } from "./state.js" */

/**
 * Take a piece's short name apart: `red/` is a rod, `blue*` a pawn, `black` a stone.
 * @param {string} name
 */
export function pieceParts(name) {
  const [color] = sure(name.match(/^[a-z]+/));
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
 * A colour in the language of the page.
 * @param {string} color
 */
export function colorWord(color) {
  return COLORS[color] ?? color;
}

/** @type {Record<string, (color: string) => string>} */
const KINDS = {
  "/": (/** @type {string} */ color) => t("{color} rod, rising", { color }),
  "\\": (/** @type {string} */ color) => t("{color} rod, falling", { color }),
  "*": (/** @type {string} */ color) => t("{color} pawn", { color }),
};

/**
 * What lies on a cell.
 * @param {string | null | undefined} name
 */
export function spokenPiece(name) {
  if (!name) return t("empty");
  const { color, kind } = pieceParts(name);
  return kind ? KINDS[kind](colorWord(color)) : colorWord(color);
}

/**
 * A point by its name where it is, and by its others: one on the rim of a sphere has two.
 * @param {string} name
 * @param {string[]} names
 */
export function spokenPoint(name, names) {
  const others = names.filter((other) => other !== name);
  return others.length ? t("{name}, also {others}", { name, others: others.join(", ") }) : name;
}

/**
 * A cell's name, what lies on it, and its marks.
 * @param {string} name
 * @param {string | undefined} piece
 * @param {string[]} marks
 */
export function spokenCell(name, piece, marks) {
  return [name, spokenPiece(piece), ...marks].join(", ");
}

/**
 * Say what a move has changed, or nothing if it was no move but a look at another position.
 * @param {string[][]} names of each cell.
 * @param {Pieces} before
 * @param {Pieces} after as they are seen.
 * @param {number | null} last cell of the move's piece.
 */
export function spokenMove(names, before, after, last) {
  const shown = last === null ? undefined : after[last];
  if (last === null || !shown || shown === before[last]) return "";
  const cells = Object.keys(after).map(Number);
  const pawn = cells.find((cell) => isPawn(after[cell]) && !isPawn(before[cell]));
  const flipped = cells.filter((cell) => isFlipped(before[cell], after[cell]));
  const gone = Object.keys(before).map(Number).find((cell) => !after[cell]);
  const words = [];
  if (gone !== undefined) words.push(t("from {cell}", { cell: names[gone][0] }));
  words.push(`${names[last][0]}, ${spokenPiece(pawn === last ? pieceParts(shown).color : shown)}`);
  if (pawn !== undefined) words.push(t("pawn to {cell}", { cell: names[pawn][0] }));
  if (flipped.length) words.push(tn("{count} flipped", "{count} flipped", flipped.length));
  return words.join(", ");
}

/** @param {string | null | undefined} piece */
function isPawn(piece) {
  return piece?.endsWith("*") ?? false;
}

/**
 * @param {string | undefined} before
 * @param {string | undefined} after
 */
function isFlipped(before, after) {
  return Boolean(before && after) && pieceParts(sure(before)).color !== pieceParts(sure(after)).color;
}

/**
 * Say as which seat a board is read; nothing where all seats read it alike.
 * @param {BoardData} board
 * @param {number} side
 */
export function sideWords({ seen, colors }, side) {
  if (!seen?.length) return "";
  const color = colorWord(colors[side % colors.length]);
  return t("Seen by seat {number} ({color}): A1 is at its lower left.", { number: side + 1, color });
}

/**
 * A composed move as people read it: names of cells, and the rod's diagonal.
 * @param {string[][]} names
 * @param {number[]} cells
 * @param {number | null} diagonal
 */
export function spokenSteps(names, cells, diagonal) {
  const shown = cells.map((cell) => names[cell][0]).join("–");
  if (diagonal === null) return shown;
  return diagonal ? t("{cells} falling", { cells: shown }) : t("{cells} rising", { cells: shown });
}
