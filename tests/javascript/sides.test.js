// Tests of the coordinates of each seat's side.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boardFrom,
  hasSides,
  sideOf,
  textFrom,
} from "../../src/antipodes/web/static/antipodes/board/sides.js";

// Two squares; the second seat has the names swapped, and rods on the other diagonal.
const BOARD = {
  game: "antipalos",
  kind: "grid",
  shape: "square",
  colors: ["red", "blue"],
  turns: [0, 1],
  goals: {},
  directions: [],
  names: [["A1"], ["B1"]],
  places: [
    [0, 0, 0, 0, "A1"],
    [1, 0, 1, 0, "B1"],
  ],
  seen: [
    ["A1", "B1"],
    ["B1", "A1"],
  ],
};
const ALIKE = { ...BOARD, seen: [] };

test("a board with the same names for all seats has no sides", () => {
  assert.equal(hasSides(BOARD), true);
  assert.equal(hasSides(ALIKE), false);
  assert.equal(sideOf(ALIKE, "blue"), 0);
  assert.equal(boardFrom(ALIKE, 1), ALIKE);
});

test("a side is given by number or colour, and spectators have the first one", () => {
  assert.equal(sideOf(BOARD, 1), 1);
  assert.equal(sideOf(BOARD, "blue"), 1);
  assert.equal(sideOf(BOARD, null), 0);
});

test("names depend on the seat, places do not", () => {
  const board = boardFrom(BOARD, 1);
  assert.deepEqual(board.names, [["B1"], ["A1"]]);
  assert.deepEqual(board.places, [
    [0, 0, 0, 0, "B1"],
    [1, 0, 1, 0, "A1"],
  ]);
  assert.equal(boardFrom(BOARD, 0), BOARD);
});

test("moves have the seat's names and diagonals", () => {
  assert.equal(textFrom(BOARD, 0, "*A1"), "*A1");
  assert.equal(textFrom(BOARD, 1, "*A1"), "B1*");
  assert.equal(textFrom(BOARD, 1, "swap"), "swap");
});
