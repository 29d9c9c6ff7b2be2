// The two hemispheres as circles that touch, like an old map of the world.
//
// Both are drawn from outside, so the second board is mirrored, and rows run straight on where the
// circles touch. Buttons roll the circles on each other to bring other points there.

import { t } from "../i18n.js";
import { labelText, svg } from "./shapes.js";
import { arccos, dot, sphereOf } from "./space.js";
import { animate, toolbar } from "./view_tools.js";
import { registerView } from "./views.js";

/** @import { Sphere, Vector } from "./space.js" */
/** @import { Layers, Panel, View, ViewHost } from "./views.js" */
/** @import { BoardOut } from "wire" */

const BEYOND = 0.56; // width of the strip beyond the rim's centre line, in steps
const ROLL_STEP = Math.PI / 3;
const LABEL = 1; // from the rim's centre line to the name of a corner
const NAMES = 0.85; // room for names outside the circles
const GAP = 0.04; // between a circle and the edge of its picture where the circles touch

/** @typedef {{far: number, angle: number}} DiscPoint polar coordinates on a disc. */

/**
 * @param {BoardOut} board
 * @returns {View}
 */
function makeDiscs(board) {
  const sphere = sphereOf(board);
  const [north, south] = board.poles;
  const far = radialProjection(sphere, north);
  const radius = far(Math.PI / 2);
  const sides = [onDisc(sphere, far, 1), onDisc(sphere, far, -1)];
  const spots = board.places.map(([cell, panel, , , name]) => ({
    cell,
    panel,
    half: panel,
    name,
    x: 0,
    y: 0,
    outline: "",
  }));
  const edge = radius + BEYOND;
  /** @type {Panel[]} */
  const panels = [north, south].map((pole, half) => ({
    label: t("Hemisphere of pole {name}", { name: board.names[pole][0] }),
    // The circles touch in the middle; names have room on the other sides.
    box: [
      -edge - (half ? GAP : NAMES),
      -edge - NAMES,
      2 * edge + NAMES + GAP,
      2 * edge + 2 * NAMES,
    ],
    reach: 1.7,
  }));
  let rolled = 0; // radians
  /** @type {{element: SVGTextElement, half: number, cell: number}[]} */
  const marks = []; // names of the rim's corners

  const place = (/** @type {number} */ half, /** @type {DiscPoint} */ { far: length, angle }) => {
    const [x, y] = [length * Math.cos(angle + rolled), length * Math.sin(angle + rolled)];
    return [half ? -x : x, y];
  };
  const placeSpots = () => {
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
      svg("circle", { r: radius, class: "rim" }),
    );
    for (const cell of board.rims.corners) {
      const element = labelText(board.names[cell][half]);
      marks.push({ element, half, cell });
      under.append(element);
    }
    placeSpots();
  };

  let stop = () => {};
  const attach = (/** @type {ViewHost} */ { pictures, board: element, refresh }) => {
    const roll = (/** @type {number} */ by) => {
      stop();
      const [from, to] = [rolled, Math.round((rolled + by) / ROLL_STEP) * ROLL_STEP];
      stop = animate(element, (part) => {
        rolled = from + (to - from) * part;
        placeSpots();
        refresh();
      });
    };
    toolbar(pictures, t("Rotate the hemispheres"), [
      { text: "↺", label: t("Rotate up where they touch"), act: () => roll(-ROLL_STEP) },
      { text: "↻", label: t("Rotate down where they touch"), act: () => roll(ROLL_STEP) },
    ]);
  };

  placeSpots();
  return { name: "discs", panels, spots, decorate, attach, detach: () => stop() };
}

/**
 * Return the projection from the angle to the pole, in radians, to the distance from a disc's
 * centre. Rings of cells are evenly spaced; everything beyond the rim is cut off at one circle.
 * @param {Sphere} sphere
 * @param {number} pole
 */
function radialProjection({ points }, pole) {
  const angles = points
    .filter((point) => point[2] > -1e-6)
    .map((point) => arccos(dot(points[pole], point)));
  const rings = [...new Set(angles.map((angle) => angle.toFixed(4)))]
    .map(Number)
    .sort((a, b) => a - b);
  rings[0] = 0;
  const reach = rings.length - 1;
  const inside = (/** @type {number} */ angle) => {
    const ring = Math.min(
      reach - 1,
      Math.max(
        0,
        rings.findLastIndex((one) => one <= angle),
      ),
    );
    return ring + (angle - rings[ring]) / (rings[ring + 1] - rings[ring]);
  };
  const rim = Math.PI / 2;
  return (/** @type {number} */ angle) =>
    angle <= rim + 1e-6 ? inside(Math.min(rim, angle)) : reach + BEYOND;
}

/**
 * Return all points and corners in polar coordinates around one pole.
 * @param {Sphere} sphere
 * @param {(angle: number) => number} far
 * @param {number} side
 */
function onDisc({ points, corners }, far, side) {
  const seen = (/** @type {Vector} */ [x, y, z]) => ({
    far: far(arccos(z * side)),
    angle: Math.atan2(y, x),
  });
  return { points: points.map(seen), corners: corners.map(seen) };
}

registerView({
  name: "discs",
  title: t("Hemispheres"),
  fits: (/** @type {BoardOut} */ board) => board.directions.length > 0,
  make: makeDiscs,
});
