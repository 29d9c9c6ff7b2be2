// Hints of a step, shown one by one.

import { t, tn } from "../i18n.js";
import { button, element } from "../match/dom.js";

/** The button for hints; each press shows one more. */
export class Hints {
  #shown = 0;
  /** @type {HTMLElement[]} */
  #items;

  /** @param {HTMLElement} list of hints, each in `details` */
  constructor(list) {
    this.#items = [...list.querySelectorAll("li")];
    for (const item of this.#items) {
      const text = item.querySelector("details > p");
      item.replaceChildren(...(text ? [text] : []));
      item.hidden = true;
    }
    list.setAttribute("aria-live", "polite");
    this.button = button(t("Hint"), () => this.#next());
    this.button.hidden = !this.#items.length;
    this.left = element("span", { class: "faint small" });
    this.#tell();
  }

  #next() {
    const item = this.#items[this.#shown];
    if (!item) return;
    this.#shown++;
    item.hidden = false;
    item.className = "shown";
    this.#tell();
  }

  #tell() {
    const left = this.#items.length - this.#shown;
    this.button.setAttribute("aria-disabled", String(left === 0));
    this.left.textContent =
      this.#shown && left ? tn("{count} more hint", "{count} more hints", left) : "";
  }
}
