// Buttons to step through a line of moves, with a sentence about the move on the board.

import { t } from "../i18n.js";
import { button, element, setText } from "../match/dom.js";

/** Buttons for the moves of a line; hidden while there is none. */
export class LineSteps {
  #shown = 0; // moves
  #words = /** @type {string[]} */ ([]);
  #next = button("›", () => this.#choose(this.#shown + 1), { "aria-label": t("Next move") });
  #back = button("‹", () => this.#choose(this.#shown - 1), { "aria-label": t("Previous move") });
  #status = element("p", { class: "line-words", role: "status" });

  /**
   * @param {string} title of the line
   * @param {(shown: number) => void} onChoose called with the number of moves to show
   * @param {HTMLElement[]} others buttons beside those for the moves
   */
  constructor(title, onChoose, others = []) {
    this.onChoose = onChoose;
    this.title = element("span", {}, title);
    this.root = element(
      "div",
      { class: "line-steps", role: "group", "aria-label": title },
      this.title,
      this.#back,
      this.#next,
      ...others,
      this.#status,
    );
    this.close();
  }

  /** The number of moves that are shown. */
  get shown() {
    return this.#shown;
  }

  /**
   * Offer a line.
   * @param {string[]} words a sentence about each move
   * @param {string} [title]
   */
  open(words, title) {
    this.#words = words;
    if (title) {
      this.title.textContent = title;
      this.root.setAttribute("aria-label", title);
    }
    this.show(0);
  }

  /** Offer no line. */
  close() {
    this.open([]);
  }

  /**
   * Tell which moves are on the board.
   * @param {number} shown
   */
  show(shown) {
    this.#shown = shown;
    const total = this.#words.length;
    this.root.hidden = !total;
    const values = { number: shown, total, words: this.#words[shown - 1] ?? "" };
    setText(this.#status, shown ? t("Move {number} of {total}: {words}", values) : "");
    this.#back.setAttribute("aria-disabled", String(shown === 0));
    this.#next.setAttribute("aria-disabled", String(shown === total));
  }

  /**
   * Go a number of moves forward or back in the line; return whether it has them.
   * @param {number} count
   */
  step(count) {
    return this.#choose(this.#shown + count);
  }

  /** @param {number} shown */
  #choose(shown) {
    if (shown < 0 || shown > this.#words.length) return false;
    this.show(shown);
    this.onChoose(shown);
    return true;
  }
}
