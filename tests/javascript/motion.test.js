// Tests of turns as they happen.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { timesOf, tracesOf } from "../../src/antipodes/web/static/antipodes/board/motion.js";

// A row of seven cells: the pawn slides from 0 to 3 over 1 and 2; a token comes to 5, next to 4 and 6.
const board = { places: [0, 1, 2, 3, 4, 5, 6].map((cell) => [cell, 0, cell, 0, `c${cell}`]) };
const turn = {
  last: 5,
  color: "blue",
  changed: {
    0: ["blue*", "blue"],
    1: ["red", "blue"],
    2: ["blue", "red"],
    3: ["blue", "blue*"],
    4: ["red", "blue"],
    5: [null, "blue"],
    6: ["blue", "red"],
  },
  flips: [
    [4, 6],
    [1, 2],
  ],
};

test("a turn leaves a mark on each cell that it changed", () => {
  const flipped = { 1: "flipped", 2: "flipped", 4: "flipped", 6: "flipped" };
  assert.deepEqual(tracesOf(turn), { 0: "left", 3: "reached", ...flipped });
  assert.deepEqual(tracesOf(null), {});
  assert.deepEqual(tracesOf({ last: 5 }), {});
});

test("a rod that moves marks the square that it left", () => {
  assert.deepEqual(tracesOf({ last: 4, changed: { 1: ["red/", null], 4: [null, "red\\"] } }), {
    1: "left",
  });
});

test("neighbours flip one after another, then the pawn flips each token as it passes", () => {
  const { flips, slide } = timesOf(board, turn, new Set());
  const [[four], [six], [one], [two]] = [4, 6, 1, 2].map((cell) => flips.get(cell));
  assert.ok(0 < four && four < six && six < slide.start && slide.start < one && one < two);
  assert.ok(two < slide.start + slide.length);
  assert.deepEqual([slide.from, slide.to], [0, 3]);
});

test("what an own move has shown already is not shown again", () => {
  const { flips, slide } = timesOf(board, turn, new Set([5, 4, 6]));
  assert.deepEqual([...flips.keys()], [1, 2]);
  assert.equal(slide.start, 0);
});

test("a token that is flipped twice shows both flips", () => {
  const twice = { ...turn, flips: [[2], [1, 2]] };
  assert.equal(timesOf(board, twice, new Set()).flips.get(2).length, 2);
});
