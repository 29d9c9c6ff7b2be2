// Tests of the texts about a board.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  pieceParts,
  cellText,
  moveText,
  pieceText,
  pointText,
  stepsText,
} from "../../src/antipodes/web/static/antipodes/board/texts.js";

const NAMES = [["a1"], ["b1"], ["c1", "m1"]];

test("a piece's name has its colour and its kind", () => {
  assert.deepEqual(pieceParts("red/"), { color: "red", kind: "/" });
  assert.deepEqual(pieceParts("blue*"), { color: "blue", kind: "*" });
  assert.deepEqual(pieceParts("black"), { color: "black", kind: "" });
});

test("pieces are described by colour and kind", () => {
  assert.equal(pieceText("black"), "black");
  assert.equal(pieceText("red/"), "red rod, rising");
  assert.equal(pieceText("red\\"), "red rod, falling");
  assert.equal(pieceText("blue*"), "blue pawn");
  assert.equal(pieceText(undefined), "empty");
});

test("a rim point is described with its other name", () => {
  assert.equal(pointText("c1", NAMES[2]), "c1, also m1");
  assert.equal(pointText("a1", NAMES[0]), "a1");
});

test("a cell is described with its piece and its marks", () => {
  assert.equal(cellText("a1", "black", ["last move"]), "a1, black, last move");
  assert.equal(cellText("a1", undefined, []), "a1, empty");
});

test("a move is described by its piece and cell", () => {
  assert.equal(moveText(NAMES, {}, { 1: "black" }, 1), "b1, black");
});

test("stepping to another position is not described as a move", () => {
  assert.equal(moveText(NAMES, { 1: "black" }, { 1: "black" }, 1), "");
  assert.equal(moveText(NAMES, { 1: "black" }, {}, null), "");
});

test("flipped and moved pieces are described", () => {
  const flipped = moveText(NAMES, { 0: "white" }, { 0: "black", 1: "black" }, 1);
  assert.equal(flipped, "b1, black, 1 flipped");
  assert.equal(moveText(NAMES, { 0: "red/" }, { 1: "red\\" }, 1), "from a1, b1, red rod, falling");
});

test("steps are described as cells and a diagonal", () => {
  assert.equal(stepsText(NAMES, [0, 2], null), "a1–c1");
  assert.equal(stepsText(NAMES, [0], 0), "a1 rising");
  assert.equal(stepsText(NAMES, [0], 1), "a1 falling");
});
