// What a board asks the server: what a move would flip, and which move a text means.

import { fetchPosition, messageOf } from "../study/source.js";

/** @import { BoardElement } from "./element.js" */
/** @import { Changes } from "./looks.js" */
/** @import { Line } from "../study/source.js" */

const PATIENCE = 60; // milliseconds that the pointer rests before a preview is asked for
const KEPT = 200; // answers

/** @typedef {() => Line | null} LineOf */
/** @typedef {Line & {steps: number[], move: number | null}} Asked */

/**
 * Let a board show what a move would flip before it is played.
 * @param {BoardElement} board
 * @param {LineOf} lineOf how the position came about; null if nothing shall be asked.
 */
export function showPreviews(board, lineOf) {
  /** @type {Map<string, Promise<Changes | null>>} */
  const known = new Map(); // address of a preview -> promise of its changes
  let timer = 0;
  board.addEventListener("compose", ({ detail: { steps, move } }) => {
    clearTimeout(timer);
    const line = lineOf();
    if (!line || !steps.length || !board.data?.flips) return;
    timer = setTimeout(async () => {
      const changes = await remembered(known, { ...line, steps, move });
      if (changes) board.preview(changes, steps);
    }, PATIENCE);
  });
}

/**
 * Let people write moves below a board.
 * @param {BoardElement} board
 * @param {LineOf} lineOf
 * @param {() => number} seatOf as which seat the moves are written
 */
export function readMoves(board, lineOf, seatOf = () => 0) {
  board.reads = true;
  board.addEventListener("write", async ({ detail: text }) => {
    const line = lineOf();
    if (!line) return;
    try {
      const told = await fetchPosition({ ...line, text, seat: seatOf(), since: line.moves.length });
      board.propose(told.moves[0].move);
    } catch (error) {
      board.refuse(messageOf(error).replace(/^move \d+: /, "")); // which move it is, is plain here
    }
  });
}

/**
 * @param {Map<string, Promise<Changes | null>>} known
 * @param {Asked} asked
 */
function remembered(known, asked) {
  const key = JSON.stringify(asked);
  if (!known.has(key)) {
    if (known.size >= KEPT) known.clear();
    known.set(key, fetchChanges(asked));
  }
  return known.get(key);
}

/**
 * What steps change, as cell -> piece afterwards; null if that cannot be known now.
 * @param {Asked} asked
 */
async function fetchChanges({ steps, move, moves, ...game }) {
  const isWhole = move !== null;
  const line = isWhole ? { moves: [...moves, move] } : { moves, steps: steps.join(",") };
  try {
    const told = await fetchPosition({ ...game, ...line, preview: 1 });
    const changed = isWhole ? told.moves[0].changed : told.changed;
    return Object.fromEntries(Object.entries(changed).map(([cell, [, after]]) => [cell, after]));
  } catch {
    return null;
  }
}
