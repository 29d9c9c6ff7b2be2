// Tests of the part of a board that a zoomed picture shows.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { zoomedBox } from "../../src/antipodes/web/static/antipodes/board/zoom.js";

/** @type {[number, number, number, number]} */
const WHOLE = [-1, -2, 12, 8];

test("without zoom the whole board is shown, wherever its centre should be", () => {
  assert.deepEqual(zoomedBox(WHOLE, 1, { x: 90, y: -90 }), WHOLE);
});

test("a zoomed part keeps the proportions and its centre", () => {
  assert.deepEqual(zoomedBox(WHOLE, 2, { x: 5, y: 2 }), [2, 0, 6, 4]);
});

test("a zoomed part stays inside the board", () => {
  assert.deepEqual(zoomedBox(WHOLE, 2, { x: -50, y: 50 }), [-1, 2, 6, 4]);
});
