// Chains of stones, and the graph of a position with one node for each chain. Pure functions.

import { pieceParts } from "./texts.js";

/** @import { Pieces } from "./state.js" */
/** @import { BoardOut } from "wire" */

/**
 * Return the colour of the piece on a cell, or null.
 * @param {Pieces} pieces
 * @param {number} cell
 */
export function colorOn(pieces, cell) {
  return pieces[cell] ? pieceParts(pieces[cell]).color : null;
}

/** @typedef {{color: string, cells: number[]}} Chain */

/**
 * Return all chains: connected stones of one colour.
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @returns {Chain[]}
 */
export function chainsOf({ neighbours }, pieces) {
  const seen = new Set();
  const chains = [];
  for (const start of neighbours.keys()) {
    const color = colorOn(pieces, start);
    if (color === null || seen.has(start)) continue;
    const cells = [start];
    seen.add(start);
    for (const cell of cells) {
      for (const other of neighbours[cell]) {
        if (seen.has(other) || colorOn(pieces, other) !== color) continue;
        seen.add(other);
        cells.push(other);
      }
    }
    chains.push({ color, cells });
  }
  return chains;
}

/**
 * Return the colour whose goal is to connect the poles.
 * @param {BoardOut} board
 */
export function poleConnector({ goals }) {
  return Object.keys(goals).find((color) => goals[color].includes("poles"));
}

/**
 * What one colour can still connect, as a graph of its chains and the empty cells.
 *
 * Cells of other colours are removed: the poles lie in different components when they are cut off
 * from each other, and in one node when they are connected.
 * @typedef {object} Graph
 * @property {{cells: number[], isChain: boolean}[]} nodes
 * @property {number[]} nodeOf the node of each cell, or -1.
 * @property {[number, number][]} edges pairs of nodes, the smaller one first.
 */

/**
 * @param {BoardOut} board
 * @param {Pieces} pieces
 * @param {string} color
 * @returns {Graph}
 */
export function graphOf(board, pieces, color) {
  const nodeOf = new Array(board.neighbours.length).fill(-1);
  const nodes = chainsOf(board, pieces)
    .filter((chain) => chain.color === color)
    .map(({ cells }) => ({ cells, isChain: true }));
  for (const cell of board.neighbours.keys()) {
    if (!pieces[cell]) nodes.push({ cells: [cell], isChain: false });
  }
  for (const [number, { cells }] of nodes.entries())
    for (const cell of cells) nodeOf[cell] = number;
  const edges = new Map();
  for (const [cell, near] of board.neighbours.entries()) {
    for (const other of near) {
      const [a, b] = [nodeOf[cell], nodeOf[other]];
      if (a >= 0 && b > a) edges.set(a * nodes.length + b, [a, b]);
    }
  }
  return { nodes, nodeOf, edges: [...edges.values()] };
}

/**
 * Return the neighbours of each node.
 * @param {Pick<Graph, "edges"> & {nodes: unknown[]}} graph
 */
export function neighbourLists({ nodes, edges }) {
  /** @type {number[][]} */
  const near = nodes.map(() => []);
  for (const [a, b] of edges) {
    near[a].push(b);
    near[b].push(a);
  }
  return near;
}

/**
 * Return the nodes that can be reached from a node, itself included.
 * @param {Graph} graph
 * @param {number} start
 */
export function reachable(graph, start) {
  const near = neighbourLists(graph);
  const found = new Set([start]);
  for (const node of found) for (const other of near[node]) found.add(other);
  return found;
}
