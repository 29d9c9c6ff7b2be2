// The whole sphere, seen from far away, turned with the pointer, with keys and with buttons.

import { t } from "../i18n.js";
import { GlobePicture } from "./globe_picture.js";
import { afterwards, cross, dot, sphereOf, times, turned, turnRound, turnTowards, unit, unturned } from "./space.js";
import { Spin } from "./spin.js";
import { toolbar } from "./turning.js";
import { addKind } from "./views.js";

/** @import { Turn, Vector } from "./space.js" */
/** @import { BoardData } from "./state.js" */
/** @import { Layers, Panel, Spot, Stage } from "./views.js" */

const MARGIN = 0.06; // round the sphere, in radii
const TILT = 0.95; // radians by which the first pole is turned out of sight line to the top
const QUARTER = Math.PI / 6; // what a button turns; two of them bring a new side to the front
const NEAR = 0.5; // depth, from 1 in the middle to 0 at the edge, from which keys turn the sphere
const FRONT = 0.5; // radians from the middle to where keys bring a cell then
const EDGE = 0.07; // depth of a cell's middle below which nothing is drawn on it
/** @type {Record<string, Vector>} */
const WAYS = { ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowDown: [0, 1, 0], ArrowUp: [0, -1, 0] };

/** The sphere's usual side: the first pole above, the rim below it. */
export const UPRIGHT = turnRound([1, 0, 0], TILT);

class SphereView {
  name = "sphere";
  #sphere;
  #turn = UPRIGHT;
  /** @type {number | null} */
  #kept = null; // index of the spot that stays although it may lie behind
  /** @type {{normal: Vector, isVertical: boolean, at?: number} | null} */
  #course = null; // the great circle that keys walk along
  #picture;
  /** @type {Spin | null} */
  #spin = null;

  /** @param {BoardData} board */
  constructor(board) {
    this.board = board;
    this.#sphere = sphereOf(board);
    // As large as if a step were a step: the sphere's surface holds the cells' areas.
    this.radius = Math.sqrt((board.names.length * Math.sqrt(3)) / 2 / (4 * Math.PI));
    const edge = this.radius * (1 + MARGIN);
    /** @type {Panel[]} */
    this.panels = [{ label: t("Sphere"), box: [-edge, -edge, 2 * edge, 2 * edge], reach: 2.2, isRound: true }];
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
    this.#settle();
  }

  /** How it is turned now. */
  get turn() {
    return this.#turn;
  }

  /**
   * @param {number} _panel
   * @param {Layers} layers
   */
  decorate(_panel, layers) {
    this.#picture.addTo(layers);
    this.#picture.show(this.#turn);
  }

