// Buttons for the views of a board: each one shows or hides a view beside the others.

import { t } from "../i18n.js";
import { chosen } from "./settings.js";
import { kindsFor } from "./views.js";

export class ViewBar {
  #buttons = new Map(); // name of a view -> its button
  #board = null;

  constructor() {
    this.root = document.createElement("div");
    this.root.className = "board-views";
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", t("Views of the board"));
    this.root.hidden = true;
  }

  /** Show which views a board has and which of them are seen. */
  show(board, present) {
    if (board !== this.#board) this.#build(board);
    const seen = present.split("+");
    for (const [name, button] of this.#buttons) {
      button.setAttribute("aria-pressed", String(seen.includes(name)));
    }
  }

  #build(board) {
    this.#board = board;
    this.#buttons.clear();
    for (const { name, title } of kindsFor(board)) {
      if (name.includes("+")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = title;
      button.addEventListener("click", () => this.#toggle(name));
      this.#buttons.set(name, button);
    }
    this.root.replaceChildren(...this.#buttons.values());
    this.root.hidden = this.#buttons.size < 2;
  }

  /** Show or hide one view; where two do not go together, show it alone. */
  #toggle(name) {
    const isOn = (one) => this.#buttons.get(one).getAttribute("aria-pressed") === "true";
    const wanted = [...this.#buttons.keys()].filter((one) => isOn(one) !== (one === name));
    const together = wanted.join("+");
    const names = kindsFor(this.#board).map((kind) => kind.name);
    chosen.choose("view", names.includes(together) ? together : name);
  }
}
