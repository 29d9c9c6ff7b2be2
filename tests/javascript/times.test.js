// Tests of the formats of times.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAndTime } from "../../src/antipodes/web/static/antipodes/i18n.js";
import {
  clockText,
  isLow,
  spokenTime,
  untilNextTick,
} from "../../src/antipodes/web/static/antipodes/match/times.js";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

test("a clock shows the largest units", () => {
  assert.equal(clockText(null), "");
  assert.equal(clockText(2 * DAY + 4 * HOUR), "2d 4h");
  assert.equal(clockText(HOUR + 2 * MINUTE + 3 * SECOND), "1:02:03");
  assert.equal(clockText(4 * MINUTE + 5 * SECOND), "4:05");
  assert.equal(clockText(9.43 * SECOND), "9.4");
  assert.equal(clockText(-5), "0.0");
});

test("a second is shown until it is over", () => {
  assert.equal(clockText(60 * SECOND), "1:00");
  assert.equal(clockText(59.001 * SECOND), "1:00");
  assert.equal(clockText(59 * SECOND), "0:59");
});

test("times for screen readers have at most two units", () => {
  assert.equal(spokenTime(null), "no time limit");
  assert.equal(spokenTime(0), "no time left");
  assert.equal(spokenTime(DAY + 2 * HOUR + 3 * MINUTE), "1 day 2 hours left");
  assert.equal(spokenTime(MINUTE), "1 minute left");
  assert.equal(spokenTime(61 * SECOND), "1 minute 1 second left");
});

test("low time differs between live and correspondence games", () => {
  assert.equal(isLow(null, "live"), false);
  assert.equal(isLow(19 * SECOND, "live"), true);
  assert.equal(isLow(21 * SECOND, "live"), false);
  assert.equal(isLow(11 * HOUR, "correspondence"), true);
});

test("the clock's text changes at the next tick", () => {
  for (const left of [100_001, 61_234, 10_101, 9_999, 5_050, 130]) {
    const wait = untilNextTick(left);
    assert.ok(wait > 0 && wait <= SECOND + 5);
    assert.notEqual(clockText(left - wait), clockText(left));
  }
  assert.equal(untilNextTick(null), SECOND);
});

test("a day and a time are written as the server writes them", () => {
  assert.equal(dayAndTime(new Date(2026, 10, 3, 9, 5)), "3 November 2026, 09:05");
});
