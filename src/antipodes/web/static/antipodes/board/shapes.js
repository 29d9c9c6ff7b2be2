// Cells and pieces as SVG. Lengths are in steps between neighbouring cells.

import { pieceParts } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const SHADE = "antipodes-shade"; // id of the pieces' gradient

export const LABEL_SIZE = 0.36; // height of coordinates, unless a view says otherwise

/**
 * Make an SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Make a coordinate's text; `place` has x and y if they are known.
 * @param {string} text
 * @param {{x?: number, y?: number}} [place]
 */
export function labelText(text, place = {}, size = LABEL_SIZE) {
  const label = svg("text", { class: "label", "font-size": size, ...place });
  label.textContent = text;
  return label;
}

/** @type {Record<string, [sides: number, turn: number]>} */
const SIDES = { pointy: [6, 30], flat: [6, 0], square: [4, 45] };

/**
 * Return the outline of a cell around its centre, as the points of a polygon.
 * @param {string} shape
 */
export function outline(shape, scale = 1) {
  const [sides, turn] = SIDES[shape];
  const radius = scale * (sides === 6 ? 1 / Math.sqrt(3) : Math.SQRT1_2);
  return Array.from({ length: sides }, (_, i) => {
    const angle = ((turn + (360 / sides) * i) * Math.PI) / 180;
    return `${(radius * Math.cos(angle)).toFixed(4)},${(radius * Math.sin(angle)).toFixed(4)}`;
  }).join(" ");
}

/**
 * Return the path of an outline whose centre is at a place.
 * @param {string} points of a polygon.
 * @param {number} x
 * @param {number} y
 */
export function pathOf(points, x, y) {
  const corners = points
    .trim()
    .split(" ")
    .map((pair) => {
      const [dx, dy] = pair.split(",").map(Number);
      return `${(x + dx).toFixed(3)} ${(y + dy).toFixed(3)}`;
    });
  return `M${corners.join("L")}Z`;
}

// Each colour except black and white has its own mark, so that pieces do not depend on colour alone.
/** @type {Record<string, string>} */
const MARKS = {
  red: "M-.18-.18H.18V.18H-.18Z",
  blue: "M0-.24L.22.14H-.22Z",
  vert: "M-.07-.22H.07V.22H-.07Z",
  horz: "M-.22-.07H.22V.07H-.22Z",
};
// The same shapes, large enough for a number.
/** @type {Record<string, string>} */
const PLATES = {
  red: "M-.3-.3H.3V.3H-.3Z",
  blue: "M0-.37L.345.23H-.345Z",
  vert: "M-.23-.38H.23V.38H-.23Z",
  horz: "M-.4-.2H.4V.2H-.4Z",
};
const PAWN = "M-.2.29V.22C-.2.16-.09.15-.07.015H-.13V-.05H.13V.015H.07C.09.15.2.16.2.22V.29Z";
const STONE = 0.41; // radius
const ROD = 0.42; // half of a rod's extent along each axis
const BEAD = 0.19; // radius

/**
 * Draw a piece by its short name: `black`, `blue*` with a pawn, `red/` for a rod.
 * @param {string} name
 */
export function piece(name) {
  const { color, kind } = pieceParts(name);
  const group = svg("g", { class: `piece ${color}` });
  if (kind === "/" || kind === "\\") group.append(...rod(color, kind));
  else if (kind === "*")
    group.append(
      svg("g", { class: "token" }, ...disc(STONE)),
      svg("g", { class: "figure" }, ...pawn(color)),
    );
  else group.append(svg("g", { class: "token" }, ...disc(STONE), ...mark(color, 1)));
  return group;
}

/** @param {number} radius */
function disc(radius) {
  return [
    svg("circle", { r: radius, cx: 0.02, cy: 0.05, class: "shadow" }),
    svg("circle", { r: radius, class: "disc" }),
    svg("circle", { r: radius, class: "shade", fill: `url(#${SHADE})` }),
  ];
}

/**
 * @param {string} color
 * @param {number} scale
 */
function mark(color, scale) {
  if (!MARKS[color]) return [];
  return [svg("path", { d: MARKS[color], class: "mark", transform: `scale(${scale})` })];
}

/**
 * Make the background of a number on a piece whose colour has a mark; null for other colours.
 * @param {string} color
 */
export function numberPlate(color) {
  return PLATES[color] ? svg("path", { d: PLATES[color], class: "number-plate" }) : null;
}

/**
 * @param {string} color
 * @param {string} kind
 */
function rod(color, kind) {
  const end = kind === "/" ? ROD : -ROD;
  const d = `M${-ROD} ${end}L${ROD} ${-end}`;
  const parts = [svg("path", { d, class: "rod-edge" }), svg("path", { d, class: "rod" })];
  parts.push(svg("path", { d, class: "rod-shine", transform: "translate(-.02 -.03)" }));
  if (MARKS[color]) parts.push(svg("circle", { r: BEAD, class: "disc" }), ...mark(color, 0.6));
  return parts;
}

/** @param {string} color */
function pawn(color) {
  const head = svg("circle", { cy: -0.16, r: 0.14, class: "pawn" });
  const onHead = "translate(0 -.16) scale(.4)";
  const sign = svg("path", { d: MARKS[color], class: "sign", transform: onHead });
  return [svg("path", { d: PAWN, class: "pawn" }), head, sign];
}

/** Add the gradients of the pieces to the page, once for all boards. */
export function addShading() {
  if (document.getElementById(SHADE)) return;
  const steps = { light: "0%", even: "55%", dark: "100%" };
  const stops = Object.entries(steps).map(([name, offset]) =>
    svg("stop", { offset, class: `shade-${name}` }),
  );
  const gradient = svg("radialGradient", { id: SHADE, cx: "35%", cy: "30%", r: "75%" }, ...stops);
  document.body.append(svg("svg", { class: "shading", "aria-hidden": "true" }, gradient, shell()));
}

/** Make the lines of shells, for one set of stones. */
function shell() {
  const box = { id: "antipodes-shell", width: 0.22, height: 0.22, patternUnits: "userSpaceOnUse" };
  const curve = svg("path", { d: "M-.05.16Q.11 0 .27.16", class: "shell-line" });
  return svg("pattern", { ...box, patternTransform: "rotate(-24)" }, curve);
}
