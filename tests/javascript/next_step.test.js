// Tests of the sentence about the next step of a move.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { movesTree } from "../../src/antipodes/web/static/antipodes/board/compose.js";
import { nextStep } from "../../src/antipodes/web/static/antipodes/board/next_step.js";

const PLACED = movesTree([
  [20, 3, 0],
  [21, 3, 1],
  [22, 4, 0],
  [23, 4, 1],
]);
const MOVED = movesTree([
  [22, 4, 7, 0],
  [23, 4, 7, 1],
  [24, 4, 8, 1],
  [25, 4, 8, 0],
]);

for (const [name, tree, steps, isRods, pieces, expected] of [
  ["no legal moves", movesTree([]), [], false, {}, ""],
  [
    "a stone",
    movesTree([
      [0, 0],
      [1, 1],
    ]),
    [],
    false,
    {},
    "Choose an empty point",
  ],
  [
    "a stone to confirm",
    movesTree([
      [0, 0],
      [1, 1],
    ]),
    [1],
    false,
    {},
    "Now confirm your move",
  ],
  [
    "a token",
    movesTree([
      [10, 0, 1],
      [11, 0, 2],
    ]),
    [],
    false,
    {},
    "Choose an empty cell for your token",
  ],
  [
    "a pawn",
    movesTree([
      [10, 0, 1],
      [11, 0, 2],
    ]),
    [0],
    false,
    {},
    "Now choose where your pawn lands",
  ],
  ["a rod", PLACED, [], true, {}, "Choose a square for your rod"],
  ["a rod's diagonal", PLACED, [3], true, {}, "Now choose the diagonal of the rod"],
  ["a rod to move", MOVED, [], true, { 4: "white/" }, "Choose one of your rods to move"],
  ["a moved rod's square", MOVED, [4], true, { 4: "white/" }, "Now choose where the rod goes"],
  [
    "a moved rod's diagonal",
    MOVED,
    [4, 7],
    true,
    { 4: "white/" },
    "Now choose the diagonal of the rod",
  ],
]) {
  test(`the next step: ${name}`, () =>
    assert.equal(nextStep(tree, steps, isRods, pieces), expected));
}
