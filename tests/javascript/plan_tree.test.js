// Laws of conditional moves.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterMoves,
  asJson,
  size,
  tooLarge,
  upToOwn,
  withLine,
  without,
} from "../../src/antipodes/web/static/antipodes/match/plan_tree.js";

const step = (move, own) => ({ move, text: `m${move}`, color: own ? "black" : "white", own });
const theirs = (move) => step(move, false);
const mine = (move) => step(move, true);
const PLAN = withLine(withLine([], [theirs(1), mine(2)]), [theirs(3), mine(4), theirs(5), mine(6)]);

test("moves of the opponent stand side by side", () => {
  assert.deepEqual(PLAN.map((one) => one.move), [1, 3]);
  assert.equal(size(PLAN), 6);
});

test("a line that is known already changes nothing", () => {
  assert.deepEqual(withLine(PLAN, [theirs(1), mine(2)]), PLAN);
  assert.equal(withLine(PLAN, []), PLAN);
});

test("there is one answer: a new one takes the place of the old one", () => {
  const changed = withLine(PLAN, [theirs(1), mine(9)]);
  assert.deepEqual(changed[0].then.map((one) => one.move), [9]);
  assert.deepEqual(changed[1], PLAN[1]);
});

test("removing a step removes what follows, and moves that are left without an answer", () => {
  assert.deepEqual(without(PLAN, PLAN[1]).map((one) => one.move), [1]);
  assert.deepEqual(without(PLAN, PLAN[0].then[0]).map((one) => one.move), [3]);
  const kept = without(PLAN, PLAN[1].then[0].then[0].then[0]);
  assert.deepEqual(asJson(kept)[1], { move: 3, then: [{ move: 4, then: [] }] });
});

test("after moves that were made the rest of their line is left", () => {
  assert.deepEqual(afterMoves(PLAN, [theirs(3), mine(4)]).map((one) => one.move), [5]);
  assert.deepEqual(afterMoves(PLAN, [theirs(7)]), []);
  assert.equal(afterMoves(PLAN, []), PLAN);
});

test("an answer to any other move counts where no move is met", () => {
  const plan = withLine(PLAN, [theirs(-1), mine(8)]);
  assert.deepEqual(afterMoves(plan, [theirs(7)]).map((one) => one.move), [8]);
  assert.deepEqual(afterMoves(plan, [theirs(1)]).map((one) => one.move), [2]);
});

test("a line ends with the viewer's last move", () => {
  assert.deepEqual(upToOwn([theirs(1), mine(2), theirs(3)]), [theirs(1), mine(2)]);
  assert.deepEqual(upToOwn([theirs(1)]), []);
});

test("a plan is too large when it has too many moves or too long a line", () => {
  assert.equal(tooLarge(PLAN), "");
  const deep = Array.from({ length: 61 }, (_, i) => step(i, i % 2 === 1));
  assert.equal(tooLarge(withLine([], deep)), "A line has 60 moves at most.");
  const broad = Array.from({ length: 501 }, (_, i) => ({ ...theirs(i), then: [] }));
  assert.equal(tooLarge(broad), "A plan has 500 moves at most.");
});

test("the server takes numbers of moves alone", () => {
  assert.deepEqual(asJson(PLAN)[0], { move: 1, then: [{ move: 2, then: [] }] });
});
