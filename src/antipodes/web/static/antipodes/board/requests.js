// Requests of a board to the server: preview what a move would flip, and parse typed moves.

import { fetchChanges, fetchPosition, messageOf } from "../analysis/server.js";

/** @import { BoardElement } from "./element.js" */
/** @import { Changes } from "./appearance.js" */
/** @import { Line } from "../analysis/server.js" */

const PREVIEW_DELAY = 60; // milliseconds that the pointer rests before a preview is requested
const CACHE_SIZE = 200; // previews

/** @typedef {() => Line | null} LineOf */
/** @typedef {Line & {steps: number[], move: number | null}} PreviewRequest */

/**
 * Preview what a move would flip before it is played.
 * @param {BoardElement} board
 * @param {LineOf} lineOf the moves that led to the position; null to request nothing.
 */
export function showPreviews(board, lineOf) {
  /** @type {Map<string, Promise<Changes | null>>} */
  const cache = new Map(); // request as JSON -> promise of its changes
  let timer = 0;
  board.addEventListener("compose", ({ detail: { steps, move } }) => {
    clearTimeout(timer);
    const line = lineOf();
    if (!line || !steps.length || !board.data?.flips) return;
    timer = setTimeout(async () => {
      const changes = await cachedChanges(cache, { ...line, steps, move });
      if (changes) board.preview(changes, steps);
    }, PREVIEW_DELAY);
  });
}

/**
 * Let players type moves below a board.
 * @param {BoardElement} board
 * @param {LineOf} lineOf
 * @param {() => number} seatOf the seat whose coordinates the moves use
 */
export function enableMoveInput(board, lineOf, seatOf = () => 0) {
  board.acceptsText = true;
  board.addEventListener("movetext", async ({ detail: text }) => {
    const line = lineOf();
    if (!line) return;
    try {
      const position = await fetchPosition({
        ...line,
        text,
        seat: seatOf(),
        since: line.moves.length,
      });
      board.propose(position.moves[0].move);
    } catch (error) {
      board.rejectText(messageOf(error).replace(/^move \d+: /, "")); // the player knows which move
    }
  });
}

/**
 * @param {Map<string, Promise<Changes | null>>} cache
 * @param {PreviewRequest} request
 */
function cachedChanges(cache, request) {
  const key = JSON.stringify(request);
  if (!cache.has(key)) {
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(key, piecesAfter(request));
  }
  return cache.get(key);
}

/**
 * Fetch the changes that steps would make, as cell -> piece afterwards; null if that fails.
 * @param {PreviewRequest} request
 */
async function piecesAfter({ steps, move, moves, ...game }) {
  const line = move === null ? { moves, steps: steps.join(",") } : { moves: [...moves, move] };
  try {
    const effect = await fetchChanges({ ...game, ...line });
    const changed = "changed" in effect ? effect.changed : effect.moves[0].changed;
    return Object.fromEntries(Object.entries(changed).map(([cell, [, after]]) => [cell, after]));
  } catch {
    return null;
  }
}
