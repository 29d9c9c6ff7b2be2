// What the server knows of positions: the rules are there, not here.

import { t } from "../i18n.js";

const boards = new Map(); // address -> promise of a board

/** What went wrong, in words for people. */
export class Refused extends Error {
  /** @param {{code: string, message: string}} told */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** Fetch JSON; what the server refuses, or a lost connection, becomes an error for people. */
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

/** Ask the site to do something; the cookie shows that it was a page of the site that asked. */
export function send(method, address, fields = {}, request = {}) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
  const body = method === "DELETE" ? null : new URLSearchParams(fields);
  return fetchJson(address, { method, body, headers: { "X-CSRFToken": token }, ...request });
}

/** The address of a position, or of a page about it. */
export function positionQuery({ game, options, moves, ...others }) {
  const query = new URLSearchParams(options);
  query.set("game", game);
  if (moves.length) query.set("moves", moves.join(","));
  for (const [name, value] of Object.entries(others)) query.set(name, value);
  return query;
}

/** The address of the page that analyses a position. */
export function analysisAddress({ game, ...line }) {
  const query = positionQuery({ game, ...line });
  query.delete("game");
  return `/analysis/${game}/?${query}`.replace(/\?$/, "");
}

/**
 * The address of the page that analyses a match: with all its moves, at one of its positions, and
 * with the way back.
 * @param {string} slug of the match
 * @param {{game: string, options: object, moves: (number|string)[]}} line all moves
 * @param {number} ply how many of them are on the board
 */
export function matchAnalysisAddress(slug, line, ply) {
  return `${analysisAddress(line)}#${new URLSearchParams({ match: slug, ply })}`;
}

/** Fetch a position; `text` is one more move as a person writes it, `since` what is known. */
export function fetchPosition(line) {
  return fetchJson(`/positions.json?${positionQuery(line)}`);
}

/** Fetch a board once. */
export function fetchBoard(address) {
  if (!boards.has(address)) boards.set(address, fetchJson(address));
  return boards.get(address);
}
