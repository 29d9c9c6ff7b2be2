// Composing a move step by step, from nothing but the list of legal moves. All functions are pure.
//
// Steps are cells. In Antipalos the last step of a move is a rod's diagonal: 0 rising, 1 falling.

/**
 * The legal moves as a tree: a node maps a step to the next node, the last step to the move.
 * @typedef {Map<number, Node | number>} Node
 */

/**
 * Many moves at once: any choice of one step from each list. The move is `base` plus the sum of
 * the steps times their strides.
 * @typedef {{base: number, strides: number[], steps: number[][]}} Product
 */

/**
 * Build the tree of moves.
 * @param {(number[] | Product)[]} legal each move's number and steps, or many at once.
 * @returns {Node}
 */
export function movesTree(legal) {
  const root = new Map();
  for (const one of legal) {
    if (Array.isArray(one)) addMove(root, one);
    else addProduct(root, one.base, one.strides, one.steps);
  }
  return root;
}

function addMove(root, [move, ...steps]) {
  let node = root;
  for (const step of steps.slice(0, -1)) node = nodeAt(node, step);
  node.set(steps.at(-1), move);
}

function addProduct(node, base, [stride, ...strides], [steps, ...others]) {
  for (const step of steps) {
    const move = base + stride * step;
    if (others.length) addProduct(nodeAt(node, step), move, strides, others);
    else node.set(step, move);
  }
}

function nodeAt(node, step) {
  if (!node.has(step)) node.set(step, new Map());
  return node.get(step);
}

/** The steps of a move, or null if it is not in the tree. */
export function stepsOf(tree, move) {
  for (const [step, next] of tree) {
    if (next === move) return [step];
    const rest = next instanceof Map ? stepsOf(next, move) : null;
    if (rest) return [step, ...rest];
  }
  return null;
}

/** What steps lead to: a node, a complete move's number, or undefined. */
export function follow(tree, steps) {
  let found = tree;
  for (const step of steps) found = found instanceof Map ? found.get(step) : undefined;
  return found;
}

/** The complete move that steps make, or null. */
export function moveOf(tree, steps) {
  const found = follow(tree, steps);
  return typeof found === "number" ? found : null;
}

/** Whether the next step is no cell, but the diagonal of a rod on the last one. */
export function wantsDiagonal(tree, steps, isRods) {
  const node = follow(tree, steps);
  return isRods && steps.length > 0 && node instanceof Map && leadsToMoves(node);
}

function leadsToMoves(node) {
  return typeof node.values().next().value === "number";
}

/** The cells that may be chosen next, or instead of the last one of a complete move. */
export function openCells(tree, steps, isRods) {
  const isComplete = moveOf(tree, steps) !== null;
  const node = follow(tree, isComplete ? stepBack(tree, steps, isRods) : steps);
  if (!(node instanceof Map) || wantsDiagonal(tree, steps, isRods)) return new Set();
  return new Set(node.keys());
}

/** The cells where pointing does something: the open ones, and those open before earlier steps. */
export function freeCells(tree, steps, isRods) {
  const cells = cellsOf(tree, steps, isRods);
  const stages = [steps, ...cells.map((_, kept) => cells.slice(0, kept))];
  return new Set(stages.flatMap((stage) => [...openCells(tree, stage, isRods)]));
}

/** The cells among steps: all of them, but for a diagonal at the end. */
export function cellsOf(tree, steps, isRods) {
  const hasDiagonal = isRods && wantsDiagonal(tree, steps.slice(0, -1), isRods);
  return hasDiagonal ? steps.slice(0, -1) : steps;
}

/** One step back; a rod's square and diagonal are one. */
export function stepBack(tree, steps, isRods) {
  return cellsOf(tree, steps, isRods).slice(0, -1);
}

/**
 * The steps after pointing at a cell: one more, another one instead of the last, one back if it
 * was the chosen cell itself, or the same ones if nothing can be done there.
 * @param {number | null} diagonal of a rod, as far as it was pointed at.
 */
export function pointAt(tree, steps, cell, diagonal, isRods) {
  for (let kept = steps.length; kept >= 0; kept--) {
    const next = append(tree, steps.slice(0, kept), cell, diagonal, isRods);
    if (!next) continue;
    const isSame = next.length === steps.length && next.every((step, i) => step === steps[i]);
    return isSame ? stepBack(tree, steps, isRods) : next;
  }
  return steps;
}

/** Steps and one more cell, with the diagonal if it wants one and it is known; or null. */
function append(tree, steps, cell, diagonal, isRods) {
  const node = follow(tree, steps);
  if (!(node instanceof Map) || wantsDiagonal(tree, steps, isRods) || !node.has(cell)) return null;
  const next = [...steps, cell];
  if (diagonal === null || !wantsDiagonal(tree, next, isRods)) return next;
  return node.get(cell).has(diagonal) ? [...next, diagonal] : null;
}

/** Whether moves have several cells, so that one may stand between two steps. */
export function isLong(tree) {
  const first = tree.values().next().value;
  return first instanceof Map && !leadsToMoves(first);
}
