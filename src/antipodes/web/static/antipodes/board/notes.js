// Marks and arrows that writers of studies put on a board. All functions are pure.

import { t } from "../i18n.js";

/** @import { Stroke } from "./overlays.js" */
/** @import { Point, Spot, View } from "./views.js" */
/** @import { ShapeEdit } from "wire" */

/** @typedef {ShapeEdit["shape"]} Shape on one cell, or an arrow from one cell to another. */

const RADIUS = 0.34; // of a mark, in steps between cells
const HEAD = 0.3; // length of an arrow's head
const GAP = 0.22; // from the centre of a cell to the end of an arrow

/** @type {Record<string, (x: number, y: number, r: number) => string>} */
const OUTLINES = {
  circle: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  square: (x, y, r) => `M${x - 0.8 * r} ${y - 0.8 * r}h${1.6 * r}v${1.6 * r}h${-1.6 * r}Z`,
  triangle: (x, y, r) => `M${x} ${y - r}L${x + 0.87 * r} ${y + 0.5 * r}H${x - 0.87 * r}Z`,
  cross: (x, y, r) =>
    `M${x - 0.7 * r} ${y - 0.7 * r}l${1.4 * r} ${1.4 * r}m0 ${-1.4 * r}l${-1.4 * r} ${1.4 * r}`,
};

/** The kinds of shapes on one cell. */
export const MARKS = Object.keys(OUTLINES);

/**
 * Return the path of a mark, such as for a button.
 * @param {string} kind
 */
export function markPath(kind) {
  return kind === "arrow"
    ? arrowPath({ x: -0.4, y: 0.4 }, { x: 0.4, y: -0.4 }, 0)
    : OUTLINES[kind](0, 0, RADIUS);
}

/**
 * Return a function that draws shapes in a panel, at the current positions of its spots.
 * @param {Shape[]} shapes
 * @param {View} view
 * @returns {(panel: number) => Stroke[]}
 */
export function noteStrokes(shapes, view) {
  return (panel) => {
    const spots = view.spots.filter(
      (spot) => spot.panel === panel && spot.visible !== false && !spot.isBehind && !spot.repeated,
    );
    const d = shapes.map((shape) => pathOf(shape, spots, view)).join("");
    const back = shapes.map((shape) => backOf(shape, view)).join("");
    return [
      { name: "note-back", d: back },
      { name: "note-edge", d },
      { name: "note-line", d },
    ];
  };
}

/**
 * Return the part of an arrow behind the sphere.
 * @param {Shape} shape
 * @param {View} view
 */
function backOf([kind, from, to], view) {
  if (kind !== "arrow" || to === undefined || !view.wayBetween) return "";
  return view.wayBetween(from, to).back.map(polyline).join("");
}

/** @param {Point} point */
const placed = ({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`;

/** @param {Point[]} points */
const polyline = (points) => `M${points.map(placed).join("L")}`;

/**
 * Return the path of an arrow over a sphere, with its head where the end is before it.
 * @param {number} from
 * @param {number} to
 * @param {Spot[]} spots that are visible
 * @param {View} view
 */
function roundArrow(from, to, spots, view) {
  const front = view.wayBetween?.(from, to).front ?? [];
  const end = spots.find((spot) => spot.cell === to);
  const last = front.at(-1)?.at(-3);
  const head = end && last ? arrowPath(last, end, 0) : "";
  return front.map(polyline).join("") + head;
}

/**
 * @param {Shape} shape
 * @param {Spot[]} spots of one panel
 * @param {View} view
 */
function pathOf([kind, cell, to], spots, view) {
  const at = (/** @type {number | undefined} */ one) => spots.filter((spot) => spot.cell === one);
  if (kind !== "arrow")
    return at(cell)
      .map(({ x, y, scale = 1 }) => OUTLINES[kind](x, y, RADIUS * scale))
      .join("");
  if (view.wayBetween && to !== undefined) return roundArrow(cell, to, spots, view);
  const pairs = at(cell).flatMap((from) =>
    at(to).map((end) => /** @type {[Spot, Spot]} */ ([from, end])),
  );
  if (pairs.length) {
    const [from, end] = pairs.reduce((best, pair) =>
      length(...pair) < length(...best) ? pair : best,
    );
    return arrowPath(from, end, GAP);
  }
  // The ends lie on different boards: a dot where the arrow begins, a ring where it ends.
  return (
    at(cell)
      .map(({ x, y }) => OUTLINES.circle(x, y, 0.1))
      .join("") +
    at(to)
      .map(({ x, y }) => OUTLINES.circle(x, y, RADIUS) + OUTLINES.circle(x, y, 0.1))
      .join("")
  );
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {number} gap
 */
function arrowPath(from, to, gap) {
  const whole = length(from, to) || 1;
  const [ux, uy] = [(to.x - from.x) / whole, (to.y - from.y) / whole];
  const begin = { x: from.x + ux * gap, y: from.y + uy * gap };
  const end = { x: to.x - ux * gap, y: to.y - uy * gap };
  const wing = (/** @type {number} */ side) =>
    `${end.x - HEAD * (0.87 * ux - 0.5 * side * uy)} ${end.y - HEAD * (0.87 * uy + 0.5 * side * ux)}`;
  return `M${begin.x} ${begin.y}L${end.x} ${end.y}M${wing(1)}L${end.x} ${end.y}L${wing(-1)}`;
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function length(a, b) {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

/**
 * Describe the shapes on a cell for screen readers.
 * @param {Shape[]} shapes
 * @param {number} cell
 * @param {string[][]} names of cells
 */
export function noteTexts(shapes, cell, names) {
  return shapes.flatMap(([kind, from, to]) => {
    if (kind !== "arrow") return from === cell ? [SPOKEN[kind]] : [];
    if (from === cell && to !== undefined) return [t("arrow to {point}", { point: names[to][0] })];
    return to === cell ? [t("arrow from {point}", { point: names[from][0] })] : [];
  });
}

/** @type {Record<string, string>} */
export const SPOKEN = {
  circle: t("circle"),
  square: t("square"),
  triangle: t("triangle"),
  cross: t("cross"),
  arrow: t("arrow"),
};
