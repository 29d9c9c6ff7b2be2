// Hints in games against the computer: the move that it would play itself.

import { t } from "../i18n.js";
import { EngineJob } from "../analysis/engine_job.js";
import { fetchAdvice } from "../analysis/server.js";
import { defined } from "../defined.js";
import { element, load, setText } from "./dom.js";
import { iconButton, iconLink } from "./icons.js";
import { busyText } from "./texts.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { AnalysisOut, CandidateOut } from "wire" */

/** The hint button and its answer. */
export class HintPanel {
  #job = new EngineJob((status, error) => this.#update(status, error));
  /** @type {boolean | null} */
  #isAllowed = null; // null until the server has answered
  #seconds = 0; // of thinking
  /** @type {number | null} */
  #ply = null; // of the hint's position

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.button = iconButton("bulb", t("Hint"), () => this.#request(), { hidden: true });
    this.link = iconLink("lens", t("Analyse"), { hidden: true });
    this.text = element("p", { class: "hint", role: "status" });
    this.root = element("div", { class: "hints" }, this.text);
    page.place("tools", "hint", this.button);
    page.place("tools", "analyse", this.link);
    page.place("now", "hint", this.root);
  }

  /** @param {MatchState} state */
  draw(state) {
    const { view, isMyTurn, isOver } = state;
    if (this.#ply !== null && (view.moves.length !== this.#ply || !state.isPresent)) this.#clear();
    const isPossible = isMyTurn && !isOver && state.others.every((seat) => seat.computer);
    if (isPossible && this.#isAllowed === null) this.#checkAllowed(state);
    const isHidden = !isPossible || !this.#isAllowed || !state.isPresent;
    for (const one of [this.button, this.root]) one.hidden = isHidden;
    this.link.hidden = isHidden && !isOver;
    this.link.href = state.analysisUrl;
    this.state = state;
  }

  /** @param {MatchState} state */
  async #checkAllowed(state) {
    this.#isAllowed = false;
    const { allowed, seconds } = await load(`/m/${this.page.slug}/hint`);
    [this.#isAllowed, this.#seconds] = [allowed, seconds];
    this.draw(state);
  }

  #request() {
    this.#clear();
    this.#ply = defined(this.state).view.moves.length;
    setText(this.text, t("Thinking …"));
    const { board, line } = defined(this.state);
    const task = { board: defined(board), line, seconds: this.#seconds };
    this.#job.start(`/m/${this.page.slug}/hint`, {}, task);
  }

  #clear() {
    this.#job.stop();
    this.#ply = null;
    this.page.marks = {};
    setText(this.text, "");
  }

  /**
   * @param {AnalysisOut | null} status
   * @param {string} error
   */
  #update(status, error) {
    if (!status) return setText(this.text, error);
    if (status.wait) setText(this.text, `${busyText(status.wait)}.`);
    else if (!status.isOver) setText(this.text, t("Thinking …"));
    if (!status.isOver) return;
    const [best] = status.found?.moveInfos ?? [];
    if (!best) return setText(this.text, t("No hint found."));
    this.#tell(best);
    const marks = Object.entries(status.found?.marks ?? {}).filter(([, text]) =>
      text.startsWith("1"),
    );
    this.page.marks = Object.fromEntries(marks);
    this.page.draw();
  }

  /**
   * Say what the best move does.
   * @param {CandidateOut} best
   */
  async #tell({ move, proven }) {
    const { line } = defined(this.state);
    const ply = this.#ply;
    const { words } = await fetchAdvice({ ...line, text: move });
    if (ply !== this.#ply) return;
    setText(this.text, `${defined(this.state).textOf(words)} ${provenText(proven)}`.trim());
  }
}

/** @param {CandidateOut["proven"]} proven */
function provenText(proven) {
  if (proven === "win") return t("The computer has proven that you win.");
  return proven === "loss" ? t("But the position is lost.") : "";
}
