// A demonstration: a line of moves to step through with next and back.

import { LineSteps } from "../board/line_steps.js";
import { t } from "../i18n.js";
import { button } from "../match/dom.js";

/** @import { Stage } from "./stage.js" */
/** @import { DemonstrationOut } from "wire" */

/** Buttons to step through a line; at its beginning the task is on the board again. */
export class Demonstration {
  #close = button(t("Back to the task"), () => this.#leave(), { hidden: true });
  #steps = new LineSteps(t("Example"), (shown) => this.#show(shown), [this.#close]);

  /**
   * @param {Stage} stage
   * @param {DemonstrationOut} line
   * @param {() => void} onEnd called when the task's position is to be shown again
   */
  constructor(stage, line, onEnd) {
    this.stage = stage;
    this.line = line;
    this.onEnd = onEnd;
    this.root = this.#steps.root;
    this.#steps.open(line.words);
  }

  /** Forget the shown moves: something else is on the board. */
  reset() {
    this.#steps.show(0);
    this.#close.hidden = true;
  }

  #leave() {
    this.reset();
    this.root.querySelector("button")?.focus();
    this.onEnd();
  }

  /** @param {number} shown */
  #show(shown) {
    const { moves, start } = this.line;
    this.#close.hidden = shown === 0;
    if (shown === 0) this.onEnd();
    else this.stage.playTo(start, moves.slice(0, shown));
  }
}
