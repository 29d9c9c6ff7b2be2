// The review of a finished match: the chances along its moves, drawn, listed, and walked through.
//
// What somebody points at is fired as `go`, with the number of moves that are on the board then.

import { t } from "./i18n.js";
import { colorWord } from "./board/words.js";
import { button, element, setText } from "./match/dom.js";
import { drawChart, placeCursor } from "./study/chart.js";
import { percent } from "./study/findings.js";
import { chip } from "./study/list.js";
import { fetchJson, messageOf } from "./study/source.js";
import { loadStyles } from "./study/styles.js";

/** @import { Estimate, ReviewTold, TurningPoint } from "./study/chart.js" */

loadStyles(new URL("./review.css", import.meta.url));

const PATIENCE = 1500; // milliseconds between two looks while it is being made
const MISSING = 20; // looks for a review that has not been begun

/** @typedef {Review} ReviewElement */

class Review extends HTMLElement {
  #slug = /** @type {string | null} */ (null);
  #told = /** @type {ReviewTold | null} */ (null);
  /** @type {{text: string, color: string}[]} */
  #moves = [];
  #ply = 0;
  #timer = 0;
  #looks = 0;
  #side = 0;
  #textOf = (/** @type {string} */ text) => text;

  status = element("p", { class: "progress-words", role: "status" });
  picture = element("div", { class: "chart" });
  slider = element("input", { type: "range", min: 0, value: 0, "aria-label": t("Move") });
  words = element("p", { class: "review-words" });
  turns = element("ol", { class: "turns" });
  rows = element("tbody");
  heads = element("tr");
  link = element("a", { class: "button" }, t("Analyse this position"));
  drawn = element(
    "div",
    { class: "review", hidden: true },
    element("div", {}, this.picture, this.slider, this.words, this.link),
    element("div", {}, element("h3", {}, t("Turning points")), this.turns, this.#buildTable())
  );

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#slug = null;
  }

  /**
   * Show the review of a match that is over; it is fetched the first time.
   * @param {{slug: string, moves: {text: string, color: string}[], ply: number,
   *   analysisAddress: string, textOf?: (text: string) => string, side?: number}} match
   *   `textOf` writes moves of the server as the viewer does, who reads the board as seat `side`
   */
  show({ slug, moves, ply, analysisAddress, textOf = (text) => text, side = 0 }) {
    this.#moves = moves;
    this.#ply = ply;
    this.#textOf = textOf;
    if (side !== this.#side) {
      this.#side = side;
      if (this.#told) this.#draw(this.#told);
    }
    if (this.#slug !== slug) {
      this.#slug = slug;
      this.#build();
      this.#look();
    }
    this.link.href = analysisAddress;
    this.#point();
  }

  #build() {
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    const title = element("h2", { id: "review-title" }, t("How the game went"));
    this.replaceChildren(title, this.status, this.drawn);
    this.setAttribute("role", "region");
    this.setAttribute("aria-labelledby", "review-title");
  }

  #buildTable() {
    const table = element("table", {}, element("thead", {}, this.heads), this.rows);
    return element("details", {}, element("summary", {}, t("All moves as a table")), table);
  }

  async #look() {
    const slug = this.#slug;
    try {
      this.#told = /** @type {ReviewTold} */ (await fetchJson(`/m/${slug}/review.json`));
    } catch (error) {
      setText(this.status, messageOf(error));
      return;
    }
    if (slug !== this.#slug) return;
    this.#draw(this.#told);
    const isMissing = this.#told.state === null && ++this.#looks > MISSING;
    if (this.#told.state === "done" || isMissing) return;
    this.#timer = setTimeout(() => this.#look(), PATIENCE);
  }

  /** @param {ReviewTold} told */
  #draw(told) {
    const { state, estimates, turns } = told;
    this.hidden = state === null;
    const all = this.#moves.length + 1;
    const isDone = state === "done";
    const words = t("The computer is looking at the game: {done} of {all} positions …", { done: estimates.length, all });
    setText(this.status, isDone ? "" : words);
    this.drawn.hidden = estimates.length < 2;
    if (this.drawn.hidden) return;
    this.slider.max = String(all - 1);
    drawChart(this.picture, told, all, (ply) => this.#go(ply));
    this.#drawTurns(turns, isDone);
    this.#drawTable(estimates);
    this.#point();
  }

  /**
   * @param {TurningPoint[]} turns
   * @param {boolean} isDone
   */
  #drawTurns(turns, isDone) {
    const items = turns.map((turn) => {
      const words = element("span", {}, `${percent(turn.before)} → ${percent(turn.after)}; `);
      words.append(`${t("better")} `, element("b", {}, this.#textOf(turn.better)));
      if (turn.decides) words.append(element("strong", {}, ` ${t("a sure win given away")}`));
      const to = button("", () => this.#go(turn.ply));
      const move = this.#textOf(turn.move);
      to.append(`${turn.ply} `, chip(turn.color), ` ${move}`);
      to.setAttribute("aria-label", t("move {ply}, {color} {move}", { ply: turn.ply, color: colorWord(turn.color), move }));
      return element("li", {}, to, words);
    });
    const none = isDone ? t("None: nobody gave much away.") : t("They are told at the end.");
    this.turns.replaceChildren(...(items.length ? items : [element("li", {}, none)]));
  }

  #drawTable(/** @type {Estimate[]} */ estimates) {
    const colors = Object.keys(estimates[0].values);
    const heads = [t("Move"), ...colors.map(colorWord), t("The computer’s choice")];
    this.heads.replaceChildren(...heads.map((text) => element("th", { scope: "col" }, text)));
    this.rows.replaceChildren(
      ...estimates.map((estimate, ply) => {
        const made = this.#moves[ply - 1];
        const name = made ? `${ply} ${made.text}` : t("Start");
        const values = colors.map((color) => element("td", {}, shown(estimate, color)));
        return element(
          "tr",
          {},
          element("th", { scope: "row" }, button(name, () => this.#go(ply))),
          ...values,
          element("td", {}, this.#textOf(estimate.best ?? ""))
        );
      })
    );
  }

  /** @param {number} ply */
  #go(ply) {
    this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: ply }));
  }

  /** Show which position is on the board. */
  #point() {
    const estimate = this.#told?.estimates[this.#ply];
    if (this.drawn.hidden) return;
    this.slider.value = String(this.#ply);
    placeCursor(this.picture, this.#ply, this.#moves.length + 1);
    const made = this.#moves[this.#ply - 1];
    const where = made
      ? t("After {ply}, {color} {move}", { ply: this.#ply, color: colorWord(made.color), move: made.text })
      : t("At the start");
    setText(this.words, estimate ? t("{where}: {chances}.", { where, chances: spoken(estimate) }) : `${where}.`);
    this.slider.setAttribute("aria-valuetext", this.words.textContent ?? "");
  }
}

/**
 * A chance of a colour in a table.
 * @param {Estimate} estimate
 * @param {string} color
 */
function shown(estimate, color) {
  const value = estimate.values[color];
  return value === null ? "?" : percent(value);
}

/**
 * The chances of all colours in words.
 * @param {Estimate} estimate
 */
function spoken(estimate) {
  const words = Object.keys(estimate.values).map((color) => `${colorWord(color)} ${shown(estimate, color)}`);
  const all = words.join(", ");
  return estimate.proven ? t("{chances} (proven)", { chances: all }) : all;
}

customElements.define("antipodes-review", Review);