  /** @param {Stage} stage */
  attach({ pictures: [picture], refresh }) {
    const show = (/** @type {Turn} */ turn) => {
      this.#turn = turn;
      this.#settle();
      this.#picture.show(turn);
      refresh();
    };
    const spin = new Spin(picture, show, () => this.#turn);
    this.#spin = spin;
    const by = (/** @type {Vector} */ axis) => () => spin.to(afterwards(spin.goal, turnRound(axis, QUARTER)));
    const poles = this.board.poles.map((cell) => ({
      text: this.board.names[cell][0],
      label: t("Turn the pole {name} to the front", { name: this.board.names[cell][0] }),
      act: () => spin.to(this.#facing(cell)),
    }));
    toolbar([picture], t("Turn the sphere"), [
      { text: "←", label: t("Turn to the left"), act: by([0, -1, 0]) },
      { text: "↑", label: t("Turn upwards"), act: by([1, 0, 0]) },
      { text: "↓", label: t("Turn downwards"), act: by([-1, 0, 0]) },
      { text: "→", label: t("Turn to the right"), act: by([0, 1, 0]) },
      ...poles,
      { text: "⟲", label: t("Turn back as at first"), act: () => spin.to(UPRIGHT) },
    ]);
    picture.addEventListener("keydown", (event) => {
      if (!event.shiftKey || !(event.key in WAYS)) return;
      by(unit(cross([0, 0, 1], WAYS[event.key])))();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  detach() {
    this.#spin?.stop();
  }

  /** @param {number} index */
  hold(index) {
    this.#kept = index;
    this.#settle();
  }

  /**
   * Turn a spot to the front unless it is seen well.
   * @param {number} index
   */
  reveal(index) {
    const point = this.#sphere.points[this.spots[index].cell];
    const goal = this.#spin?.goal ?? this.#turn;
    const seen = turned(goal, point);
    if (seen[2] >= NEAR || !this.#spin || this.#spin.isHeld) return;
    const angle = Math.acos(Math.max(-1, Math.min(1, seen[2])));
    this.#spin.to(afterwards(goal, turnTowards(seen, [0, 0, 1], angle - FRONT)));
  }

  /**
   * Its spots are in the order of the cells.
   * @param {number} cell
   */
  attend(cell) {
    this.reveal(cell);
  }

  /**
   * Keys go straight round the sphere; Home and End go to the poles.
   * @param {number} index
   * @param {string} key
   */
  walk(index, key) {
    if (key === "Home" || key === "End") return this.board.poles[key === "Home" ? 0 : 1];
    const { points } = this.#sphere;
    const here = points[index];
    const goal = this.#spin?.goal ?? this.#turn;
    const way = unturned(goal, WAYS[key]);
    const isVertical = WAYS[key][0] === 0;
    const kept = this.#course?.at === index && this.#course.isVertical === isVertical ? this.#course : null;
    const course = kept ?? { normal: unit(cross(here, way)), isVertical };
    const { normal } = course;
    const ahead = cross(normal, here);
    const onwards = unit(times(ahead, dot(ahead, way) < 0 ? -1 : 1));
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
   * A turn that shows a cell in the middle, and the rest as upright as now.
   * @param {number} cell
   */
  #facing(cell) {
    const goal = this.#spin?.goal ?? this.#turn;
    const seen = turned(goal, this.#sphere.points[cell]);
    return afterwards(goal, turnTowards(seen, [0, 0, 1], Math.acos(Math.max(-1, Math.min(1, seen[2])))));
  }

  /** Write where all spots are now. */
  #settle() {
    const { points, corners, cells } = this.#sphere;
    const { radius } = this;
    const seen = corners.map((corner) => turned(this.#turn, corner));
    const [xs, ys] = [new Float64Array(seen.length), new Float64Array(seen.length)];
    for (const [i, [x, y, z]] of seen.entries()) {
      // What lies behind the edge is drawn on it.
      const length = z < 0 ? radius / Math.hypot(x, y) : radius;
      [xs[i], ys[i]] = [x * length, y * length];
    }
    for (const spot of this.spots) {
      const [x, y, z] = turned(this.#turn, points[spot.cell]);
      const round = cells[spot.cell];
      spot.visible = round.some((corner) => seen[corner][2] > 0) || spot.cell === this.#kept;
      if (!spot.visible) continue;
      [spot.x, spot.y] = [rounded(x * radius), rounded(y * radius)];
      let outline = "";
      for (const corner of round) outline += `${rounded(xs[corner] - spot.x)},${rounded(ys[corner] - spot.y)} `;
      spot.outline = outline;
      spot.isBehind = z < EDGE;
      spot.transform = flattened(spot, x, y, z);
    }
  }
}

/** @param {number} length */
const rounded = (length) => Math.round(length * 1000) / 1000;

/**
 * What lies on the sphere is seen flatter the nearer it is to the edge.
 * @param {Spot} spot
 * @param {number} px
 * @param {number} py
 * @param {number} z
 */
function flattened({ x, y, scale = 1, isBehind }, px, py, z) {
  if (isBehind) return "scale(0)";
  const squeeze = scale / (1 + z);
  const [a, b, d] = [scale - squeeze * px * px, -squeeze * px * py, scale - squeeze * py * py];
  return `matrix(${rounded(a)} ${rounded(b)} ${rounded(b)} ${rounded(d)} ${x} ${y})`;
}

addKind({
  name: "sphere",
  title: t("Sphere"),
  fits: (/** @type {BoardData} */ board) => board.directions.length > 0,
  make: (/** @type {BoardData} */ board) => new SphereView(board),
});
