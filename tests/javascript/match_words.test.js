// Laws of what is said about a match.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchState } from "../../src/antipodes/web/static/antipodes/match/state.js";
import {
  busyInWords,
  declinedTexts,
  goalText,
  headline,
  newsInWords,
  offerText,
  positionInWords,
  seriesText,
  swapText,
} from "../../src/antipodes/web/static/antipodes/match/words.js";

const made = (cell, seat, changes = {}) => ({
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

const told = (changes = {}) => ({
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
  moves: [],
  clock: { left: [null, null], seat: 0, running: false, paused: false, since: 0 },
  ...changes,
});

function known(changes = {}) {
  const state = new MatchState();
  state.take(told(changes));
  return state;
}

test("the headline says whose turn it is", () => {
  assert.equal(headline(known()), "Your turn");
  assert.equal(headline(known({ toMove: 1 })), "bob’s turn");
});

test("the headline says what a computer does", () => {
  const seats = [told().seats[0], { seat: 1, name: "Level 3", computer: true, color: "white" }];
  const state = known({ toMove: 1, seats });
  assert.equal(headline(state), "The computer is thinking …");
  state.wait = 12;
  assert.equal(headline(state), "The computer is busy: about 15 s");
  state.isWarming = true;
  assert.equal(headline(state), "The computer is warming up …");
});

test("the headline says how the game ended, to players and to spectators", () => {
  const over = { result: "Black wins", winner: "black", toMove: null };
  assert.equal(headline(known(over)), "You won");
  assert.equal(headline(known({ ...over, own: [1] })), "You lost");
  assert.equal(headline(known({ ...over, own: [] })), "Black wins");
});

test("players read their own goal, spectators those of both", () => {
  assert.equal(goalText(known()), "You are Black: join the poles.");
  assert.equal(goalText(known({ own: [] })), "Black: join the poles. White: close a ring.");
  assert.equal(goalText(known({ own: [], goals: { black: "join", white: "join" } })), "Join.");
});

test("a swap is offered to the player to move, and told once it was made", () => {
  assert.match(swapText(known({ swap: 9 })), /^You may swap sides/);
  assert.match(swapText(known({ swap: 9, toMove: 1 })), /^The other player may swap sides/);
  const swapped = known({ moves: [made(1, 0), made(0, 1, { text: "swap" })] });
  assert.equal(swapText(swapped), "bob swapped sides and plays White now.");
  assert.equal(swapText(known()), "");
});

test("one's own moves are not told back, but those that a plan has played are", () => {
  const news = (...added) => ({ before: told(), added, takenBack: false, ended: false });
  assert.equal(newsInWords(news(made(1, 0)), known({ toMove: 1 })), "");
  assert.equal(newsInWords(news(made(1, 0, { source: "plan" })), known({ toMove: 1 })), "You played c1, by plan.");
  assert.equal(newsInWords(news(made(2, 1)), known()), "bob played c2. Your turn.");
});

test("takebacks, the end and new offers are told", () => {
  const none = { before: told(), added: [], takenBack: false, ended: false };
  assert.equal(newsInWords({ ...none, takenBack: true }, known()), "A move was taken back.");
  assert.equal(newsInWords({ ...none, ended: true }, known({ result: "Draw" })), "The game is over: Draw.");
  assert.equal(newsInWords(none, known({ offers: { draw: [1] } })), "bob offers a draw.");
  assert.equal(newsInWords(none, known({ offers: { draw: [0] } })), "");
});

test("an offer names who agreed to it", () => {
  assert.equal(offerText("rematch", known({ offers: { rematch: [0] } })), "You offer a rematch.");
  assert.equal(offerText("draw", known({ own: [], offers: { draw: [1, 0] } })), "bob offers a draw. ann agreed.");
});

test("a declined offer is told to the player who made it", () => {
  const declined = { draw: { by: 1, agreed: [0] } };
  assert.deepEqual(declinedTexts(known({ declined })), ["bob declined your offer of a draw."]);
  assert.deepEqual(declinedTexts(known({ declined, own: [1] })), []);
});

test("the position that is shown is told to those who step through the moves", () => {
  const state = known({ moves: [made(1, 0), made(2, 1)] });
  assert.equal(positionInWords(state), "Present position: white c2.");
  state.go(1);
  assert.equal(positionInWords(state), "Move 1 of 2: black c1.");
  state.go(0);
  assert.equal(positionInWords(state), "Start of the game.");
});

test("the time that a computer is busy is rounded up", () => {
  assert.equal(busyInWords(1), "The computer is busy: about 5 s");
  assert.equal(busyInWords(61), "The computer is busy: about 90 s");
});

test("a series has a standing, and a winner at its end", () => {
  const series = { points: 9, scores: [3, 4], sides: [["ann"], ["bob"]], winner: null };
  assert.equal(seriesText(series), "Match play to 9 points: ann 3, bob 4.");
  assert.match(seriesText({ ...series, winner: 1 }), / bob won\.$/);
});
