// The whole sphere in orthographic projection, rotated with the pointer, keys and buttons.

import { t } from "../i18n.js";
import { GlobePicture } from "./globe_picture.js";
import {
  followedBy,
  arccos,
  cross,
  dot,
  sphereOf,
  scaled,
  rotated,
  rotationAbout,
  rotationTowards,
  normalized,
  rotatedBack,
} from "./space.js";
import { Spin } from "./spin.js";
import { toolbar } from "./view_tools.js";
import { registerView } from "./views.js";

/** @import { Rotation, Vector } from "./space.js" */
/** @import { Layers, Panel, Point, Spot, ViewHost } from "./views.js" */
/** @import { BoardOut } from "wire" */

const MARGIN = 0.06; // around the sphere, in radii
const TILT = 0.95; // radians between the first pole and the line of sight
const BUTTON_STEP = Math.PI / 6; // radians that a button rotates
const NEAR = 0.5; // depth, from 1 in the centre to 0 at the edge, below which the focus rotates the sphere
const FRONT = 0.5; // radians from the centre to the cell after that rotation
const WAY_STEPS = 32; // of the line between two cells
const EDGE = 0.07; // depth of a cell's centre below which its piece is not drawn
/** @type {Record<string, Vector>} */
const ARROWS = {
  ArrowRight: [1, 0, 0],
  ArrowLeft: [-1, 0, 0],
  ArrowDown: [0, 1, 0],
  ArrowUp: [0, -1, 0],
};

/** The initial rotation: the first pole above, the rim below it. */
const UPRIGHT = rotationAbout([1, 0, 0], TILT);

/** The sphere as a view; it has one spot for each cell. */
class SphereView {
  name = "sphere";
  #sphere;
  #rotation = UPRIGHT;
  /** @type {number | null} */
  #kept = null; // index of the spot that stays visible even behind the sphere
  /** @type {{normal: Vector, isVertical: boolean, at?: number} | null} */
  #course = null; // the great circle that arrow keys follow
  #picture;
  /** @type {Spin | null} */
  #spin = null;

