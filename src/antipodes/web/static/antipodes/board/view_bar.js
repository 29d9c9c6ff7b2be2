// Radio buttons that choose the view of a board: one of several, or some of them side by side.

import { t } from "../i18n.js";
import { defined } from "../defined.js";
import { preferences } from "./settings.js";
import { isSideBySide, viewTypesFor } from "./views.js";

/** @import { BoardOut } from "wire" */

const SIDE_BY_SIDE = "side-by-side"; // value of the choice that shows several views
let bars = 0; // gives the radio buttons of each board their own name

/** Radio buttons for the views of a board. */
export class ViewBar {
  /** @type {Map<string, HTMLInputElement>} */
  #radios = new Map(); // name of a view, or SIDE_BY_SIDE -> its radio button
  #board = /** @type {BoardOut | null} */ (null);
  #name = `board-view-${++bars}`;

  constructor() {
    this.root = document.createElement("fieldset");
    this.root.className = "board-views";
    this.root.hidden = true;
  }

  /**
   * Show the views of a board, with the current one checked.
   * @param {BoardOut} board
   * @param {string} current name of the view
   */
  show(board, current) {
    if (board !== this.#board) this.#build(board);
    const radio = this.#radios.get(isSideBySide(current) ? SIDE_BY_SIDE : current);
    if (radio) radio.checked = true;
  }

  /** @param {BoardOut} board */
  #build(board) {
    this.#board = board;
    this.#radios.clear();
    const views = viewTypesFor(board);
    const legend = document.createElement("legend");
    legend.textContent = t("Board view");
    const single = views.filter(({ name }) => !isSideBySide(name));
    const labels = single.map(({ name, title }) => this.#choice(name, title));
    if (single.length < views.length) labels.push(this.#choice(SIDE_BY_SIDE, t("Side by side")));
    this.root.replaceChildren(legend, ...labels);
    this.root.hidden = this.#radios.size < 2;
  }

  /**
   * @param {string} value
   * @param {string} title
   */
  #choice(value, title) {
    const radio = Object.assign(document.createElement("input"), {
      type: "radio",
      name: this.#name,
      value,
    });
    radio.addEventListener("change", () =>
      preferences.choose("view", this.#nameOf(value), defined(this.#board)),
    );
    this.#radios.set(value, radio);
    const label = document.createElement("label");
    const text = document.createElement("span");
    text.className = "segment";
    text.textContent = title;
    label.append(radio, text);
    if (value === SIDE_BY_SIDE) label.className = "side-by-side";
    return label;
  }

  /**
   * Return the name of the view for a choice; side by side, it is the combination shown last.
   * @param {string} value
   */
  #nameOf(value) {
    return value === SIDE_BY_SIDE ? preferences.value("side-by-side", defined(this.#board)) : value;
  }
}
