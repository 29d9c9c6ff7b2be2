// What the server knows of positions: the rules are there, not here.

import { t } from "../i18n.js";

/** @import { BoardData, Pieces, State } from "../board/state.js" */

/**
 * What went wrong, in words for people.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A game, its options and moves.
 * @typedef {object} Line
 * @property {string} game
 * @property {Options} options
 * @property {(number | string)[]} moves
 */
/**
 * A position that is asked for: `text` is one more move as the player of `seat` writes it, `since` how many
 * moves are known, and `steps` begin a move whose changes are wanted.
 * @typedef {Line & {text?: string, seat?: number, since?: number, steps?: string, preview?: number}} Asked
 */
/** @typedef {Record<string, string | number>} Options */

/**
 * A move as the server tells it.
 * @typedef {object} MoveTold
 * @property {number} move
 * @property {string} text
 * @property {string} color who made it.
 * @property {number | null} last cell of its piece.
 * @property {Changed} changed
 */
/** @typedef {Record<number, [before: string | null, after: string | null]>} Changed by cell. */

/**
 * A position, and what may come next.
 * @typedef {object} Position
 * @property {string} game
 * @property {Options} options
 * @property {string} board address of the board.
 * @property {Pieces} start
 * @property {Pieces} pieces
 * @property {MoveTold[]} moves
 * @property {State["legal"]} legal
 * @property {number | null} swap
 * @property {number} seat to move.
 * @property {string} toMove its colour.
 * @property {string} caption
 * @property {number[]} chain
 * @property {Changed} changed by the steps that were asked for.
 */

/** @type {Map<string, Promise<BoardData>>} */
const boards = new Map(); // address -> promise of a board

/** What went wrong, in words for people. */
export class Refused extends Error {
  /** @param {{code: string, message: string}} told */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * Fetch JSON; what the server refuses, or a lost connection, becomes an error for people.
 * @param {string} address
 * @param {RequestInit} [request]
 * @returns {Promise<any>} whatever the address answers; its callers know what that is
 */
export async function fetchJson(address, request = {}) {
  let answer;
  try {
    answer = await fetch(address, request);
  } catch {
    throw new Refused({ code: "offline", message: t("The site cannot be reached. Try again soon.") });
  }
  const told = await answer.json().catch(() => null);
  if (!answer.ok || !told) {
    throw new Refused(told?.message ? told : { code: "failed", message: t("That did not work.") });
  }
  return told;
}

/**
 * Ask the site to do something; the cookie shows that it was a page of the site that asked.
 * @param {string} method
 * @param {string} address
 * @param {Record<string, string | number>} [fields]
 * @param {RequestInit} [request]
 */
export function send(method, address, fields = {}, request = {}) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
  const body = method === "DELETE" ? null : new URLSearchParams(textsOf(fields));
  return fetchJson(address, { method, body, headers: { "X-CSRFToken": token }, ...request });
}

/**
 * Values as a query has them.
 * @param {Record<string, string | number>} values
 * @returns {Record<string, string>}
 */
function textsOf(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/**
 * The address of a position, or of a page about it.
 * @param {Asked} line
 */
export function positionQuery({ game, options, moves, ...others }) {
  const query = new URLSearchParams(textsOf(options));
  query.set("game", game);
  if (moves.length) query.set("moves", moves.join(","));
  for (const [name, value] of Object.entries(textsOf(others))) query.set(name, value);
  return query;
}

/**
 * The address of the page that analyses a position.
 * @param {Line} line
 */
export function analysisAddress({ game, ...line }) {
  const query = positionQuery({ game, ...line });
  query.delete("game");
  return `/analysis/${game}/?${query}`.replace(/\?$/, "");
}

/**
 * The address of the page that analyses a match: with all its moves, at one of its positions, and
 * with the way back.
 * @param {string} slug of the match
 * @param {Line} line all moves
 * @param {number} ply how many of them are on the board
 */
export function matchAnalysisAddress(slug, line, ply) {
  return `${analysisAddress(line)}#${new URLSearchParams({ match: slug, ply: String(ply) })}`;
}

/**
 * Fetch a position; `text` is one more move as a person writes it, `since` what is known.
 * @param {Asked} line
 * @returns {Promise<Position>}
 */
export function fetchPosition(line) {
  return fetchJson(`/positions.json?${positionQuery(line)}`);
}

/**
 * Fetch a board once.
 * @param {string} address
 * @returns {Promise<BoardData>}
 */
export function fetchBoard(address) {
  const board = boards.get(address) ?? fetchJson(address);
  boards.set(address, board);
  return board;
}
