// Laws of how times are written and spoken.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { face, isLow, spokenTime, untilNextFace } from "../../src/antipodes/web/static/antipodes/match/times.js";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

test("a clock's face has the units that matter", () => {
  assert.equal(face(null), "");
  assert.equal(face(2 * DAY + 4 * HOUR), "2d 4h");
  assert.equal(face(HOUR + 2 * MINUTE + 3 * SECOND), "1:02:03");
  assert.equal(face(4 * MINUTE + 5 * SECOND), "4:05");
  assert.equal(face(9.43 * SECOND), "9.4");
  assert.equal(face(-5), "0.0");
});

test("a whole second is shown until it is over", () => {
  assert.equal(face(60 * SECOND), "1:00");
  assert.equal(face(59.001 * SECOND), "1:00");
  assert.equal(face(59 * SECOND), "0:59");
});

test("times are spoken with two units at most", () => {
  assert.equal(spokenTime(null), "no time limit");
  assert.equal(spokenTime(0), "no time left");
  assert.equal(spokenTime(DAY + 2 * HOUR + 3 * MINUTE), "1 day 2 hours left");
  assert.equal(spokenTime(MINUTE), "1 minute left");
  assert.equal(spokenTime(61 * SECOND), "1 minute 1 second left");
});

test("little time is less in live games than by correspondence", () => {
  assert.equal(isLow(null, "live"), false);
  assert.equal(isLow(19 * SECOND, "live"), true);
  assert.equal(isLow(21 * SECOND, "live"), false);
  assert.equal(isLow(11 * HOUR, "correspondence"), true);
});

test("the face has changed when it is looked at again", () => {
  for (const left of [100_001, 61_234, 10_101, 9_999, 5_050, 130]) {
    const wait = untilNextFace(left);
    assert.ok(wait > 0 && wait <= SECOND + 5);
    assert.notEqual(face(left - wait), face(left));
  }
  assert.equal(untilNextFace(null), SECOND);
});
