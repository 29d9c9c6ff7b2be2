// Tests of the questions that players type.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo } from "../../src/antipodes/web/static/antipodes/board/questions.js";

const BOARD = /** @type {any} */ ({
  names: [["a1"], ["b1"], ["c1", "m1"], ["a2"]],
  neighbours: [[1, 3], [0, 2, 3], [1], [0, 1]],
  colors: ["black", "white"],
  rims: { top: [0, 1, 2], left: [0, 3] },
  goals: { black: ["top"], white: ["left"] },
});
const ASKED = {
  board: BOARD,
  pieces: { 0: "black", 2: "black", 3: "white" },
  last: 2,
  focus: 1,
  own: "black",
  answers: { goal: () => "You are Black." },
};

test("own and other pieces are listed by name", () => {
  assert.equal(answerTo("o", ASKED), "black: a1, c1.");
  assert.equal(answerTo(" X ", ASKED), "white: a2.");
  assert.equal(answerTo("x", { ...ASKED, pieces: {} }), "The others have no pieces on the board.");
});

test("the last move is told", () => {
  assert.equal(answerTo("last", ASKED), "Last move: c1, black.");
  assert.equal(answerTo("last", { ...ASKED, last: null }), "No move yet.");
});

test("a cell is told with its borders and neighbours", () => {
  assert.equal(
    answerTo("where", ASKED),
    "b1, empty. On the border of black. Next to it: a1 black, c1/m1 black, a2 white.",
  );
  assert.equal(answerTo("where M1", ASKED), "c1/m1, black. On the border of black. Empty: b1.");
});

test("the page adds answers of its own", () => {
  assert.equal(answerTo("goal", ASKED), "You are Black.");
  assert.equal(answerTo("?", ASKED), "Questions: o, x, last, where, where c3, goal.");
});

test("moves and unknown cells are no questions", () => {
  for (const text of ["b1", "swap", "where z9", "toString", ""])
    assert.equal(answerTo(text, ASKED), null);
});
