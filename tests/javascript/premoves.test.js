// Tests of premoves: which moves can be set, and which are sent.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { movesTree, stepsOf } from "../../src/antipodes/web/static/antipodes/board/compose.js";
import { premoves } from "../../src/antipodes/web/static/antipodes/board/premoves.js";
import { hasTurned } from "../../src/antipodes/web/static/antipodes/match/premove.js";

const row = (kind, flips = false) => ({
  kind,
  flips,
  neighbours: [[1], [0, 2], [1, 3], [2]],
  places: [0, 1, 2, 3].map((cell) => [cell, 0, cell, 0, ""]),
  supply: {},
});
const steps = (board, pieces, color, move) =>
  stepsOf(movesTree(premoves(board, pieces, color)), move);

test("a stone can be set on each empty cell", () => {
  const board = row("hex");
  assert.deepEqual(steps(board, { 1: "black" }, "white", 2), [2]);
  assert.equal(steps(board, { 1: "black" }, "white", 1), null);
});

test("a token and the pawn's landing are set together, on a line from the own pawn", () => {
  const board = row("hexagon", true);
  board.places[3] = [3, 0, 3, 1, ""];
  const pieces = { 0: "blue*", 1: "red*" };
  assert.deepEqual(steps(board, pieces, "blue", 3 * 4 + 2), [3, 2]);
  assert.equal(steps(board, pieces, "blue", 2 * 4 + 1), null, "the other pawn is there");
  assert.equal(steps(board, pieces, "blue", 2 * 4 + 3), null, "not on a line");
  assert.deepEqual(premoves(board, { 1: "red*" }, "blue"), []);
});

test("rods are laid while some are left, and then moved", () => {
  const board = { ...row("grid"), supply: { red: 1, blue: 1 } };
  assert.deepEqual(steps(board, { 1: "blue/" }, "red", 2 * 2 + 1), [2, 1]);
  const full = { 1: "blue/", 0: "red\\" };
  assert.deepEqual(steps(board, full, "red", 8 + 2 * 3), [0, 3, 0]);
  assert.equal(steps(board, full, "red", 2 * 3), null);
});

test("a premove is dropped when the game takes another course", () => {
  const state = { view: { own: [0] }, seat: () => ({ color: "black" }) };
  const reply = { seat: 1, text: "b2" };
  assert.equal(hasTurned(state, { added: [reply], takenBack: false }, "black"), false);
  assert.equal(hasTurned(state, { added: [reply], takenBack: true }, "black"), true);
  assert.equal(hasTurned(state, { added: [reply], takenBack: false }, "white"), true);
  assert.equal(hasTurned(state, { added: [{ seat: 1, text: "swap" }] }, "black"), true);
  assert.equal(hasTurned(state, { added: [reply, { seat: 0, text: "c3" }] }, "black"), true);
});
