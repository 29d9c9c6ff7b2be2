// Laws of how a page knows its match.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchState } from "../../src/antipodes/web/static/antipodes/match/state.js";

const made = (cell, seat, at = cell) => ({
  move: cell,
  text: `m${cell}`,
  seat,
  color: seat ? "white" : "black",
  at,
  source: "hand",
  last: cell,
  changed: { [cell]: [null, seat ? "white" : "black"] },
});

const told = (changes = {}) => ({
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
  moves: [made(3, 0), made(4, 1)],
  clock: { left: [60_000, null], seat: 0, running: true, since: 1000 },
  ...changes,
});

function known(changes = {}) {
  const state = new MatchState();
  state.take(told(changes));
  return state;
}

test("what is older than what is known is not taken", () => {
  const state = known({ version: 5 });
  assert.equal(state.take(told({ version: 4 })), null);
  assert.equal(state.view.version, 5);
});

test("moves that are known are kept, and those that are new are told", () => {
  const state = known();
  const news = state.take(told({ version: 2, from: 2, moves: [made(5, 0)] }));
  assert.deepEqual(news.added.map((one) => one.move), [5]);
  assert.deepEqual(state.view.moves.map((one) => one.move), [3, 4, 5]);
  assert.equal(news.takenBack, false);
});

test("a move that is taken back is told, also if another one was made since", () => {
  const fewer = known().take(told({ version: 2, moves: [made(3, 0)] }));
  assert.equal(fewer.takenBack, true);
  const other = known().take(told({ version: 2, moves: [made(3, 0), made(7, 1)] }));
  assert.equal(other.takenBack, true);
  assert.deepEqual(other.added.map((one) => one.move), [7]);
});

test("the end is told once", () => {
  const state = known();
  assert.equal(state.take(told({ version: 2, result: "Black wins" })).ended, true);
  assert.equal(state.take(told({ version: 3, result: "Black wins" })).ended, false);
  assert.equal(state.isOver, true);
});

test("the position that is looked at stays while the game goes on", () => {
  const state = known();
  state.go(1);
  state.take(told({ version: 2, from: 2, moves: [made(5, 0)] }));
  assert.equal(state.ply, 1);
  assert.equal(state.isPresent, false);
  assert.deepEqual(state.pieces, { 3: "black" });
  state.go(Infinity);
  assert.equal(state.isPresent, true);
});

test("a position that was taken back gives way to the present", () => {
  const state = known({ moves: [made(3, 0), made(4, 1), made(5, 0)] });
  state.go(2);
  state.take(told({ version: 2, moves: [made(3, 0)] }));
  assert.equal(state.isPresent, true);
});

test("going ends at the first and at the present position", () => {
  const state = known();
  state.go(-Infinity);
  assert.equal(state.ply, 0);
  state.go(2);
  assert.equal(state.isPresent, true);
});

test("pieces and numbers are those of the position that is shown", () => {
  const state = known({ start: { 9: "black" } });
  assert.deepEqual(state.pieces, { 3: "black", 4: "white", 9: "black" });
  assert.deepEqual(state.numbers, { 3: 1, 4: 2 });
  state.go(1);
  assert.deepEqual(state.line, { game: "hex", options: { size: 5 }, moves: [3] });
});

test("a command is for the viewer's seat to move, or else for the first of theirs", () => {
  assert.equal(known().mySeat, 0);
  assert.equal(known({ own: [0, 1], toMove: 1 }).mySeat, 1);
  assert.equal(known({ own: [], toMove: 1 }).isSeated, false);
});

test("only the clock of the seat to move runs, by the server's time", () => {
  const state = known({ now: Date.now() + 100_000, clock: { left: [60_000, 30_000], seat: 0, running: true, since: Date.now() + 90_000 } });
  assert.ok(state.left(0) <= 50_000 && state.left(0) > 40_000);
  assert.equal(state.left(1), 30_000);
  assert.equal(state.flagged, null);
});

test("a seat whose time is up is flagged until the game is over", () => {
  const clock = { left: [10, null], seat: 0, running: true, since: 0 };
  assert.equal(known({ clock }).flagged, 0);
  assert.equal(known({ clock, result: "White wins" }).flagged, null);
  assert.equal(known({ clock: { ...clock, left: [null, null] } }).flagged, null);
});
