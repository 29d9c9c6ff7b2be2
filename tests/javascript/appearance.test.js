// Tests of the appearance of cells.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  lockedCells,
  piecesLeft,
  plannedPieces,
} from "../../src/antipodes/web/static/antipodes/board/appearance.js";

test("a piece is locked once all cells that could change it are full", () => {
  const board = { locks: { 0: [1, 2] } };
  assert.deepEqual(lockedCells(board, { 1: "red/" }), new Set());
  assert.deepEqual(lockedCells(board, { 1: "red/", 2: "blue/" }), new Set([0]));
  assert.deepEqual(lockedCells({}, { 1: "red/" }), new Set());
});

test("pieces on the board are not left", () => {
  const board = { supply: { red: 3, blue: 2 } };
  assert.deepEqual(piecesLeft(board, { 0: "red/", 5: "red\\", 7: "blue/" }), [
    ["red", 1],
    ["blue", 1],
  ]);
  assert.deepEqual(piecesLeft({}, { 0: "black" }), []);
});

test("a stone is planned on an empty cell only", () => {
  const composed = { cells: [4], diagonal: null, isRods: false };
  assert.deepEqual(plannedPieces("black", composed, {}), { 4: "black" });
  assert.deepEqual(plannedPieces("black", composed, { 4: "white" }), {});
  assert.deepEqual(plannedPieces(undefined, composed, {}), {});
});

test("a rod leaves its old square, and is planned on the new one once its diagonal is chosen", () => {
  const pieces = { 1: "red/" };
  assert.deepEqual(plannedPieces("red", { cells: [1, 6], diagonal: 1, isRods: true }, pieces), {
    1: null,
    6: "red\\",
  });
  assert.deepEqual(plannedPieces("red", { cells: [1], diagonal: null, isRods: true }, pieces), {
    1: null,
  });
});
