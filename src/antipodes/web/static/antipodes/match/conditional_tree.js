// Conditional moves as a tree: "if they play X I play Y". Plain data and pure functions.

import { t } from "../i18n.js";

/** @import { ConditionalMoveIn, ConditionalMoveOut } from "wire" */

const MAX_STEPS = 500; // the server's limits
const MAX_DEPTH = 60;

/**
 * Add a line to a tree. A node has several moves of the opponents, but one own move: a new one
 * replaces the old one.
 * @param {ConditionalMoveOut[]} tree
 * @param {Omit<ConditionalMoveOut, "then">[]} line
 * @returns {ConditionalMoveOut[]}
 */
export function withLine(tree, line) {
  if (!line.length) return tree;
  const [first, ...rest] = line;
  const existing = tree.find((step) => step.move === first.move);
  const changed = { ...first, then: withLine(existing?.then ?? [], rest) };
  if (first.own) return [changed];
  return existing ? tree.map((step) => (step === existing ? changed : step)) : [...tree, changed];
}

/**
 * Return a tree without one of its steps and everything below it.
 * @param {ConditionalMoveOut[]} tree
 * @param {ConditionalMoveOut} step
 * @returns {ConditionalMoveOut[]}
 */
export function without(tree, step) {
  const kept = tree
    .filter((one) => one !== step)
    .map((one) => ({ ...one, then: without(one.then, step) }));
  return kept.filter((one) => one.own || one.then.length);
}

/**
 * Return the part of a tree that remains after moves were played.
 * @param {ConditionalMoveOut[]} tree
 * @param {{move: number}[]} moves
 */
export function afterMoves(tree, moves) {
  let rest = tree;
  for (const { move } of moves) {
    const match = rest.find((one) => one.move === move) ?? rest.find((one) => one.move === -1);
    rest = match?.then ?? [];
  }
  return rest;
}

/**
 * Return a line up to the viewer's last move in it; opponents' moves after that have no answer.
 * @template {{own: boolean}} T
 * @param {T[]} line
 */
export function upToOwn(line) {
  return line.slice(0, line.findLastIndex((step) => step.own) + 1);
}

/**
 * Return the number of moves in a tree.
 * @param {ConditionalMoveOut[]} tree
 * @returns {number}
 */
export function size(tree) {
  return tree.reduce((sum, step) => sum + 1 + size(step.then), 0);
}

/**
 * @param {ConditionalMoveOut[]} tree
 * @returns {number}
 */
function depth(tree) {
  return Math.max(0, ...tree.map((step) => 1 + depth(step.then)));
}

/**
 * Return the error message for a tree that is too large to be saved, or an empty text.
 * @param {ConditionalMoveOut[]} tree
 */
export function sizeError(tree) {
  if (size(tree) > MAX_STEPS)
    return t("At most {count} conditional moves can be saved.", { count: MAX_STEPS });
  return depth(tree) > MAX_DEPTH
    ? t("A line can have at most {count} moves.", { count: MAX_DEPTH })
    : "";
}

/**
 * Convert a tree to the server's format.
 * @param {ConditionalMoveOut[]} tree
 * @returns {ConditionalMoveIn[]}
 */
export function asJson(tree) {
  return tree.map(({ move, then }) => ({ move, then: asJson(then) }));
}
