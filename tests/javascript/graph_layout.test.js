// Tests of the layout of game graphs.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { graphOf } from "../../src/antipodes/web/static/antipodes/board/chains.js";
import {
  extent,
  layOut,
  wrappedDistance,
} from "../../src/antipodes/web/static/antipodes/board/graph_layout.js";

// Two poles, and four cells around the rim, each of them beside both poles.
const around = [0, 1, 2, 3].map((i) => (Math.PI / 2) * i);
const BOARD = {
  poles: [0, 5],
  rims: { equator: [1, 2, 3, 4] },
  directions: [
    [0, 0, 1],
    ...around.map((angle) => [Math.cos(angle), Math.sin(angle), 0]),
    [0, 0, -1],
  ],
  neighbours: [
    [1, 2, 3, 4],
    [0, 2, 4, 5],
    [0, 1, 3, 5],
    [0, 2, 4, 5],
    [0, 1, 3, 5],
    [1, 2, 3, 4],
  ],
};

test("distances are measured the shorter way around", () => {
  assert.equal(wrappedDistance(1, 9, 10), -2);
  assert.equal(wrappedDistance(9, 1, 10), 2);
  assert.equal(wrappedDistance(2, 5, 10), 3);
});

test("the poles are at the left and right ends, and all nodes inside the drawing", () => {
  const { width, height } = extent(BOARD);
  const nodes = layOut(BOARD, graphOf(BOARD, { 1: "white" }, "black"));
  assert.equal(nodes.length, 5);
  for (const { x, y } of nodes) assert.ok(x >= 0 && x <= width && y >= 0 && y < height);
  const poles = nodes.filter((node) => node.poles.length);
  assert.deepEqual(
    poles.map((node) => [node.poles, node.x]),
    [
      [[0], 0],
      [[1], width],
    ],
  );
});

test("a chain that connects the poles is in the middle", () => {
  const { width, height } = extent(BOARD);
  const nodes = layOut(BOARD, graphOf(BOARD, { 0: "black", 1: "black", 5: "black" }, "black"));
  const chain = nodes.find((node) => node.isChain);
  assert.deepEqual(chain?.poles, [0, 1]);
  assert.deepEqual([chain?.x, chain?.y], [width / 2, height / 2]);
});
