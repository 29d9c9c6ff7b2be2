// The chances along a game as a picture: one line for each colour, or two areas where there are two.

import { number, t } from "../i18n.js";
import { svg } from "../board/shapes.js";
import { colorWord } from "../board/words.js";

const WIDTH = 600;
const HEIGHT = 160;
const SIGN = "M0-6L6 5H-6Z"; // of a turning point

/** Where a ply lies from left to right. */
function across(ply, count) {
  return count < 2 ? 0 : (WIDTH * ply) / (count - 1);
}

/** How far down a chance lies. */
function down(value) {
  return HEIGHT * (1 - value);
}

/**
 * Draw the chances.
 * @param {HTMLElement} target
 * @param {{estimates: object[], turns: object[]}} told as review.json has it
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

/** Show which position is on the board. */
export function placeCursor(target, ply, count) {
  const cursor = target.querySelector(".cursor");
  cursor?.setAttribute("transform", `translate(${across(ply, count).toFixed(1)} 0)`);
}

function plyAt(picture, event, count) {
  const point = new DOMPoint(event.clientX, event.clientY);
  const { x } = point.matrixTransform(picture.getScreenCTM().inverse());
  return Math.max(0, Math.min(count - 1, Math.round((x / WIDTH) * (count - 1))));
}

/** The corners of the line of a colour. */
function corners(estimates, color, count) {
  return estimates
    .map((one, ply) => [across(ply, count), one.values[color]])
    .filter(([, value]) => value !== null)
    .map(([x, value]) => `${x.toFixed(1)} ${down(value).toFixed(1)}`);
}

/** Two areas, one above the other: what one colour has not, the other one has. */
function areas(estimates, [lower, upper], count) {
  const line = corners(estimates, lower, count).join("L");
  const end = across(estimates.length - 1, count).toFixed(1);
  return [
    svg("path", { class: `area ${upper}`, d: `M${line}L${end} 0L0 0Z` }),
    svg("path", { class: `area ${lower}`, d: `M${line}L${end} ${HEIGHT}L0 ${HEIGHT}Z` }),
    svg("path", { class: "edge", d: `M${line}` }),
  ];
}

/** A line for each of several colours; each has a pattern of its own besides. */
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

function turnMark(turn, estimates, colors, count) {
  // Where there are two areas their common edge is that of the first colour.
  const color = colors.length === 2 ? colors[0] : turn.color;
  const value = estimates[turn.ply]?.values[color] ?? 0.5;
  const place = `translate(${across(turn.ply, count).toFixed(1)} ${down(value).toFixed(1)})`;
  return svg("path", { class: "turn", d: SIGN, transform: place });
}

function summary(estimates, turns, colors) {
  const last = estimates.at(-1).values;
  const share = (color) => number(Math.round(100 * (last[color] ?? 0)) / 100, { style: "percent" });
  const chances = colors.map((color) => `${colorWord(color)} ${share(color)}`).join(", ");
  const moves = turns.map((turn) => turn.ply).join(", ");
  const said = t("Chances along the game. At the end: {chances}.", { chances });
  return `${said} ${moves ? t("Turning points: moves {moves}.", { moves }) : t("Turning points: none.")}`;
}
