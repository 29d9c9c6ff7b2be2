// Tests of the places of signs at the edge of a sphere.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { spread } from "../../src/antipodes/web/static/antipodes/board/signs_behind.js";

test("signs that have room stay where they are", () => {
  assert.deepEqual(spread([0, 1, 2], 0.5), [0, 1, 2]);
});

test("crowded signs move apart to both sides by the gap", () => {
  const places = spread([0, 0, 0, 2], 0.5);
  assert.deepEqual(places, [-0.5, 0, 0.5, 2]);
});

test("groups that grow into each other become one, and keep their order", () => {
  const places = spread([0, 0.1, 0.6, 0.7], 0.5);
  for (let index = 1; index < places.length; index++)
    assert.ok(places[index] - places[index - 1] >= 0.5 - 1e-9);
  assert.ok(Math.abs(places.reduce((sum, place) => sum + place, 0) - 1.4) < 1e-9);
});
