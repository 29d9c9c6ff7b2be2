// Tests of the tree of conditional moves.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterMoves,
  asJson,
  size,
  sizeError,
  upToOwn,
  withLine,
  without,
} from "../../src/antipodes/web/static/antipodes/match/conditional_tree.js";

const step = (move, own) => ({ move, text: `m${move}`, color: own ? "black" : "white", own });
const theirs = (move) => step(move, false);
const mine = (move) => step(move, true);
const TREE = withLine(withLine([], [theirs(1), mine(2)]), [theirs(3), mine(4), theirs(5), mine(6)]);

test("a node has several moves of the opponent", () => {
  assert.deepEqual(
    TREE.map((one) => one.move),
    [1, 3],
  );
  assert.equal(size(TREE), 6);
});

test("adding an existing line changes nothing", () => {
  assert.deepEqual(withLine(TREE, [theirs(1), mine(2)]), TREE);
  assert.equal(withLine(TREE, []), TREE);
});

test("a new answer replaces the old one", () => {
  const changed = withLine(TREE, [theirs(1), mine(9)]);
  assert.deepEqual(
    changed[0].then.map((one) => one.move),
    [9],
  );
  assert.deepEqual(changed[1], TREE[1]);
});

test("removing a step removes everything below it, and moves left without an answer", () => {
  assert.deepEqual(
    without(TREE, TREE[1]).map((one) => one.move),
    [1],
  );
  assert.deepEqual(
    without(TREE, TREE[0].then[0]).map((one) => one.move),
    [3],
  );
  const kept = without(TREE, TREE[1].then[0].then[0].then[0]);
  assert.deepEqual(asJson(kept)[1], { move: 3, then: [{ move: 4, then: [] }] });
});

test("after played moves, the rest of their line remains", () => {
  assert.deepEqual(
    afterMoves(TREE, [theirs(3), mine(4)]).map((one) => one.move),
    [5],
  );
  assert.deepEqual(afterMoves(TREE, [theirs(7)]), []);
  assert.equal(afterMoves(TREE, []), TREE);
});

test("the answer to any other move is used if no move matches", () => {
  const tree = withLine(TREE, [theirs(-1), mine(8)]);
  assert.deepEqual(
    afterMoves(tree, [theirs(7)]).map((one) => one.move),
    [8],
  );
  assert.deepEqual(
    afterMoves(tree, [theirs(1)]).map((one) => one.move),
    [2],
  );
});

test("a line is cut after the viewer's last move", () => {
  assert.deepEqual(upToOwn([theirs(1), mine(2), theirs(3)]), [theirs(1), mine(2)]);
  assert.deepEqual(upToOwn([theirs(1)]), []);
});

test("a tree with too many moves or too long a line has an error", () => {
  assert.equal(sizeError(TREE), "");
  const deep = Array.from({ length: 61 }, (_, i) => step(i, i % 2 === 1));
  assert.equal(sizeError(withLine([], deep)), "A line can have at most 60 moves.");
  const broad = Array.from({ length: 501 }, (_, i) => ({ ...theirs(i), then: [] }));
  assert.equal(sizeError(broad), "At most 500 conditional moves can be saved.");
});

test("the server's format has the numbers of moves only", () => {
  assert.deepEqual(asJson(TREE)[0], { move: 1, then: [{ move: 2, then: [] }] });
});
