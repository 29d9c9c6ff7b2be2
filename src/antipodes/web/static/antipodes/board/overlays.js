// Lines that may be drawn between cells and pieces: who is whose neighbour, and what is joined.

import { t, tc } from "../i18n.js";
import { colorOn, joiner } from "./chains.js";

/** @typedef {import("./views.js").View} View */

/**
 * One stroke of an overlay.
 * @typedef {{name: string, d: string}} Stroke class and path.
 */

const REACH = 1.1; // neighbours farther apart lie on opposite ends of a drawn board
const known = new WeakMap(); // view -> for each panel pairs of spots that are neighbours

/** Values and titles of what can be drawn over a board. */
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
 * @returns {(panel: number) => Stroke[]}
 */
export function overlay(name, view, board, pieces) {
  if (name === "none") return () => [];
  const strokes = name === "chains" ? chainStrokes : neighbourStrokes;
  return (panel) => strokes(view, board, pieces, pairsIn(view, board, panel).filter(near(view, panel)), panel);
}

function neighbourStrokes(view, _board, _pieces, pairs, panel) {
  return [
    { name: "net", d: lines(view, pairs) },
    { name: "net-nodes", d: dots(view, panel, () => true) },
  ];
}

/** Each chain as one body, with lines to all that the joining colour might still join to it. */
function chainStrokes(view, board, pieces, pairs, panel) {
  const color = (index) => colorOn(pieces, view.spots[index].cell);
  const joining = joiner(board);
  const isOpen = (one) => one === null || one === joining || joining === undefined;
  const isEdge = ([a, b]) => isOpen(color(a)) && isOpen(color(b)) && (color(a) === null || color(a) !== color(b));
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

/** Pairs of spots in one panel whose cells are neighbours; found once for each view. */
function pairsIn(view, board, panel) {
  if (!known.has(view)) known.set(view, []);
  const panels = known.get(view);
  panels[panel] ??= findPairs(view, board, panel);
  return panels[panel];
}

/** Whether a pair is seen, and side by side. */
function near({ panels, spots }, panel) {
  const { reach = REACH, isRound } = panels[panel];
  return ([i, j]) => {
    const [a, b] = [spots[i], spots[j]];
    return isSeen(a) && isSeen(b) && (isRound || Math.hypot(a.x - b.x, a.y - b.y) <= reach);
  };
}

function findPairs(view, { neighbours }, panel) {
  const spotsOf = new Map();
  for (const [index, spot] of view.spots.entries()) {
    if (spot.panel === panel) spotsOf.set(spot.cell, [...(spotsOf.get(spot.cell) ?? []), index]);
  }
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

const isSeen = (spot) => spot.visible !== false && !spot.isBehind;

const at = ({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`;

function lines({ spots }, pairs) {
  let d = "";
  for (const [a, b] of pairs) d += `M${at(spots[a])}L${at(spots[b])}`;
  return d;
}

/** Three neighbours of each other are one body without a hole. */
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

function dots({ spots }, panel, isWanted) {
  let d = "";
  for (const spot of spots) {
    if (spot.panel === panel && isSeen(spot) && isWanted(spot.cell)) d += `M${at(spot)}h0`;
  }
  return d;
}
