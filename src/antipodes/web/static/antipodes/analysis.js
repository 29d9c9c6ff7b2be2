// The analysis page: a board to try moves, and the computer's analysis.

import { t } from "./i18n.js";
import "./current_options.js";
import "./analysis_board.js";
import { element, setText } from "./match/dom.js";
import { Explorer } from "./analysis/explorer.js";
import { EngineJob } from "./analysis/engine_job.js";
import {
  chanceItems,
  drawThreats,
  moveRows,
  progressText,
  showText,
  verdictText,
} from "./analysis/results.js";
import { loadStyles } from "./analysis/styles.js";
import { preferences } from "./board/settings.js";
import { editorUrl, practiceUrl, studyUrl } from "./analysis/server.js";
import { defined } from "./defined.js";

/** @import { AnalysisOut, AnalysisResultOut } from "wire" */

loadStyles(new URL("./analysis.css", import.meta.url));

// The fragment has the match that linked here; analysis_board.js reads the ply.
const fragment = new URLSearchParams(location.hash.slice(1));

const START_DELAY = 250; // milliseconds before a new position is analysed
const SWITCH = "antipodes-analysis"; // key in the browser's storage

/** `<antipodes-analysis>`, which contains the board and adds the computer's analysis. */
class Analysis extends HTMLElement {
  #job = new EngineJob((status, error) => this.#update(status, error));
  #result = /** @type {AnalysisResultOut | null} */ (null);
  /** @type {HTMLElement | null} */
  #pinned = null; // the button of the line that stays on the board
  #timer = 0;
  #place = /** @type {string | null} */ (null); // where the computer was asked to think

  switch = element("input", { type: "checkbox", role: "switch" });
  heat = element("input", { type: "checkbox", checked: true });
  marks = element("input", { type: "checkbox", checked: true });
  status = element("p", { class: "progress-text", role: "status" });
  notice = element("p", { class: "caption", role: "status", hidden: true });
  bar = element("progress", { max: 1, value: 0, "aria-label": t("Progress"), hidden: true });
  verdict = element("p", { class: "verdict", hidden: true });
  chances = element("ul", { class: "chances", "aria-label": t("Winning chances") });
  rows = element("tbody");
  table = this.#buildTable();
  threats = element("ul");
  practice = element("a", { class: "button", hidden: true }, t("Play it out against the computer"));
  edit = element("a", { class: "button" }, t("Edit this position"));
  study = element("a", { class: "button" }, t("Make a study"));
  explorer = new Explorer({
    play: (move) => this.board.play(move),
    mark: (cells) => this.#markCells(cells),
  });
  root = element("section", { class: "analysis-panel", "aria-label": t("Analysis") });

  /** The board in the page. */
  get board() {
    return defined(this.querySelector("antipodes-analysis-board"));
  }

