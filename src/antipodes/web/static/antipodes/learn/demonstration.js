// A demonstration: a line of moves to step through with next and back.

import { t } from "../i18n.js";
import { button, element, setText } from "../match/dom.js";

/** @import { Stage } from "./stage.js" */
/** @import { DemonstrationOut } from "wire" */

/** Buttons to step through a line; at its beginning the task is on the board again. */
export class Demonstration {
  #shown = 0; // moves

  /**
   * @param {Stage} stage
   * @param {DemonstrationOut} line
   * @param {() => void} onEnd called when the task's position is to be shown again
   */
  constructor(stage, line, onEnd) {
    this.stage = stage;
    this.line = line;
    this.onEnd = onEnd;
    this.status = element("span", { role: "status" });
    this.back = button("‹", () => this.#go(this.#shown - 1), {
      "aria-label": t("Previous move of the example"),
    });
    this.next = button("›", () => this.#go(this.#shown + 1), {
      "aria-label": t("Next move of the example"),
    });
    this.close = button(t("Back to the task"), () => this.#go(0), { hidden: true });
    this.root = element("div", {
      class: "demonstration",
      role: "group",
      "aria-label": t("Example"),
    });
    this.root.append(
      element("span", {}, t("Example")),
      this.back,
      this.next,
      this.status,
      this.close,
    );
    this.root.hidden = !line.moves.length;
    this.#draw();
  }

  /** Forget the shown moves: something else is on the board. */
  reset() {
    this.#shown = 0;
    this.#draw();
  }

  /** @param {number} shown */
  #go(shown) {
    const { moves, start } = this.line;
    if (shown < 0 || shown > moves.length) return;
    this.#shown = shown;
    this.#draw();
    if (shown === 0) this.onEnd();
    else this.stage.playTo(start, moves.slice(0, shown));
  }

  #draw() {
    const { moves } = this.line;
    const text = moves
      .slice(0, this.#shown)
      .map((move) => move.text)
      .join(" ");
    setText(
      this.status,
      this.#shown
        ? t("Move {number} of {total}: {moves}", {
            number: this.#shown,
            total: moves.length,
            moves: text,
          })
        : "",
    );
    this.back.setAttribute("aria-disabled", String(this.#shown === 0));
    this.next.setAttribute("aria-disabled", String(this.#shown === moves.length));
    if (this.#shown === 0 && this.close === document.activeElement) this.next.focus();
    this.close.hidden = this.#shown === 0;
  }
}
