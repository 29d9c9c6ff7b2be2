// The viewer's goal, and whose turn it is or how the match ended.

import { t } from "../i18n.js";
import { piece, svg } from "../board/shapes.js";
import { element, setText } from "./dom.js";
import { goalText, headline, startText, swapText } from "./texts.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */

/** The viewer's goal in one line, with a piece of their colour. */
export class GoalLine {
  #text = element("span");
  #piece = element("span", { class: "seat-stone" });
  #color = "";

  /** @param {MatchPage} page */
  constructor(page) {
    page.place("page", "goal", element("p", { class: "goal" }, this.#piece, this.#text));
    page.board.answers.goal = () => goalText(page.state);
  }

  /** @param {MatchState} state */
  draw(state) {
    setText(this.#text, goalText(state));
    const color = state.isSeated ? (state.seat(state.mySeat)?.color ?? "") : "";
    if (color !== this.#color) this.#piece.replaceChildren(...(color ? [stone(color)] : []));
    this.#color = color;
  }
}

/**
 * Return a small picture of a piece.
 * @param {string} color
 */
export function stone(color) {
  const picture = svg("svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true", class: "stone" });
  picture.append(piece(color));
  return picture;
}

/** The status line: whose turn it is, or how the match ended. */
export class StatusPanel {
  constructor() {
    this.line = element("p", { class: "status-line" });
    this.caption = element("p", { class: "caption" });
    this.swap = element("p", { class: "caption" });
    this.next = element("p", { class: "next-step" });
    this.root = element("div", { class: "status" }, this.line, this.next, this.caption, this.swap);
  }

  /**
   * @param {MatchState} state
   * @param {boolean} isSending
   * @param {string} nextStep of the viewer's move, or empty
   */
  draw(state, isSending, nextStep) {
    const { view } = state;
    this.root.classList.toggle("over", state.isOver);
    this.root.classList.toggle("my-turn", state.isMyTurn);
    setText(this.swap, swapText(state));
    setText(this.next, nextStep && `${nextStep}.`);
    if (!state.isPresent) {
      setText(
        this.line,
        t("Position after {ply} of {count} moves", { ply: state.ply, count: view.moves.length }),
      );
      setText(
        this.caption,
        state.isOver ? "" : t("The game continues; » returns to the current position."),
      );
      return;
    }
    setText(this.line, isSending ? t("Sending your move …") : headline(state));
    // "You won" does not tell how.
    const details = headline(state) === view.result ? "" : (view.result ?? "");
    setText(this.caption, state.isOver ? details : startText(state) || view.caption);
  }
}
