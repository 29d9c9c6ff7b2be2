// Tests of composing moves from steps.

import "./page.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  cellsOf,
  follow,
  freeCells,
  hasSeveralSteps,
  moveOf,
  movesTree,
  openCells,
  clickCell,
  stepBack,
  stepsOf,
  wantsDiagonal,
} from "../../src/antipodes/web/static/antipodes/board/compose.js";

// Moves of one cell, of two cells, and rods: from a cell, to a cell, on a diagonal.
const STONES = movesTree([
  [0, 0],
  [1, 1],
  [5, 5],
]);
const PAIRS = movesTree([
  [10, 0, 1],
  [11, 0, 2],
  [12, 1, 2],
]);
const RODS = movesTree([
  [20, 3, 0],
  [21, 3, 1],
  [22, 4, 7, 0],
  [23, 4, 7, 1],
  [24, 4, 8, 1],
]);

describe("the tree of moves", () => {
  test("moves are found by their steps, and steps by their move", () => {
    for (const [tree, moves] of [
      [STONES, [0, 1, 5]],
      [PAIRS, [10, 11, 12]],
      [RODS, [20, 21, 22, 23, 24]],
    ]) {
      for (const move of moves) assert.equal(moveOf(tree, stepsOf(tree, move)), move);
    }
  });

  test("an illegal move has no steps", () => {
    assert.equal(stepsOf(STONES, 7), null);
    assert.equal(follow(PAIRS, [9]), undefined);
    assert.equal(follow(PAIRS, [0, 1, 2]), undefined);
  });

  test("a product expands to any choice of one step from each list", () => {
    const product = movesTree([
      {
        base: 100,
        strides: [10, 1],
        steps: [
          [0, 2],
          [3, 4],
        ],
      },
    ]);
    const listed = movesTree([
      [103, 0, 3],
      [104, 0, 4],
      [123, 2, 3],
      [124, 2, 4],
    ]);
    assert.deepEqual(product, listed);
  });

  test("incomplete steps are not a move", () => {
    assert.equal(moveOf(PAIRS, [0]), null);
    assert.equal(moveOf(PAIRS, []), null);
  });

  test("moves with a cell between the first and the last step have several steps", () => {
    assert.equal(hasSeveralSteps(STONES), false);
    assert.equal(hasSeveralSteps(movesTree([[22, 4, 7, 0]])), true);
    assert.equal(hasSeveralSteps(movesTree([])), false);
  });
});

describe("open cells", () => {
  test("are first the first steps of moves, then the next ones", () => {
    assert.deepEqual(openCells(PAIRS, [], false), new Set([0, 1]));
    assert.deepEqual(openCells(PAIRS, [0], false), new Set([1, 2]));
  });

  test("replace the last cell of a complete move", () => {
    assert.deepEqual(openCells(PAIRS, [0, 1], false), new Set([1, 2]));
  });

  test("are empty before a rod's diagonal is chosen", () => {
    assert.equal(wantsDiagonal(RODS, [4, 7], true), true);
    assert.equal(wantsDiagonal(RODS, [4], true), false);
    assert.deepEqual(openCells(RODS, [4, 7], true), new Set());
  });

  test("of all earlier steps are free cells", () => {
    assert.deepEqual(freeCells(PAIRS, [0], false), new Set([0, 1, 2]));
  });
});

describe("clicking a cell", () => {
  test("adds a possible step", () => {
    assert.deepEqual(clickCell(PAIRS, [], 0, null, false), [0]);
    assert.deepEqual(clickCell(PAIRS, [0], 2, null, false), [0, 2]);
  });

  test("replaces the last cell", () => {
    assert.deepEqual(clickCell(PAIRS, [0, 1], 2, null, false), [0, 2]);
  });

  test("deselects the last cell", () => {
    assert.deepEqual(clickCell(PAIRS, [1], 1, null, false), []);
  });

  test("changes nothing on other cells", () => {
    assert.deepEqual(clickCell(PAIRS, [0], 9, null, false), [0]);
  });

  test("adds a rod's diagonal if it is known and legal", () => {
    assert.deepEqual(clickCell(RODS, [4], 7, 1, true), [4, 7, 1]);
    assert.deepEqual(clickCell(RODS, [4], 8, 1, true), [4, 8, 1]);
    assert.deepEqual(clickCell(RODS, [4], 8, 0, true), [4]);
    assert.deepEqual(clickCell(RODS, [4], 7, null, true), [4, 7]);
  });
});

test("a step back removes a rod's square and diagonal together", () => {
  assert.deepEqual(cellsOf(RODS, [4, 7, 1], true), [4, 7]);
  assert.deepEqual(stepBack(RODS, [4, 7, 1], true), [4]);
  assert.deepEqual(stepBack(PAIRS, [0, 1], false), [0]);
  assert.deepEqual(stepBack(PAIRS, [], false), []);
});
