// Tests of the choice of a match's sounds.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { soundOf } from "../../src/antipodes/web/static/antipodes/match/sounds.js";

const NAMES = [["a1"], ["b1", "m1"]];

/**
 * Return the sound of one move.
 * @param {object} move
 * @param {object} [state]
 * @param {boolean} [ended]
 */
function soundAfter(move, state = {}, ended = false) {
  const changes = { added: [move], ended, before: undefined, takenBack: false };
  const whole = {
    board: { names: NAMES },
    view: { winner: null },
    isSeated: true,
    isWinner: false,
    ...state,
  };
  return soundOf(/** @type {any} */ (changes), /** @type {any} */ (whole));
}

test("a stone, a stone on the rim and a capture sound different", () => {
  assert.equal(soundAfter({ last: 0, changed: { 0: [null, "black"] } }), "move");
  assert.equal(soundAfter({ last: 1, changed: { 1: [null, "black"] } }), "twin");
  assert.equal(
    soundAfter({ last: 0, changed: { 0: [null, "black"], 1: ["white", "black"] } }),
    "flip",
  );
});

test("a pawn that moves flips nothing", () => {
  assert.equal(
    soundAfter({ last: 0, changed: { 0: ["blue*", "blue"], 1: ["blue", "blue*"] } }),
    "move",
  );
  assert.equal(
    soundAfter({ last: 0, changed: { 0: ["blue*", "blue"], 1: ["red", "blue"] } }),
    "flip",
  );
});

test("the end sounds by the viewer's result", () => {
  const move = { last: 0, changed: {} };
  assert.equal(soundAfter(move, { isDecided: true, isWinner: true }, true), "won");
  assert.equal(soundAfter(move, { isDecided: true, isWinner: false }, true), "lost");
  assert.equal(soundAfter(move, { isDecided: false }, true), "over");
});

test("nothing new has no sound", () => {
  const changes = { added: [], ended: false, before: undefined, takenBack: true };
  assert.equal(soundOf(changes, /** @type {any} */ ({})), null);
});
