// A separate board to try moves during a game; it cannot send moves to the game.

import { t } from "../i18n.js";
import { defined } from "../defined.js";
import { button, detailOf, element, setText } from "./dom.js";
import { iconButton } from "./icons.js";
import { upToOwn } from "./conditional_tree.js";
import { ConditionalMovesPanel } from "./conditional_moves.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { AnalysisBoardElement } from "../analysis_board.js" */
/** @import { Node } from "../analysis/tree.js" */

/** The separate board and its buttons. */
export class TryOut {
  /** @type {AnalysisBoardElement | null} */
  #analysis = null;
  /**
   * Nodes of the tree after each move of the game; the last one is the current position.
   * @type {Node[]}
   */
  #gameLine = [];
  #hint = element("p", { class: "hint", role: "status" });

  /** @param {MatchPage} page its board is replaced while moves are tried */
  constructor(page) {
    this.page = page;
    this.tryButton = iconButton("branch", t("Try moves"), () => this.open(page.state));
    page.place("tools", "try", this.tryButton);
    page.addEventListener("go", () => this.isOpen && this.close());
    page.addEventListener("step", (event) => {
      if (!this.isOpen) return;
      event.preventDefault();
      this.#analysis?.step(detailOf(event));
    });
    this.news = element("p", { class: "tryout-news" });
    this.addButton = button(t("Add to conditional moves"), () => this.#addConditional());
    this.resetButton = button(t("Go to current position"), () => this.#goToCurrent());
    this.banner = element(
      "div",
      { class: "tryout", role: "region", "aria-label": t("Trying moves"), hidden: true },
      element("p", {}, element("strong", {}, t("You are trying moves. They are not played."))),
      this.news,
      element(
        "div",
        { class: "buttons" },
        button(t("Back to game"), () => this.close(), { class: "first" }),
        this.resetButton,
        this.addButton,
      ),
      this.#hint,
    );
    page.table.prepend(this.banner);
  }

  get isOpen() {
    return !this.banner.hidden;
  }

  /**
   * Open the separate board at the shown position.
   * @param {MatchState} state
   */
  async open(state) {
    this.state = state;
    this.banner.hidden = false;
    this.#toggle(true);
    if (this.#analysis) this.#analysis.hidden = false;
    const analysis = this.#analysis ?? (await this.#start(state));
    this.#addGameMoves();
    analysis.go(this.#gameLine[state.ply]);
    this.draw(state);
    this.banner.querySelector("button")?.focus();
  }

  async #start(/** @type {MatchState} */ state) {
    // Loaded on demand, since most visits do not need it.
    await import("../analysis_board.js");
    const { view } = state;
    const analysis = element("antipodes-analysis-board", { seat: view.own[0] ?? 0 });
    this.#analysis = analysis;
    analysis.addEventListener("change", () => this.#drawButtons());
    this.page.table.append(analysis);
    await analysis.start(state.lineAt(view.moves.length));
    return analysis;
  }

  /** Return to the game; the tried moves are kept for the next time. */
  close() {
    this.banner.hidden = true;
    if (this.#analysis) this.#analysis.hidden = true;
    this.#toggle(false);
    this.tryButton.focus();
  }

  /** @param {boolean} isOpen */
  #toggle(isOpen) {
    const { page } = this;
    page.board.hidden = isOpen;
    page.table.classList.toggle("trying", isOpen);
    page.classList.toggle("is-trying", isOpen);
    page.draw();
  }

  /** Add the moves of the game to the tree. */
  #addGameMoves() {
    const tree = defined(this.#analysis?.tree);
    /** @type {Node} */
    let node = tree.root;
    this.#gameLine = [node];
    for (const move of defined(this.state).view.moves) {
      node = tree.add(node, move);
      this.#gameLine.push(node);
    }
    tree.promote(node);
  }

  #goToCurrent() {
    this.#analysis?.go(this.#gameLine[this.#gameLine.length - 1]);
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    this.tryButton.hidden = this.isOpen || !(state.view.analysis || state.isOver);
    if (!this.isOpen || !this.#analysis?.tree) return;
    const before = this.#gameLine.length - 1;
    this.#addGameMoves();
    const { moves } = state.view;
    const last = moves.at(-1);
    if (last && moves.length > before) {
      const text = state.textOf(last.text);
      setText(
        this.news,
        t("{player} has just played {move}.", { player: state.nameOf(last.seat), move: text }),
      );
    }
    if (state.isPresent && state.isMyTurn) setText(this.#hint, t("It is your turn in the game."));
    this.#drawButtons();
  }

  /** Return the moves tried after the current position, or null if another line is shown. */
  #triedMoves() {
    const analysis = defined(this.#analysis);
    const tree = defined(analysis.tree);
    const node = defined(analysis.node);
    const { own } = defined(this.state).view;
    const path = tree.path(node);
    const count = this.#gameLine.length - 1;
    if ([tree.root, ...path][count] !== this.#gameLine[count]) return null;
    return path.slice(count).map((one) => ({
      move: one.move,
      text: one.text,
      color: one.color,
      own: own.includes(one.parent.view?.seat ?? -1),
    }));
  }

  #drawButtons() {
    if (!this.#gameLine.length) return;
    const tried = this.#triedMoves();
    const isAllowed = ConditionalMovesPanel.isAllowed(defined(this.state));
    this.resetButton.hidden = tried !== null && tried.length === 0;
    this.addButton.hidden = !isAllowed;
    this.addButton.disabled = !tried || !upToOwn(tried).length;
    if (!isAllowed) return;
    const hint = t("Play their move and your answer to add both as conditional moves.");
    setText(this.#hint, this.addButton.disabled ? hint : "");
  }

  #addConditional() {
    const detail = upToOwn(this.#triedMoves() ?? []);
    this.page.dispatchEvent(new CustomEvent("add-conditional", { detail }));
    setText(this.#hint, t("Added under “Conditional moves”."));
  }
}
