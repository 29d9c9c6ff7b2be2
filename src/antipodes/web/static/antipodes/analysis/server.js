// Requests to the server: positions, boards, and other JSON.

import { csrfToken } from "../csrf.js";
import { t } from "../i18n.js";

/** @import { AdviceOut, BoardOut, EffectOut, PositionOut, StepsOut, ToldMovesOut } from "wire" */

/**
 * Return the message of an error.
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
 * @property {string} [setup] the position before the moves as JSON, if it is not the start
 */
/**
 * A request for a position: `text` is one more move in the coordinates of `seat`, and `since` the
 * number of moves to leave out.
 * @typedef {Line & {text?: string, seat?: number, since?: number}} PositionRequest
 */
/** @typedef {Record<string, string | number>} Options */

/** @type {Map<string, Promise<BoardOut>>} */
const boards = new Map(); // URL -> promise of a board

const BUSY = 503; // status of responses
const PATIENCE = 120; // requests until a busy server has an answer: ten minutes while it prepares

/** An error with a message for users. */
class RequestError extends Error {
  /**
   * @param {{code: string, message: string}} details
   * @param {number} [wait] seconds after which a busy server asks for the request again
   */
  constructor({ code, message }, wait = 0) {
    super(message);
    this.code = code;
    this.wait = wait;
  }
}

/**
 * Fetch JSON; throw a RequestError if the server refuses or cannot be reached.
 * @param {string} url
 * @param {RequestInit} [request]
 * @returns {Promise<any>} depends on the URL
 */
export async function fetchJson(url, request = {}) {
  let response;
  try {
    response = await fetch(url, request);
  } catch {
    throw new RequestError({
      code: "offline",
      message: t("The site cannot be reached. Try again soon."),
    });
  }
  const data = await response.json().catch(() => null);
  if (!response.ok || !data) {
    const details = data?.message
      ? data
      : { code: "failed", message: t("Something went wrong. Try again.") };
    throw new RequestError(
      details,
      response.status === BUSY ? Number(response.headers.get("Retry-After")) : 0,
    );
  }
  return data;
}

/**
 * Send a request that changes something, with the CSRF token.
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string | number>} [fields]
 * @param {RequestInit} [request]
 */
export function send(method, url, fields = {}, request = {}) {
  const body = method === "DELETE" ? null : new URLSearchParams(asTexts(fields));
  return fetchJson(url, { method, body, headers: { "X-CSRFToken": csrfToken() }, ...request });
}

/**
 * Send a request, and send it again as long as the server is busy.
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string | number>} fields
 * @param {(message: string) => void} onWait called with the server's message before each pause
 */
export async function sendPatiently(method, url, fields, onWait) {
  for (let sent = 1; ; sent++) {
    try {
      return await send(method, url, fields);
    } catch (error) {
      if (!(error instanceof RequestError) || !error.wait || sent === PATIENCE) throw error;
      onWait(`${error.message} ${t("This page tries again by itself.")}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 1_000 * error.wait);
      });
    }
  }
}

/**
 * Convert values to texts.
 * @param {Record<string, string | number>} values
 * @returns {Record<string, string>}
 */
function asTexts(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/**
 * Return the query string of a position.
 * @param {PositionRequest & {steps?: string}} line
 */
export function positionQuery({ game, options, moves, setup, ...others }) {
  const query = new URLSearchParams(asTexts(options));
  query.set("game", game);
  if (setup) query.set("setup", setup);
  if (moves.length) query.set("moves", moves.join(","));
  for (const [name, value] of Object.entries(asTexts(others))) query.set(name, value);
  return query;
}

/**
 * Return the URL of the analysis of a position.
 * @param {Line} line
 */
export function analysisUrl({ game, ...line }) {
  const query = positionQuery({ game, ...line });
  query.delete("game");
  return `/analysis/${game}/?${query}`.replace(/\?$/, "");
}

/**
 * Return the URL of the editor with a position.
 * @param {Line} line
 */
export function editorUrl({ game, ...line }) {
  return analysisUrl({ game, ...line }).replace("/analysis/", "/editor/");
}

/**
 * Return the URL of the page that makes a study of a line.
 * @param {Line} line
 */
export function studyUrl(line) {
  return `/studies/new/?${positionQuery(line)}`;
}

/**
 * Return the URL of the page that starts a match from a position.
 * @param {Line} line
 */
export function practiceUrl(line) {
  return `/practice/?${positionQuery(line)}`;
}

/**
 * Return the setup from which a match begins, as a `Line` has it.
 * @param {object | null} setup
 */
export function setupText(setup) {
  return setup ? JSON.stringify(setup) : "";
}

/**
 * Return the URL of the analysis of a match: all its moves, the shown position, and a link back.
 * @param {string} slug of the match
 * @param {Line} line all moves
 * @param {number} ply number of moves in the shown position
 */
export function matchAnalysisUrl(slug, line, ply) {
  return `${analysisUrl(line)}#${new URLSearchParams({ match: slug, ply: String(ply) })}`;
}

/**
 * Fetch a position.
 * @param {PositionRequest} line
 * @returns {Promise<PositionOut>}
 */
export function fetchPosition(line) {
  return fetchJson(`/positions.json?${positionQuery(line)}`);
}

/**
 * Fetch what the last move changes, or `steps`, the beginning of one more.
 * @param {Line & {steps?: string}} line
 * @returns {Promise<EffectOut | StepsOut>}
 */
export function fetchChanges(line) {
  return fetchJson(`/positions.json?${positionQuery(line)}&preview=1`);
}

/**
 * Fetch a sentence that advises the last move.
 * @param {PositionRequest} line
 * @returns {Promise<AdviceOut>}
 */
export function fetchAdvice(line) {
  return fetchJson(`/positions.json?${positionQuery(line)}&words=1`);
}

/**
 * Fetch the moves after the first `since`, with a sentence about each.
 * @param {PositionRequest} line
 * @returns {Promise<ToldMovesOut>}
 */
export function fetchTold(line) {
  return fetchJson(`/positions.json?${positionQuery(line)}&words=1`);
}

/**
 * Fetch a board, cached.
 * @param {string} url
 * @returns {Promise<BoardOut>}
 */
export function fetchBoard(url) {
  const board = boards.get(url) ?? fetchJson(url);
  boards.set(url, board);
  return board;
}
