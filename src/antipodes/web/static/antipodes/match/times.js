// Formats of times. All durations are milliseconds.

import { dayAndTime, number, t, timeOfDay, tn } from "../i18n.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const LOW_LIVE = 20 * SECOND;
const LOW_CORRESPONDENCE = 12 * HOUR;

/**
 * Return whether a player is low on time.
 * @param {number | null} left
 * @param {string} pace
 */
export function isLow(left, pace) {
  if (left === null) return false;
  return left < (pace === "correspondence" ? LOW_CORRESPONDENCE : LOW_LIVE);
}

/**
 * Format a clock: "2d 4h", "1:02:03", "4:05", with tenths at the end: "9.4".
 * @param {number | null} left
 */
export function clockText(left) {
  if (left === null) return "";
  const rest = Math.max(0, left);
  if (rest >= 2 * DAY) {
    return t("{days}d {hours}h", {
      days: Math.floor(rest / DAY),
      hours: Math.floor((rest % DAY) / HOUR),
    });
  }
  if (rest < 10 * SECOND) return number(Math.floor(rest / 100) / 10, TENTHS);
  const whole = Math.ceil(rest / SECOND);
  const [hours, minutes, seconds] = [whole / 3600, (whole / 60) % 60, whole % 60].map(Math.floor);
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * Describe the time left for screen readers.
 * @param {number | null} left
 */
export function spokenTime(left) {
  if (left === null) return t("no time limit");
  const rest = Math.max(0, left);
  /** @type {[text: (count: number) => string, count: number][]} */
  const units = [
    [(count) => tn("{count} day", "{count} days", count), Math.floor(rest / DAY)],
    [(count) => tn("{count} hour", "{count} hours", count), Math.floor((rest % DAY) / HOUR)],
    [(count) => tn("{count} minute", "{count} minutes", count), Math.floor((rest % HOUR) / MINUTE)],
    [
      (count) => tn("{count} second", "{count} seconds", count),
      Math.floor((rest % MINUTE) / SECOND),
    ],
  ];
  const first = units.findIndex(([, count]) => count);
  if (first < 0) return t("no time left");
  const words = units
    .slice(first, first + 2)
    .filter(([, count]) => count)
    .map(([text, count]) => text(count));
  return t("{time} left", { time: words.join(" ") });
}

/**
 * Return the time until a clock's text changes.
 * @param {number | null} left
 */
export function untilNextTick(left) {
  if (left === null || left <= 0) return SECOND;
  const step = left < 10 * SECOND + 100 ? 100 : SECOND;
  return (left % step) + 5;
}

/**
 * Format a time: the hour if it is today, else with the day.
 * @param {number} at
 */
export function timeText(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? timeOfDay(at) : dayAndTime(at);
}
