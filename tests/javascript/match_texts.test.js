// Tests of the texts about a match.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchState } from "../../src/antipodes/web/static/antipodes/match/state.js";
import {
  busyText,
  closedOfferTexts,
  goalText,
  headline,
  changesText,
  offerText,
  positionText,
  seatDetails,
  seriesText,
  startText,
  swapText,
} from "../../src/antipodes/web/static/antipodes/match/texts.js";

const played = (cell, seat, changes = {}) => ({
  move: cell,
  text: `c${cell}`,
  seat,
  color: seat ? "white" : "black",
  at: cell,
  source: "hand",
  last: cell,
  changed: {},
  ...changes,
});

const message = (changes = {}) => ({
  version: 1,
  start: {},
  seats: [
    { seat: 0, name: "ann", computer: false, color: "black" },
    { seat: 1, name: "bob", computer: false, color: "white" },
  ],
  own: [0],
  toMove: 0,
  result: null,
  winner: null,
  swap: null,
  swapExchanges: "sides",
  goals: { black: "join the poles", white: "close a ring" },
  offers: {},
  declined: {},
  withdrawn: {},
  moves: [],
  clock: { left: [null, null], seat: 0, running: false, paused: false, since: 0 },
  ...changes,
});

function stateOf(changes = {}) {
  const state = new MatchState();
  state.update(message(changes));
  return state;
}

test("players are offline only after the server tells who is present, and never oneself", () => {
  const { view } = stateOf({ clock: { ...message().clock, away: [] } });
  const details = (present) => view.seats.map((seat) => seatDetails(seat, view, present));
  assert.deepEqual(details(null), ["you · black", "white"]);
  assert.deepEqual(details(new Set()), ["you · black", "white · offline"]);
  assert.deepEqual(details(new Set([0])), ["you · black", "white · offline"]);
  assert.deepEqual(details(new Set([1])), ["you · black", "white"]);
});

test("a computer is never offline, and a player on vacation is shown so", () => {
  const seats = [message().seats[0], { seat: 1, name: "Level 3", computer: true, color: "white" }];
  const { view } = stateOf({ seats, clock: { ...message().clock, away: [0] } });
  assert.equal(seatDetails(view.seats[1], view, new Set()), "white");
  assert.equal(seatDetails(view.seats[0], view, new Set()), "you · black · on vacation");
});

test("the headline tells whose turn it is", () => {
  assert.equal(headline(stateOf()), "Your turn");
  assert.equal(headline(stateOf({ toMove: 1 })), "bob’s turn");
});

test("the headline tells the state of the computer", () => {
  const seats = [message().seats[0], { seat: 1, name: "Level 3", computer: true, color: "white" }];
  const state = stateOf({ toMove: 1, seats });
  assert.equal(headline(state), "The computer is thinking …");
  state.wait = 12;
  assert.equal(headline(state), "The computer is busy: about 15 s");
});

test("the headline tells the result to players and spectators", () => {
  const over = { result: "Black wins", winner: "black", toMove: null };
  assert.equal(headline(stateOf(over)), "You won");
  assert.equal(headline(stateOf({ ...over, own: [1] })), "You lost");
  assert.equal(headline(stateOf({ ...over, own: [] })), "Black wins");
});

test("players see their own goal, spectators those of both", () => {
  assert.equal(goalText(stateOf()), "You are Black: join the poles.");
  assert.equal(goalText(stateOf({ own: [] })), "Black: join the poles. White: close a ring.");
  assert.equal(goalText(stateOf({ own: [], goals: { black: "join", white: "join" } })), "Join.");
});

test("a possible swap and a played one are described", () => {
  assert.match(swapText(stateOf({ swap: 9 })), /^You can swap sides/);
  assert.match(swapText(stateOf({ swap: 9, toMove: 1 })), /^Your opponent can swap sides/);
  const swapped = stateOf({ moves: [played(1, 0), played(0, 1, { text: "swap" })] });
  assert.equal(swapText(swapped), "bob swapped sides and now plays White.");
  assert.equal(swapText(stateOf()), "");
});

test("all moves are announced, own ones too", () => {
  const changes = (...added) => ({ before: message(), added, takenBack: false, ended: false });
  assert.equal(changesText(changes(played(1, 0)), stateOf({ toMove: 1 })), "You played c1.");
  assert.equal(
    changesText(changes(played(1, 0, { source: "conditional" })), stateOf({ toMove: 1 })),
    "You played c1 (conditional move).",
  );
  assert.equal(changesText(changes(played(2, 1)), stateOf()), "bob played c2. Your turn.");
  assert.equal(
    changesText(changes(played(1, 0), played(2, 1)), stateOf()),
    "You played c1. bob played c2. Your turn.",
  );
});

