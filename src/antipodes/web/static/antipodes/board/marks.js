// Marks on cells: numbers, stars, locks, heat. Lengths are in steps.

import { numberPlate, outline, svg } from "./shapes.js";
import { pieceParts } from "./texts.js";

const STAR = starPath(0.22);
const LOCK =
  "M-.09-.02V-.07A.09.09 0 0 1 .09-.07V-.02H.13V.15H-.13V-.02Z" +
  "M-.045-.02H.045V-.07A.045.045 0 0 0-.045-.07Z";
export const LEVELS = 4; // of shades
const SIGN = 0.27; // half of the side of a suggestion's sign
const LIGHTEST = 0.1; // smallest weight that is shown

/**
 * Make the star of a pole, in a colour that contrasts with the piece under it.
 * @param {string | undefined} piece
 */
export function star(piece) {
  const color = piece ? ` on-${pieceParts(piece).color}` : "";
  return svg("path", { d: STAR, class: `star${color}` });
}

/** @param {number} reach */
function starPath(reach) {
  const points = Array.from({ length: 12 }, (_, i) => {
    const length = i % 2 ? reach * 0.45 : reach;
    const angle = (Math.PI / 6) * i - Math.PI / 2;
    return `${(length * Math.cos(angle)).toFixed(3)} ${(length * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

/** Make the lock of a piece that cannot change any more. */
export function lock() {
  const plate = svg("circle", { r: 0.2, cy: 0.03, class: "plate" });
  const shape = svg("path", { d: LOCK, class: "lock", "fill-rule": "evenodd" });
  return svg("g", { transform: "translate(.24 .24) scale(.9)" }, plate, shape);
}

/**
 * Make the number of the move that filled a cell, on its piece.
 * @param {number} number
 * @param {string} piece
 */
export function moveNumber(number, piece) {
  const { color, kind } = pieceParts(piece);
  if (kind === "*") {
    const badge = svg("circle", { r: 0.19, class: "plate" });
    return svg("g", { transform: "translate(.23 .23)" }, badge, written(number, 0.22, "number"));
  }
  const size = String(number).length < 3 ? 0.34 : 0.27;
  if (kind) {
    // In the corner that the rod leaves free, so that its direction stays visible.
    const y = kind === "/" ? 0.23 : -0.23;
    return svg(
      "g",
      { transform: `translate(.23 ${y})` },
      written(number, size - 0.04, "number beside"),
    );
  }
  const plate = numberPlate(color);
  // The colour's mark is enlarged and becomes the background of the number.
  if (plate) {
    return svg("g", { class: `piece ${color}` }, plate, written(number, size - 0.05, "number"));
  }
  return svg("g", { class: `piece ${color}` }, written(number, size, `number on-${color}`));
}

/**
 * Make the sign of a suggested move; the best one stands out.
 * @param {string} text
 */
export function proposal(text) {
  const isBest = /^1(\D|$)/.test(text);
  const square = { x: -SIGN, y: -SIGN, width: 2 * SIGN, height: 2 * SIGN, rx: 0.07 };
  const plate = svg("rect", { ...square, class: isBest ? "sign-plate best" : "sign-plate" });
  return svg("g", {}, plate, written(text, text.length > 1 ? 0.28 : 0.36, "number"));
}

/** Make the check mark of a cell that was marked. */
export function check() {
  const plate = svg("circle", { r: 0.3, class: "plate" });
  return svg("g", {}, plate, svg("path", { d: "M-.14 .01L-.04 .12L.15-.12", class: "check" }));
}

/**
 * Make the heat of a cell, with dots for its level so that it does not depend on colour alone.
 * @param {number} weight
 * @param {string} shape
 */
export function shade(weight, shape) {
  if (!(weight >= LIGHTEST)) return [];
  const level = Math.min(LEVELS, 1 + Math.floor(LEVELS * weight));
  const area = svg("polygon", { points: outline(shape, 0.93), class: "heat" });
  area.setAttribute("fill-opacity", String(0.14 * level));
  const dots = Array.from({ length: level }, (_, i) =>
    svg("circle", { cx: 0.14 * (i - (level - 1) / 2), cy: 0.38, r: 0.05, class: "heat-dot" }),
  );
  return [area, ...dots];
}

/**
 * Make a ring inside the edge of a cell, whose shape it is given later.
 * @param {string} name
 * @param {number} [scale] small enough that its line stays on the cell.
 */
export function ring(name, scale = 0.88) {
  return svg("polygon", { class: `${name}-ring`, transform: `scale(${scale})` });
}

/** Make the arrow heads of a move that is set in advance. */
export function premove() {
  const plate = svg("circle", { r: 0.17, class: "premove-plate" });
  const heads = svg("path", {
    d: "M-.08-.08L0 0L-.08 .08M.01-.08L.09 0L.01 .08",
    class: "premove-heads",
  });
  return svg("g", { transform: "translate(.23 -.23)" }, plate, heads);
}

/** Make the dot on a piece that can be selected next. */
export function target() {
  return svg("circle", { r: 0.13, class: "target" });
}

/**
 * Make a cell's name, in small letters in the cell.
 * @param {string} name
 */
export function cellName(name) {
  return written(name, name.length > 2 ? 0.26 : 0.3, "cell-name");
}

/**
 * @param {string | number} text
 * @param {number} size
 * @param {string} names
 */
function written(text, size, names) {
  const shown = svg("text", { class: names, "font-size": size, y: 0.35 * size });
  shown.textContent = String(text);
  return shown;
}
