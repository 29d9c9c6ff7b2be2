// Laws of the addresses of positions.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisAddress,
  matchAnalysisAddress,
  positionQuery,
} from "../../src/antipodes/web/static/antipodes/study/source.js";

const LINE = { game: "hex", options: { size: 5, rules: "standard" }, moves: [3, "c4"] };

test("a position is addressed by its game, options and moves", () => {
  assert.equal(String(positionQuery(LINE)), "size=5&rules=standard&game=hex&moves=3%2Cc4");
  assert.equal(String(positionQuery({ ...LINE, moves: [], since: 2 })), "size=5&rules=standard&game=hex&since=2");
});

test("a page of analysis has the game in its path", () => {
  assert.equal(analysisAddress(LINE), "/analysis/hex/?size=5&rules=standard&moves=3%2Cc4");
  assert.equal(analysisAddress({ game: "hex", options: {}, moves: [] }), "/analysis/hex/");
});

test("the analysis of a match knows the way back and the position", () => {
  assert.ok(matchAnalysisAddress("abc", LINE, 1).endsWith("#match=abc&ply=1"));
});
