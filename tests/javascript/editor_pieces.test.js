// Tests of pieces that are set by hand.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ERASER,
  offered,
  piecesText,
  readTyped,
  toolMove,
  used,
} from "../../src/antipodes/web/static/antipodes/editor/pieces.js";

const BOARD = { kind: "rhombus", names: [["a1"], ["b1"], ["c1", "c9"]] };

test("a tool replaces a piece, and removes the same one", () => {
  assert.deepEqual(used({}, "black", 1, 0, false), { 1: "black" });
  assert.deepEqual(used({ 1: "white" }, "black", 1, 0, false), { 1: "black" });
  assert.deepEqual(used({ 1: "black" }, "black", 1, 0, false), {});
  assert.deepEqual(used({ 1: "black" }, ERASER, 1, 0, false), {});
});

test("a rod has the diagonal of the click", () => {
  assert.deepEqual(used({ 1: "red/" }, "red", 1, 1, true), { 1: "red\\" });
  assert.deepEqual(used({ 1: "red\\" }, "red", 1, 1, true), {});
});

test("a pawn leaves a token where it stood", () => {
  assert.deepEqual(used({ 0: "blue*", 2: "red*" }, "blue*", 1, 0, false), {
    0: "blue",
    1: "blue*",
    2: "red*",
  });
});

test("a move of the board is a use of the tool", () => {
  assert.deepEqual(offered(BOARD, {}, "black"), [
    [0, 0],
    [2, 1],
    [4, 2],
  ]);
  assert.deepEqual(offered(BOARD, { 2: "black" }, ERASER), [[4, 2]]);
  const rods = offered({ ...BOARD, kind: "grid" }, {}, "red");
  assert.deepEqual(rods[3], [3, 1, 1]);
  assert.deepEqual(toolMove(3), { cell: 1, diagonal: 1 });
});

test("pieces are written for the server", () => {
  assert.equal(piecesText({ 0: "black", 2: "blue*" }), "0:black,2:blue*");
});

test("typed words choose tools and cells", () => {
  const tools = new Map([
    ["black", "black"],
    ["white", "white"],
  ]);
  const { uses, tool, unknown } = readTyped(BOARD, "a1 white C9, *b1 z9", "black", (word) =>
    tools.get(word),
  );
  assert.deepEqual(uses, [
    { tool: "black", cell: 0, diagonal: 0 },
    { tool: "white", cell: 2, diagonal: 0 },
    { tool: "white", cell: 1, diagonal: 1 },
  ]);
  assert.equal(tool, "white");
  assert.deepEqual(unknown, ["z9"]);
});
