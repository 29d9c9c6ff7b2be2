// The chances along a game as a picture: one line for each colour, or two areas where there are two.

import { number, t } from "../i18n.js";
import { svg } from "../board/shapes.js";
import { colorWord } from "../board/words.js";
import { sure } from "../sure.js";

const WIDTH = 600;
const HEIGHT = 160;
const SIGN = "M0-6L6 5H-6Z"; // of a turning point

/**
 * The chances at one position of a game.
 * @typedef {object} Estimate
 * @property {Record<string, number | null>} values by colour.
 * @property {boolean} proven
 * @property {string | null} best move.
 */

/**
 * A move that changed the chances much.
 * @typedef {object} TurningPoint
 * @property {number} ply
 * @property {string} color
 * @property {string} move
 * @property {string} better move.
 * @property {number} before
 * @property {number} after
 * @property {boolean} decides whether it gave a sure win away.
 */

/**
 * A review as review.json has it.
 * @typedef {object} ReviewTold
 * @property {string | null} state null before it was begun.
 * @property {Estimate[]} estimates one for each position, as far as they are known.
 * @property {TurningPoint[]} turns
 */

/**
 * Where a ply lies from left to right.
 * @param {number} ply
 * @param {number} count
 */
function across(ply, count) {
  return count < 2 ? 0 : (WIDTH * ply) / (count - 1);
}

/**
 * How far down a chance lies.
 * @param {number} value
 */
function down(value) {
  return HEIGHT * (1 - value);
}

/**
 * Draw the chances.
 * @param {HTMLElement} target
 * @param {ReviewTold} told
 * @param {number} count positions of the game
 * @param {(ply: number) => void} go called with the ply that somebody points at
 */
export function drawChart(target, { estimates, turns }, count, go) {
  const colors = Object.keys(estimates[0].values);
  const picture = svg("svg", {
    viewBox: `-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`,
    role: "img",
    "aria-label": summary(estimates, turns, colors),
  });
  const lines = colors.length === 2 ? areas(estimates, colors, count) : threads(estimates, colors, count);
  picture.append(
    svg("rect", { class: "frame", width: WIDTH, height: HEIGHT, rx: 4 }),
    ...lines,
    svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    ...turns.map((turn) => turnMark(turn, estimates, colors, count)),
    svg("path", { class: "cursor", d: `M0-6V${HEIGHT + 6}` })
  );
  picture.addEventListener("click", (event) => go(plyAt(picture, event, count)));
  target.replaceChildren(picture);
}

/**
 * Show which position is on the board.
 * @param {HTMLElement} target
 * @param {number} ply
 * @param {number} count
 */
export function placeCursor(target, ply, count) {
  const cursor = target.querySelector(".cursor");
  cursor?.setAttribute("transform", `translate(${across(ply, count).toFixed(1)} 0)`);
}

/**
 * @param {SVGSVGElement} picture
 * @param {MouseEvent} event
 * @param {number} count
 */
function plyAt(picture, event, count) {
  const point = new DOMPoint(event.clientX, event.clientY);
  const { x } = point.matrixTransform(sure(picture.getScreenCTM()).inverse());
  return Math.max(0, Math.min(count - 1, Math.round((x / WIDTH) * (count - 1))));
}

/**
 * The corners of the line of a colour.
 * @param {Estimate[]} estimates
 * @param {string} color
 * @param {number} count
 */
function corners(estimates, color, count) {
  return estimates
    .map((one, ply) => ({ x: across(ply, count), value: one.values[color] }))
    .flatMap(({ x, value }) => (value === null ? [] : [`${x.toFixed(1)} ${down(value).toFixed(1)}`]));
}

/**
 * Two areas, one above the other: what one colour has not, the other one has.
 * @param {Estimate[]} estimates
 * @param {string[]} colors the lower one and the upper one
 * @param {number} count
 */
function areas(estimates, [lower, upper], count) {
  const line = corners(estimates, lower, count).join("L");
  const end = across(estimates.length - 1, count).toFixed(1);
  return [
    svg("path", { class: `area ${upper}`, d: `M${line}L${end} 0L0 0Z` }),
    svg("path", { class: `area ${lower}`, d: `M${line}L${end} ${HEIGHT}L0 ${HEIGHT}Z` }),
    svg("path", { class: "edge", d: `M${line}` }),
  ];
}

/**
 * A line for each of several colours; each has a pattern of its own besides.
 * @param {Estimate[]} estimates
 * @param {string[]} colors
 * @param {number} count
 */
function threads(estimates, colors, count) {
  const dashes = ["none", "9 4", "3 3", "12 3 3 3"];
  return colors.map((color, index) =>
    svg("path", {
      class: `thread ${color}`,
      d: `M${corners(estimates, color, count).join("L")}`,
      "stroke-dasharray": dashes[index % dashes.length],
    })
  );
}

/**
 * @param {TurningPoint} turn
 * @param {Estimate[]} estimates
 * @param {string[]} colors
 * @param {number} count
 */
function turnMark(turn, estimates, colors, count) {
  // Where there are two areas their common edge is that of the first colour.
  const color = colors.length === 2 ? colors[0] : turn.color;
  const value = estimates[turn.ply]?.values[color] ?? 0.5;
  const place = `translate(${across(turn.ply, count).toFixed(1)} ${down(value).toFixed(1)})`;
  return svg("path", { class: "turn", d: SIGN, transform: place });
}

/**
 * @param {Estimate[]} estimates
 * @param {TurningPoint[]} turns
 * @param {string[]} colors
 */
function summary(estimates, turns, colors) {
  const last = estimates[estimates.length - 1].values;
  const share = (/** @type {string} */ color) => number(Math.round(100 * (last[color] ?? 0)) / 100, { style: "percent" });
  const chances = colors.map((color) => `${colorWord(color)} ${share(color)}`).join(", ");
  const moves = turns.map((turn) => turn.ply).join(", ");
  const said = t("Chances along the game. At the end: {chances}.", { chances });
  return `${said} ${moves ? t("Turning points: moves {moves}.", { moves }) : t("Turning points: none.")}`;
}
