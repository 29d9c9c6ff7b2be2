// Tries of puzzles without a network: this device keeps each until the site has recorded it.

import { send } from "../analysis/server.js";
import { comesLater } from "./games.js";

const KEY = "antipodes-tries";
const MOST = 100;
const LONGEST = 30 * 24 * 3_600_000; // milliseconds

/**
 * @typedef {object} Try
 * @property {string} puzzle its id
 * @property {(string | number)[]} moves of both sides up to the end of the try; none if the solution
 *   was shown
 */
/** @typedef {Try & {at: number}} StoredTry with milliseconds since 1970 */

/** @returns {StoredTry[]} the first one first */
function storedTries() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {StoredTry[]} tries */
function store(tries) {
  if (tries.length) localStorage.setItem(KEY, JSON.stringify(tries.slice(-MOST)));
  else localStorage.removeItem(KEY);
}

/** @param {Try} tried */
export function storeTry(tried) {
  store([...storedTries(), { ...tried, at: Date.now() }]);
}

/** Bring all tries to the site; return how many it has recorded. */
export async function bringTries() {
  let count = 0;
  for (const { puzzle, moves, at } of storedTries()) {
    try {
      await post(puzzle, moves);
      count++;
    } catch (error) {
      // What the site refuses would be refused again.
      if (comesLater(error) && Date.now() - at < LONGEST) return count;
    }
    store(storedTries().filter((one) => one.puzzle !== puzzle || one.at !== at));
  }
  return count;
}

/**
 * Send a try, which the site records once.
 * @param {string} puzzle
 * @param {(string | number)[]} moves
 */
function post(puzzle, moves) {
  const [move] = moves.slice(-1);
  if (move === undefined) return send("POST", `/puzzles/${puzzle}/solution`);
  const before = moves.slice(0, -1).join(",");
  const fields = { moves: before, move, refutes: "1", once: "1" };
  return send("POST", `/puzzles/${puzzle}/answer`, fields);
}
