// Laws of what is spoken about a board.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  pieceParts,
  spokenCell,
  spokenMove,
  spokenPiece,
  spokenPoint,
  spokenSteps,
} from "../../src/antipodes/web/static/antipodes/board/words.js";

const NAMES = [["a1"], ["b1"], ["c1", "m1"]];

test("a piece's name is its colour and its kind", () => {
  assert.deepEqual(pieceParts("red/"), { color: "red", kind: "/" });
  assert.deepEqual(pieceParts("blue*"), { color: "blue", kind: "*" });
  assert.deepEqual(pieceParts("black"), { color: "black", kind: "" });
});

test("pieces are spoken by colour and kind, and a cell without one is empty", () => {
  assert.equal(spokenPiece("black"), "black");
  assert.equal(spokenPiece("red/"), "red rod, rising");
  assert.equal(spokenPiece("red\\"), "red rod, falling");
  assert.equal(spokenPiece("blue*"), "blue pawn");
  assert.equal(spokenPiece(undefined), "empty");
});

test("a point on the rim is spoken with its other name", () => {
  assert.equal(spokenPoint("c1", NAMES[2]), "c1, also m1");
  assert.equal(spokenPoint("a1", NAMES[0]), "a1");
});

test("a cell is spoken with its piece and its marks", () => {
  assert.equal(spokenCell("a1", "black", ["last move"]), "a1, black, last move");
  assert.equal(spokenCell("a1", undefined, []), "a1, empty");
});

test("a move is spoken by where its piece lies", () => {
  assert.equal(spokenMove(NAMES, {}, { 1: "black" }, 1), "b1, black");
});

test("a look at another position is no move", () => {
  assert.equal(spokenMove(NAMES, { 1: "black" }, { 1: "black" }, 1), "");
  assert.equal(spokenMove(NAMES, { 1: "black" }, {}, null), "");
});

test("flipped pieces are counted and pieces that moved are told", () => {
  const flipped = spokenMove(NAMES, { 0: "white" }, { 0: "black", 1: "black" }, 1);
  assert.equal(flipped, "b1, black, 1 flipped");
  assert.equal(spokenMove(NAMES, { 0: "red/" }, { 1: "red\\" }, 1), "from a1, b1, red rod, falling");
});

test("steps are spoken as cells and a diagonal", () => {
  assert.equal(spokenSteps(NAMES, [0, 2], null), "a1–c1");
  assert.equal(spokenSteps(NAMES, [0], 0), "a1 rising");
  assert.equal(spokenSteps(NAMES, [0], 1), "a1 falling");
});
