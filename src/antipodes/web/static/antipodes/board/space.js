// Vectors, rotations and the cells of Antipod's sphere. All functions are pure.
//
// x points to the right, y downwards and z out of the screen, towards the viewer.

/** @import { BoardOut } from "wire" */

/** @typedef {[number, number, number]} Vector */
/** @typedef {[Vector, Vector, Vector]} Rotation a rotation, as the rows of a matrix. */

/**
 * The identity rotation.
 * @type {Rotation}
 */
export const IDENTITY = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** @type {(one: Vector, other: Vector) => number} */
export const dot = ([a, b, c], [x, y, z]) => a * x + b * y + c * z;

/** @type {(one: Vector, other: Vector) => Vector} */
export const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

/** @type {(one: Vector, other: Vector) => Vector} */
export const sum = ([a, b, c], [x, y, z]) => [a + x, b + y, c + z];

/** @type {(vector: Vector, factor: number) => Vector} */
export const scaled = ([a, b, c], factor) => [a * factor, b * factor, c * factor];

/**
 * Return the unit vector in the same direction.
 * @type {(vector: Vector) => Vector}
 */
export const normalized = (vector) => scaled(vector, 1 / Math.hypot(...vector));

/**
 * Apply a rotation to a vector.
 * @type {(rotation: Rotation, vector: Vector) => Vector}
 */
export const rotated = ([a, b, c], vector) => [dot(a, vector), dot(b, vector), dot(c, vector)];

/**
 * Apply the inverse of a rotation to a vector.
 * @type {(rotation: Rotation, vector: Vector) => Vector}
 */
export const rotatedBack = ([a, b, c], [x, y, z]) =>
  sum(sum(scaled(a, x), scaled(b, y)), scaled(c, z));

/**
 * Map the rows of a matrix.
 * @type {(rotation: Rotation, change: (row: Vector) => Vector) => Rotation}
 */
const rows = ([a, b, c], change) => [change(a), change(b), change(c)];

/** Return the angle with a cosine, allowing for rounding errors. */
export const arccos = (/** @type {number} */ cos) => Math.acos(Math.max(-1, Math.min(1, cos)));

/**
 * Return the rotation about an axis of length 1 by an angle in radians.
 * @param {Vector} axis
 * @param {number} angle
 */
export function rotationAbout(axis, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const columns = rows(IDENTITY, (side) =>
    sum(
      sum(scaled(side, cos), scaled(cross(axis, side), sin)),
      scaled(axis, dot(axis, side) * (1 - cos)),
    ),
  );
  return transposed(columns);
}

/** @type {(rotation: Rotation) => Rotation} */
const transposed = ([a, b, c]) => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

/**
 * Return one rotation followed by another. Rounding errors are corrected.
 * @param {Rotation} first
 * @param {Rotation} second
 */
export function followedBy(first, second) {
  const columns = rows(transposed(first), (column) => rotated(second, column));
  const x = normalized(columns[0]);
  const z = normalized(cross(x, columns[1]));
  return transposed([x, cross(z, x), z]);
}

/**
 * Return the rotation that leads from one rotation to another, as axis and angle in radians.
 * @param {Rotation} from
 * @param {Rotation} to
 * @returns {{axis: Vector, angle: number}}
 */
export function rotationBetween(from, to) {
  const way = followedBy(transposed(from), to);
  const angle = arccos((way[0][0] + way[1][1] + way[2][2] - 1) / 2);
  /** @type {Vector} */
  const axis = [way[2][1] - way[1][2], way[0][2] - way[2][0], way[1][0] - way[0][1]];
  if (Math.hypot(...axis) > 1e-6) return { axis: normalized(axis), angle };
  // By 0 or 180 degrees: the axis is the direction that stays fixed.
  /** @type {Rotation} */
  const kept = [sum(way[0], IDENTITY[0]), sum(way[1], IDENTITY[1]), sum(way[2], IDENTITY[2])];
  kept.sort((a, b) => Math.hypot(...b) - Math.hypot(...a));
  return { axis: normalized(kept[0]), angle };
}

/**
 * Return the shortest rotation that moves one direction by an angle towards another.
 * @param {Vector} from
 * @param {Vector} to
 * @param {number} angle
 */
export function rotationTowards(from, to, angle) {
  const axis = cross(from, to);
  /** @type {Vector} */
  const sideways = Math.abs(from[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  return rotationAbout(
    normalized(Math.hypot(...axis) > 1e-9 ? axis : cross(from, sideways)),
    angle,
  );
}

/**
 * The sphere's cells: the centres of the triangles around a point are the corners of its cell.
 * @typedef {object} Sphere
 * @property {Vector[]} points one for each cell.
 * @property {Vector[]} corners each one belongs to three cells.
 * @property {number[][]} cells the corners of each cell, in order around it.
 * @property {number[]} gaps the distance of each cell's nearest neighbour, in radii.
 */

/** @type {WeakMap<BoardOut, Sphere>} */
const spheres = new WeakMap(); // by board; boards do not change

/**
 * Return the sphere of a board, cached.
 * @param {BoardOut} board one with directions.
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
  const cornerNumbers = new Map(); // three cells -> their corner
  const corner = (/** @type {number[]} */ trio) => {
    const key = [...trio].sort((a, b) => a - b).join();
    const number =
      cornerNumbers.get(key) ??
      corners.push(normalized(trio.map((cell) => points[cell]).reduce(sum))) - 1;
    cornerNumbers.set(key, number);
    return number;
  };
  const cells = neighbours.map((near, cell) => {
    const round = inOrder(points, cell, near);
    return round.map((one, i) => corner([cell, one, round[(i + 1) % round.length]]));
  });
  const gaps = neighbours.map((near, cell) =>
    Math.min(...near.map((other) => distance(points[cell], points[other]))),
  );
  return { points, corners, cells, gaps };
}

/** @type {(one: Vector, other: Vector) => number} */
const distance = (one, other) => Math.hypot(...sum(one, scaled(other, -1)));

/**
 * Sort a cell's neighbours in order around it.
 * @param {Vector[]} points
 * @param {number} cell
 * @param {number[]} near
 */
function inOrder(points, cell, near) {
  const middle = points[cell];
  const first = normalized(cross(middle, points[near[0]]));
  const second = cross(middle, first);
  const angle = (/** @type {number} */ other) =>
    Math.atan2(dot(points[other], second), dot(points[other], first));
  return [...near].sort((one, other) => angle(one) - angle(other));
}
