// Chart of the winning chances during a game, with axes: two areas, or lines for more than two colours.
// The viewer's colour is the lower area, so that a rising edge is good for them.

import { number, t } from "../i18n.js";
import { svg } from "../board/shapes.js";
import { colorText } from "../board/texts.js";
import { defined } from "../defined.js";

/** @import { PlyEstimateOut, ReviewOut, TurningPointOut } from "wire" */

const WIDTH = 600;
const HEIGHT = 160;
const MARGIN = { left: 58, right: 12, top: 14, bottom: 30 };
const TICKS = 8; // move numbers at most
const SIGN = 11; // radius of the sign of a turning point
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200]; // moves between two numbers

/**
 * Return the x coordinate of a ply.
 * @param {number} ply
 * @param {number} count
 */
function xOf(ply, count) {
  return count < 2 ? 0 : (WIDTH * ply) / (count - 1);
}

/**
 * Return the y coordinate of a chance.
 * @param {number} value
 */
function yOf(value) {
  return HEIGHT * (1 - value);
}

/**
 * Return the move numbers below the chart: round ones, and not too many.
 * @param {number} count number of positions
 */
export function ticks(count) {
  const step = STEPS.find((one) => (count - 1) / one <= TICKS) ?? count;
  return Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step);
}

/**
 * Draw the chart.
 * @param {HTMLElement} target
 * @param {ReviewOut} review
 * @param {number} count number of positions
 * @param {(ply: number) => void} onSelect called with the ply of a click
 * @param {string | undefined} own colour of the viewer
 */
export function drawChart(target, { estimates, turns }, count, onSelect, own) {
  const colors = Object.keys(estimates[0].values).sort(
    (a, b) => Number(b === own) - Number(a === own),
  );
  const { left, right, top, bottom } = MARGIN;
  const picture = svg("svg", {
    viewBox: `${-left} ${-top} ${left + WIDTH + right} ${top + HEIGHT + bottom}`,
    role: "img",
    "aria-label": summary(estimates, turns, colors),
  });
  const lines =
    colors.length === 2 ? areas(estimates, colors, count) : coloredLines(estimates, colors, count);
  picture.append(
    svg("rect", { class: "frame", width: WIDTH, height: HEIGHT, rx: 4 }),
    ...lines,
    svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    ...axes(count),
    ...turnMarks(turns, estimates, colors, count),
    svg("path", { class: "cursor", d: `M0-6V${HEIGHT}` }),
  );
  picture.addEventListener("click", (event) => onSelect(plyAt(picture, event, count)));
  target.replaceChildren(picture);
}

/**
 * Make the labels of both axes: chances at the left, move numbers below.
 * @param {number} count
 */
function axes(count) {
  const share = (/** @type {number} */ value) =>
    label("end", -8, yOf(value) + 6, number(value, { style: "percent" }));
  const moves = ticks(count).map((ply) => [
    svg("path", { class: "tick", d: `M${xOf(ply, count).toFixed(1)} ${HEIGHT}v5` }),
    label("middle", xOf(ply, count), HEIGHT + 24, number(ply)),
  ]);
  return [share(1), share(0.5), share(0), ...moves.flat()];
}

/**
 * @param {string} anchor
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
function label(anchor, x, y, text) {
  const made = svg("text", { class: "axis", x: x.toFixed(1), y, "text-anchor": anchor });
  made.textContent = text;
  return made;
}

/**
 * Mark the shown position.
 * @param {HTMLElement} target
 * @param {number} ply
 * @param {number} count
 */
export function placeCursor(target, ply, count) {
  const cursor = target.querySelector(".cursor");
  cursor?.setAttribute("transform", `translate(${xOf(ply, count).toFixed(1)} 0)`);
}

/**
 * @param {SVGSVGElement} picture
 * @param {MouseEvent} event
 * @param {number} count
 */
function plyAt(picture, event, count) {
  const point = new DOMPoint(event.clientX, event.clientY);
  const { x } = point.matrixTransform(defined(picture.getScreenCTM()).inverse());
  return Math.max(0, Math.min(count - 1, Math.round((x / WIDTH) * (count - 1))));
}

/**
 * Return the points of a colour's line.
 * @param {PlyEstimateOut[]} estimates
 * @param {string} color
 * @param {number} count
 */
function linePoints(estimates, color, count) {
  return estimates
    .map((one, ply) => ({ x: xOf(ply, count), value: one.values[color] }))
    .flatMap(({ x, value }) =>
      value === null ? [] : [`${x.toFixed(1)} ${yOf(value).toFixed(1)}`],
    );
}

