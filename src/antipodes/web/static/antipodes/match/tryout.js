// Trying moves out beside the game, on a board of its own: nothing here can send a real move.

import { t } from "../i18n.js";
import { sure } from "../sure.js";
import { button, element, setText } from "./dom.js";
import { upToOwn } from "./plan_tree.js";
import { PlansPanel } from "./plans.js";

/** @import { Step } from "./plan_tree.js" */
/** @import { MatchState } from "./state.js" */
/** @import { StudyElement } from "../study.js" */
/** @import { Node } from "../study/tree.js" */

export class TryOut {
  /** @type {StudyElement | null} */
  #study = null;
  /**
   * Nodes of the study after each real move; the last one is the present.
   * @type {Node[]}
   */
  #line = [];
  #hint = element("p", { class: "hint", role: "status" });

  /**
   * @param {HTMLElement} table where the game's board is; the study's board takes its place
   * @param {HTMLElement} board
   * @param {{keep: (line: Omit<Step, "then">[]) => void, changed: (isOpen: boolean) => void}} host
   */
  constructor(table, board, host) {
    this.table = table;
    this.board = board;
    this.host = host;
    this.news = element("p", { class: "tryout-news" });
    this.plan = button(t("Keep as plan"), () => this.#keep());
    this.again = button(t("Start from the present"), () => this.#goToPresent());
    this.banner = element(
      "div",
      { class: "tryout", role: "region", "aria-label": t("Trying moves out"), hidden: true },
      element("p", {}, element("strong", {}, t("You are trying moves out: nothing is played."))),
      this.news,
      element(
        "div",
        { class: "buttons" },
        button(t("Back to the game"), () => this.close(), { class: "first" }),
        this.again,
        this.plan
      ),
      this.#hint
    );
    table.prepend(this.banner);
  }

  get isOpen() {
    return !this.banner.hidden;
  }

  /**
   * Begin to try moves out at the position that is shown.
   * @param {MatchState} state
   */
  async open(state) {
    this.state = state;
    this.banner.hidden = false;
    this.board.hidden = true;
    this.table.classList.add("trying");
    this.host.changed(true);
    if (this.#study) this.#study.hidden = false;
    const study = this.#study ?? (await this.#begin(state));
    this.#follow();
    study.go(this.#line[state.ply]);
    this.draw(state);
    this.banner.querySelector("button")?.focus();
  }

  async #begin(/** @type {MatchState} */ state) {
    // Most games go without it, and so does the first picture of the page.
    await import("../study.js");
    const { view } = state;
    const study = element("antipodes-study", { seat: view.own[0] ?? 0 });
    this.#study = study;
    study.addEventListener("change", () => this.#drawPlan());
    this.table.append(study);
    const moves = view.moves.map((move) => move.move);
    await study.start({ game: view.game, options: view.options, moves });
    return study;
  }

  /** Back to the game; what was tried stays for the next time. */
  close() {
    this.banner.hidden = true;
    this.board.hidden = false;
    if (this.#study) this.#study.hidden = true;
    this.table.classList.remove("trying");
    this.host.changed(false);
  }

  /**
   * Go so many moves on or back among those that were tried.
   * @param {number} count
   */
  step(count) {
    this.#study?.step(count);
  }

  /** Put the real moves into the tree of what was tried. */
  #follow() {
    const tree = sure(this.#study?.tree);
    /** @type {Node} */
    let node = tree.root;
    this.#line = [node];
    for (const move of sure(this.state).view.moves) {
      node = tree.add(node, move);
      this.#line.push(node);
    }
    tree.promote(node);
  }

  #goToPresent() {
    this.#study?.go(this.#line[this.#line.length - 1]);
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    if (!this.isOpen || !this.#study?.tree) return;
    const known = this.#line.length - 1;
    this.#follow();
    const { moves } = state.view;
    const last = moves.at(-1);
    if (last && moves.length > known) {
      const text = state.textOf(last.text);
      setText(this.news, t("Meanwhile {player} played {move}.", { player: state.nameOf(last.seat), move: text }));
    }
    if (state.isPresent && state.isMyTurn) setText(this.#hint, t("It is your turn in the game."));
    this.#drawPlan();
  }

  /** The moves tried after the present ones, with whose they are; null where they differ. */
  #tried() {
    const study = sure(this.#study);
    const tree = sure(study.tree);
    const node = sure(study.node);
    const { own } = sure(this.state).view;
    const path = tree.path(node);
    const present = this.#line.length - 1;
    if ([tree.root, ...path][present] !== this.#line[present]) return null;
    return path.slice(present).map((one) => ({
      move: one.move,
      text: one.text,
      color: one.color,
      own: own.includes(one.parent.view?.seat ?? -1),
    }));
  }

  #drawPlan() {
    if (!this.#line.length) return;
    const tried = this.#tried();
    const isOpen = PlansPanel.isOpen(sure(this.state));
    this.again.hidden = tried !== null && tried.length === 0;
    this.plan.hidden = !isOpen;
    this.plan.disabled = !tried || !upToOwn(tried).length;
    if (!isOpen) return;
    const hint = t("Make their move and then your answer to keep both as a plan.");
    setText(this.#hint, this.plan.disabled ? hint : "");
  }

  #keep() {
    this.host.keep(upToOwn(this.#tried() ?? []));
    setText(this.#hint, t("Kept under “Plan”. It is not played before you save it there."));
  }
}
