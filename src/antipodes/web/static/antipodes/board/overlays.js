// Lines that may be drawn between cells and pieces: who is whose neighbour, and what is joined.

import { t, tc } from "../i18n.js";
import { colorOn, joiner } from "./chains.js";

/** @import { BoardData, Pieces } from "./state.js" */
/** @import { Point, Spot, View } from "./views.js" */

/**
 * One stroke of an overlay.
 * @typedef {{name: string, d: string}} Stroke class and path.
 */
/** @typedef {[number, number]} Pair indices of spots. */

const REACH = 1.1; // neighbours farther apart lie on opposite ends of a drawn board
/** @type {WeakMap<View, Pair[][]>} */
const known = new WeakMap(); // view -> for each panel pairs of spots that are neighbours

/**
 * Values and titles of what can be drawn over a board.
 * @param {BoardData} board
 */
export function overlaysFor(board) {
  if (board.shape === "square") return [];
  return [
    ["none", tc("choice", "none")],
    ["neighbours", t("between neighbours")],
    ["chains", t("chains and what they touch")],
  ];
}

/**
 * What to draw in each panel, wherever the spots are when it is called.
 * @param {string} name of the overlay.
 * @param {View} view
 * @param {BoardData} board
 * @param {Pieces} pieces
 * @returns {(panel: number) => Stroke[]}
 */
export function overlay(name, view, board, pieces) {
  if (name === "none") return () => [];
  const strokes = name === "chains" ? chainStrokes : neighbourStrokes;
  return (panel) => strokes(view, board, pieces, pairsIn(view, board, panel).filter(near(view, panel)), panel);
}

/**
 * @param {View} view
 * @param {BoardData} _board
 * @param {Pieces} _pieces
 * @param {Pair[]} pairs
 * @param {number} panel
 */
function neighbourStrokes(view, _board, _pieces, pairs, panel) {
  return [
    { name: "net", d: lines(view, pairs) },
    { name: "net-nodes", d: dots(view, panel, () => true) },
  ];
}

/**
 * Each chain as one body, with lines to all that the joining colour might still join to it.
 * @param {View} view
 * @param {BoardData} board
 * @param {Pieces} pieces
 * @param {Pair[]} pairs
 * @param {number} panel
 */
function chainStrokes(view, board, pieces, pairs, panel) {
  const color = (/** @type {number} */ index) => colorOn(pieces, view.spots[index].cell);
  const joining = joiner(board);
  const isOpen = (/** @type {string | null} */ one) => one === null || one === joining || joining === undefined;
  const isEdge = (/** @type {Pair} */ [a, b]) => isOpen(color(a)) && isOpen(color(b)) && (color(a) === null || color(a) !== color(b));
  const strokes = [
    { name: "net", d: lines(view, pairs.filter(isEdge)) },
    { name: "net-nodes", d: dots(view, panel, (cell) => !pieces[cell]) },
  ];
  for (const one of board.colors) {
    const own = pairs.filter(([a, b]) => color(a) === one && color(b) === one);
    const d = lines(view, own) + triangles(view, own);
    strokes.push({ name: `body-edge ${one}`, d }, { name: `body ${one}`, d });
  }
  return strokes;
}

/**
 * Pairs of spots in one panel whose cells are neighbours; found once for each view.
 * @param {View} view
 * @param {BoardData} board
 * @param {number} panel
 */
function pairsIn(view, board, panel) {
  const panels = known.get(view) ?? [];
  known.set(view, panels);
  panels[panel] ??= findPairs(view, board, panel);
  return panels[panel];
}

/**
 * Whether a pair is seen, and side by side.
 * @param {View} view
 * @param {number} panel
 */
function near({ panels, spots }, panel) {
  const { reach = REACH, isRound } = panels[panel];
  return (/** @type {Pair} */ [i, j]) => {
    const [a, b] = [spots[i], spots[j]];
    return isSeen(a) && isSeen(b) && (isRound || Math.hypot(a.x - b.x, a.y - b.y) <= reach);
  };
}

/**
 * @param {View} view
 * @param {BoardData} board
 * @param {number} panel
 */
function findPairs(view, { neighbours }, panel) {
  const spotsOf = new Map();
  for (const [index, spot] of view.spots.entries()) {
    if (spot.panel === panel) spotsOf.set(spot.cell, [...(spotsOf.get(spot.cell) ?? []), index]);
  }
  /** @type {Pair[]} */
  const pairs = [];
  for (const [cell, own] of spotsOf) {
    for (const other of neighbours[cell]) {
      if (other < cell) continue;
      for (const a of own) {
        for (const b of spotsOf.get(other) ?? []) pairs.push([a, b]);
      }
    }
  }
  return pairs;
}

/** @param {Spot} spot */
const isSeen = (spot) => spot.visible !== false && !spot.isBehind;

/** @param {Point} point */
const at = ({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`;

/**
 * @param {View} view
 * @param {Pair[]} pairs
 */
function lines({ spots }, pairs) {
  let d = "";
  for (const [a, b] of pairs) d += `M${at(spots[a])}L${at(spots[b])}`;
  return d;
}

/**
 * Three neighbours of each other are one body without a hole.
 * @param {View} view
 * @param {Pair[]} pairs
 */
function triangles({ spots }, pairs) {
  const after = new Map();
  for (const [a, b] of pairs) after.set(a, (after.get(a) ?? new Set()).add(b));
  let d = "";
  for (const [a, b] of pairs) {
    for (const c of after.get(b) ?? []) {
      if (after.get(a).has(c)) d += `M${at(spots[a])}L${at(spots[b])}L${at(spots[c])}Z`;
    }
  }
  return d;
}

/**
 * @param {View} view
 * @param {number} panel
 * @param {(cell: number) => boolean} isWanted
 */
function dots({ spots }, panel, isWanted) {
  let d = "";
  for (const spot of spots) {
    if (spot.panel === panel && isSeen(spot) && isWanted(spot.cell)) d += `M${at(spot)}h0`;
  }
  return d;
}
