// Lines drawn over a board: between neighbours, and along chains.

import { t, tc } from "../i18n.js";
import { colorOn, poleConnector } from "./chains.js";

/** @import { Pieces } from "./state.js" */
/** @import { Point, Spot, View } from "./views.js" */
/** @import { BoardOut } from "wire" */

/**
 * One path of an overlay.
 * @typedef {{name: string, d: string}} Stroke class and path data.
 */
/** @typedef {[number, number]} Pair indices of spots. */

const REACH = 1.1; // neighbours farther apart lie at opposite edges of a drawn board
/** @type {WeakMap<View, Pair[][]>} */
const pairsOfViews = new WeakMap(); // view -> pairs of neighbouring spots in each panel

/**
 * Return values and titles of the overlays that a board offers.
 * @param {BoardOut} board
 */
export function overlaysFor(board) {
  if (board.shape === "square") return [];
  return [
    ["none", tc("choice", "none")],
    ["neighbours", t("between neighbours")],
    ["chains", t("along chains")],
  ];
}

/**
 * Return a function that draws an overlay in a panel, at the current positions of its spots.
 * @param {string} name of the overlay.
 * @param {View} view
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @returns {(panel: number) => Stroke[]}
 */
export function overlay(name, view, board, pieces) {
  if (name === "none") return () => [];
  const strokes = name === "chains" ? chainStrokes : neighbourStrokes;
  return (panel) =>
    strokes(view, board, pieces, pairsIn(view, board, panel).filter(near(view, panel)), panel);
}

/**
 * @param {View} view
 * @param {BoardOut} _board
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
 * Draw each chain as one body, with lines to everything that the connecting colour can still reach.
 * @param {View} view
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @param {Pair[]} pairs
 * @param {number} panel
 */
function chainStrokes(view, board, pieces, pairs, panel) {
  const color = (/** @type {number} */ index) => colorOn(pieces, view.spots[index].cell);
  const connector = poleConnector(board);
  const isOpen = (/** @type {string | null} */ one) =>
    one === null || one === connector || connector === undefined;
  const isEdge = (/** @type {Pair} */ [a, b]) =>
    isOpen(color(a)) && isOpen(color(b)) && (color(a) === null || color(a) !== color(b));
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
 * Return pairs of spots in one panel whose cells are neighbours, cached for each view.
 * @param {View} view
 * @param {BoardOut} board
 * @param {number} panel
 */
function pairsIn(view, board, panel) {
  const panels = pairsOfViews.get(view) ?? [];
  pairsOfViews.set(view, panels);
  panels[panel] ??= findPairs(view, board, panel);
  return panels[panel];
}

/**
 * Return a filter of pairs that are visible and adjacent.
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
 * @param {BoardOut} board
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
 * Fill the triangles between three mutual neighbours, so that a body has no holes.
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
 * @param {(cell: number) => boolean} isIncluded
 */
function dots({ spots }, panel, isIncluded) {
  let d = "";
  for (const spot of spots) {
    if (spot.panel === panel && isSeen(spot) && isIncluded(spot.cell)) d += `M${at(spot)}h0`;
  }
  return d;
}