/**
 * Make two areas, one above the other, since two chances add up to one.
 * @param {PlyEstimateOut[]} estimates
 * @param {string[]} colors the lower one and the upper one
 * @param {number} count
 */
function areas(estimates, [lower, upper], count) {
  const line = linePoints(estimates, lower, count).join("L");
  const end = xOf(estimates.length - 1, count).toFixed(1);
  return [
    svg("path", { class: `area ${upper}`, d: `M${line}L${end} 0L0 0Z` }),
    svg("path", { class: `area ${lower}`, d: `M${line}L${end} ${HEIGHT}L0 ${HEIGHT}Z` }),
    svg("path", { class: "edge", d: `M${line}` }),
  ];
}

/**
 * Make a line for each colour, with different patterns of dashes.
 * @param {PlyEstimateOut[]} estimates
 * @param {string[]} colors
 * @param {number} count
 */
function coloredLines(estimates, colors, count) {
  const dashes = ["none", "9 4", "3 3", "12 3 3 3"];
  return colors.map((color, index) =>
    svg("path", {
      class: `thread ${color}`,
      d: `M${linePoints(estimates, color, count).join("L")}`,
      "stroke-dasharray": dashes[index % dashes.length],
    }),
  );
}

/**
 * Return heights for signs, so that none covers another one before it: a sign that would is moved
 * up or down, as little as possible.
 * @param {{x: number, y: number}[]} points in the order of their x
 */
export function placeSigns(points) {
  /** @type {{x: number, y: number}[]} */
  const placed = [];
  const isFree = (/** @type {number} */ x, /** @type {number} */ y) =>
    y >= 0 && y <= HEIGHT && placed.every((one) => Math.hypot(one.x - x, one.y - y) >= 2 * SIGN);
  const shifts = Array.from(
    { length: 2 * HEIGHT },
    (_, index) => (index % 2 ? -1 : 1) * Math.ceil(index / 2),
  );
  for (const { x, y } of points)
    placed.push({ x, y: y + (shifts.find((shift) => isFree(x, y + shift)) ?? 0) });
  return placed.map(({ y }) => y);
}

/**
 * Make the signs of the turning points.
 * @param {TurningPointOut[]} turns
 * @param {PlyEstimateOut[]} estimates
 * @param {string[]} colors
 * @param {number} count
 */
function turnMarks(turns, estimates, colors, count) {
  const points = turns.map((turn) => {
    // The edge between two areas is the line of the first colour.
    const color = colors.length === 2 ? colors[0] : turn.color;
    return { x: xOf(turn.ply, count), y: yOf(estimates[turn.ply]?.values[color] ?? 0.5) };
  });
  const heights = placeSigns(points);
  return turns.map((turn, index) => turnMark(turn, points[index], heights[index]));
}

/**
 * Make the sign of a turning point: "?" for a mistake, "??" if it gave away a proven win; with a
 * line to its point if the sign is elsewhere.
 * @param {TurningPointOut} turn
 * @param {{x: number, y: number}} point
 * @param {number} height
 */
function turnMark(turn, { x, y }, height) {
  const sign = svg("text", { class: "turn-sign", "text-anchor": "middle", y: 6 });
  sign.textContent = turn.decides ? "??" : "?";
  const title = svg("title");
  title.textContent = t("Move {ply}, {color} {move}", {
    ply: turn.ply,
    color: colorText(turn.color),
    move: turn.move,
  });
  const line = svg("path", { class: "turn-line", d: `M0 0V${(y - height).toFixed(1)}` });
  const place = `translate(${x.toFixed(1)} ${height.toFixed(1)})`;
  return svg(
    "g",
    { transform: place },
    title,
    line,
    svg("circle", { class: "turn", r: SIGN }),
    sign,
  );
}

/**
 * @param {PlyEstimateOut[]} estimates
 * @param {TurningPointOut[]} turns
 * @param {string[]} colors
 */
function summary(estimates, turns, colors) {
  const last = estimates[estimates.length - 1].values;
  const share = (/** @type {string} */ color) =>
    number(Math.round(100 * (last[color] ?? 0)) / 100, { style: "percent" });
  const chances = colors.map((color) => `${colorText(color)} ${share(color)}`).join(", ");
  const moves = turns.map((turn) => turn.ply).join(", ");
  const text = t("Winning chances during the game. At the end: {chances}.", { chances });
  return `${text} ${moves ? t("Turning points: moves {moves}.", { moves }) : t("Turning points: none.")}`;
}
