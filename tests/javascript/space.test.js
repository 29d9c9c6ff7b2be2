// Laws of turning spheres, and of walking over cells with keys.

import "./page.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  afterwards,
  between,
  cross,
  dot,
  STILL,
  turned,
  turnRound,
  turnTowards,
  unit,
  unturned,
} from "../../src/antipodes/web/static/antipodes/board/space.js";
import { courseAt, isStep, spotNamed, walk } from "../../src/antipodes/web/static/antipodes/board/walk.js";

const near = (one, other) => assert.ok(Math.hypot(...one.map((value, i) => value - other[i])) < 1e-9, `${one} ${other}`);
const TURN = turnRound(unit([1, 2, 3]), 0.7);
const POINT = unit([0.3, -0.4, 0.5]);

describe("turns", () => {
  test("keep lengths and angles", () => {
    const other = unit([1, 0.2, -0.6]);
    assert.ok(Math.abs(dot(turned(TURN, POINT), turned(TURN, other)) - dot(POINT, other)) < 1e-12);
  });

  test("are undone by turning back", () => {
    near(unturned(TURN, turned(TURN, POINT)), POINT);
    near(turned(STILL, POINT), POINT);
  });

  test("follow each other", () => {
    const second = turnRound([0, 0, 1], 1.1);
    near(turned(afterwards(TURN, second), POINT), turned(second, turned(TURN, POINT)));
  });

  test("lead from one to another, also by half a turn or by none", () => {
    for (const angle of [0, 0.4, 2, Math.PI]) {
      const to = afterwards(TURN, turnRound([0, 1, 0], angle));
      const way = between(TURN, to);
      assert.ok(Math.abs(way.angle - angle) < 1e-6);
      const found = afterwards(TURN, turnRound(way.axis, way.angle));
      assert.ok(Math.hypot(...turned(found, POINT).map((value, i) => value - turned(to, POINT)[i])) < 1e-6);
    }
  });

  test("move one direction towards another, also towards its opposite", () => {
    const goal = unit([0, 1, 1]);
    near(turned(turnTowards(POINT, goal, Math.acos(dot(POINT, goal))), POINT), goal);
    near(turned(turnTowards([0, 0, 1], [0, 0, -1], Math.PI), [0, 0, 1]), [0, 0, -1]);
  });

  test("have an axis at right angles to both directions", () => {
    assert.equal(dot(cross([1, 0, 0], [0, 1, 0]), [0, 0, 1]), 1);
  });
});

describe("walking with keys", () => {
  // Two rows of hexagons, the lower one shifted by half a cell.
  const spot = (cell, x, y, name) => ({ cell, x, y, name, panel: 0 });
  const spots = [spot(0, 0, 0, "a1"), spot(1, 1, 0, "b1"), spot(2, 0.5, 0.87, "a2"), spot(3, 1.5, 0.87, "b2")];
  const view = { spots, panels: [{ box: [0, 0, 2, 1] }] };
  const from = (index, ...keys) => {
    let at = { index, course: courseAt(view, index) };
    for (const key of keys) at = walk(view, at.index, at.course, key);
    return at.index;
  };

  test("arrows, Home and End are steps", () => {
    for (const key of ["ArrowUp", "ArrowLeft", "Home", "End"]) assert.equal(isStep(key), true);
    assert.equal(isStep("Enter"), false);
  });

  test("arrows go to the neighbour in their direction, or nowhere", () => {
    assert.equal(from(0, "ArrowRight"), 1);
    assert.equal(from(0, "ArrowLeft"), 0);
    assert.equal(from(0, "ArrowUp"), 0);
  });

  test("going down and up again leads back", () => {
    for (const index of [0, 1]) assert.equal(from(index, "ArrowDown", "ArrowUp"), index);
  });

  test("Home and End lead to the ends of the row", () => {
    assert.equal(from(3, "Home"), 2);
    assert.equal(from(0, "End"), 1);
  });

  test("a cell is found by any of its names, whatever their case", () => {
    const board = { names: [["a1"], ["b1"], ["a2", "m7"], ["b2"]] };
    assert.equal(spotNamed(view, board, " B2 "), 3);
    assert.equal(spotNamed(view, board, "M7"), 2);
    assert.equal(spotNamed(view, board, "z9"), null);
  });
});
