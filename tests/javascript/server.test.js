// Tests of the URLs of positions.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisUrl,
  matchAnalysisUrl,
  positionQuery,
} from "../../src/antipodes/web/static/antipodes/analysis/server.js";

const LINE = { game: "hex", options: { size: 5, rules: "standard" }, moves: [3, "c4"] };

test("the query of a position has its game, options and moves", () => {
  assert.equal(String(positionQuery(LINE)), "size=5&rules=standard&game=hex&moves=3%2Cc4");
  assert.equal(String(positionQuery({ ...LINE, moves: [], since: 2 })), "size=5&rules=standard&game=hex&since=2");
});

test("the URL of an analysis has the game in its path", () => {
  assert.equal(analysisUrl(LINE), "/analysis/hex/?size=5&rules=standard&moves=3%2Cc4");
  assert.equal(analysisUrl({ game: "hex", options: {}, moves: [] }), "/analysis/hex/");
});

test("the URL of a match's analysis has the match and the ply", () => {
  assert.ok(matchAnalysisUrl("abc", LINE, 1).endsWith("#match=abc&ply=1"));
});
