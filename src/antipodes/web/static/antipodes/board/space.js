// Vectors, turns and the cells of Antipod's sphere. All functions are pure.
//
// x points to the right, y downwards and z out of the screen, towards whoever looks.

/** @import { BoardData } from "./state.js" */

/** @typedef {[number, number, number]} Vector */
/** @typedef {[Vector, Vector, Vector]} Turn a rotation as the rows of a matrix. */

/**
 * The turn that changes nothing.
 * @type {Turn}
 */
export const STILL = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** @type {(one: Vector, other: Vector) => number} */
export const dot = ([a, b, c], [x, y, z]) => a * x + b * y + c * z;

/** @type {(one: Vector, other: Vector) => Vector} */
export const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

/** @type {(one: Vector, other: Vector) => Vector} */
export const plus = ([a, b, c], [x, y, z]) => [a + x, b + y, c + z];

/** @type {(vector: Vector, factor: number) => Vector} */
export const times = ([a, b, c], factor) => [a * factor, b * factor, c * factor];

/**
 * The vector of length 1 in the same direction.
 * @type {(vector: Vector) => Vector}
 */
export const unit = (vector) => times(vector, 1 / Math.hypot(...vector));

/**
 * A vector after a turn.
 * @type {(turn: Turn, vector: Vector) => Vector}
 */
export const turned = ([a, b, c], vector) => [dot(a, vector), dot(b, vector), dot(c, vector)];

/**
 * A vector before a turn: where it came from.
 * @type {(turn: Turn, vector: Vector) => Vector}
 */
export const unturned = ([a, b, c], [x, y, z]) => plus(plus(times(a, x), times(b, y)), times(c, z));

/**
 * Each row of a matrix, changed.
 * @type {(turn: Turn, change: (row: Vector) => Vector) => Turn}
 */
const rows = ([a, b, c], change) => [change(a), change(b), change(c)];

/**
 * Turn round an axis of length 1, by an angle in radians.
 * @param {Vector} axis
 * @param {number} angle
 */
export function turnRound(axis, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const columns = rows(STILL, (side) =>
    plus(plus(times(side, cos), times(cross(axis, side), sin)), times(axis, dot(axis, side) * (1 - cos)))
  );
  return transposed(columns);
}

/** @type {(turn: Turn) => Turn} */
const transposed = ([a, b, c]) => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

/**
 * First one turn, then the other. Small errors of many turns are put right.
 * @param {Turn} first
 * @param {Turn} second
 */
export function afterwards(first, second) {
  const columns = rows(transposed(first), (column) => turned(second, column));
  const x = unit(columns[0]);
  const z = unit(cross(x, columns[1]));
  return transposed([x, cross(z, x), z]);
}

/**
 * The turn that leads from one to another, as axis and angle in radians.
 * @param {Turn} from
 * @param {Turn} to
 * @returns {{axis: Vector, angle: number}}
 */
export function between(from, to) {
  const way = afterwards(transposed(from), to);
  const cos = Math.max(-1, Math.min(1, (way[0][0] + way[1][1] + way[2][2] - 1) / 2));
  const angle = Math.acos(cos);
  /** @type {Vector} */
  const axis = [way[2][1] - way[1][2], way[0][2] - way[2][0], way[1][0] - way[0][1]];
  if (Math.hypot(...axis) > 1e-6) return { axis: unit(axis), angle };
  // No turn, or half a turn: the axis is what stays where it is.
  /** @type {Turn} */
  const kept = [plus(way[0], STILL[0]), plus(way[1], STILL[1]), plus(way[2], STILL[2])];
  kept.sort((a, b) => Math.hypot(...b) - Math.hypot(...a));
  return { axis: unit(kept[0]), angle };
}

/**
 * The shortest turn that moves one direction by an angle towards another.
 * @param {Vector} from
 * @param {Vector} to
 * @param {number} angle
 */
export function turnTowards(from, to, angle) {
  const axis = cross(from, to);
  /** @type {Vector} */
  const sideways = Math.abs(from[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  return turnRound(unit(Math.hypot(...axis) > 1e-9 ? axis : cross(from, sideways)), angle);
}

/**
 * The sphere's cells: the middles of the triangles round each point are its cell's corners.
 * @typedef {object} Sphere
 * @property {Vector[]} points one for each cell.
 * @property {Vector[]} corners each one is a corner of three cells.
 * @property {number[][]} cells for each cell its corners, in order round it.
 * @property {number[]} gaps for each cell how far its nearest neighbour is, in radii.
 */

/** @type {WeakMap<BoardData, Sphere>} */
const spheres = new WeakMap(); // one for each board; boards do not change

/**
 * @param {BoardData} board that has directions.
 * @returns {Sphere}
 */
export function sphereOf(board) {
  const sphere = spheres.get(board) ?? makeSphere(board.directions, board.neighbours);
  spheres.set(board, sphere);
  return sphere;
}

/**
 * @param {Vector[]} points
 * @param {number[][]} neighbours
 */
function makeSphere(points, neighbours) {
  /** @type {Vector[]} */
  const corners = [];
  /** @type {Map<string, number>} */
  const known = new Map(); // three cells -> their corner
  const corner = (/** @type {number[]} */ trio) => {
    const key = [...trio].sort((a, b) => a - b).join();
    const number = known.get(key) ?? corners.push(unit(trio.map((cell) => points[cell]).reduce(plus))) - 1;
    known.set(key, number);
    return number;
  };
  const cells = neighbours.map((near, cell) => {
    const round = inOrder(points, cell, near);
    return round.map((one, i) => corner([cell, one, round[(i + 1) % round.length]]));
  });
  const gaps = neighbours.map((near, cell) =>
    Math.min(...near.map((other) => distance(points[cell], points[other])))
  );
  return { points, corners, cells, gaps };
}

/** @type {(one: Vector, other: Vector) => number} */
const distance = (one, other) => Math.hypot(...plus(one, times(other, -1)));

/**
 * A cell's neighbours in order round it.
 * @param {Vector[]} points
 * @param {number} cell
 * @param {number[]} near
 */
function inOrder(points, cell, near) {
  const middle = points[cell];
  const first = unit(cross(middle, points[near[0]]));
  const second = cross(middle, first);
  const angle = (/** @type {number} */ other) => Math.atan2(dot(points[other], second), dot(points[other], first));
  return [...near].sort((one, other) => angle(one) - angle(other));
}
