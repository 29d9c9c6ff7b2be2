// The appearance of each cell and its label for screen readers. All functions are pure.

import { t } from "../i18n.js";
import { noteTexts } from "./notes.js";
import { cellText, pieceParts, pieceText, pointText } from "./texts.js";

/** @import { Trace } from "./motion.js" */
/** @import { Pieces, State } from "./state.js" */
/** @import { Spot } from "./views.js" */
/** @import { BoardOut } from "wire" */

/**
 * The appearance of one cell.
 * @typedef {object} Appearance
 * @property {string[]} classes of the cell's ground.
 * @property {string} [piece] the piece on it, as the view shows it.
 * @property {"" | "ghost" | "planned"} state of the piece: on the board, hovered, or preferences.
 * @property {boolean} isChanging whether the composed move would change the piece.
 * @property {boolean} isTarget whether the piece can be chosen as the next step.
 * @property {boolean} isLast whether the last move put it there.
 * @property {Trace} [trace] what else the last move did there.
 * @property {boolean} isPremove whether the move that is set in advance ends there.
 * @property {boolean} isPole
 * @property {boolean} isLocked
 * @property {number} [number] of the move.
 * @property {string} [mark]
 * @property {boolean} isPicked
 * @property {number} [heat]
 * @property {string} [name] shown in the cell.
 * @property {string} spoken label for screen readers.
 * @property {boolean} isOpen whether a click changes the move.
 */

/** @type {Record<Trace, string>} */
const TRACES = {
  left: t("left by the last move"),
  reached: t("reached by the last move"),
  flipped: t("flipped by the last move"),
};

/** @typedef {Record<number, string | null>} Changes cell -> piece afterwards. */

/**
 * The state that appearances depend on.
 * @typedef {object} Context
 * @property {BoardOut} board
 * @property {Omit<State, "board">} state
 * @property {Set<number>} open cells that can be chosen next.
 * @property {Set<number>} free cells where a click changes the move.
 * @property {number[]} selected cells that were preferences.
 * @property {number[]} premove cells of the move that is set in advance.
 * @property {Changes} planned pieces that the composed move would change.
 * @property {boolean} isComplete whether the chosen steps are a complete move.
 * @property {boolean} isHover whether that move is only previewed under the pointer.
 * @property {number | null} hovered cell under the pointer.
 * @property {Record<number, Trace>} traces of the last move, by cell.
 * @property {Set<number>} locked
 * @property {string} coordinates
 * @property {boolean} withNumbers
 * @property {(piece: string) => string} inView the piece as the view shows it.
 */

/**
 * Return the cells whose pieces cannot change any more.
 * @param {Pick<BoardOut, "locks">} board
 * @param {Pieces} pieces
 */
export function lockedCells({ locks = {} }, pieces) {
  const isFull = (/** @type {number} */ cell) => Boolean(pieces[cell]);
  return new Set(
    Object.entries(locks).flatMap(([cell, around]) => (around.every(isFull) ? [Number(cell)] : [])),
  );
}

/**
 * Return how many pieces of each colour are left; empty in games without a limited supply.
 * @param {Pick<BoardOut, "supply">} board
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
 * Return the appearance of one spot.
 * @param {Context} context
 * @param {Spot} spot
 * @returns {Appearance}
 */
export function appearanceOf(context, { cell, name }) {
  const { board, state, open, selected, planned, isHover, locked } = context;
  const isPlanned = cell in planned;
  const current = state.pieces[cell];
  const piece = isPlanned ? (planned[cell] ?? undefined) : current;
  const classes = [];
  if (board.shaded.includes(cell)) classes.push("shaded");
  if (open.has(cell)) classes.push("legal");
  if (selected.includes(cell)) classes.push("selected");
  if (state.chain.includes(cell)) classes.push("chain");
  if (state.pointed.includes(cell)) classes.push("pointed");
  if (cell === context.hovered) classes.push("hovered");
  const inView = (/** @type {string | undefined} */ one) => (one ? context.inView(one) : undefined);
  const number = state.numbers[cell] ?? (context.withNumbers ? state.plies[cell] : undefined);
  return {
    classes,
    piece: inView(piece ?? (isPlanned ? current : undefined)),
    state: isPlanned ? (piece && !isHover ? "planned" : "ghost") : "",
    isChanging: isPlanned && Boolean(current) && Boolean(piece),
    isTarget: isTarget(context, cell),
    isLast: cell === state.last,
    trace: context.traces[cell],
    isPremove: context.premove.includes(cell),
    isPole: board.poles.includes(cell),
    isLocked: locked.has(cell),
    number: piece && !isPlanned ? number : undefined,
    mark: state.marks[cell],
    isPicked: state.picked.includes(cell),
    heat: current ? undefined : state.heat[cell],
    name: context.coordinates === "cells" ? name : undefined,
    spoken: cellText(pointText(name, board.names[cell]), inView(current), markTexts(context, cell)),
    isOpen: context.free.has(cell),
  };
}

/**
 * Return whether a piece on a cell can be chosen as the next step, which has to be marked.
 * @param {Context} context
 * @param {number} cell
 */
function isTarget({ state, open, selected, planned, isComplete }, cell) {
  const isFull = Boolean(state.pieces[cell] ?? planned[cell]);
  return selected.length > 0 && !isComplete && open.has(cell) && isFull;
}

/**
 * @param {Context} context
 * @param {number} cell
 */
function markTexts(context, cell) {
  const { board, state, selected, planned, locked, premove } = context;
  const parts = [];
  if (board.poles.includes(cell)) parts.push(t("pole"));
  if (cell === state.last) parts.push(t("last move"));
  const trace = context.traces[cell];
  if (trace) parts.push(TRACES[trace]);
  if (premove.includes(cell)) parts.push(t("premove"));
  if (state.chain.includes(cell)) parts.push(t("winning chain"));
  if (locked.has(cell)) parts.push(t("locked"));
  if (selected.includes(cell)) parts.push(t("selected"));
  else if (planned[cell] && state.pieces[cell])
    parts.push(t("becomes {piece}", { piece: pieceText(planned[cell]) }));
  if (isTarget(context, cell)) parts.push(t("can be selected"));
  if (state.picked.includes(cell)) parts.push(t("marked"));
  if (state.pointed.includes(cell)) parts.push(t("highlighted"));
  parts.push(...noteTexts(state.shapes ?? [], cell, board.names));
  if (state.marks[cell]) parts.push(t("proposal {mark}", { mark: state.marks[cell] }));
  return parts;
}

/**
 * Return the pieces that steps would put on the board, as far as the board knows without rules.
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
