// The page on which any position is analysed: a board for free play, and what the computer thinks.

import { t } from "./i18n.js";
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

loadStyles(new URL("./analysis.css", import.meta.url));

// A match that sent the visitor here says which one it is; which of its positions, study.js reads.
const cameFrom = new URLSearchParams(location.hash.slice(1));

const CALM = 250; // milliseconds that a position must stand before it is analysed
const SWITCH = "antipodes-analysis"; // whether it is on, kept in the browser

class Analysis extends HTMLElement {
  #asked = new Asked((told, trouble) => this.#hear(told, trouble));
  #found = null;
  #held = null; // the line that stays on the board, and its button
  #timer = 0;

  connectedCallback() {
    this.study = this.querySelector("antipodes-study");
    this.#build();
    this.study.panel.append(this.root);
    this.study.addEventListener("change", () => this.#changed());
  }

  disconnectedCallback() {
    this.#asked.stop();
  }

  #build() {
    this.switch = element("input", { type: "checkbox", role: "switch" });
    this.switch.checked = cameFrom.has("match") || localStorage.getItem(SWITCH) === "on";
    this.switch.addEventListener("change", () => this.#turn());
    this.effort = this.querySelector("template").content.querySelector("select");
    this.effort.addEventListener("change", () => this.#start());
    this.heat = element("input", { type: "checkbox", checked: true });
    this.marks = element("input", { type: "checkbox", checked: true });
    for (const box of [this.heat, this.marks]) box.addEventListener("change", () => this.#draw());
    this.status = element("p", { class: "progress-words", role: "status" });
    this.bar = element("progress", { max: 1, value: 0, "aria-label": t("progress"), hidden: true });
    this.verdict = element("p", { class: "verdict", hidden: true });
    this.chances = element("ul", { class: "chances", "aria-label": t("Chances to win") });
    this.rows = element("tbody");
    this.threats = element("ul");
    this.root = element(
      "section",
      { class: "findings", "aria-label": t("Analysis") },
      ...this.#wayBack(),
      element("div", { class: "controls" }, label(this.switch, t("Computer")), this.effort),
      this.status,
      this.bar,
      this.verdict,
      this.chances,
      this.#buildTable(),
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
    this.table = element(
      "table",
      { hidden: true, "aria-label": t("Best moves") },
      element("thead", {}, element("tr", {}, ...heads)),
      this.rows
    );
    return this.table;
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
      this.threats.parentElement.hidden = true;
      return;
    }
    showText(this.verdict, verdictInWords(found));
    this.chances.replaceChildren(...chances(found));
    this.#drawRows(found);
    drawThreats(this.threats, found);
    if (!this.#held) this.#overlay();
  }

  /** Draw the moves; not while somebody reads one of them, since rows would change places. */
  #drawRows(found) {
    if (this.#asked.isOpen && (this.#held || this.rows.matches(":hover, :focus-within"))) return;
    this.rows.replaceChildren(
      ...moveRows(found, {
        toggle: (shown, line) => this.#toggle(shown, line),
        peek: (line) => this.#peek(line),
        play: (move) => this.study.playText(move),
      })
    );
  }

  #overlay() {
    const { marks, heat, threats = [] } = this.#found;
    const cells = Object.fromEntries(threats.filter((one) => one.cell !== null).map((one) => [one.cell, "!"]));
    this.study.overlay = {
      marks: this.marks.checked ? { ...cells, ...marks } : {},
      heat: this.heat.checked ? heat : {},
    };
  }

  #peek(line) {
    if (this.#held) return;
    this.study.showLine(line);
  }

  #toggle(shown, line) {
    const wasHeld = this.#held === shown;
    this.#held?.setAttribute("aria-pressed", "false");
    this.#held = wasHeld ? null : shown;
    if (!wasHeld) shown.setAttribute("aria-pressed", "true");
    this.study.showLine(wasHeld ? null : line);
  }
}

function label(box, text) {
  return element("label", {}, box, ` ${text}`);
}

customElements.define("antipodes-analysis", Analysis);
