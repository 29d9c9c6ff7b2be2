// Layout of a game graph: the sphere unrolled, one pole on the left, the other on the right.
//
// x runs from pole to pole, y around the axis; y wraps from the lower to the upper edge. All
// functions are pure.

import { neighbourLists } from "./chains.js";
import { arccos } from "./space.js";

/** @import { Graph } from "./chains.js" */
/** @import { Point } from "./views.js" */
/** @import { BoardOut } from "wire" */

const ATTRACTION_ROUNDS = 60;
const REPULSION_ROUNDS = 40;
const HOME_WEIGHT = { chain: 0.2, empty: 0.4 }; // pull towards the position of a node's cells
const SHIFT = 0.35; // in steps along the rim, so that few nodes lie on the seam
const GAP = 0.42; // least distance between two nodes, in steps

/**
 * @typedef {object} GraphNode
 * @property {number[]} cells
 * @property {number} x
 * @property {number} y
 * @property {number} radius
 * @property {boolean} isChain
 * @property {number[]} poles the poles it contains: 0, 1, both or none.
 */

/** @typedef {{width: number, height: number}} Size */

/**
 * Return width and height of the drawing, in steps.
 * @param {BoardOut} board
 */
export function extent(board) {
  const around = board.rims.equator.length;
  return { width: around * 0.72, height: around * 0.56 };
}

/**
 * Return the signed distance from one height to another, the shorter way around.
 * @param {number} from
 * @param {number} to
 * @param {number} height
 */
export function wrappedDistance(from, to, height) {
  const distance = to - from;
  return distance - height * Math.round(distance / height);
}

/**
 * Lay a graph out.
 * @param {BoardOut} board
 * @param {Graph} graph
 * @returns {GraphNode[]}
 */
export function layOut(board, graph) {
  const size = extent(board);
  const homes = graph.nodes.map((node) => homeOf(board, node, size));
  const nodes = graph.nodes.map(({ cells, isChain }, i) => ({
    cells,
    isChain,
    ...homes[i],
    radius: isChain ? 0.34 + 0.09 * Math.sqrt(cells.length - 1) : 0.15,
    poles: [0, 1].filter((pole) => cells.includes(board.poles[pole])),
  }));
  for (const node of nodes) if (node.poles.length) pin(node, size);
  pullTogether(nodes, homes, graph, size);
  pushApart(nodes, size);
  return nodes;
}

/**
 * Fix a pole's node at its end, or in the middle if it contains both poles.
 * @param {GraphNode} node
 * @param {Size} size
 */
function pin(node, { width, height }) {
  node.x = node.poles.length === 2 ? width / 2 : node.poles[0] * width;
  node.y = height / 2;
}

/**
 * Return the centre of a node's cells, following neighbours so that the seam does not split it.
 * @param {BoardOut} board
 * @param {{cells: number[]}} node
 * @param {Size} size
 */
function homeOf(board, { cells }, { width, height }) {
  const around = board.rims.equator.length;
  const place = (/** @type {number} */ cell) => {
    const [x, y, z] = board.directions[cell];
    return {
      x: (width * arccos(z)) / Math.PI,
      y: within(height * (0.5 + SHIFT / around + Math.atan2(y, x) / (2 * Math.PI)), height),
    };
  };
  const own = new Set(cells);
  const found = new Map([[cells[0], place(cells[0])]]);
  for (const [cell, here] of found) {
    for (const other of board.neighbours[cell]) {
      if (!own.has(other) || found.has(other)) continue;
      const there = place(other);
      found.set(other, { x: there.x, y: here.y + wrappedDistance(here.y, there.y, height) });
    }
  }
  const middle = (/** @type {"x" | "y"} */ key) =>
    [...found.values()].reduce((sum, one) => sum + one[key], 0) / found.size;
  return { x: middle("x"), y: within(middle("y"), height) };
}

/**
 * @param {number} y
 * @param {number} height
 */
const within = (y, height) => ((y % height) + height) % height;

/**
 * Move each node towards its neighbours, but not too far from its cells.
 * @param {GraphNode[]} nodes
 * @param {Point[]} homes
 * @param {Graph} graph
 * @param {Size} size
 */
function pullTogether(nodes, homes, { edges }, { height }) {
  const near = neighbourLists({ nodes, edges });
  for (let round = 0; round < ATTRACTION_ROUNDS; round++) {
    for (const [i, node] of nodes.entries()) {
      if (node.poles.length || !near[i].length) continue;
      const home = node.isChain ? HOME_WEIGHT.chain : HOME_WEIGHT.empty;
      let [dx, dy] = [0, 0];
      for (const other of near[i]) {
        dx += nodes[other].x - node.x;
        // A pole lies on all meridians at once.
        if (!nodes[other].poles.length) dy += wrappedDistance(node.y, nodes[other].y, height);
      }
      const back = { x: homes[i].x - node.x, y: wrappedDistance(node.y, homes[i].y, height) };
      node.x += (home * back.x + ((1 - home) * dx) / near[i].length) / 2;
      node.y = within(node.y + (home * back.y + ((1 - home) * dy) / near[i].length) / 2, height);
    }
  }
}

/**
 * @param {GraphNode[]} nodes
 * @param {Size} size
 */
function pushApart(nodes, { width, height }) {
  for (let round = 0; round < REPULSION_ROUNDS; round++) {
    for (const [i, one] of nodes.entries()) {
      for (const other of nodes.slice(i + 1)) {
        const [dx, dy] = [other.x - one.x, wrappedDistance(one.y, other.y, height)];
        const wanted = one.radius + other.radius + GAP;
        if (Math.abs(dx) > wanted || Math.abs(dy) > wanted) continue;
        const far = Math.hypot(dx, dy) || 1e-3;
        if (far >= wanted) continue;
        const push = (wanted - far) / 2 / far;
        const [px, py] = [dx * push || 1e-3, dy * push || 1e-3 * (i % 2 ? 1 : -1)];
        move(one, -px, -py, width, height);
        move(other, px, py, width, height);
      }
    }
  }
}

/**
 * @param {GraphNode} node
 * @param {number} dx
 * @param {number} dy
 * @param {number} width
 * @param {number} height
 */
function move(node, dx, dy, width, height) {
  if (node.poles.length) return;
  node.x = Math.max(0, Math.min(width, node.x + dx));
  node.y = within(node.y + dy, height);
}
