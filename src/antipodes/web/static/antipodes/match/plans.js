// The panel of conditional moves: a private tree that is played by itself, once it was saved.

import { t } from "../i18n.js";
import { colorWord } from "../board/words.js";
import { sure } from "../sure.js";
import { button, element, setText } from "./dom.js";
import { afterMoves, asJson, size, tooLarge, withLine, without } from "./plan_tree.js";

/** @import { Host } from "./actions.js" */
/** @import { Step } from "./plan_tree.js" */
/** @import { MatchState, MatchView } from "./state.js" */

export class PlansPanel {
  /** @type {Step[]} what is edited here */
  #draft = [];
  #isChanged = false; // since it was saved
  #tree = element("div", { class: "plan-tree" });
  #state = element("p", { class: "hint", role: "status" });
  /** @type {MatchView | null} */
  #view = null;
  #side = 0; // the seat as which moves are shown
  #textOf = (/** @type {string} */ text) => text;

  /**
   * @param {Host} host
   * @param {(count: number) => void} changed called with the number of planned moves
   */
  constructor(host, changed) {
    this.host = host;
    this.changed = changed;
    this.save = button(t("Save the plan"), () => this.#save(), { class: "first" });
    this.drop = button(t("Undo changes"), () => this.#take(sure(this.#view)));
    this.clear = button(t("Remove all"), () => this.#edit([]));
    this.help = element(
      "p",
      { class: "hint" },
      t(
        "If they play what you expect, your answer is played at once. Only you see this. " +
          "To plan, press “Try moves out”, make their move and your answer, then “Keep as plan”."
      )
    );
    const row = element("div", { class: "buttons" }, this.save, this.drop, this.clear);
    this.root = element("div", { class: "plans" }, this.help, this.#tree, this.#state, row);
  }

  /**
   * The seat whose plan this is: the viewer's, while another one is to move.
   * @param {MatchView} view
   */
  #seatOf(view) {
    return view.own.find((seat) => seat !== view.toMove) ?? view.own[0];
  }

  /**
   * Whether a plan can be made now.
   * @param {MatchState} state
   */
  static isOpen(state) {
    return state.isSeated && !state.isOver && state.view.analysis && !state.isMyTurn;
  }

  /**
   * @param {MatchState} state
   */
  draw(state) {
    const { view, side } = state;
    const before = this.#view;
    this.#textOf = (/** @type {string} */ text) => state.textOf(text);
    if (before === view && side === this.#side) return;
    this.#side = side;
    if (before === view) return this.#draw();
    if (!before || !this.#isChanged) {
      this.#take(view);
    } else {
      this.#view = view;
      const isOn = view.moves.length >= before.moves.length;
      this.#draft = isOn ? afterMoves(this.#draft, view.moves.slice(before.moves.length)) : [];
      this.#draw();
    }
    this.save.disabled = !PlansPanel.isOpen(state);
  }

  /** @param {MatchView} view */
  #take(view) {
    this.#view = view;
    this.#draft = view.plans[this.#seatOf(view)] ?? [];
    this.#isChanged = false;
    this.#draw();
  }

  /**
   * Add a line that was tried, and save the plan, so that it is played.
   * @param {Omit<Step, "then">[]} line
   */
  async keep(line) {
    this.#edit(withLine(this.#draft, line));
    if (!tooLarge(this.#draft)) await this.#save();
    this.host.say(this.#state.textContent ?? "");
  }

  /** @param {Step[]} plan */
  #edit(plan) {
    this.#draft = plan;
    this.#isChanged = true;
    this.#draw();
  }

  async #save() {
    const seat = this.#seatOf(sure(this.#view));
    const sent = this.#draft;
    const answer = await this.host.command({ command: "plan", seat, plan: asJson(sent) });
    if (answer.type === "refused" || this.#draft !== sent) return;
    this.#isChanged = false;
    this.#draw();
  }

  #draw() {
    const fault = tooLarge(this.#draft);
    const isEmpty = !this.#draft.length;
    this.save.hidden = this.drop.hidden = !this.#isChanged;
    this.save.disabled = Boolean(fault);
    this.clear.hidden = isEmpty;
    const saved = isEmpty ? t("Nothing is planned.") : t("Saved: this is played by itself.");
    setText(this.#state, fault || (this.#isChanged ? t("Not saved yet: nothing of this is played.") : saved));
    this.#state.classList.toggle("unsaved", this.#isChanged);
    this.#tree.replaceChildren(...(isEmpty ? [] : [this.#list(this.#draft)]));
    this.changed(size(this.#draft));
  }

  /** @param {Step[]} steps */
  #list(steps) {
    return element("ul", {}, ...steps.map((step) => this.#item(step)));
  }

  /** @param {Step} step */
  #item(step) {
    const text = step.move === -1 ? t("anything else") : this.#textOf(step.text);
    const words = `${step.own ? t("I play") : t("If they play")} `;
    const chip = element("span", { class: `chip ${step.color}`, "aria-hidden": "true" });
    const item = element("li", { class: step.own ? "own" : null }, words, chip, element("b", {}, text));
    const label = t("Remove {color} {move} and what follows", { color: colorWord(step.color), move: text });
    item.append(" ", button("✕", () => this.#remove(step), { "aria-label": label, title: label }));
    if (step.then.length) item.append(this.#list(step.then));
    return item;
  }

  /** @param {Step} step */
  #remove(step) {
    this.#edit(without(this.#draft, step));
    // The button that had the focus is gone with its move.
    this.#tree.querySelector("button")?.focus();
  }
}
