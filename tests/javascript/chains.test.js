// Tests of chains and the game graph.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chainsOf,
  colorOn,
  graphOf,
  poleConnector,
  reachable,
} from "../../src/antipodes/web/static/antipodes/board/chains.js";

// Six cells in a row.
const ROW = { neighbours: [[1], [0, 2], [1, 3], [2, 4], [3, 5], [4]] };

test("a cell has the colour of its piece of any kind", () => {
  const pieces = { 0: "black", 1: "blue*", 2: "red/" };
  assert.deepEqual(
    [0, 1, 2, 3].map((cell) => colorOn(pieces, cell)),
    ["black", "blue", "red", null],
  );
});

test("chains are connected stones of one colour", () => {
  const chains = chainsOf(ROW, { 0: "black", 1: "black", 2: "white", 4: "black" });
  assert.deepEqual(chains, [
    { color: "black", cells: [0, 1] },
    { color: "white", cells: [2] },
    { color: "black", cells: [4] },
  ]);
});

test("each stone is in exactly one chain", () => {
  const pieces = { 0: "black", 1: "white", 2: "black", 3: "black", 5: "white" };
  const cells = chainsOf(ROW, pieces).flatMap((chain) => chain.cells);
  assert.deepEqual(cells.sort(), Object.keys(pieces).map(Number));
});

test("the colour that connects the poles is found by its goal", () => {
  assert.equal(poleConnector({ goals: { black: ["poles"], white: ["ring"] } }), "black");
  assert.equal(poleConnector({ goals: { black: ["sides"], white: ["sides"] } }), undefined);
});

test("the graph has a node for each chain of the colour and for each empty cell", () => {
  const graph = graphOf(ROW, { 0: "black", 1: "black", 3: "white" }, "black");
  assert.deepEqual(graph.nodes, [
    { cells: [0, 1], isChain: true },
    { cells: [2], isChain: false },
    { cells: [4], isChain: false },
    { cells: [5], isChain: false },
  ]);
  assert.deepEqual(graph.nodeOf, [0, 0, 1, -1, 2, 3]);
  assert.deepEqual(graph.edges, [
    [0, 1],
    [2, 3],
  ]);
});

test("stones of the other colour disconnect nodes", () => {
  const graph = graphOf(ROW, { 3: "white" }, "black");
  assert.deepEqual(reachable(graph, 0), new Set([0, 1, 2]));
  const open = graphOf(ROW, {}, "black");
  assert.equal(reachable(open, 0).size, 6);
});
