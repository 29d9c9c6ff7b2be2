// Tests of the state of a match.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchState } from "../../src/antipodes/web/static/antipodes/match/state.js";

const played = (cell, seat, at = cell) => ({
  move: cell,
  text: `m${cell}`,
  seat,
  color: seat ? "white" : "black",
  at,
  source: "hand",
  last: cell,
  changed: { [cell]: [null, seat ? "white" : "black"] },
});

const message = (changes = {}) => ({
  version: 1,
  slug: "abc",
  game: "hex",
  options: { size: 5 },
  start: {},
  seats: [
    { seat: 0, name: "ann", computer: false, color: "black" },
    { seat: 1, name: "bob", computer: false, color: "white" },
  ],
  own: [0],
  toMove: 0,
  result: null,
  winner: null,
  series: null,
  moves: [played(3, 0), played(4, 1)],
  clock: { left: [60_000, null], seat: 0, running: true, since: 1000 },
  ...changes,
});

function stateOf(changes = {}) {
  const state = new MatchState();
  state.update(message(changes));
  return state;
}

test("outdated messages are ignored", () => {
  const state = stateOf({ version: 5 });
  assert.equal(state.update(message({ version: 4 })), null);
  assert.equal(state.view.version, 5);
});

test("known moves are kept, and new ones reported", () => {
  const state = stateOf();
  const changes = state.update(message({ version: 2, from: 2, moves: [played(5, 0)] }));
  assert.deepEqual(
    changes.added.map((one) => one.move),
    [5],
  );
  assert.deepEqual(
    state.view.moves.map((one) => one.move),
    [3, 4, 5],
  );
  assert.equal(changes.takenBack, false);
});

test("a takeback is reported, also if another move was played since", () => {
  const fewer = stateOf().update(message({ version: 2, moves: [played(3, 0)] }));
  assert.equal(fewer.takenBack, true);
  const other = stateOf().update(message({ version: 2, moves: [played(3, 0), played(7, 1)] }));
  assert.equal(other.takenBack, true);
  assert.deepEqual(
    other.added.map((one) => one.move),
    [7],
  );
});

test("the end is reported once", () => {
  const state = stateOf();
  assert.equal(state.update(message({ version: 2, result: "Black wins" })).ended, true);
  assert.equal(state.update(message({ version: 3, result: "Black wins" })).ended, false);
  assert.equal(state.isOver, true);
});

test("the shown position stays while the game continues", () => {
  const state = stateOf();
  state.go(1);
  state.update(message({ version: 2, from: 2, moves: [played(5, 0)] }));
  assert.equal(state.ply, 1);
  assert.equal(state.isPresent, false);
  assert.deepEqual(state.pieces, { 3: "black" });
  state.go(Infinity);
  assert.equal(state.isPresent, true);
});

test("a shown position that was taken back is replaced by the current one", () => {
  const state = stateOf({ moves: [played(3, 0), played(4, 1), played(5, 0)] });
  state.go(2);
  state.update(message({ version: 2, moves: [played(3, 0)] }));
  assert.equal(state.isPresent, true);
});

test("stepping stops at the first and at the current position", () => {
  const state = stateOf();
  state.go(-Infinity);
  assert.equal(state.ply, 0);
  state.go(2);
  assert.equal(state.isPresent, true);
});

test("pieces and numbers are those of the shown position", () => {
  const state = stateOf({ start: { 9: "black" } });
  assert.deepEqual(state.pieces, { 3: "black", 4: "white", 9: "black" });
  assert.deepEqual(state.numbers, { 3: 1, 4: 2 });
  state.go(1);
  assert.deepEqual(state.line, { game: "hex", options: { size: 5 }, setup: "", moves: [3] });
});

test("commands are for the viewer's seat to move, or else their first seat", () => {
  assert.equal(stateOf().mySeat, 0);
  assert.equal(stateOf({ own: [0, 1], toMove: 1 }).mySeat, 1);
  assert.equal(stateOf({ own: [], toMove: 1 }).isSeated, false);
});

test("only the clock of the seat to move is running, by the server's time", () => {
  const at = Date.now();
  const state = stateOf({
    now: at + 100_000,
    clock: { left: [60_000, 30_000], seat: 0, running: true, since: at + 90_000 },
  });
  assert.ok(state.left(0) <= 50_000 && state.left(0) > 40_000);
  assert.equal(state.left(1), 30_000);
  assert.equal(state.flagged, null);
});

test("a seat without time is flagged until the game is over", () => {
  const clock = { left: [10, null], seat: 0, running: true, since: 0 };
  assert.equal(stateOf({ clock }).flagged, 0);
  assert.equal(stateOf({ clock, result: "White wins" }).flagged, null);
  assert.equal(stateOf({ clock: { ...clock, left: [null, null] } }).flagged, null);
});