  connectedCallback() {
    this.#build();
    this.board.panel.append(this.root, this.explorer.root);
    this.board.addEventListener("change", () => this.#onChange());
    preferences.addEventListener("change", this.#onPreferences);
  }

  disconnectedCallback() {
    preferences.removeEventListener("change", this.#onPreferences);
    this.#job.stop();
  }

  #onPreferences = () => {
    const place = this.board.data && preferences.value("engine", this.board.data);
    if (place === this.#place) return;
    this.#place = place;
    this.#start();
  };

  /** The choice of the search's length, from a template in the page. */
  effort = defined(defined(this.querySelector("template")).content.querySelector("select"));

  #build() {
    this.switch.checked = fragment.has("match") || localStorage.getItem(SWITCH) === "on";
    this.switch.addEventListener("change", () => this.#onSwitch());
    this.effort.addEventListener("change", () => this.#start());
    for (const box of [this.heat, this.marks]) box.addEventListener("change", () => this.#draw());
    this.root.append(
      ...this.#backLink(),
      element("div", { class: "controls" }, label(this.switch, t("Computer")), this.effort),
      this.status,
      this.bar,
      this.notice,
      this.verdict,
      this.chances,
      this.table,
      element(
        "div",
        { class: "threats", hidden: true },
        element("h2", {}, t("Threats")),
        this.threats,
      ),
      element(
        "div",
        { class: "controls" },
        label(this.marks, t("Best moves")),
        label(this.heat, t("Heat map")),
      ),
      element("div", { class: "controls" }, this.practice, this.edit, ...this.#otherLinks()),
    );
  }

  /** Links that a study, which has the analysis inside, does not need. */
  #otherLinks() {
    const toImport = element("a", { class: "button", href: "/import/" }, t("Import a game"));
    return this.hasAttribute("inside") ? [] : [this.study, toImport];
  }

  #backLink() {
    const slug = fragment.get("match");
    return slug
      ? [
          element(
            "a",
            { class: "button", href: `/m/${encodeURIComponent(slug)}/` },
            t("Back to game"),
          ),
        ]
      : [];
  }

  #buildTable() {
    const heads = ["#", t("Line"), t("Chance"), t("Visits"), t("Try")].map((text) =>
      element("th", { scope: "col" }, text),
    );
    return element(
      "table",
      { hidden: true, "aria-label": t("Best moves") },
      element("thead", {}, element("tr", {}, ...heads)),
      this.rows,
    );
  }

  // Requests.

  #onSwitch() {
    localStorage.setItem(SWITCH, this.switch.checked ? "on" : "off");
    if (this.switch.checked) this.#start();
    else {
      this.#job.stop();
      this.bar.hidden = true;
      setText(this.status, "");
      showText(this.notice, "");
    }
  }

  #onChange() {
    if (!this.hasAttribute("inside")) history.replaceState(null, "", this.board.link);
    this.practice.href = practiceUrl(this.board.line);
    this.edit.href = editorUrl(this.board.line);
    this.study.href = studyUrl(this.board.line);
    this.explorer.show(this.board.line);
    this.#job.stop();
    this.#result = null;
    this.#pinned = null;
    setText(this.status, "");
    this.#draw();
    clearTimeout(this.#timer);
    if (this.switch.checked) this.#timer = setTimeout(() => this.#start(), START_DELAY);
  }

  #start() {
    if (!this.switch.checked) return;
    const { line, data } = this.board;
    const { game, options, setup, moves } = line;
    this.bar.removeAttribute("value");
    this.bar.hidden = false;
    const board = defined(data);
    this.#place = preferences.value("engine", board);
    const { value: effort, selectedOptions } = this.effort;
    const seconds = Number(selectedOptions[0].dataset.seconds);
    const fields = { ...options, game, setup, moves: moves.join(","), effort };
    this.#job.start("/analyses", fields, { board, line, seconds, hasThreats: true });
  }

  /**
   * @param {AnalysisOut | null} status
   * @param {string} error
   */
  #update(status, error) {
    setText(this.status, status ? progressText(status) : error);
    showText(this.notice, this.#job.notice);
    this.bar.hidden = !status || status.isOver;
    if (!status) return;
    if (status.found) {
      this.bar.value = status.found.share;
      this.#result = status.found;
    }
    this.#draw();
  }

  // Display.

  #draw() {
    const result = this.#result;
    this.practice.hidden = Boolean(this.board.view?.result);
    this.table.hidden = !result?.moveInfos.length;
    this.chances.hidden = !result;
    if (!result) {
      showText(this.verdict, "");
      defined(this.threats.parentElement).hidden = true;
      return;
    }
    showText(this.verdict, verdictText(result));
    this.chances.replaceChildren(...chanceItems(result));
    this.#drawRows(result);
    drawThreats(this.threats, result);
    if (!this.#pinned) this.#overlay();
  }

  /**
   * Draw the moves, but do not reorder rows under the pointer or the focus.
   * @param {AnalysisResultOut} result
   */
  #drawRows(result) {
    if (this.#job.isRunning && (this.#pinned || this.rows.matches(":hover, :focus-within"))) return;
    this.rows.replaceChildren(
      ...moveRows(result, {
        toggle: (/** @type {HTMLElement} */ pressed, /** @type {string[]} */ line) =>
          this.#toggle(pressed, line),
        preview: (/** @type {string[] | null} */ line) => this.#preview(line),
        play: (/** @type {string} */ move) => this.board.playText(move),
      }),
    );
  }

  #overlay() {
    const { marks, heat, threats = [] } = defined(this.#result);
    const cells = Object.fromEntries(
      threats.flatMap(({ cell }) => (cell === null ? [] : [[cell, "!"]])),
    );
    this.board.overlay = {
      marks: this.marks.checked ? { ...cells, ...marks } : {},
      heat: this.heat.checked ? heat : {},
    };
  }

  /**
   * Mark the cells of a move of the explorer, or show the analysis again.
   * @param {number[]} cells
   */
  #markCells(cells) {
    if (cells.length) this.board.overlay = { pointed: cells };
    else if (this.#result) this.#overlay();
    else this.board.overlay = {};
  }

  /** @param {string[] | null} line */
  #preview(line) {
    if (this.#pinned) return;
    this.board.showLine(line);
  }

  /**
   * @param {HTMLElement} pressed
   * @param {string[] | null} line
   */
  #toggle(pressed, line) {
    const wasPinned = this.#pinned === pressed;
    this.#pinned?.setAttribute("aria-pressed", "false");
    this.#pinned = wasPinned ? null : pressed;
    if (!wasPinned) pressed.setAttribute("aria-pressed", "true");
    this.board.showLine(wasPinned ? null : line);
  }
}

/**
 * @param {HTMLElement} box
 * @param {string} text
 */
function label(box, text) {
  return element("label", {}, box, ` ${text}`);
}

customElements.define("antipodes-analysis", Analysis);
