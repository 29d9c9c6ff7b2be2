// Vectors, turns and the cells of Antipod's sphere. All functions are pure.
//
// x points to the right, y downwards and z out of the screen, towards whoever looks.

/** @typedef {[number, number, number]} Vector */
/** @typedef {[Vector, Vector, Vector]} Turn a rotation as the rows of a matrix. */

/** The turn that changes nothing. */
export const STILL = Object.freeze([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);

export const dot = ([a, b, c], [x, y, z]) => a * x + b * y + c * z;

export const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

export const plus = ([a, b, c], [x, y, z]) => [a + x, b + y, c + z];

export const times = ([a, b, c], factor) => [a * factor, b * factor, c * factor];

/** The vector of length 1 in the same direction. */
export const unit = (vector) => times(vector, 1 / Math.hypot(...vector));

/** A vector after a turn. */
export const turned = (turn, vector) => [
  dot(turn[0], vector),
  dot(turn[1], vector),
  dot(turn[2], vector),
];

/** A vector before a turn: where it came from. */
export const unturned = ([a, b, c], [x, y, z]) => plus(plus(times(a, x), times(b, y)), times(c, z));

/** Turn round an axis of length 1, by an angle in radians. */
export function turnRound(axis, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const columns = STILL.map((side) =>
    plus(plus(times(side, cos), times(cross(axis, side), sin)), times(axis, dot(axis, side) * (1 - cos)))
  );
  return transposed(columns);
}

const transposed = ([a, b, c]) => [0, 1, 2].map((i) => [a[i], b[i], c[i]]);

/** First one turn, then the other. Small errors of many turns are put right. */
export function afterwards(first, second) {
  const columns = transposed(first).map((column) => turned(second, column));
  const x = unit(columns[0]);
  const z = unit(cross(x, columns[1]));
  return transposed([x, cross(z, x), z]);
}

/**
 * The turn that leads from one to another, as axis and angle in radians.
 * @returns {{axis: Vector, angle: number}}
 */
export function between(from, to) {
  const way = afterwards(transposed(from), to);
  const cos = Math.max(-1, Math.min(1, (way[0][0] + way[1][1] + way[2][2] - 1) / 2));
  const angle = Math.acos(cos);
  const axis = [way[2][1] - way[1][2], way[0][2] - way[2][0], way[1][0] - way[0][1]];
  if (Math.hypot(...axis) > 1e-6) return { axis: unit(axis), angle };
  // No turn, or half a turn: the axis is what stays where it is.
  const kept = [0, 1, 2].map((i) => way[i].map((value, j) => value + (i === j ? 1 : 0)));
  kept.sort((a, b) => Math.hypot(...b) - Math.hypot(...a));
  return { axis: unit(kept[0]), angle };
}

/** The shortest turn that moves one direction by an angle towards another. */
export function turnTowards(from, to, angle) {
  const axis = cross(from, to);
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

const spheres = new WeakMap(); // one for each board; boards do not change

/** @returns {Sphere} of a board that has directions. */
export function sphereOf(board) {
  if (!spheres.has(board)) spheres.set(board, makeSphere(board.directions, board.neighbours));
  return spheres.get(board);
}

function makeSphere(points, neighbours) {
  const corners = [];
  const known = new Map();
  const corner = (trio) => {
    const key = [...trio].sort((a, b) => a - b).join();
    if (!known.has(key)) {
      known.set(key, corners.length);
      corners.push(unit(trio.map((cell) => points[cell]).reduce(plus)));
    }
    return known.get(key);
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

const distance = (one, other) => Math.hypot(...plus(one, times(other, -1)));

/** A cell's neighbours in order round it. */
function inOrder(points, cell, near) {
  const middle = points[cell];
  const first = unit(cross(middle, points[near[0]]));
  const second = cross(middle, first);
  const angle = (other) => Math.atan2(dot(points[other], second), dot(points[other], first));
  return [...near].sort((one, other) => angle(one) - angle(other));
}
