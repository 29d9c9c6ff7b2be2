// The page on which any position is analysed: a board for free play, and what the computer thinks.

import { t } from "./i18n.js";
import "./current_options.js";
import "./study.js";
import { element, setText } from "./match/dom.js";
import { Asked } from "./study/asked.js";
import {
  chances,
  drawThreats,
  moveRows,
  progressInWords,
  showText,
  verdictInWords,
} from "./study/findings.js";
import { loadStyles } from "./study/styles.js";
import { sure } from "./sure.js";

/** @import { Told } from "./study/asked.js" */
/** @import { Found } from "./study/findings.js" */

loadStyles(new URL("./analysis.css", import.meta.url));

// A match that sent the visitor here says which one it is; which of its positions, study.js reads.
const cameFrom = new URLSearchParams(location.hash.slice(1));

const CALM = 250; // milliseconds that a position must stand before it is analysed
const SWITCH = "antipodes-analysis"; // whether it is on, kept in the browser

class Analysis extends HTMLElement {
  #asked = new Asked((told, trouble) => this.#hear(told, trouble));
  #found = /** @type {Found | null} */ (null);
  /** @type {HTMLElement | null} */
  #held = null; // the line that stays on the board, and its button
  #timer = 0;

  switch = element("input", { type: "checkbox", role: "switch" });
  heat = element("input", { type: "checkbox", checked: true });
  marks = element("input", { type: "checkbox", checked: true });
  status = element("p", { class: "progress-words", role: "status" });
  bar = element("progress", { max: 1, value: 0, "aria-label": t("progress"), hidden: true });
  verdict = element("p", { class: "verdict", hidden: true });
  chances = element("ul", { class: "chances", "aria-label": t("Chances to win") });
  rows = element("tbody");
  table = this.#buildTable();
  threats = element("ul");
  root = element("section", { class: "findings", "aria-label": t("Analysis") });

  /** The board for free play, which stands in the page. */
  get study() {
    return sure(this.querySelector("antipodes-study"));
  }

  connectedCallback() {
    this.#build();
    this.study.panel.append(this.root);
    this.study.addEventListener("change", () => this.#changed());
  }

  disconnectedCallback() {
    this.#asked.stop();
  }

  /** How long to search; its choices stand in the page as a template until scripts run. */
  effort = sure(sure(this.querySelector("template")).content.querySelector("select"));

  #build() {
    this.switch.checked = cameFrom.has("match") || localStorage.getItem(SWITCH) === "on";
    this.switch.addEventListener("change", () => this.#turn());
    this.effort.addEventListener("change", () => this.#start());
    for (const box of [this.heat, this.marks]) box.addEventListener("change", () => this.#draw());
    this.root.append(
      ...this.#wayBack(),
      element("div", { class: "controls" }, label(this.switch, t("Computer")), this.effort),
      this.status,
      this.bar,
      this.verdict,
      this.chances,
      this.table,
      element("div", { class: "threats", hidden: true }, element("h2", {}, t("Threats")), this.threats),
      element("div", { class: "controls" }, label(this.marks, t("Best moves")), label(this.heat, t("Heat map")))
    );
  }

  #wayBack() {
    const slug = cameFrom.get("match");
    return slug ? [element("a", { class: "button", href: `/m/${encodeURIComponent(slug)}/` }, t("Back to the game"))] : [];
  }

  #buildTable() {
    const heads = ["#", t("Line"), t("Chance"), t("Visits"), t("Try")].map((text) => element("th", { scope: "col" }, text));
    return element(
      "table",
      { hidden: true, "aria-label": t("Best moves") },
      element("thead", {}, element("tr", {}, ...heads)),
      this.rows
    );
  }

  // Asking.

  #turn() {
    localStorage.setItem(SWITCH, this.switch.checked ? "on" : "off");
    if (this.switch.checked) this.#start();
    else {
      this.#asked.stop();
      this.bar.hidden = true;
      setText(this.status, "");
    }
  }

  #changed() {
    history.replaceState(null, "", this.study.link);
    this.#asked.stop();
    this.#found = null;
    this.#held = null;
    setText(this.status, "");
    this.#draw();
    clearTimeout(this.#timer);
    if (this.switch.checked) this.#timer = setTimeout(() => this.#start(), CALM);
  }

  #start() {
    if (!this.switch.checked) return;
    const { game, options, moves } = this.study.line;
    this.bar.removeAttribute("value");
    this.bar.hidden = false;
    const effort = this.effort.value;
    this.#asked.ask("/analyses", { ...options, game, moves: moves.join(","), effort });
  }

  /**
   * @param {Told | null} told
   * @param {string} trouble
   */
  #hear(told, trouble) {
    setText(this.status, told ? progressInWords(told) : trouble);
    this.bar.hidden = !told || told.isOver;
    if (!told) return;
    if (told.found) {
      this.bar.value = told.found.share;
      this.#found = told.found;
    }
    this.#draw();
  }

  // What is shown.

  #draw() {
    const found = this.#found;
    this.table.hidden = !found?.moveInfos.length;
    this.chances.hidden = !found;
    if (!found) {
      showText(this.verdict, "");
      sure(this.threats.parentElement).hidden = true;
      return;
    }
    showText(this.verdict, verdictInWords(found));
    this.chances.replaceChildren(...chances(found));
    this.#drawRows(found);
    drawThreats(this.threats, found);
    if (!this.#held) this.#overlay();
  }

  /**
   * Draw the moves; not while the user reads one of them, since rows would change places.
   * @param {Found} found
   */
  #drawRows(found) {
    if (this.#asked.isOpen && (this.#held || this.rows.matches(":hover, :focus-within"))) return;
    this.rows.replaceChildren(
      ...moveRows(found, {
        toggle: (/** @type {HTMLElement} */ shown, /** @type {string[]} */ line) => this.#toggle(shown, line),
        peek: (/** @type {string[] | null} */ line) => this.#peek(line),
        play: (/** @type {string} */ move) => this.study.playText(move),
      })
    );
  }

  #overlay() {
    const { marks, heat, threats = [] } = sure(this.#found);
    const cells = Object.fromEntries(threats.flatMap(({ cell }) => (cell === null ? [] : [[cell, "!"]])));
    this.study.overlay = {
      marks: this.marks.checked ? { ...cells, ...marks } : {},
      heat: this.heat.checked ? heat : {},
    };
  }

  /** @param {string[] | null} line */
  #peek(line) {
    if (this.#held) return;
    this.study.showLine(line);
  }

  /**
   * @param {HTMLElement} shown
   * @param {string[] | null} line
   */
  #toggle(shown, line) {
    const wasHeld = this.#held === shown;
    this.#held?.setAttribute("aria-pressed", "false");
    this.#held = wasHeld ? null : shown;
    if (!wasHeld) shown.setAttribute("aria-pressed", "true");
    this.study.showLine(wasHeld ? null : line);
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
