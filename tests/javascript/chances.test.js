// Tests of the map from values of the search to chances.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chanceOf,
  chancesOf,
  valuesOf,
} from "../../src/antipodes/web/static/antipodes/analysis/chances.js";

const board = { chances: [0.5, 2], colors: ["black", "white"] };

test("chances of two colours add up", () => {
  for (const value of [0.1, 0.4, 0.5, 0.8]) {
    const sum = chanceOf(board, "black", value) + chanceOf(board, "white", 1 - value);
    assert.ok(Math.abs(sum - 1) < 1e-12);
  }
});

test("a scale above one leads away from one half, and the shift is the first colour's", () => {
  assert.ok(Math.abs(chanceOf(board, "black", 0.5) - 1 / (1 + Math.exp(-0.5))) < 1e-12);
  assert.ok(chanceOf(board, "white", 0.8) > 0.85);
});

test("only what is proven is certain, and what is not known stays so", () => {
  assert.equal(chanceOf(board, "black", 1), 1);
  assert.equal(chanceOf(board, "black", 0), 0);
  assert.equal(chanceOf(board, "black", 0.9999), 0.99);
  assert.equal(chanceOf(board, "black", null), null);
});

test("all colours of a result get their chances", () => {
  const estimates = [
    { color: "black", winrate: 1 },
    { color: "white", winrate: 0 },
  ];
  assert.deepEqual(chancesOf(board, valuesOf({ estimates })), { black: 1, white: 0 });
});
