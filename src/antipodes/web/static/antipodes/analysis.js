// The analysis page: a board to try moves, and the computer's analysis.

import { t } from "./i18n.js";
import "./current_options.js";
import "./analysis_board.js";
import { element, setText } from "./match/dom.js";
import { iconLink } from "./match/icons.js";
import { Explorer } from "./analysis/explorer.js";
import { chancesOf, valuesOf } from "./analysis/chances.js";
import { EngineJob } from "./analysis/engine_job.js";
import {
  chanceItems,
  drawThreats,
  LINES,
  lineItems,
  progressText,
  showText,
  verdictText,
} from "./analysis/results.js";
import { loadStyles } from "./analysis/styles.js";
import { LEVELS, shade } from "./board/marks.js";
import { preferences } from "./board/settings.js";
import { svg } from "./board/shapes.js";
import { editorUrl, practiceUrl, studyUrl } from "./analysis/server.js";
import { defined } from "./defined.js";

/** @import { AnalysisOut, AnalysisResultOut } from "wire" */

loadStyles(new URL("./analysis.css", import.meta.url));

// The fragment has the match that linked here; analysis_board.js reads the ply.
const fragment = new URLSearchParams(location.hash.slice(1));

const START_DELAY = 250; // milliseconds before a new position is analysed
// Keys in the browser's storage.
const SWITCH = "antipodes-analysis";
const HEAT = "antipodes-heat";
const MARKS = "antipodes-best-moves";

/** `<antipodes-analysis>`, which contains the board and adds the computer's analysis. */
class Analysis extends HTMLElement {
  #job = new EngineJob((status, error) => this.#update(status, error));
  #result = /** @type {AnalysisResultOut | null} */ (null);
  #timer = 0;
  #place = /** @type {string | null} */ (null); // where the computer was asked to think

  switch = element("input", { type: "checkbox", role: "switch" });
  heat = element("input", { type: "checkbox", checked: stored(HEAT, "off") === "on" });
  marks = element("input", { type: "checkbox", checked: stored(MARKS, "on") === "on" });
  status = element("p", { class: "progress-text", role: "status" });
  notice = element("p", { class: "where", role: "status", hidden: true });
  bar = element("progress", { max: 1, value: 0, "aria-label": t("Progress"), hidden: true });
  verdict = element("p", { class: "verdict", hidden: true });
  chances = element("ul", { class: "chances", "aria-label": t("Winning chances") });
  lines = element("ol", { class: "best-lines", "aria-label": t("Best moves") });
  threats = element("ul");
  legend = heatLegend();
  practice = iconLink("play", t("Play it out"), {
    hidden: true,
    "aria-label": t("Play it out against the computer"),
  });
  edit = iconLink("pen", t("Edit"), { "aria-label": t("Edit this position") });
  study = iconLink("book", t("Make a study"));
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
    this.board.tools.append(this.practice, this.edit);
    if (!this.hasAttribute("inside")) this.board.tools.append(this.study);
    if (this.switch.checked) this.board.evaluation.show({});
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
    for (const [box, key] of /** @type {const} */ ([
      [this.heat, HEAT],
      [this.marks, MARKS],
    ]))
      box.addEventListener("change", () => {
        localStorage.setItem(key, box.checked ? "on" : "off");
        this.#draw();
      });
    this.root.append(
      ...this.#backLink(),
      element("div", { class: "controls" }, label(this.switch, t("Computer")), this.effort),
      this.bar,
      this.verdict,
      this.chances,
      this.lines,
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
      this.legend,
      this.status,
      this.notice,
    );
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

  // Requests.

  #onSwitch() {
    localStorage.setItem(SWITCH, this.switch.checked ? "on" : "off");
    if (this.switch.checked) {
      this.board.evaluation.show({});
      this.#start();
    } else {
      this.#job.stop();
      this.#result = null;
      this.board.evaluation.hide();
      this.board.overlay = {};
      this.#draw();
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
    this.lines.hidden = !result?.moveInfos.length;
    this.chances.hidden = !result;
    this.legend.hidden = !result || !this.heat.checked;
    this.legend.dataset.board = document.documentElement.dataset.board ?? "";
    if (!result) {
      showText(this.verdict, "");
      this.lines.replaceChildren();
      defined(this.threats.parentElement).hidden = true;
      return;
    }
    showText(this.verdict, verdictText(result));
    const board = defined(this.board.data);
    const chances = chancesOf(board, valuesOf(result));
    this.board.evaluation.show(chances, result.estimates[0]?.color);
    this.chances.replaceChildren(...chanceItems(chances));
    this.#drawLines(result);
    drawThreats(this.threats, board, result);
    this.#overlay();
  }

  /**
   * Draw the lines, but do not reorder them under the pointer or the focus.
   * @param {AnalysisResultOut} result
   */
  #drawLines(result) {
    const isUsed = this.lines.childElementCount && this.lines.matches(":hover, :focus-within");
    if (this.#job.isRunning && isUsed) return;
    this.lines.replaceChildren(
      ...lineItems(defined(this.board.data), result, {
        preview: (texts, count) => this.board.showLine(texts, count),
        play: async (texts) => {
          if (await this.board.playLine(texts)) this.board.focusMove();
        },
      }),
    );
  }

  #overlay() {
    const { marks, heat, threats = [] } = defined(this.#result);
    const cells = Object.fromEntries(
      threats.flatMap(({ cell }) => (cell === null ? [] : [[cell, "!"]])),
    );
    const listed = Object.entries(marks).filter(([, text]) => Number.parseInt(text, 10) <= LINES);
    this.board.overlay = {
      marks: this.marks.checked ? { ...cells, ...Object.fromEntries(listed) } : {},
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
}

/**
 * @param {HTMLElement} box
 * @param {string} text
 */
function label(box, text) {
  return element("label", {}, box, ` ${text}`);
}

/**
 * @param {string} key in the browser's storage
 * @param {string} usual
 */
function stored(key, usual) {
  return localStorage.getItem(key) ?? usual;
}

/** Explain the shades and dots of the heat map. */
function heatLegend() {
  const steps = Array.from({ length: LEVELS }, (_, index) => {
    const picture = svg("svg", { viewBox: "-.6 -.6 1.2 1.2", "aria-hidden": "true" });
    picture.append(...shade((index + 1) / LEVELS - 0.01, "pointy"));
    return picture;
  });
  const text = t("Heat map: the more dots, the more depends on the cell.");
  return element("p", { class: "heat-legend board-preview", hidden: true }, ...steps, ` ${text}`);
}

customElements.define("antipodes-analysis", Analysis);
