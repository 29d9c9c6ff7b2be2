// How each cell looks and what is said of it. All functions are pure.

import { t } from "../i18n.js";
import { pieceParts, spokenCell, spokenPiece, spokenPoint } from "./words.js";

/** @import { BoardData, Pieces, State } from "./state.js" */
/** @import { Spot } from "./views.js" */

/**
 * How one cell looks.
 * @typedef {object} Look
 * @property {string[]} classes of the cell's ground.
 * @property {string} [piece] what lies on it, as it is seen.
 * @property {"" | "ghost" | "planned"} state of the piece: there, only pointed at, or chosen.
 * @property {boolean} isChanging whether the piece is what a move would make of it.
 * @property {boolean} isTarget whether a begun move may go on at this piece.
 * @property {boolean} isLast whether the last move put it there.
 * @property {boolean} isPole
 * @property {boolean} isLocked
 * @property {number} [number] of the move.
 * @property {string} [mark]
 * @property {number} [heat]
 * @property {string} [name] written into the cell.
 * @property {string} spoken
 * @property {boolean} isOpen whether pointing does something.
 */

/** @typedef {Record<number, string | null>} Changes cell -> piece afterwards. */

/**
 * What all looks depend on.
 * @typedef {object} Context
 * @property {BoardData} board
 * @property {Omit<State, "board">} state
 * @property {Set<number>} open cells that may be chosen next.
 * @property {Set<number>} free cells where pointing does something.
 * @property {number[]} held cells that were chosen.
 * @property {Changes} coming pieces that a composed move would change.
 * @property {boolean} isComplete whether what was chosen is a whole move.
 * @property {boolean} isPointed whether that move is only pointed at.
 * @property {number | null} lit cell under the pointer.
 * @property {Set<number>} locked
 * @property {string} coordinates
 * @property {boolean} withNumbers
 * @property {(piece: string) => string} seen turns rods as the view does.
 */

/**
 * Cells whose pieces nothing can change any more.
 * @param {Pick<BoardData, "locks">} board
 * @param {Pieces} pieces
 */
export function lockedCells({ locks = {} }, pieces) {
  const isFull = (/** @type {number} */ cell) => Boolean(pieces[cell]);
  return new Set(
    Object.entries(locks).flatMap(([cell, around]) => (around.every(isFull) ? [Number(cell)] : []))
  );
}

/**
 * How many pieces of each colour are still to come; empty where they never run out.
 * @param {Pick<BoardData, "supply">} board
 * @param {Pieces} pieces
 * @returns {[string, number][]}
 */
export function piecesLeft({ supply = {} }, pieces) {
  /** @type {Record<string, number>} */
  const used = {};
  for (const piece of Object.values(pieces)) {
    const { color } = pieceParts(piece);
    used[color] = (used[color] ?? 0) + 1;
  }
  return Object.entries(supply).map(([color, count]) => [color, count - (used[color] ?? 0)]);
}

/**
 * The look of one spot.
 * @param {Context} context
 * @param {Spot} spot
 * @returns {Look}
 */
export function lookOf(context, { cell, name }) {
  const { board, state, open, held, coming, isPointed, locked } = context;
  const isComing = cell in coming;
  const lies = state.pieces[cell];
  const piece = isComing ? (coming[cell] ?? undefined) : lies;
  const classes = [];
  if (board.shaded.includes(cell)) classes.push("shaded");
  if (open.has(cell)) classes.push("legal");
  if (held.includes(cell)) classes.push("held");
  if (state.chain.includes(cell)) classes.push("chain");
  if (cell === context.lit) classes.push("pointed");
  const seen = (/** @type {string | undefined} */ one) => (one ? context.seen(one) : undefined);
  const number = state.numbers[cell] ?? (context.withNumbers ? state.plies[cell] : undefined);
  return {
    classes,
    piece: seen(piece ?? (isComing ? lies : undefined)),
    state: isComing ? (piece && !isPointed ? "planned" : "ghost") : "",
    isChanging: isComing && Boolean(lies) && Boolean(piece),
    isTarget: isTarget(context, cell),
    isLast: cell === state.last,
    isPole: board.poles.includes(cell),
    isLocked: locked.has(cell),
    number: piece && !isComing ? number : undefined,
    mark: state.marks[cell],
    heat: lies ? undefined : state.heat[cell],
    name: context.coordinates === "cells" ? name : undefined,
    spoken: spokenCell(spokenPoint(name, board.names[cell]), seen(lies), spokenMarks(context, cell)),
    isOpen: context.free.has(cell),
  };
}

/**
 * Whether a begun move may go on at a cell that bears a piece, which has to be marked.
 * @param {Context} context
 * @param {number} cell
 */
function isTarget({ state, open, held, coming, isComplete }, cell) {
  const isFull = Boolean(state.pieces[cell] ?? coming[cell]);
  return held.length > 0 && !isComplete && open.has(cell) && isFull;
}

/**
 * @param {Context} context
 * @param {number} cell
 */
function spokenMarks(context, cell) {
  const { board, state, held, coming, locked } = context;
  const words = [];
  if (board.poles.includes(cell)) words.push(t("pole"));
  if (cell === state.last) words.push(t("last move"));
  if (state.chain.includes(cell)) words.push(t("winning chain"));
  if (locked.has(cell)) words.push(t("locked"));
  if (held.includes(cell)) words.push(t("chosen"));
  else if (coming[cell] && state.pieces[cell]) words.push(t("becomes {piece}", { piece: spokenPiece(coming[cell]) }));
  if (isTarget(context, cell)) words.push(t("can be chosen"));
  if (state.marks[cell]) words.push(t("proposal {mark}", { mark: state.marks[cell] }));
  return words;
}

/**
 * The pieces that steps would put on the board, as far as that is known without rules.
 * @param {string | undefined} turn colour to move.
 * @param {{cells: number[], diagonal: number | null, isRods: boolean}} composed
 * @param {Pieces} pieces
 */
export function plannedPieces(turn, { cells, diagonal, isRods }, pieces) {
  if (!turn || !cells.length) return {};
  if (!isRods) return pieces[cells[0]] ? {} : { [cells[0]]: turn };
  const [from, to] = [cells[0], cells[cells.length - 1]];
  /** @type {Changes} */
  const planned = {};
  if (pieces[from]) planned[from] = null;
  if (diagonal !== null) planned[to] = turn + "/\\"[diagonal];
  return planned;
}
