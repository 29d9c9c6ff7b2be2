// What an analysis has found, as elements: chances, best moves, threats.

import { number, t, tn } from "../i18n.js";
import { colorWord } from "../board/words.js";
import { element, setText } from "../match/dom.js";
import { busyInWords } from "../match/words.js";
import { sure } from "../sure.js";
import { chip } from "./list.js";

/** @import { Told } from "./asked.js" */

/** @typedef {"win" | "loss" | "draw" | null} Proven */

/**
 * A good move.
 * @typedef {object} Candidate
 * @property {number} order
 * @property {string} move
 * @property {number} visits
 * @property {number} winrate
 * @property {Proven} proven
 * @property {string[]} pv the line that it begins.
 */

/**
 * What an analysis has found.
 * @typedef {object} Found
 * @property {number} share of the work that is done, from 0 to 1.
 * @property {{winner: string | null} | null} outcome
 * @property {{currentPlayer: string, visits: number, seconds: number, proven: Proven}} rootInfo
 * @property {{color: string, winrate: number | null, error: number}[]} estimates
 * @property {Candidate[]} moveInfos
 * @property {{move: string, cell: number | null, winrate: number, proven: Proven, atOnce: boolean}[]} [threats]
 * @property {{winner: string | null, mustPlay: string[] | null}} [connections]
 * @property {Record<number, string>} marks
 * @property {Record<number, number>} heat
 */

/**
 * What the buttons of a row do.
 * @typedef {object} RowActs
 * @property {(shown: HTMLElement, line: string[]) => void} toggle
 * @property {(line: string[] | null) => void} peek
 * @property {(move: string) => void} play
 */

/**
 * A chance from 0 to 1 as people say it.
 * @param {number} value
 */
export function percent(value) {
  return number(Math.round(100 * value) / 100, { style: "percent" });
}

/**
 * How far an analysis is, in words.
 * @param {Told} told
 */
export function progressInWords(told) {
  if (told.state === "warming") {
    return t("The computer is warming up; the first time this takes a minute or two …");
  }
  if (told.wait) return busyInWords(told.wait);
  if (told.state === "waiting") return t("Waiting for its turn …");
  if (told.state === "stopped" && !told.found) return t("Stopped.");
  if (!told.found) return t("Thinking …");
  const { visits, seconds } = told.found.rootInfo;
  const work = tn("{count} visit in {seconds} s", "{count} visits in {seconds} s", visits, {
    seconds: number(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  });
  if (told.state === "working") {
    return t("Thinking … {share}, {work}", { share: percent(told.found.share), work });
  }
  return told.state === "done" ? t("Done: {work}", { work }) : t("Stopped: {work}", { work });
}

/**
 * What is certain, in words; empty if nothing is.
 * @param {Found} found
 */
export function verdictInWords(found) {
  const { outcome, rootInfo } = found;
  if (outcome) {
    if (!outcome.winner) return t("A draw.");
    return t("The game is over: {color} has won.", { color: colorWord(outcome.winner) });
  }
  const mover = { color: colorWord(rootInfo.currentPlayer) };
  if (rootInfo.proven === "win") return t("Proven: {color} to move wins.", mover);
  if (rootInfo.proven === "loss") return t("Proven: {color} to move loses, whatever is played.", mover);
  if (rootInfo.proven === "draw") return t("Proven: a draw.");
  const winner = found.connections?.winner;
  return winner ? t("Proven by connections: {color} wins.", { color: colorWord(winner) }) : "";
}

/**
 * The chances of each colour as bars; the numbers stand beside them.
 * @param {Found} found
 */
export function chances(found) {
  return found.estimates.flatMap(({ color, winrate, error }) => {
    if (winrate === null) return [];
    const bar = element("div", { class: `bar ${color}`, "aria-hidden": "true" });
    bar.style.inlineSize = `${100 * winrate}%`;
    const words = error ? `${percent(winrate)} ± ${Math.max(1, Math.round(100 * error))}` : percent(winrate);
    return element(
      "li",
      {},
      element("span", { class: "color" }, chip(color), colorWord(color)),
      element("div", { class: "track" }, bar),
      element("span", { class: "value" }, words)
    );
  });
}

const SURE = { win: t("wins"), loss: t("loses"), draw: t("draws") };

/**
 * A row for each of the best moves. `act` has what its buttons do.
 * @param {Found} found
 * @param {RowActs} act
 */
export function moveRows(found, act) {
  return found.moveInfos.map((one) => {
    const show = element("button", {
      type: "button",
      class: "line",
      "aria-pressed": "false",
      title: t("show this line on the board"),
    });
    show.append(element("b", {}, one.move), ` ${one.pv.slice(1, 8).join(" ")}`);
    show.setAttribute("aria-label", t("show the line {moves}", { moves: one.pv.join(", ") }));
    show.addEventListener("click", () => act.toggle(show, one.pv));
    for (const name of ["pointerenter", "focus"]) show.addEventListener(name, () => act.peek(one.pv));
    for (const name of ["pointerleave", "blur"]) show.addEventListener(name, () => act.peek(null));
    const play = element("button", { type: "button", "aria-label": t("play {move}", { move: one.move }) }, t("Play"));
    play.addEventListener("click", () => act.play(one.move));
    const certain = one.proven && element("strong", { class: `proven ${one.proven}` }, SURE[one.proven]);
    return element(
      "tr",
      {},
      element("td", { class: "order" }, String(one.order + 1)),
      element("td", { class: "moves-cell" }, show),
      element("td", { class: "value" }, certain || percent(one.winrate)),
      element("td", { class: "visits" }, number(one.visits)),
      element("td", {}, play)
    );
  });
}

/**
 * What the opponent threatens, and where one must play.
 * @param {HTMLElement} list
 * @param {Found} found
 */
export function drawThreats(list, found) {
  const words = (found.threats ?? []).map(({ move, winrate, proven, atOnce }) => {
    if (atOnce) return t("{move} would win at once", { move });
    return proven === "win"
      ? t("{move} would win for certain", { move })
      : t("{move} would be worth {chance}", { move, chance: percent(winrate) });
  });
  const must = found.connections?.mustPlay;
  if (must?.length) words.push(t("one must play at one of these: {cells}", { cells: must.join(", ") }));
  list.replaceChildren(...words.map((text) => element("li", {}, text)));
  sure(list.parentElement).hidden = words.length === 0;
}

/**
 * Set a text, and hide its element while there is none.
 * @param {HTMLElement} target
 * @param {string} text
 */
export function showText(target, text) {
  setText(target, text);
  target.hidden = !text;
}
