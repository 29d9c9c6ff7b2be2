// Tests of the axes of the review's chart.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ticks } from "../../src/antipodes/web/static/antipodes/analysis/chart.js";

test("short games number every move", () => {
  assert.deepEqual(ticks(5), [0, 1, 2, 3, 4]);
});

test("long games number round moves, and not too many", () => {
  assert.deepEqual(ticks(38), [0, 5, 10, 15, 20, 25, 30, 35]);
  for (let count = 2; count < 900; count++) assert.ok(ticks(count).length <= 9);
});