  /** @param {BoardOut} board */
  constructor(board) {
    this.board = board;
    this.#sphere = sphereOf(board);
    // The surface of the sphere equals the cells' areas, so that a step has its usual length.
    this.radius = Math.sqrt((board.names.length * Math.sqrt(3)) / 2 / (4 * Math.PI));
    const edge = this.radius * (1 + MARGIN);
    /** @type {Panel[]} */
    this.panels = [{ label: t("Sphere"), box: [-edge, -edge, 2 * edge, 2 * edge], isRound: true }];
    /** @type {Spot[]} */
    this.spots = board.names.map(([name], cell) => ({
      cell,
      name,
      panel: 0,
      x: 0,
      y: 0,
      scale: Math.min(1, this.#sphere.gaps[cell] * this.radius),
    }));
    this.#picture = new GlobePicture(board, this.#sphere, this.radius);
    this.#placeSpots();
  }

  /** The current rotation. */
  get rotation() {
    return this.#rotation;
  }

  /**
   * @param {number} _panel
   * @param {Layers} layers
   */
  decorate(_panel, layers) {
    this.#picture.addTo(layers);
    this.#picture.show(this.#rotation);
  }

  /** @param {ViewHost} host */
  attach({ pictures: [picture], refresh }) {
    const show = (/** @type {Rotation} */ rotation) => {
      this.#rotation = rotation;
      this.#placeSpots();
      this.#picture.show(rotation);
      refresh();
    };
    const spin = new Spin(picture, show, () => this.#rotation);
    this.#spin = spin;
    const by = (/** @type {Vector} */ axis) => () =>
      spin.to(followedBy(spin.goal, rotationAbout(axis, BUTTON_STEP)));
    const poles = this.board.poles.map((cell) => ({
      text: this.board.names[cell][0],
      label: t("Show pole {name}", { name: this.board.names[cell][0] }),
      act: () => spin.to(this.#facing(cell)),
    }));
    toolbar([picture], t("Rotate the sphere"), [
      { text: "←", label: t("Rotate left"), act: by([0, -1, 0]) },
      { text: "↑", label: t("Rotate up"), act: by([1, 0, 0]) },
      { text: "↓", label: t("Rotate down"), act: by([-1, 0, 0]) },
      { text: "→", label: t("Rotate right"), act: by([0, 1, 0]) },
      ...poles,
      { text: "⟲", label: t("Reset rotation"), act: () => spin.to(UPRIGHT) },
    ]);
    picture.addEventListener("keydown", (event) => {
      if (!event.shiftKey || !(event.key in ARROWS)) return;
      by(normalized(cross([0, 0, 1], ARROWS[event.key])))();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  detach() {
    this.#spin?.stop();
  }

  /** @param {number} index */
  keepVisible(index) {
    this.#kept = index;
    this.#placeSpots();
  }

  /**
   * Rotate a spot to the front unless it is clearly visible.
   * @param {number} index
   */
  reveal(index) {
    const point = this.#sphere.points[this.spots[index].cell];
    const goal = this.#spin?.goal ?? this.#rotation;
    const seen = rotated(goal, point);
    if (seen[2] >= NEAR || !this.#spin || this.#spin.isHeld) return;
    this.#spin.to(followedBy(goal, rotationTowards(seen, [0, 0, 1], arccos(seen[2]) - FRONT)));
  }

  /**
   * Rotate a cell to the front; spots are in the order of the cells.
   * @param {number} cell
   */
  revealCell(cell) {
    this.reveal(cell);
  }

  /**
   * Return the great circle between two cells, in parts before and behind the sphere.
   * @param {number} from
   * @param {number} to
   */
  wayBetween(from, to) {
    const { points } = this.#sphere;
    const [begin, end] = [points[from], points[to]];
    const normal = normalized(cross(begin, end));
    const angle = arccos(dot(begin, end));
    /** @type {{front: Point[][], back: Point[][]}} */
    const parts = { front: [], back: [] };
    let side = "";
    /** @type {Point[]} */
    let part = [];
    for (let step = 0; step <= WAY_STEPS; step++) {
      const turn = rotationAbout(normal, (angle * step) / WAY_STEPS);
      const [x, y, z] = rotated(this.#rotation, rotated(turn, begin));
      const point = { x: x * this.radius, y: y * this.radius };
      const here = z < 0 ? "back" : "front";
      part.push(point);
      if (here === side) continue;
      side = here;
      part = [point];
      parts[here].push(part);
    }
    return parts;
  }

  /**
   * Arrow keys follow a great circle; Home and End go to the poles.
   * @param {number} index
   * @param {string} key
   */
  navigate(index, key) {
    if (key === "Home" || key === "End") return this.board.poles[key === "Home" ? 0 : 1];
    const { points } = this.#sphere;
    const here = points[index];
    const goal = this.#spin?.goal ?? this.#rotation;
    const way = rotatedBack(goal, ARROWS[key]);
    const isVertical = ARROWS[key][0] === 0;
    const kept =
      this.#course?.at === index && this.#course.isVertical === isVertical ? this.#course : null;
    const course = kept ?? { normal: normalized(cross(here, way)), isVertical };
    const { normal } = course;
    const ahead = cross(normal, here);
    const onwards = normalized(scaled(ahead, dot(ahead, way) < 0 ? -1 : 1));
    /** @type {number | null} */
    let best = null;
    let least = Infinity;
    for (const other of this.board.neighbours[index]) {
      const forwards = dot(points[other], onwards);
      const cost = forwards + 2.5 * Math.abs(dot(points[other], normal));
      if (forwards > 0.2 * this.#sphere.gaps[index] && cost < least) [best, least] = [other, cost];
    }
    this.#course = { ...course, at: best ?? undefined };
    return best;
  }

  /**
   * Return the rotation that shows a cell in the centre.
   * @param {number} cell
   */
  #facing(cell) {
    const goal = this.#spin?.goal ?? this.#rotation;
    const seen = rotated(goal, this.#sphere.points[cell]);
    return followedBy(goal, rotationTowards(seen, [0, 0, 1], arccos(seen[2])));
  }

  /** Update all spots to the current rotation. */
  #placeSpots() {
    const { points, corners, cells } = this.#sphere;
    const { radius } = this;
    const seen = corners.map((corner) => rotated(this.#rotation, corner));
    const [xs, ys] = [new Float64Array(seen.length), new Float64Array(seen.length)];
    for (const [i, [x, y, z]] of seen.entries()) {
      // Corners behind the edge are drawn on it.
      const length = z < 0 ? radius / Math.hypot(x, y) : radius;
      [xs[i], ys[i]] = [x * length, y * length];
    }
    for (const spot of this.spots) {
      const [x, y, z] = rotated(this.#rotation, points[spot.cell]);
      const round = cells[spot.cell];
      const across = Math.hypot(x, y) || 1;
      spot.edge = z < EDGE ? { x: (x / across) * radius, y: (y / across) * radius } : undefined;
      spot.visible = round.some((corner) => seen[corner][2] > 0) || spot.cell === this.#kept;
      if (!spot.visible) continue;
      [spot.x, spot.y] = [rounded(x * radius), rounded(y * radius)];
      let outline = "";
      for (const corner of round)
        outline += `${rounded(xs[corner] - spot.x)},${rounded(ys[corner] - spot.y)} `;
      spot.outline = outline;
      spot.isBehind = z < EDGE;
      spot.transform = foreshortened(spot, x, y, z);
    }
  }
}

/** @param {number} length */
const rounded = (length) => Math.round(length * 1000) / 1000;

/**
 * Return the transform of a piece, which is foreshortened near the edge.
 * @param {Spot} spot
 * @param {number} px
 * @param {number} py
 * @param {number} z
 */
function foreshortened({ x, y, scale = 1, isBehind }, px, py, z) {
  if (isBehind) return "scale(0)";
  const squeeze = scale / (1 + z);
  const [a, b, d] = [scale - squeeze * px * px, -squeeze * px * py, scale - squeeze * py * py];
  return `matrix(${rounded(a)} ${rounded(b)} ${rounded(b)} ${rounded(d)} ${x} ${y})`;
}

registerView({
  name: "sphere",
  title: t("Sphere"),
  fits: (/** @type {BoardOut} */ board) => board.directions.length > 0,
  make: (/** @type {BoardOut} */ board) => new SphereView(board),
});
