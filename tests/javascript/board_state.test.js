// Tests of the board's state.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY_STATE,
  isSamePosition,
  mapValues,
  turnedPiece,
  turnsOf,
} from "../../src/antipodes/web/static/antipodes/board/state.js";

test("positions are the same if pieces and legal moves are", () => {
  const before = {
    ...EMPTY_STATE,
    legal: [
      [0, 0],
      [1, 1],
    ],
    pieces: { 3: "black" },
  };
  assert.equal(isSamePosition(before, structuredClone(before)), true);
  assert.equal(isSamePosition(before, { ...before, last: 3 }), true);
  assert.equal(isSamePosition(before, { ...before, legal: [[0, 0]] }), false);
  assert.equal(isSamePosition(before, { ...before, pieces: {} }), false);
});

test("the rotation of the board depends on the seat's number or colour", () => {
  const board = { turns: [0, 1, 2, 3], colors: ["red", "blue", "vert", "horz"] };
  assert.equal(turnsOf(board, 2), 2);
  assert.equal(turnsOf(board, "blue"), 1);
  for (const seat of ["unknown", null, 9]) assert.equal(turnsOf(board, seat), 0);
});

test("a quarter turn changes the diagonal of rods only", () => {
  assert.equal(turnedPiece("red/"), "red\\");
  for (const piece of ["red/", "blue\\", "black", "blue*"])
    assert.equal(turnedPiece(turnedPiece(piece)), piece);
  assert.equal(turnedPiece("blue*"), "blue*");
});

test("mapping values keeps the keys", () => {
  assert.deepEqual(mapValues({ 1: "red/", 4: "black" }, turnedPiece), { 1: "red\\", 4: "black" });
});
