// Laws of reading a board from a seat's own side.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { boardFrom, hasSides, sideOf, textFrom } from "../../src/antipodes/web/static/antipodes/board/sides.js";

// Two squares; the second seat names them the other way round, and sees rods on the other diagonal.
const BOARD = {
  game: "antipalos",
  kind: "grid",
  shape: "square",
  colors: ["red", "blue"],
  turns: [0, 1],
  goals: {},
  directions: [],
  names: [["A1"], ["B1"]],
  places: [[0, 0, 0, 0, "A1"], [1, 0, 1, 0, "B1"]],
  seen: [["A1", "B1"], ["B1", "A1"]],
};
const ALIKE = { ...BOARD, seen: [] };

test("a board that all seats read alike has no sides", () => {
  assert.equal(hasSides(BOARD), true);
  assert.equal(hasSides(ALIKE), false);
  assert.equal(sideOf(ALIKE, "blue"), 0);
  assert.equal(boardFrom(ALIKE, 1), ALIKE);
});

test("a seat is told by its number or its colour, and a spectator reads as the first one", () => {
  assert.equal(sideOf(BOARD, 1), 1);
  assert.equal(sideOf(BOARD, "blue"), 1);
  assert.equal(sideOf(BOARD, null), 0);
});

test("the names are those of the seat, and the places stay", () => {
  const read = boardFrom(BOARD, 1);
  assert.deepEqual(read.names, [["B1"], ["A1"]]);
  assert.deepEqual(read.places, [[0, 0, 0, 0, "B1"], [1, 0, 1, 0, "A1"]]);
  assert.equal(boardFrom(BOARD, 0), BOARD);
});

test("a move is written with the names and the diagonal that the seat sees", () => {
  assert.equal(textFrom(BOARD, 0, "*A1"), "*A1");
  assert.equal(textFrom(BOARD, 1, "*A1"), "B1*");
  assert.equal(textFrom(BOARD, 1, "swap"), "swap");
});
