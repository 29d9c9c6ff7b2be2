// Editor for conditional moves: a private tree of moves that the server plays automatically.

import { t, tn } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { defined } from "../defined.js";
import { button, detailOf, element, setText } from "./dom.js";
import { afterMoves, asJson, size, sizeError, withLine, without } from "./conditional_tree.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { ConditionalMoveOut, MatchOut } from "wire" */

/** The viewer's conditional moves. */
export class ConditionalMovesPanel {
  /** @type {ConditionalMoveOut[]} the tree with unsaved changes */
  #draft = [];
  #isChanged = false; // since the last save
  #tree = element("div", { class: "conditional-tree" });
  #status = element("p", { class: "hint", role: "status" });
  /** @type {MatchOut | null} */
  #view = null;
  #side = 0; // the seat whose coordinates are shown
  #textOf = (/** @type {string} */ text) => text;

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.saveButton = button(t("Save"), () => this.#save(), { class: "first" });
    this.undoButton = button(t("Undo changes"), () => this.#reset(defined(this.#view)));
    this.clearButton = button(t("Remove all"), () => this.#edit([]));
    this.help = element(
      "p",
      { class: "hint" },
      t(
        "If your opponent plays a move from this list, your answer is played at once. Only you can see the list. " +
          "To add moves, press “Try moves”, play their move and your answer, then press “Add to conditional moves”.",
      ),
    );
    const row = element(
      "div",
      { class: "buttons" },
      this.saveButton,
      this.undoButton,
      this.clearButton,
    );
    const root = element(
      "div",
      { class: "conditional-moves" },
      this.help,
      this.#tree,
      this.#status,
      row,
    );
    page.tabs.add("conditional", t("Conditional moves"), root);
    page.addEventListener("add-conditional", (event) => {
      this.#add(detailOf(event));
      page.tabs.open("conditional");
    });
  }

  /**
   * Return the viewer's seat whose moves are edited, preferring one that is not to move.
   * @param {MatchOut} view
   */
  #seatOf(view) {
    return view.own.find((seat) => seat !== view.toMove) ?? view.own[0];
  }

  /**
   * Return whether conditional moves can be added now.
   * @param {MatchState} state
   */
  static isAllowed(state) {
    return state.isSeated && !state.isOver && state.view.analysis && !state.isMyTurn;
  }

  /**
   * @param {MatchState} state
   */
  draw(state) {
    const { view, side } = state;
    this.page.tabs.setHidden("conditional", !state.isSeated || state.isOver || !view.analysis);
    const before = this.#view;
    this.#textOf = (/** @type {string} */ text) => state.textOf(text);
    if (before === view && side === this.#side) return;
    this.#side = side;
    if (before === view) return this.#draw();
    if (!before || !this.#isChanged) {
      this.#reset(view);
    } else {
      this.#view = view;
      const isForward = view.moves.length >= before.moves.length;
      this.#draft = isForward ? afterMoves(this.#draft, view.moves.slice(before.moves.length)) : [];
      this.#draw();
    }
    this.saveButton.disabled = !ConditionalMovesPanel.isAllowed(state);
  }

  /** @param {MatchOut} view */
  #reset(view) {
    this.#view = view;
    this.#draft = view.conditionalMoves[this.#seatOf(view)] ?? [];
    this.#isChanged = false;
    this.#draw();
  }

  /**
   * Add a line and save the tree.
   * @param {Omit<ConditionalMoveOut, "then">[]} line
   */
  async #add(line) {
    this.#edit(withLine(this.#draft, line));
    if (!sizeError(this.#draft)) await this.#save();
    this.page.say(this.#status.textContent ?? "");
  }

  /** @param {ConditionalMoveOut[]} tree */
  #edit(tree) {
    this.#draft = tree;
    this.#isChanged = true;
    this.#draw();
  }

  async #save() {
    const seat = this.#seatOf(defined(this.#view));
    const sent = this.#draft;
    const answer = await this.page.command({
      command: "conditional-moves",
      seat,
      moves: asJson(sent),
    });
    if (answer.type === "refused" || this.#draft !== sent) return;
    this.#isChanged = false;
    this.#draw();
  }

  #draw() {
    const error = sizeError(this.#draft);
    const isEmpty = !this.#draft.length;
    this.saveButton.hidden = this.undoButton.hidden = !this.#isChanged;
    this.saveButton.disabled = Boolean(error);
    this.clearButton.hidden = isEmpty;
    const saved = isEmpty
      ? t("No conditional moves.")
      : t("Saved. These moves are played automatically.");
    setText(
      this.#status,
      error || (this.#isChanged ? t("Not saved yet. Unsaved moves are not played.") : saved),
    );
    this.#status.classList.toggle("unsaved", this.#isChanged);
    this.#tree.replaceChildren(...(isEmpty ? [] : [this.#list(this.#draft)]));
    const count = size(this.#draft);
    this.page.tabs.setCount("conditional", count, tn("{count} move", "{count} moves", count));
  }

  /** @param {ConditionalMoveOut[]} steps */
  #list(steps) {
    return element("ul", {}, ...steps.map((step) => this.#item(step)));
  }

  /** @param {ConditionalMoveOut} step */
  #item(step) {
    const text = step.move === -1 ? t("anything else") : this.#textOf(step.text);
    const prefix = `${step.own ? t("I play") : t("If they play")} `;
    const chip = element("span", { class: `chip ${step.color}`, "aria-hidden": "true" });
    const item = element(
      "li",
      { class: step.own ? "own" : null },
      prefix,
      chip,
      element("b", {}, text),
    );
    const label = t("Remove {color} {move} and what follows", {
      color: colorText(step.color),
      move: text,
    });
    item.append(
      " ",
      button("✕", () => this.#remove(step), { "aria-label": label, title: label }),
    );
    if (step.then.length) item.append(this.#list(step.then));
    return item;
  }

  /** @param {ConditionalMoveOut} step */
  #remove(step) {
    this.#edit(without(this.#draft, step));
    // The focused button was removed with its move.
    this.#tree.querySelector("button")?.focus();
  }
}
