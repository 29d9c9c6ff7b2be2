// The parts of a sphere besides its cells: shading, the rim, and a small globe with the poles.

import { svg } from "./shapes.js";
import { rotated } from "./space.js";

/** @import { Sphere, Rotation, Vector } from "./space.js" */
/** @import { Layers } from "./views.js" */
/** @import { BoardOut } from "wire" */

const SMALL = 0.115; // radius of the small globe, in radii of the large one
const CORNER = 0.82; // its offset from the centre, to the right and down
const EDGE = 0.07; // depth at which the rim's line ends before the sphere's edge
const PARTS = 96; // line segments of a circle
const SHADES = {
  globe: { cx: "36%", cy: "30%", r: "78%", stops: ["0%", "48%", "82%", "100%"] },
  ground: { cx: "50%", cy: "50%", r: "50%", stops: ["30%", "100%"] },
};
/** @param {string} name */
const idOf = (name) => `antipodes-${name}`;

/** Add the gradients of the shading to the page, once for all spheres. */
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

/** The SVG elements of a sphere besides its cells. */
export class GlobePicture {
  #rim;
  #edge;
  /** @type {Small} */
  #small;

  /**
   * @param {BoardOut} board
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
   * Add the elements to a picture.
   * @param {Layers} layers
   */
  addTo({ under, veil, cells, links, pieces }) {
    const { radius } = this;
    const clip = idOf(`clip-${radius.toFixed(2)}`);
    under.append(svg("clipPath", { id: clip }, svg("circle", { r: radius })));
    for (const layer of [cells, links, pieces]) layer.setAttribute("clip-path", `url(#${clip})`);
    under.append(
      svg("ellipse", {
        cy: radius * 0.97,
        rx: radius * 0.85,
        ry: radius * 0.09,
        fill: `url(#${idOf("ground")})`,
      }),
      svg("circle", { r: radius, class: "globe" }),
    );
    const shade = svg("circle", {
      r: radius,
      class: "globe-shade",
      fill: `url(#${idOf("globe")})`,
    });
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
      ...poles.flatMap(({ dot, text }) => [dot, text]),
    );
    return { root, behind, front, poles };
  }

  /**
   * Redraw the parts that depend on the sphere's rotation.
   * @param {Rotation} rotation
   */
  show(rotation) {
    const points = circle(rotation);
    const front = path(points, (z) => z >= EDGE, this.radius);
    this.#edge.setAttribute("d", front);
    this.#rim.setAttribute("d", front);
    const r = this.radius * SMALL;
    this.#small.front.setAttribute(
      "d",
      path(points, (z) => z >= 0, r),
    );
    this.#small.behind.setAttribute(
      "d",
      path(points, (z) => z < 0, r),
    );
    for (const [i, { dot, text }] of this.#small.poles.entries()) {
      const [x, y, z] = rotated(rotation, this.poles[i]);
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
 * Return the points of the rim after a rotation.
 * @param {Rotation} rotation
 */
function circle(rotation) {
  return Array.from({ length: PARTS + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / PARTS;
    return rotated(rotation, [Math.cos(angle), Math.sin(angle), 0]);
  });
}

/**
 * Return the parts of a line at certain depths, as an SVG path.
 * @param {Vector[]} points
 * @param {(depth: number) => boolean} isVisible
 * @param {number} radius
 */
function path(points, isVisible, radius) {
  let d = "";
  let isDrawn = false;
  for (const [x, y, z] of points) {
    const isShown = isVisible(z);
    if (isShown) d += `${isDrawn ? "L" : "M"}${(x * radius).toFixed(3)} ${(y * radius).toFixed(3)}`;
    isDrawn = isShown;
  }
  return d;
}
