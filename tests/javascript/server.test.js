// Tests of the URLs of positions, and of requests to a busy server.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisUrl,
  matchAnalysisUrl,
  positionQuery,
  sendPatiently,
} from "../../src/antipodes/web/static/antipodes/analysis/server.js";

const LINE = { game: "hex", options: { size: 5, rules: "standard" }, moves: [3, "c4"] };

test("the query of a position has its game, options and moves", () => {
  assert.equal(String(positionQuery(LINE)), "size=5&rules=standard&game=hex&moves=3%2Cc4");
  assert.equal(
    String(positionQuery({ ...LINE, moves: [], since: 2 })),
    "size=5&rules=standard&game=hex&since=2",
  );
});

test("the URL of an analysis has the game in its path", () => {
  assert.equal(analysisUrl(LINE), "/analysis/hex/?size=5&rules=standard&moves=3%2Cc4");
  assert.equal(analysisUrl({ game: "hex", options: {}, moves: [] }), "/analysis/hex/");
});

test("the URL of a match's analysis has the match and the ply", () => {
  assert.ok(matchAnalysisUrl("abc", LINE, 1).endsWith("#match=abc&ply=1"));
});

/** Let the server answer with these statuses in turn; return how often it was asked. */
function answering(mocked, ...statuses) {
  let asked = 0;
  mocked.method(globalThis, "fetch", () => {
    const status = statuses[asked++];
    return Promise.resolve(
      Response.json(
        { code: "x", message: `status ${status}` },
        { status, headers: { "Retry-After": "5" } },
      ),
    );
  });
  mocked.method(globalThis, "setTimeout", (then) => then());
  return () => asked;
}

test("a request to a busy server is sent again, and the user is told", async ({ mock }) => {
  const asked = answering(mock, 503, 503, 200);
  const told = [];
  const found = await sendPatiently("POST", "/x", {}, (message) => told.push(message));
  assert.equal(found.message, "status 200");
  assert.deepEqual(told, Array(2).fill("status 503 This page tries again by itself."));
  assert.equal(asked(), 3);
});

test("other errors are not sent again", async ({ mock }) => {
  const asked = answering(mock, 429, 200);
  await assert.rejects(
    sendPatiently("POST", "/x", {}, () => undefined),
    /status 429/,
  );
  assert.equal(asked(), 1);
});
