// A hint against the computer: what it would play itself.

import { t } from "../i18n.js";
import { Asked } from "../study/asked.js";
import { sure } from "../sure.js";
import { button, element, load, setText } from "./dom.js";
import { busyInWords } from "./words.js";

/** @import { MatchState } from "./state.js" */
/** @import { Told } from "../study/asked.js" */
/** @import { Candidate } from "../study/findings.js" */

export class HintPanel {
  /** What the hint draws on the board: cell -> text; empty while there is none. */
  marks = /** @type {Record<number, string>} */ ({});
  #asked = new Asked((told, trouble) => this.#hear(told, trouble));
  /** @type {boolean | null} */
  #isAllowed = null; // null until the site has told
  /** @type {number | null} */
  #ply = null; // of the position that the hint is for

  /**
   * @param {string} slug of the match
   * @param {() => void} changed called when there is something else to draw on the board
   */
  constructor(slug, changed) {
    this.slug = slug;
    this.changed = changed;
    this.button = button(t("Hint"), () => this.#ask());
    this.words = element("p", { class: "hint", role: "status" });
    this.link = element("a", { class: "button" }, t("Analyse this position"));
    const row = element("div", { class: "buttons" }, this.button, this.link);
    this.root = element("div", { class: "hints", hidden: true }, row, this.words);
  }

  /** @param {MatchState} state */
  draw(state) {
    const { view, isMyTurn, isOver } = state;
    if (this.#ply !== null && (view.moves.length !== this.#ply || !state.isPresent)) this.#forget();
    const mayBe = isMyTurn && !isOver && state.others.every((seat) => seat.computer);
    if (mayBe && this.#isAllowed === null) this.#learn(state);
    this.root.hidden = !mayBe || !this.#isAllowed || !state.isPresent;
    this.link.href = state.analysisAddress;
    this.state = state;
  }

  /** @param {MatchState} state */
  async #learn(state) {
    this.#isAllowed = false;
    this.#isAllowed = (await load(`/m/${this.slug}/hint`)).allowed;
    this.draw(state);
  }

  #ask() {
    this.#forget();
    this.#ply = sure(this.state).view.moves.length;
    setText(this.words, t("Looking …"));
    this.#asked.ask(`/m/${this.slug}/hint`, {});
  }

  #forget() {
    this.#asked.stop();
    this.#ply = null;
    this.marks = {};
    setText(this.words, "");
  }

  /**
   * @param {Told | null} told
   * @param {string} trouble
   */
  #hear(told, trouble) {
    if (!told) return setText(this.words, trouble);
    if (told.state === "warming") setText(this.words, t("The computer is warming up …"));
    else if (told.wait) setText(this.words, `${busyInWords(told.wait)}.`);
    else if (!told.isOver) setText(this.words, t("Looking …"));
    if (!told.isOver) return;
    const [best] = told.found?.moveInfos ?? [];
    if (!best) return setText(this.words, t("The computer has no hint."));
    setText(this.words, hintInWords({ ...best, move: sure(this.state).textOf(best.move) }));
    const marks = Object.entries(told.found?.marks ?? {}).filter(([, text]) => text.startsWith("1"));
    this.marks = Object.fromEntries(marks);
    this.changed();
  }
}

/** @param {Candidate} candidate */
function hintInWords({ move, proven }) {
  if (proven === "win") return t("The computer would play {move}, which wins.", { move });
  if (proven === "loss") return t("The computer would play {move}, though all is lost.", { move });
  return t("The computer would play {move}.", { move });
}
