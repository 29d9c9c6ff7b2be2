// Conditional moves as a tree: "if they play X I play Y". Plain data and pure functions.

import { t } from "../i18n.js";

/**
 * @typedef {Object} Step
 * @property {number} move -1 stands for any other move
 * @property {string} text
 * @property {string} color
 * @property {boolean} own whether it is the viewer's answer
 * @property {Step[]} then
 */

/** @typedef {{move: number, then: Branch[]}} Branch a step as the server takes it */

const MOST_STEPS = 500; // what the server takes
const DEEPEST = 60;

/**
 * Add a line to a plan. In others' turns moves stand side by side; an own move is the one answer,
 * and a new one takes the place of an old one.
 * @param {Step[]} plan
 * @param {Omit<Step, "then">[]} line
 * @returns {Step[]}
 */
export function withLine(plan, line) {
  if (!line.length) return plan;
  const [first, ...rest] = line;
  const known = plan.find((step) => step.move === first.move);
  const changed = { ...first, then: withLine(known?.then ?? [], rest) };
  if (first.own) return [changed];
  return known ? plan.map((step) => (step === known ? changed : step)) : [...plan, changed];
}

/**
 * A plan without one of its steps and all that hangs on it.
 * @param {Step[]} plan
 * @param {Step} step
 * @returns {Step[]}
 */
export function without(plan, step) {
  const kept = plan
    .filter((one) => one !== step)
    .map((one) => ({ ...one, then: without(one.then, step) }));
  return kept.filter((one) => one.own || one.then.length);
}

/**
 * What is left of a plan after moves that were made.
 * @param {Step[]} plan
 * @param {{move: number}[]} moves
 */
export function afterMoves(plan, moves) {
  let left = plan;
  for (const { move } of moves) {
    const met = left.find((one) => one.move === move) ?? left.find((one) => one.move === -1);
    left = met?.then ?? [];
  }
  return left;
}

/**
 * A line up to the viewer's last move in it: nothing can be answered after that.
 * @template {{own: boolean}} T
 * @param {T[]} line
 */
export function upToOwn(line) {
  return line.slice(0, line.findLastIndex((step) => step.own) + 1);
}

/**
 * How many moves are planned.
 * @param {Step[]} plan
 * @returns {number}
 */
export function size(plan) {
  return plan.reduce((sum, step) => sum + 1 + size(step.then), 0);
}

/**
 * @param {Step[]} plan
 * @returns {number}
 */
function depth(plan) {
  return Math.max(0, ...plan.map((step) => 1 + depth(step.then)));
}

/**
 * Why a plan is too large to be kept; empty if it is not.
 * @param {Step[]} plan
 */
export function tooLarge(plan) {
  if (size(plan) > MOST_STEPS) return t("A plan has {count} moves at most.", { count: MOST_STEPS });
  return depth(plan) > DEEPEST ? t("A line has {count} moves at most.", { count: DEEPEST }) : "";
}

/**
 * A plan as the server takes it.
 * @param {Step[]} plan
 * @returns {Branch[]}
 */
export function asJson(plan) {
  return plan.map(({ move, then }) => ({ move, then: asJson(then) }));
}
