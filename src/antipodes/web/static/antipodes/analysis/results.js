// The result of an analysis as texts and elements: chances, best moves, threats.

import { number, t, tn } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { element, setText } from "../match/dom.js";
import { busyText } from "../match/texts.js";
import { defined } from "../defined.js";
import { chip } from "./move_list.js";

/** @import { AnalysisOut, AnalysisResultOut } from "wire" */

/**
 * The actions of the buttons in a row.
 * @typedef {object} RowActions
 * @property {(button: HTMLElement, line: string[]) => void} toggle
 * @property {(line: string[] | null) => void} preview
 * @property {(move: string) => void} play
 */

/**
 * Format a chance from 0 to 1 as a percentage.
 * @param {number} value
 */
export function percent(value) {
  return number(Math.round(100 * value) / 100, { style: "percent" });
}

/**
 * Describe the progress of an analysis.
 * @param {AnalysisOut} status
 */
export function progressText(status) {
  if (status.wait) return busyText(status.wait);
  if (status.state === "waiting") return t("Waiting for the computer …");
  if (status.state === "stopped" && !status.found) return t("Stopped.");
  if (!status.found) return t("Thinking …");
  const { visits, seconds } = status.found.rootInfo;
  const work = tn("{count} visit in {seconds} s", "{count} visits in {seconds} s", visits, {
    seconds: number(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  });
  if (status.state === "working") {
    return t("Thinking … {share}, {work}", { share: percent(status.found.share), work });
  }
  return status.state === "done" ? t("Done: {work}", { work }) : t("Stopped: {work}", { work });
}

/**
 * Return the proven result of the position, or an empty text.
 * @param {AnalysisResultOut} result
 */
export function verdictText(result) {
  const { outcome, rootInfo } = result;
  if (outcome) {
    if (!outcome.winner) return t("Draw.");
    return t("The game is over: {color} won.", { color: colorText(outcome.winner) });
  }
  const mover = { color: colorText(defined(rootInfo.currentPlayer)) };
  if (rootInfo.proven === "win") return t("Proven: {color} to move wins.", mover);
  if (rootInfo.proven === "loss") return t("Proven: {color} to move loses.", mover);
  if (rootInfo.proven === "draw") return t("Proven: draw.");
  const winner = result.connections?.winner;
  return winner ? t("Proven by connections: {color} wins.", { color: colorText(winner) }) : "";
}

/**
 * Make a bar and a number for the chances of each colour.
 * @param {AnalysisResultOut} result
 */
export function chanceItems(result) {
  return result.estimates.flatMap(({ color, winrate, error }) => {
    if (winrate === null) return [];
    const bar = element("div", { class: `bar ${color}`, "aria-hidden": "true" });
    bar.style.inlineSize = `${100 * winrate}%`;
    const value = error
      ? `${percent(winrate)} ± ${Math.max(1, Math.round(100 * error))}`
      : percent(winrate);
    return element(
      "li",
      {},
      element("span", { class: "color" }, chip(color), colorText(color)),
      element("div", { class: "track" }, bar),
      element("span", { class: "value" }, value),
    );
  });
}

const PROVEN = { win: t("wins"), loss: t("loses"), draw: t("draws") };

/**
 * Make a table row for each of the best moves.
 * @param {AnalysisResultOut} result
 * @param {RowActions} actions
 */
export function moveRows(result, actions) {
  return result.moveInfos.map((one) => {
    const show = element("button", {
      type: "button",
      class: "line",
      "aria-pressed": "false",
      title: t("Show this line on the board"),
    });
    show.append(element("b", {}, one.move), ` ${one.pv.slice(1, 8).join(" ")}`);
    show.setAttribute("aria-label", t("Show line {moves}", { moves: one.pv.join(", ") }));
    show.addEventListener("click", () => actions.toggle(show, one.pv));
    for (const name of ["pointerenter", "focus"])
      show.addEventListener(name, () => actions.preview(one.pv));
    for (const name of ["pointerleave", "blur"])
      show.addEventListener(name, () => actions.preview(null));
    const play = element(
      "button",
      { type: "button", "aria-label": t("Play {move}", { move: one.move }) },
      t("Play"),
    );
    play.addEventListener("click", () => actions.play(one.move));
    const proven =
      one.proven && element("strong", { class: `proven ${one.proven}` }, PROVEN[one.proven]);
    return element(
      "tr",
      {},
      element("td", { class: "order" }, String(one.order + 1)),
      element("td", { class: "moves-cell" }, show),
      element("td", { class: "value" }, proven || percent(one.winrate)),
      element("td", { class: "visits" }, number(one.visits)),
      element("td", {}, play),
    );
  });
}

/**
 * List the opponent's threats, and the only moves that avoid a loss.
 * @param {HTMLElement} list
 * @param {AnalysisResultOut} result
 */
export function drawThreats(list, result) {
  const texts = (result.threats ?? []).map(({ move, winrate, proven, atOnce }) => {
    if (atOnce) return t("{move} would win at once", { move });
    return proven === "win"
      ? t("{move} would win (proven)", { move })
      : t("{move} would win with {chance}", { move, chance: percent(winrate) });
  });
  const mustPlay = result.connections?.mustPlay ?? [];
  if (mustPlay.length === 1) texts.push(t("Only {move} avoids a loss", { move: mustPlay[0] }));
  if (mustPlay.length > 1)
    texts.push(t("Only these moves avoid a loss: {moves}", { moves: mustPlay.join(", ") }));
  list.replaceChildren(...texts.map((text) => element("li", {}, text)));
  defined(list.parentElement).hidden = texts.length === 0;
}

/**
 * Set an element's text, and hide it while the text is empty.
 * @param {HTMLElement} target
 * @param {string} text
 */
export function showText(target, text) {
  setText(target, text);
  target.hidden = !text;
}
