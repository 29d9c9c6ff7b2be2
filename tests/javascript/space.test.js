// Tests of rotations and of keyboard navigation.

import "./page.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  followedBy,
  rotationBetween,
  cross,
  dot,
  IDENTITY,
  rotated,
  rotationAbout,
  rotationTowards,
  normalized,
  rotatedBack,
} from "../../src/antipodes/web/static/antipodes/board/space.js";
import {
  courseAt,
  isNavigationKey,
  navigate,
  spotNamed,
} from "../../src/antipodes/web/static/antipodes/board/keyboard.js";

const near = (one, other) =>
  assert.ok(Math.hypot(...one.map((value, i) => value - other[i])) < 1e-9, `${one} ${other}`);
const ROTATION = rotationAbout(normalized([1, 2, 3]), 0.7);
const POINT = normalized([0.3, -0.4, 0.5]);

describe("rotations", () => {
  test("keep lengths and angles", () => {
    const other = normalized([1, 0.2, -0.6]);
    assert.ok(
      Math.abs(dot(rotated(ROTATION, POINT), rotated(ROTATION, other)) - dot(POINT, other)) < 1e-12,
    );
  });

  test("are undone by their inverse", () => {
    near(rotatedBack(ROTATION, rotated(ROTATION, POINT)), POINT);
    near(rotated(IDENTITY, POINT), POINT);
  });

  test("can be combined", () => {
    const second = rotationAbout([0, 0, 1], 1.1);
    near(rotated(followedBy(ROTATION, second), POINT), rotated(second, rotated(ROTATION, POINT)));
  });

  test("have a rotation between them, also by 0 or 180 degrees", () => {
    for (const angle of [0, 0.4, 2, Math.PI]) {
      const to = followedBy(ROTATION, rotationAbout([0, 1, 0], angle));
      const way = rotationBetween(ROTATION, to);
      assert.ok(Math.abs(way.angle - angle) < 1e-6);
      const found = followedBy(ROTATION, rotationAbout(way.axis, way.angle));
      assert.ok(
        Math.hypot(...rotated(found, POINT).map((value, i) => value - rotated(to, POINT)[i])) <
          1e-6,
      );
    }
  });

  test("move one direction towards another, also towards its opposite", () => {
    const goal = normalized([0, 1, 1]);
    near(rotated(rotationTowards(POINT, goal, Math.acos(dot(POINT, goal))), POINT), goal);
    near(rotated(rotationTowards([0, 0, 1], [0, 0, -1], Math.PI), [0, 0, 1]), [0, 0, -1]);
  });

  test("use the right-handed cross product", () => {
    assert.equal(dot(cross([1, 0, 0], [0, 1, 0]), [0, 0, 1]), 1);
  });
});

describe("keyboard navigation", () => {
  // Two rows of hexagons, the lower one offset by half a cell.
  const spot = (cell, x, y, name) => ({ cell, x, y, name, panel: 0 });
  const spots = [
    spot(0, 0, 0, "a1"),
    spot(1, 1, 0, "b1"),
    spot(2, 0.5, 0.87, "a2"),
    spot(3, 1.5, 0.87, "b2"),
  ];
  const view = { spots, panels: [{ box: [0, 0, 2, 1] }] };
  const from = (index, ...keys) => {
    let at = { index, course: courseAt(view, index) };
    for (const key of keys) at = navigate(view, at.index, at.course, key);
    return at.index;
  };

  test("uses arrows, Home and End", () => {
    for (const key of ["ArrowUp", "ArrowLeft", "Home", "End"])
      assert.equal(isNavigationKey(key), true);
    assert.equal(isNavigationKey("Enter"), false);
  });

  test("goes to the neighbour in the arrow's direction, if there is one", () => {
    assert.equal(from(0, "ArrowRight"), 1);
    assert.equal(from(0, "ArrowLeft"), 0);
    assert.equal(from(0, "ArrowUp"), 0);
  });

  test("returns after down and up", () => {
    for (const index of [0, 1]) assert.equal(from(index, "ArrowDown", "ArrowUp"), index);
  });

  test("goes to the ends of the row with Home and End", () => {
    assert.equal(from(3, "Home"), 2);
    assert.equal(from(0, "End"), 1);
  });

  test("finds a cell by any of its names in any case", () => {
    const board = { names: [["a1"], ["b1"], ["a2", "m7"], ["b2"]] };
    assert.equal(spotNamed(view, board, " B2 "), 3);
    assert.equal(spotNamed(view, board, "M7"), 2);
    assert.equal(spotNamed(view, board, "z9"), null);
  });
});
