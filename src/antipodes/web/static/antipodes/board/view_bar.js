// Which view of a board is shown: one of several, or some of them side by side.

import { t } from "../i18n.js";
import { sure } from "../sure.js";
import { chosen } from "./settings.js";
import { isTogether, kindsFor } from "./views.js";

/** @import { BoardData } from "./state.js" */

const TOGETHER = "together"; // value of the choice that shows several views
let bars = 0; // radio buttons of different boards have names of their own

export class ViewBar {
  /** @type {Map<string, HTMLInputElement>} */
  #radios = new Map(); // name of a view, or TOGETHER -> its radio button
  #board = /** @type {BoardData | null} */ (null);
  #name = `board-view-${++bars}`;

  constructor() {
    this.root = document.createElement("fieldset");
    this.root.className = "board-views";
    this.root.hidden = true;
  }

  /**
   * Show which views a board has and which one is seen.
   * @param {BoardData} board
   * @param {string} present name of the view
   */
  show(board, present) {
    if (board !== this.#board) this.#build(board);
    const radio = this.#radios.get(isTogether(present) ? TOGETHER : present);
    if (radio) radio.checked = true;
  }

  /** @param {BoardData} board */
  #build(board) {
    this.#board = board;
    this.#radios.clear();
    const kinds = kindsFor(board);
    const legend = document.createElement("legend");
    legend.textContent = t("Views of the board");
    const single = kinds.filter(({ name }) => !isTogether(name));
    const labels = single.map(({ name, title }) => this.#choice(name, title));
    if (single.length < kinds.length) labels.push(this.#choice(TOGETHER, t("Side by side")));
    this.root.replaceChildren(legend, ...labels);
    this.root.hidden = this.#radios.size < 2;
  }

  /**
   * @param {string} value
   * @param {string} title
   */
  #choice(value, title) {
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: this.#name, value });
    radio.addEventListener("change", () => chosen.choose("view", this.#nameOf(value), sure(this.#board)));
    this.#radios.set(value, radio);
    const label = document.createElement("label");
    const text = document.createElement("span");
    text.textContent = title;
    label.append(radio, text);
    return label;
  }

  /**
   * The view that a choice stands for; several are shown as they were side by side last.
   * @param {string} value
   */
  #nameOf(value) {
    return value === TOGETHER ? chosen.value("together", sure(this.#board)) : value;
  }
}
