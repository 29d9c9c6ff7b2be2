// Trying moves out beside the game, on a board of its own: nothing here can send a real move.

import { t } from "../i18n.js";
import { button, element, setText } from "./dom.js";
import { upToOwn } from "./plan_tree.js";
import { PlansPanel } from "./plans.js";

export class TryOut {
  #study = null;
  /** Nodes of the study after each real move; the last one is the present. */
  #line = [];
  #hint = element("p", { class: "hint", role: "status" });

  /**
   * @param {HTMLElement} table where the game's board is; the study's board takes its place
   * @param {HTMLElement} board
   * @param {{keep: (line: object[]) => void, changed: (isOpen: boolean) => void}} host
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
   * @param {import("./state.js").MatchState} state
   */
  async open(state) {
    this.state = state;
    this.banner.hidden = false;
    this.board.hidden = true;
    this.table.classList.add("trying");
    this.host.changed(true);
    if (!this.#study) await this.#begin();
    else this.#study.hidden = false;
    this.#follow();
    this.#study.go(this.#line[state.ply]);
    this.draw(state);
    this.banner.querySelector("button").focus();
  }

  async #begin() {
    // Most games go without it, and so does the first picture of the page.
    await import("../study.js");
    const { view } = this.state;
    this.#study = element("antipodes-study", { seat: view.own[0] ?? 0 });
    this.#study.addEventListener("change", () => this.#drawPlan());
    this.table.append(this.#study);
    const moves = view.moves.map((move) => move.move);
    await this.#study.start({ game: view.game, options: view.options, moves });
  }

  /** Back to the game; what was tried stays for the next time. */
  close() {
    this.banner.hidden = true;
    this.board.hidden = false;
    this.#study.hidden = true;
    this.table.classList.remove("trying");
    this.host.changed(false);
  }

  /** Go so many moves on or back among those that were tried. */
  step(count) {
    this.#study.step(count);
  }

  /** Put the real moves into the tree of what was tried. */
  #follow() {
    const { tree } = this.#study;
    let node = tree.root;
    this.#line = [node];
    for (const move of this.state.view.moves) {
      node = tree.add(node, move);
      this.#line.push(node);
    }
    tree.promote(node);
  }

  #goToPresent() {
    this.#study.go(this.#line.at(-1));
  }

  /** @param {import("./state.js").MatchState} state */
  draw(state) {
    this.state = state;
    if (!this.isOpen || !this.#study?.tree) return;
    const known = this.#line.length - 1;
    this.#follow();
    const { moves } = state.view;
    if (moves.length > known) {
      const text = this.state.textOf(moves.at(-1).text);
      setText(this.news, t("Meanwhile {player} played {move}.", { player: state.nameOf(moves.at(-1).seat), move: text }));
    }
    if (state.isPresent && state.isMyTurn) setText(this.#hint, t("It is your turn in the game."));
    this.#drawPlan();
  }

  /** The moves tried after the present ones, with whose they are; null where they differ. */
  #tried() {
    const { node, tree } = this.#study;
    const path = [tree.root, ...tree.path(node)];
    const present = this.#line.length - 1;
    if (path[present] !== this.#line[present]) return null;
    return path.slice(present + 1).map((one) => ({
      move: one.move,
      text: one.text,
      color: one.color,
      own: this.state.view.own.includes(one.parent.view?.seat),
    }));
  }

  #drawPlan() {
    if (!this.#line.length) return;
    const tried = this.#tried();
    const isOpen = PlansPanel.isOpen(this.state);
    this.again.hidden = tried !== null && tried.length === 0;
    this.plan.hidden = !isOpen;
    this.plan.disabled = !tried || !upToOwn(tried).length;
    if (!isOpen) return;
    const hint = t("Make their move and then your answer to keep both as a plan.");
    setText(this.#hint, this.plan.disabled ? hint : "");
  }

  #keep() {
    this.host.keep(upToOwn(this.#tried()));
    setText(this.#hint, t("Kept under “Plan”. It is not played before you save it there."));
  }
}
