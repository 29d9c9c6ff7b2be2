// Compose a move step by step from the list of legal moves. All functions are pure.
//
// Steps are cells. In Antipalos the last step of a move is a rod's diagonal: 0 rising, 1 falling.

/** @import { MoveProductOut } from "wire" */

/**
 * The legal moves as a tree: a node maps a step to the next node, the last step to the move.
 * @typedef {Map<number, MoveTree | number>} MoveTree
 */

/**
 * Build the tree of moves.
 * @param {(number[] | MoveProductOut)[]} legal each move's number and steps, or a product of many.
 * @returns {MoveTree}
 */
export function movesTree(legal) {
  /** @type {MoveTree} */
  const root = new Map();
  for (const one of legal) {
    if (Array.isArray(one)) addMove(root, one);
    else addProduct(root, one.base, one.strides, one.steps);
  }
  return root;
}

/**
 * @param {MoveTree} root
 * @param {number[]} entry the move and its steps
 */
function addMove(root, [move, ...steps]) {
  let node = root;
  for (const step of steps.slice(0, -1)) node = nodeAt(node, step);
  node.set(steps[steps.length - 1], move);
}

/**
 * @param {MoveTree} node
 * @param {number} base
 * @param {number[]} strides
 * @param {number[][]} lists of steps
 */
function addProduct(node, base, [stride, ...strides], [steps, ...others]) {
  for (const step of steps) {
    const move = base + stride * step;
    if (others.length) addProduct(nodeAt(node, step), move, strides, others);
    else node.set(step, move);
  }
}

/**
 * @param {MoveTree} node
 * @param {number} step
 */
function nodeAt(node, step) {
  const existing = node.get(step);
  if (existing instanceof Map) return existing;
  /** @type {MoveTree} */
  const added = new Map();
  node.set(step, added);
  return added;
}

/**
 * Return the steps of a move, or null if it is not in the tree.
 * @param {MoveTree} tree
 * @param {number} move
 * @returns {number[] | null}
 */
export function stepsOf(tree, move) {
  for (const [step, next] of tree) {
    if (next === move) return [step];
    const rest = next instanceof Map ? stepsOf(next, move) : null;
    if (rest) return [step, ...rest];
  }
  return null;
}

/**
 * Return what steps lead to: a node, a complete move's number, or undefined.
 * @param {MoveTree} tree
 * @param {number[]} steps
 */
export function follow(tree, steps) {
  /** @type {MoveTree | number | undefined} */
  let found = tree;
  for (const step of steps) found = found instanceof Map ? found.get(step) : undefined;
  return found;
}

/**
 * Return the complete move that steps make, or null.
 * @param {MoveTree} tree
 * @param {number[]} steps
 */
export function moveOf(tree, steps) {
  const found = follow(tree, steps);
  return typeof found === "number" ? found : null;
}

/**
 * Return whether the next step is the diagonal of a rod on the last cell.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {boolean} isRods
 */
export function wantsDiagonal(tree, steps, isRods) {
  const node = follow(tree, steps);
  return isRods && steps.length > 0 && node instanceof Map && leadsToMoves(node);
}

/** @param {MoveTree} node */
function leadsToMoves(node) {
  return typeof node.values().next().value === "number";
}

/**
 * Return the cells that can be chosen next, or instead of the last one of a complete move.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {boolean} isRods
 */
export function openCells(tree, steps, isRods) {
  const isComplete = moveOf(tree, steps) !== null;
  const node = follow(tree, isComplete ? stepBack(tree, steps, isRods) : steps);
  if (!(node instanceof Map) || wantsDiagonal(tree, steps, isRods)) return new Set();
  return new Set(node.keys());
}

/**
 * Return the cells where a click changes the move: the open ones, and those open at earlier steps.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {boolean} isRods
 */
export function freeCells(tree, steps, isRods) {
  const cells = cellsOf(tree, steps, isRods);
  const stages = [steps, ...cells.map((_, kept) => cells.slice(0, kept))];
  return new Set(stages.flatMap((stage) => [...openCells(tree, stage, isRods)]));
}

/**
 * Return the cells among the steps: all of them except a diagonal at the end.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {boolean} isRods
 */
export function cellsOf(tree, steps, isRods) {
  const hasDiagonal = isRods && wantsDiagonal(tree, steps.slice(0, -1), isRods);
  return hasDiagonal ? steps.slice(0, -1) : steps;
}

/**
 * Split steps into cells and the diagonal of a rod, if they have one.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {boolean} isRods
 */
export function describe(tree, steps, isRods) {
  const cells = cellsOf(tree, steps, isRods);
  return { cells, diagonal: cells.length < steps.length ? steps[steps.length - 1] : null, isRods };
}

/**
 * Remove the last step; a rod's square and diagonal count as one.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {boolean} isRods
 */
export function stepBack(tree, steps, isRods) {
  return cellsOf(tree, steps, isRods).slice(0, -1);
}

/**
 * Return the steps after a click on a cell: one more, another one instead of the last, one fewer
 * after a click on the last cell itself, or the same ones if the cell cannot be preferences.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {number} cell
 * @param {number | null} diagonal of a rod, if the click tells it.
 * @param {boolean} isRods
 */
export function clickCell(tree, steps, cell, diagonal, isRods) {
  for (let kept = steps.length; kept >= 0; kept--) {
    const next = append(tree, steps.slice(0, kept), cell, diagonal, isRods);
    if (!next) continue;
    const isSame = next.length === steps.length && next.every((step, i) => step === steps[i]);
    return isSame ? stepBack(tree, steps, isRods) : next;
  }
  return steps;
}

/**
 * Return the steps with one more cell, and with its diagonal if it needs one that is known; or null.
 * @param {MoveTree} tree
 * @param {number[]} steps
 * @param {number} cell
 * @param {number | null} diagonal
 * @param {boolean} isRods
 */
function append(tree, steps, cell, diagonal, isRods) {
  const node = follow(tree, steps);
  if (!(node instanceof Map) || wantsDiagonal(tree, steps, isRods) || !node.has(cell)) return null;
  const next = [...steps, cell];
  if (diagonal === null || !wantsDiagonal(tree, next, isRods)) return next;
  return follow(tree, [...next, diagonal]) === undefined ? null : [...next, diagonal];
}

/**
 * Return whether moves take several steps.
 * @param {MoveTree} tree
 */
export function hasSeveralSteps(tree) {
  const first = tree.values().next().value;
  return first instanceof Map && !leadsToMoves(first);
}
