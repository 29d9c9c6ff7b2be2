// Tests of the axes of the review's chart.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeSigns, ticks } from "../../src/antipodes/web/static/antipodes/analysis/chart.js";

test("short games number every move", () => {
  assert.deepEqual(ticks(5), [0, 1, 2, 3, 4]);
});

test("long games number round moves, and not too many", () => {
  assert.deepEqual(ticks(38), [0, 5, 10, 15, 20, 25, 30, 35]);
  for (let count = 2; count < 900; count++) assert.ok(ticks(count).length <= 9);
});

test("signs of turning points do not cover each other", () => {
  const points = Array.from({ length: 40 }, (_, i) => ({ x: 15 * i, y: i % 3 ? 80 : 0 }));
  const heights = placeSigns(points);
  for (const [i, { x }] of points.entries()) {
    assert.ok(heights[i] >= 0 && heights[i] <= 160);
    for (let j = 0; j < i; j++) {
      assert.ok(Math.hypot(x - points[j].x, heights[i] - heights[j]) >= 22, `${j} covers ${i}`);
    }
  }
  assert.deepEqual(
    placeSigns([
      { x: 0, y: 5 },
      { x: 30, y: 5 },
    ]),
    [5, 5],
  );
});
