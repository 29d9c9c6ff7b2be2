// What a sphere shows besides its cells: light and shade, its rim, and a small globe with the poles.

import { svg } from "./shapes.js";
import { turned } from "./space.js";

/** @import { Sphere, Turn, Vector } from "./space.js" */
/** @import { BoardData } from "./state.js" */
/** @import { Layers } from "./views.js" */

const SMALL = 0.115; // radius of the small globe, in radii of the large one
const CORNER = 0.82; // where it stands, to the right and below the middle
const EDGE = 0.07; // depth at which the rim's line ends before the sphere's edge
const PARTS = 96; // of a circle that is drawn as a line
const SHADES = {
  globe: { cx: "36%", cy: "30%", r: "78%", stops: ["0%", "48%", "82%", "100%"] },
  ground: { cx: "50%", cy: "50%", r: "50%", stops: ["30%", "100%"] },
};
/** @param {string} name */
const idOf = (name) => `antipodes-${name}`;

/** Put the gradients of light and shade on the page, once for all spheres. */
function addShades() {
  if (document.getElementById(idOf("globe"))) return;
  const gradients = Object.entries(SHADES).map(([name, { stops, ...where }]) => {
    const steps = stops.map((offset, i) => svg("stop", { offset, class: `${name}-shade-${i}` }));
    return svg("radialGradient", { id: idOf(name), ...where }, ...steps);
  });
  document.body.append(svg("svg", { class: "shading", "aria-hidden": "true" }, ...gradients));
}

/**
 * The small globe: the two halves of its rim, and its poles.
 * @typedef {object} Small
 * @property {SVGElement} root
 * @property {SVGElement} behind
 * @property {SVGElement} front
 * @property {{dot: SVGElement, text: SVGElement}[]} poles
 */

export class GlobePicture {
  #rim;
  #edge;
  /** @type {Small} */
  #small;

  /**
   * @param {BoardData} board
   * @param {Sphere} sphere
   * @param {number} radius in steps.
   */
  constructor(board, sphere, radius) {
    this.board = board;
    this.radius = radius;
    this.poles = board.poles.map((cell) => sphere.points[cell]);
    addShades();
    this.#edge = svg("path", { class: "rim-edge" });
    this.#rim = svg("path", { class: "rim" });
    this.#small = this.#smallGlobe();
  }

  /**
   * Draw what never changes, and keep what does.
   * @param {Layers} layers
   */
  addTo({ under, veil, links }) {
    const { radius } = this;
    const clip = idOf(`clip-${radius.toFixed(2)}`);
    under.append(svg("clipPath", { id: clip }, svg("circle", { r: radius })));
    links.setAttribute("clip-path", `url(#${clip})`);
    under.append(
      svg("ellipse", { cy: radius * 0.97, rx: radius * 0.85, ry: radius * 0.09, fill: `url(#${idOf("ground")})` }),
      svg("circle", { r: radius, class: "globe" })
    );
    const shade = svg("circle", { r: radius, class: "globe-shade", fill: `url(#${idOf("globe")})` });
    veil.append(this.#edge, this.#rim, shade, this.#small.root);
  }

  #smallGlobe() {
    const at = this.radius * CORNER;
    const r = this.radius * SMALL;
    const behind = svg("path", { class: "small-rim behind" });
    const front = svg("path", { class: "small-rim" });
    const poles = this.board.poles.map((cell) => {
      const text = svg("text", { class: "small-name", "font-size": r * 0.55 });
      text.textContent = this.board.names[cell][0];
      return { dot: svg("circle", { r: r * 0.16 }), text };
    });
    const root = svg(
      "g",
      { class: "small-globe", transform: `translate(${at} ${at})`, "stroke-width": r * 0.07 },
      svg("circle", { r, class: "small-ball" }),
      behind,
      front,
      ...poles.flatMap(({ dot, text }) => [dot, text])
    );
    return { root, behind, front, poles };
  }

  /**
   * Draw what depends on how the sphere is turned.
   * @param {Turn} turn
   */
  show(turn) {
    const points = circle(turn);
    const front = path(points, (z) => z >= EDGE, this.radius);
    this.#edge.setAttribute("d", front);
    this.#rim.setAttribute("d", front);
    const r = this.radius * SMALL;
    this.#small.front.setAttribute("d", path(points, (z) => z >= 0, r));
    this.#small.behind.setAttribute("d", path(points, (z) => z < 0, r));
    for (const [i, { dot, text }] of this.#small.poles.entries()) {
      const [x, y, z] = turned(turn, this.poles[i]);
      dot.setAttribute("cx", (x * r).toFixed(3));
      dot.setAttribute("cy", (y * r).toFixed(3));
      dot.setAttribute("class", z >= 0 ? "small-pole" : "small-pole behind");
      const out = 1.5 * r;
      const far = Math.hypot(x, y) || 1;
      text.setAttribute("x", ((x / far) * out).toFixed(3));
      text.setAttribute("y", ((y / far) * out).toFixed(3));
    }
  }
}

/**
 * Points of the rim as they are seen.
 * @param {Turn} turn
 */
function circle(turn) {
  return Array.from({ length: PARTS + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / PARTS;
    return turned(turn, [Math.cos(angle), Math.sin(angle), 0]);
  });
}

/**
 * Those parts of a line that are wanted by their depth.
 * @param {Vector[]} points
 * @param {(depth: number) => boolean} wanted
 * @param {number} radius
 */
function path(points, wanted, radius) {
  let d = "";
  let isDrawn = false;
  for (const [x, y, z] of points) {
    const isWanted = wanted(z);
    if (isWanted) d += `${isDrawn ? "L" : "M"}${(x * radius).toFixed(3)} ${(y * radius).toFixed(3)}`;
    isDrawn = isWanted;
  }
  return d;
}