test("takebacks, the end and new offers are announced", () => {
  const none = { before: message(), added: [], takenBack: false, ended: false };
  assert.equal(
    changesText({ ...none, takenBack: true }, stateOf()),
    "Moves were taken back; move 1 is next.",
  );
  assert.equal(
    changesText({ ...none, ended: true }, stateOf({ result: "Draw" })),
    "The game is over: Draw.",
  );
  assert.equal(changesText(none, stateOf({ offers: { draw: [1] } })), "bob offered a draw.");
  assert.equal(
    changesText(none, stateOf({ withdrawn: { draw: 1 } })),
    "bob withdrew the draw offer.",
  );
  assert.equal(changesText(none, stateOf({ offers: { draw: [0] } })), "");
});

test("players read what the clocks do in a first turn", () => {
  const clock = {
    ...message().clock,
    running: true,
    grace: 30_000,
    freeUntil: 30_000,
    abortsLate: true,
  };
  assert.match(startText(stateOf({ clock })), /not come within 30 seconds, the game is aborted/);
  assert.match(
    startText(stateOf({ clock: { ...clock, abortsLate: false } })),
    /stands still for 30 seconds/,
  );
  assert.equal(startText(stateOf({ clock: { ...clock, freeUntil: null } })), "");
});

test("an open takeback names the move that it goes back to", () => {
  const moves = [played(1, 0), played(2, 1), played(3, 0)];
  const open = { moves, offers: { takeback: [1] }, takebackTo: 1 };
  assert.equal(offerText("takeback", stateOf(open)), "bob asked to take back move 2.");
  const before = { ...message({ moves }), offers: {} };
  const changes = { before, added: [], takenBack: false, ended: false };
  assert.equal(changesText(changes, stateOf(open)), "bob asked to take back move 2.");
});

test("an offer names the players who agreed", () => {
  assert.equal(
    offerText("rematch", stateOf({ offers: { rematch: [0] } })),
    "You offered a rematch.",
  );
  assert.equal(
    offerText("draw", stateOf({ own: [], offers: { draw: [1, 0] } })),
    "bob offered a draw. ann agreed.",
  );
});

test("a declined offer is shown to the player who made it", () => {
  const declined = { draw: { by: 1, agreed: [0] } };
  assert.deepEqual(closedOfferTexts(stateOf({ declined })), ["bob declined the draw."]);
  assert.deepEqual(closedOfferTexts(stateOf({ declined, own: [1] })), []);
});

test("a withdrawn offer is shown to the other players", () => {
  const withdrawn = { takeback: 1 };
  assert.deepEqual(closedOfferTexts(stateOf({ withdrawn })), [
    "bob withdrew the request for a takeback.",
  ]);
  assert.deepEqual(closedOfferTexts(stateOf({ withdrawn, own: [1] })), []);
  assert.deepEqual(closedOfferTexts(stateOf({ withdrawn, own: [] })), []);
});

test("the shown position is described", () => {
  const state = stateOf({ moves: [played(1, 0), played(2, 1)] });
  assert.equal(positionText(state), "Current position: white c2.");
  state.go(1);
  assert.equal(positionText(state), "Move 1 of 2: black c1.");
  state.go(0);
  assert.equal(positionText(state), "Start of the game.");
});

test("the computer's waiting time is rounded up", () => {
  assert.equal(busyText(1), "The computer is busy: about 5 s");
  assert.equal(busyText(61), "The computer is busy: about 90 s");
});

test("a series has a score, and a winner at its end", () => {
  const series = { points: 9, scores: [3, 4], sides: [["ann"], ["bob"]], winner: null };
  assert.equal(seriesText(series), "Match play to 9 points: ann 3, bob 4.");
  assert.match(seriesText({ ...series, winner: 1 }), / bob won\.$/);
});

test("a player who gave up among several has lost, the others read that none has won", () => {
  const over = { result: "No winner, ended by resignation (White is out)", loser: "white" };
  assert.equal(headline(stateOf({ ...over, own: [1] })), "You lost");
  for (const own of [[0], []]) assert.equal(headline(stateOf({ ...over, own })), over.result);
});
