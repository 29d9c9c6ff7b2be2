// Laws of what owners tell a board.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { isSame, mapValues, NOTHING, turned, turnsOf } from "../../src/antipodes/web/static/antipodes/board/state.js";

test("a begun move stays while position and legal moves are the same", () => {
  const before = { ...NOTHING, legal: [[0, 0], [1, 1]], pieces: { 3: "black" } };
  assert.equal(isSame(before, structuredClone(before)), true);
  assert.equal(isSame(before, { ...before, last: 3 }), true);
  assert.equal(isSame(before, { ...before, legal: [[0, 0]] }), false);
  assert.equal(isSame(before, { ...before, pieces: {} }), false);
});

test("a seat sees the board turned as its number or colour says", () => {
  const board = { turns: [0, 1, 2, 3], colors: ["red", "blue", "vert", "horz"] };
  assert.equal(turnsOf(board, 2), 2);
  assert.equal(turnsOf(board, "blue"), 1);
  for (const seat of ["nobody", null, 9]) assert.equal(turnsOf(board, seat), 0);
});

test("a quarter turn lays rods on the other diagonal and leaves other pieces", () => {
  assert.equal(turned("red/"), "red\\");
  for (const piece of ["red/", "blue\\", "black", "blue*"]) assert.equal(turned(turned(piece)), piece);
  assert.equal(turned("blue*"), "blue*");
});

test("values are changed and keys stay", () => {
  assert.deepEqual(mapValues({ 1: "red/", 4: "black" }, turned), { 1: "red\\", 4: "black" });
});
