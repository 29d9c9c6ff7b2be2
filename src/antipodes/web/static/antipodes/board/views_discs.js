// The two hemispheres as circles that touch, like an old map of the world.
//
// Both are seen from outside, so the second board appears mirrored: where the circles touch, one
// walks straight from one to the other. They can be rolled on each other to have any point there.

import { t } from "../i18n.js";
import { labelText, svg } from "./shapes.js";
import { sphereOf } from "./space.js";
import { animate, toolbar } from "./turning.js";
import { addKind } from "./views.js";

/** @import { Sphere, Vector } from "./space.js" */
/** @import { BoardData } from "./state.js" */
/** @import { Layers, Panel, Stage, View } from "./views.js" */

const BEYOND = 0.56; // what is seen beyond the rim's middle line, in steps
const TURN = Math.PI / 3;
const LABEL = 1; // from the rim's middle line to the name of a corner
const NAMES = 0.85; // room for names outside the circles
const GAP = 0.04; // between a circle and the edge of its picture where it touches the other one

/** @typedef {{far: number, angle: number}} DiscPoint from the middle of a disc. */

/**
 * @param {BoardData} board
 * @returns {View}
 */
function makeDiscs(board) {
  const sphere = sphereOf(board);
  const [north, south] = board.poles;
  const far = farness(sphere, north);
  const radius = far(Math.PI / 2);
  const sides = [onDisc(sphere, far, 1), onDisc(sphere, far, -1)];
  const spots = board.places.map(([cell, panel, , , name]) => ({ cell, panel, half: panel, name, x: 0, y: 0, outline: "" }));
  const edge = radius + BEYOND;
  /** @type {Panel[]} */
  const panels = [north, south].map((pole, half) => ({
    label: t("Half round pole {name}", { name: board.names[pole][0] }),
    // The circles touch in the middle: room for names is left on the other sides.
    box: [-edge - (half ? GAP : NAMES), -edge - NAMES, 2 * edge + NAMES + GAP, 2 * edge + 2 * NAMES],
    reach: 1.7,
  }));
  let rolled = 0; // radians
  /** @type {{element: SVGTextElement, half: number, cell: number}[]} */
  const marks = []; // names of the rim's corners

  const place = (/** @type {number} */ half, /** @type {DiscPoint} */ { far: length, angle }) => {
    const [x, y] = [length * Math.cos(angle + rolled), length * Math.sin(angle + rolled)];
    return [half ? -x : x, y];
  };
  const settle = () => {
    const corners = sides.map((side, half) => side.corners.map((one) => place(half, one)));
    for (const spot of spots) {
      [spot.x, spot.y] = place(spot.half, sides[spot.half].points[spot.cell]);
      const round = sphere.cells[spot.cell].map((corner) => corners[spot.half][corner]);
      spot.outline = round
        .map(([x, y]) => `${(x - spot.x).toFixed(3)},${(y - spot.y).toFixed(3)}`)
        .join(" ");
    }
    for (const { element, half, cell } of marks) {
      const at = sides[half].points[cell];
      const [x, y] = place(half, { ...at, far: at.far + LABEL });
      element.toggleAttribute("hidden", half ? x < -edge : x > edge);
      element.setAttribute("x", x.toFixed(3));
      element.setAttribute("y", y.toFixed(3));
    }
  };

  const decorate = (/** @type {number} */ half, /** @type {Layers} */ { under, veil }) => {
    under.append(svg("circle", { r: edge, class: "disc-shade" }));
    veil.append(
      svg("circle", { r: radius + BEYOND / 2, class: "disc-beyond", "stroke-width": BEYOND }),
      svg("circle", { r: radius, class: "rim-edge" }),
      svg("circle", { r: radius, class: "rim" })
    );
    for (const cell of board.rims.corners) {
      const element = labelText(board.names[cell][half]);
      marks.push({ element, half, cell });
      under.append(element);
    }
    settle();
  };

  let stop = () => {};
  const attach = (/** @type {Stage} */ { pictures, board: element, refresh }) => {
    const roll = (/** @type {number} */ by) => {
      stop();
      const [from, to] = [rolled, Math.round((rolled + by) / TURN) * TURN];
      stop = animate(element, (part) => {
        rolled = from + (to - from) * part;
        settle();
        refresh();
      });
    };
    toolbar(pictures, t("Roll the two halves"), [
      { text: "↺", label: t("Roll the halves upwards where they touch"), act: () => roll(-TURN) },
      { text: "↻", label: t("Roll the halves downwards where they touch"), act: () => roll(TURN) },
    ]);
  };

  settle();
  return { name: "discs", panels, spots, decorate, attach, detach: () => stop() };
}

/**
 * How far from a disc's middle something is drawn, by its angle from the pole in radians: rings of
 * cells stand evenly. Beyond the rim little is drawn: up to a circle.
 * @param {Sphere} sphere
 * @param {number} pole
 */
function farness({ points }, pole) {
  const angles = points.filter((point) => point[2] > -1e-6).map((point) => angleTo(points[pole], point));
  const rings = [...new Set(angles.map((angle) => angle.toFixed(4)))].map(Number).sort((a, b) => a - b);
  rings[0] = 0;
  const reach = rings.length - 1;
  const inside = (/** @type {number} */ angle) => {
    const ring = Math.min(reach - 1, Math.max(0, rings.findLastIndex((one) => one <= angle)));
    return ring + (angle - rings[ring]) / (rings[ring + 1] - rings[ring]);
  };
  const rim = Math.PI / 2;
  return (/** @type {number} */ angle) =>
    angle <= rim + 1e-6 ? inside(Math.min(rim, angle)) : reach + BEYOND;
}

/** @type {(one: Vector, other: Vector) => number} */
const angleTo = ([a, b, c], [x, y, z]) => Math.acos(Math.max(-1, Math.min(1, a * x + b * y + c * z)));

/**
 * All points and corners as seen from one pole: how far from the middle, and at what angle.
 * @param {Sphere} sphere
 * @param {(angle: number) => number} far
 * @param {number} side
 */
function onDisc({ points, corners }, far, side) {
  const seen = (/** @type {Vector} */ [x, y, z]) => ({
    far: far(Math.acos(Math.max(-1, Math.min(1, z * side)))),
    angle: Math.atan2(y, x),
  });
  return { points: points.map(seen), corners: corners.map(seen) };
}

addKind({
  name: "discs",
  title: t("Hemispheres"),
  fits: (/** @type {BoardData} */ board) => board.directions.length > 0,
  make: makeDiscs,
});
