// The result of an analysis as texts and elements: chances, best moves, threats.

import { number, t, tn } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { button, element, setText } from "../match/dom.js";
import { busyText } from "../match/texts.js";
import { defined } from "../defined.js";
import { chanceOf } from "./chances.js";
import { percent } from "./evaluation_bar.js";
import { chip } from "./move_list.js";

/** @import { AnalysisOut, AnalysisResultOut, BoardOut } from "wire" */

/**
 * What the moves of a line do.
 * @typedef {object} LineActions
 * @property {(texts: string[], count: number) => void} preview shows the first moves; 0 ends that
 * @property {(texts: string[]) => void} play
 */

/** Lines that are listed, and best moves that are marked on the board. */
export const LINES = 5;
const SHOWN = 8; // moves of a line

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
 * Make a text for the chances of each colour.
 * @param {Record<string, number | null>} chances
 */
export function chanceItems(chances) {
  return Object.entries(chances).flatMap(([color, chance]) => {
    if (chance === null) return [];
    return element(
      "li",
      {},
      chip(color),
      element("span", { class: "color" }, colorText(color)),
      ` ${percent(chance)}`,
    );
  });
}

const PROVEN = { win: t("wins"), loss: t("loses"), draw: t("draws") };

/**
 * Make a list item for each of the best lines, whose moves are buttons: one of them can be reached
 * with the Tab key, the others with arrow keys.
 * @param {BoardOut} board
 * @param {AnalysisResultOut} result
 * @param {LineActions} actions
 */
export function lineItems(board, result, actions) {
  const mover = result.rootInfo.currentPlayer ?? "";
  return result.moveInfos.slice(0, LINES).map((info, index) => {
    const { proven } = info;
    const chance = percent(chanceOf(board, mover, info.winrate));
    const value = proven
      ? element("strong", { class: `proven ${proven}` }, PROVEN[proven])
      : chance;
    const title = tn("{count} visit", "{count} visits", info.visits);
    const order = element("span", { class: "order" }, String(index + 1));
    const moves = moveButtons(info.pv.slice(0, SHOWN), actions);
    const label = t("Line {number}, {chance}", {
      number: index + 1,
      chance: proven ? PROVEN[proven] : chance,
    });
    const line = element("div", { class: "line", role: "toolbar", "aria-label": label }, ...moves);
    line.addEventListener("keydown", (event) => moveFocus(event, moves));
    for (const name of ["pointerleave", "focusout"])
      line.addEventListener(name, () => actions.preview(info.pv, 0));
    return element("li", {}, order, element("span", { class: "value", title }, value), line);
  });
}

/**
 * @param {string[]} texts
 * @param {LineActions} actions
 */
function moveButtons(texts, actions) {
  return texts.map((text, index) => {
    const label = t("Play {move}", { move: texts.slice(0, index + 1).join(", ") });
    const made = button(text, () => actions.play(texts.slice(0, index + 1)), {
      "aria-label": label,
      tabindex: index ? -1 : 0,
    });
    // Not on "pointerenter": a line that comes under a resting pointer would hide the position.
    for (const name of ["pointermove", "focus"])
      made.addEventListener(name, () => actions.preview(texts, index + 1));
    return made;
  });
}

/**
 * Move the focus within a line by arrow keys.
 * @param {KeyboardEvent} event
 * @param {HTMLElement[]} moves
 */
function moveFocus(event, moves) {
  const at = moves.indexOf(/** @type {HTMLElement} */ (event.target));
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length - 1 };
  const next = moves[steps[event.key]];
  if (!next) return;
  event.preventDefault();
  for (const move of moves) move.tabIndex = move === next ? 0 : -1;
  next.focus();
}

/**
 * List the opponent's threats, and the only moves that avoid a loss.
 * @param {HTMLElement} list
 * @param {BoardOut} board
 * @param {AnalysisResultOut} result
 */
export function drawThreats(list, board, result) {
  const opponent = board.colors.find((color) => color !== result.rootInfo.currentPlayer) ?? "";
  const texts = (result.threats ?? []).map(({ move, winrate, proven, atOnce }) => {
    if (atOnce) return t("{move} would win at once", { move });
    return proven === "win"
      ? t("{move} would win (proven)", { move })
      : t("{move} would win with {chance}", {
          move,
          chance: percent(chanceOf(board, opponent, winrate)),
        });
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
