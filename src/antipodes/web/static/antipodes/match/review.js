// The computer's review of a match that is over; its module is loaded when it is needed.

import { EvaluationBar } from "../analysis/evaluation_bar.js";
import { fetchPosition, practiceUrl } from "../analysis/server.js";
import { LineSteps } from "../board/line_steps.js";
import { colorText } from "../board/texts.js";
import { defined } from "../defined.js";
import { t } from "../i18n.js";
import { detailOf, element } from "./dom.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { ShownMove, TurningPointOut } from "wire" */

/** The tab with the review, the chances beside the board, and better lines on it. */
export class Review {
  #review = element("antipodes-review");
  #bar = new EvaluationBar();
  #steps = new LineSteps(t("Better"), (shown) => this.#showMoves(shown));
  /** @type {ShownMove[]} */
  #line = []; // better than a move that was played
  #hasOpened = false;

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.board.beside = this.#bar.root;
    page.tabs.add("review", t("Review"), this.#review);
    page.tabs.setHidden("review", true);
    this.#review.addEventListener("go", (event) => page.go(detailOf(event)));
    this.#review.addEventListener("better", (event) => this.#showBetter(detailOf(event)));
    this.#review.addEventListener("share", () => page.tabs.open("share"));
    this.#review.addEventListener("exists", (event) => this.#offer(detailOf(event)));
    page.addEventListener("go", () => this.#close());
    page.addEventListener("step", (event) => {
      const count = detailOf(event);
      if (!this.#line.length) return;
      if (this.#steps.step(count) || count > 0) event.preventDefault(); // the line has an end
    });
  }

  /**
   * Offer the tab if there is a review, and open it once instead of the moves.
   * @param {boolean} exists
   */
  #offer(exists) {
    const { page } = this;
    page.hasReview = exists;
    page.tabs.setHidden("review", !exists);
    if (!exists) this.#bar.hide();
    if (exists && !this.#hasOpened && page.tabs.current === "moves") page.tabs.open("review");
    this.#hasOpened ||= exists;
    page.draw();
  }

  /**
   * Show the position before a turning point with the better line.
   * @param {TurningPointOut} turn
   */
  async #showBetter({ ply, line }) {
    const { page } = this;
    page.go(ply - 1);
    const before = page.state.lineAt(ply - 1);
    const moves = [...before.moves, ...line];
    const position = await fetchPosition({ ...before, moves, since: ply - 1 }).catch(() => null);
    if (!position || page.state.ply !== ply - 1) return;
    this.#line = position.moves;
    const words = this.#line.map(
      ({ color, text }) => `${colorText(color)} ${page.state.textOf(text)}`,
    );
    this.#steps.open(words);
    this.#review.placeSteps(ply, this.#steps.root);
    this.#showMoves(0);
    page.table.scrollIntoView({ block: "nearest" }); // on a phone it is far above the list
  }

  /**
   * Show the first moves of the better line, and the next ones as signs.
   * @param {number} shown
   */
  #showMoves(shown) {
    const { page } = this;
    const { state } = page;
    const played = state.view.moves[state.ply];
    state.variation = this.#line.slice(0, shown);
    const cells = this.#line.flatMap(({ last }, index) =>
      index < shown || last === null ? [] : [/** @type {const} */ ([last, String(index + 1)])],
    );
    const cell = shown ? null : (played?.last ?? null);
    const mistake = cell === null ? {} : { [cell]: "?" };
    page.marks = { ...Object.fromEntries(cells.reverse()), ...mistake };
    page.draw();
  }

  #close() {
    if (!this.#line.length) return;
    this.#line = [];
    this.#steps.close();
    this.page.marks = {};
  }

  /** @param {MatchState} state */
  async draw(state) {
    this.page.toggleAttribute("over", state.isOver);
    if (!state.isOver) return;
    if (this.#bar.root.hidden && this.page.hasReview !== false) this.#bar.show({});
    await import("../review.js");
    const { board, ply, view } = state;
    this.#review.show({
      slug: this.page.slug,
      board: defined(board),
      line: state.lineAt(view.moves.length),
      texts: view.moves.map(({ text }) => text),
      moves: view.moves.map((move) => ({ ...move, text: state.textOf(move.text) })),
      ply,
      bar: this.#bar,
      practiceUrlAt: (at) => practiceUrl(state.lineAt(at)),
      textOf: (text) => state.textOf(text),
      side: state.side,
      own: state.seat(state.mySeat)?.color,
      names: Object.fromEntries(view.seats.map(({ color, name }) => [color, name])),
    });
  }
}
