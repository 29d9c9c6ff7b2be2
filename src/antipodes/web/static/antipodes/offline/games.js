// Games that this device has begun without a network: each is kept until the site has it.

import { messageOf, send } from "../analysis/server.js";

const PREFIX = "antipodes-offline-";
const LATER = ["offline", "failed", "limits/too-many", "limits/busy", "work/too-many-games"];

/**
 * @typedef {object} StoredGame
 * @property {string} key a UUID, by which the site knows the game
 * @property {string} game
 * @property {number} level
 * @property {number} seat the player's
 * @property {number[]} moves
 * @property {number} begun milliseconds since 1970
 * @property {string} [result] as a sentence
 * @property {string} [told] why the site has not taken it
 * @property {boolean} [isRefused] whether it never will
 */

/** The stored games, the latest first. */
export function storedGames() {
  const keys = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  const games = keys.map((name) => storedGame(name.slice(PREFIX.length)));
  return games.filter((game) => game !== null).sort((one, other) => other.begun - one.begun);
}

/**
 * Return a stored game, or `null` if there is none.
 * @param {string} key
 * @returns {StoredGame | null}
 */
export function storedGame(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {StoredGame} game */
export function store(game) {
  localStorage.setItem(PREFIX + game.key, JSON.stringify(game));
}

/** @param {string} key */
export function forget(key) {
  localStorage.removeItem(PREFIX + key);
}

/**
 * Bring all games to the site; return the addresses of their matches by key.
 * @returns {Promise<Map<string, string>>}
 */
export async function bringGames() {
  /** @type {Map<string, string>} */
  const brought = new Map();
  for (const { key, moves, isRefused } of storedGames()) {
    const url = moves.length && !isRefused ? await bringGame(key) : null;
    if (url !== null) brought.set(key, url);
  }
  return brought;
}

/**
 * Bring a game to the site; return the address of its match, or `null` if it was not taken.
 * @param {string} key
 * @returns {Promise<string | null>}
 */
async function bringGame(key) {
  for (;;) {
    const sent = storedGame(key);
    if (sent === null) return null;
    try {
      const { url } = await post(sent);
      // The player may have moved meanwhile: the site takes each move once.
      if ((storedGame(key)?.moves.length ?? 0) > sent.moves.length) continue;
      forget(key);
      return url;
    } catch (error) {
      const game = storedGame(key);
      if (game && codeOf(error) !== "offline")
        store({ ...game, told: messageOf(error), isRefused: !comesLater(error) });
      return null;
    }
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Whether the site may take later what it has not taken now.
 * @param {unknown} error
 */
export function comesLater(error) {
  return LATER.includes(codeOf(error));
}

/** @param {StoredGame} game */
function post({ key, game, level, seat, moves }) {
  const sent = JSON.stringify({ key, game, level, seat, moves });
  return send("POST", "/offline/games", { sent });
}
