// The flat view: every board as in the rules, side by side, rotated to the viewer's side.

import { t } from "../i18n.js";
import { svg } from "./shapes.js";
import { registerView } from "./views.js";

/** @import { Place } from "./state.js" */
/** @import { Label, Layers, Panel, Point, Spot, ViewOptions } from "./views.js" */
/** @import { BoardOut } from "wire" */

const CELL = 0.6; // from a cell's centre to its edge, in steps
const BORDER = 0.34; // width of coloured borders beyond the cells
const LABEL = 0.36; // room for a label around its centre
const BROAD = 12; // boards broader than this are drawn smaller, so their coordinates are enlarged
/** @type {Record<string, number>} */
const LARGEST = { square: 0.54, pointy: 0.44, flat: 0.44 }; // greatest size of coordinates
const FRAME = 0.2; // width of the frame around squares

/**
 * @param {BoardOut} board
 * @param {ViewOptions} viewOptions
 */
export function makeFlat(board, { turns }) {
  const turn = rotation(board, turns);
  // On square boards each seat has its own cell names, so the coordinates are not rotated.
  const isSquare = board.kind === "grid";
  const spot = (/** @type {Place} */ [cell, panel, x, y, name]) => ({
    cell,
    panel,
    name,
    ...turn(x, y),
  });
  /** @type {Spot[]} */
  const spots = board.places.map(spot);
  spots.push(...board.repeated.map((place) => ({ ...spot(place), repeated: true })));
  const count = 1 + Math.max(...spots.map((one) => one.panel));
  const labels = board.labels.map(([text, x, y]) => {
    const place = isSquare ? { x, y } : turn(x, y);
    return { text, ...place, panel: nearestPanel(spots, place) };
  });
  const panels = Array.from({ length: count }, (_, number) => ({
    label: count > 1 ? t("Board {number} of {count}", { number: number + 1, count }) : t("Board"),
    box: boxAround(
      spots.filter((one) => one.panel === number),
      labels.filter((one) => one.panel === number),
    ),
  }));
  return {
    name: "flat",
    panels,
    spots,
    labels,
    labelSize: Math.min(LARGEST[board.shape], 0.36 * Math.max(1, panels[0].box[2] / BROAD)),
    isTurned: turns % 2 === 1,
    decorate: (/** @type {number} */ panel, /** @type {Layers} */ layers) =>
      decorate(board, turn, panel, layers),
  };
}

/**
 * Return a function that rotates points by quarter turns, anticlockwise, about the board's centre.
 * @param {BoardOut} board
 * @param {number} turns
 */
function rotation(board, turns) {
  const middle = (/** @type {number[]} */ values) =>
    (Math.min(...values) + Math.max(...values)) / 2;
  const [x0, y0] = [
    middle(board.places.map(([, , x]) => x)),
    middle(board.places.map(([, , , y]) => y)),
  ];
  const [cos, sin] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][turns % 4];
  return (/** @type {number} */ x, /** @type {number} */ y) => ({
    x: x0 + (x - x0) * cos + (y - y0) * sin,
    y: y0 - (x - x0) * sin + (y - y0) * cos,
  });
}

/**
 * @param {Spot[]} spots
 * @param {Point} label
 */
function nearestPanel(spots, label) {
  const distance = (/** @type {Spot} */ spot) => Math.hypot(spot.x - label.x, spot.y - label.y);
  return spots.reduce((best, spot) => (distance(spot) < distance(best) ? spot : best)).panel;
}

/**
 * @param {Spot[]} spots
 * @param {Label[]} labels
 * @returns {Panel["box"]}
 */
function boxAround(spots, labels) {
  const edge = CELL + BORDER;
  const xs = spots.flatMap(({ x }) => [x - edge, x + edge]);
  const ys = spots.flatMap(({ y }) => [y - edge, y + edge]);
  xs.push(...labels.flatMap(({ x }) => [x - LABEL, x + LABEL]));
  ys.push(...labels.flatMap(({ y }) => [y - LABEL, y + LABEL]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/**
 * Draw borders, frame and seams.
 * @param {BoardOut} board
 * @param {(x: number, y: number) => Point} turn
 * @param {number} panel
 * @param {Layers} layers
 */
function decorate(board, turn, panel, { under, over }) {
  if (panel > 0) return;
  const corner = (/** @type {[number, number]} */ [x, y]) => Object.values(turn(x, y)).join(" ");
  const line = (/** @type {[number, number][]} */ points) => `M${points.map(corner).join("L")}`;
  const isSquare = board.shape === "square";
  if (isSquare && !board.borders.length) under.append(frame(board));
  for (const [color, band] of board.borders) {
    const group = svg(
      "g",
      { class: `border ${color}` },
      svg("path", { d: `${line(band)}Z`, class: "border-band" }),
    );
    if (isSquare) group.append(svg("path", { d: line(middleOf(band)), class: "border-sign" }));
    under.append(group);
  }
  for (const points of board.seams) over.append(svg("path", { d: line(points), class: "seam" }));
  if (isSquare) over.append(gridPoints(board));
}

/**
 * Return the line along the middle of a border, which leads along the cells and back outside.
 * @param {[number, number][]} band
 * @returns {[number, number][]}
 */
function middleOf(band) {
  const inside = band.slice(0, band.length / 2);
  return inside.map(([x, y], i) => {
    const [outerX, outerY] = band[band.length - 1 - i];
    return [(x + outerX) / 2, (y + outerY) / 2];
  });
}

/** @param {BoardOut} board */
function frame({ places }) {
  const side = Math.sqrt(places.length) + 2 * FRAME;
  const start = -0.5 - FRAME;
  return svg("rect", { x: start, y: start, width: side, height: side, rx: 0.15, class: "frame" });
}

/**
 * Make the dots where rods touch.
 * @param {BoardOut} board
 */
function gridPoints({ places }) {
  const count = Math.sqrt(places.length) + 1;
  const rows = Array.from({ length: count * count }, (_, i) => {
    return `M${(i % count) - 0.5} ${Math.floor(i / count) - 0.5}h0`;
  });
  return svg("path", { d: rows.join(""), class: "grid-points" });
}

registerView({ name: "flat", title: t("Flat"), fits: () => true, make: makeFlat });
