// The page of a lesson's step: the task on the board, hints, answers and their refutations.

import { t } from "../i18n.js";
import { messageOf, sendPatiently } from "../analysis/server.js";
import { preferences } from "../board/settings.js";
import { defined } from "../defined.js";
import { button, element, find, setText } from "../match/dom.js";
import { Demonstration } from "./demonstration.js";
import { Hints } from "./hints.js";
import { Picks, pointsAsMoves } from "./picks.js";
import { Stage } from "./stage.js";

/** @import { BoardElement } from "../board/element.js" */
/** @import { State } from "../board/state.js" */
/** @import { Refuter } from "../analysis/refuter.js" */
/** @import { LessonOut, RefutationSearchOut, StepVerdictOut, SuggestionOut } from "wire" */

/** The page. */
class LessonPage {
  /** @type {number[]} */
  #played = []; // moves of both sides so far
  #refuter = /** @type {Refuter | null} */ (null);
  #isSending = false;
  #isSolved = false;
  #picks = new Picks();

  /**
   * @param {HTMLElement} root
   * @param {LessonOut} lesson
   */
  constructor(root, lesson) {
    this.root = root;
    this.lesson = lesson;
    this.position = lesson.position;
    this.state = lesson.state;
    this.stage = new Stage(/** @type {BoardElement} */ (find("#lesson-board")));
    this.verdict = find("#verdict");
    this.next = find("#next");
    this.form = /** @type {HTMLFormElement} */ (find("#answer"));
    this.typed = /** @type {HTMLInputElement} */ (find("#typed"));
    this.hints = new Hints(find("#hints"));
    this.demonstration = new Demonstration(this.stage, lesson.demonstration, () =>
      this.#showTask(),
    );
    this.again = button(t("Try again"), () => this.#tryAgain(), { class: "key", hidden: true });
    this.check = button(t("Check"), () => this.#sendPicks(), {
      class: "first",
      hidden: !lesson.selects,
    });
    this.swap = button(t("Swap"), () => this.#send(String(this.position.swap)), { hidden: true });
    this.solution = button(t("Solution"), () => this.#askSolution());
    find("#tools").append(
      this.check,
      this.swap,
      this.again,
      this.hints.button,
      this.hints.left,
      this.solution,
    );
    this.where = element("p", { class: "small faint" }); // the computer thinks
    find("#hints").after(this.demonstration.root, this.where);
  }

  async open() {
    const { board, line } = this.lesson;
    await this.stage.open(board, () => ({ ...line, moves: [...line.moves, ...this.#played] }));
    this.stage.board.addEventListener("play", (event) =>
      this.#onPlay(/** @type {CustomEvent<number>} */ (event).detail),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.typed.value.trim();
      if (text) this.#send(text);
    });
    this.#showTask();
  }

  get #isOfPoints() {
    return this.lesson.selects === "points";
  }

  /** The moves that the board offers. */
  get #legal() {
    if (this.#isSolved) return [];
    return this.#isOfPoints ? pointsAsMoves(this.stage.data) : this.position.legal;
  }

  /**
   * Show the position of the task, where the learner goes on.
   * @param {Partial<State>} [more]
   */
  #showTask(more = {}) {
    this.again.hidden = true;
    this.swap.hidden = this.position.swap === null || this.#isSolved;
    const { selects, show } = this.lesson;
    const marked = selects ? { picked: this.#picks.cells, confirm: false, turn: "" } : {};
    this.stage.show(this.position, { legal: this.#legal, pointed: show, ...marked, ...more });
  }

  /** @param {number} move */
  #onPlay(move) {
    if (!this.lesson.selects) {
      this.#send(String(move));
      return;
    }
    const announcement = this.#picks.toggle(move, this.#legal, this.stage.data);
    this.#showTask({ announcement });
  }

  #sendPicks() {
    if (this.#picks.size) this.#send(this.#picks.answer(this.stage.data, this.#isOfPoints));
    else this.#tell("", t("Mark something on the board first."));
  }

  /**
   * Send an answer and show the judgement.
   * @param {string} answer
   */
  async #send(answer) {
    /** @type {Record<string, string>} */
    const more = this.#refutes ? { refutes: "1" } : {};
    let verdict = /** @type {StepVerdictOut | null} */ (await this.#post({ answer, ...more }));
    if (verdict?.search) verdict = await this.#refuted(answer, verdict, verdict.search);
    if (!verdict) return;
    this.typed.value = "";
    this.state = verdict.state;
    if (verdict.right) await this.#onRight(verdict);
    else if (verdict.right === null) this.#onUndecided();
    else await this.#onWrong(verdict);
  }

  /** Whether this page searches for refutations itself. */
  get #refutes() {
    const board = this.stage.data;
    return this.#refuter?.isWanted(board) ?? preferences.value("engine", board) === "device";
  }

  /**
   * Return a judgement with the refutation, for which this page or the server searches.
   * @param {string} answer
   * @param {StepVerdictOut} verdict
   * @param {RefutationSearchOut} search
   * @returns {Promise<StepVerdictOut | null>}
   */
  async #refuted(answer, verdict, search) {
    this.#tell("", t("Thinking …"));
    this.#isSending = true;
    try {
      this.#refuter ??= new (await import("../analysis/refuter.js")).Refuter();
      const { line } = this.lesson;
      const moves = [...line.moves, ...this.#played, ...verdict.moves.map(({ move }) => move)];
      const told = await this.#refuter.find({ ...line, moves }, search);
      setText(this.where, this.#refuter.notice);
      if (told) return { ...verdict, moves: told.shown, words: told.words };
    } finally {
      this.#isSending = false;
    }
    return this.#post({ answer });
  }

  /**
   * Post to the server; return null after an error, which is shown.
   * @param {Record<string, string>} fields
   */
  async #post(fields) {
    if (this.#isSending) return null;
    this.#isSending = true;
    this.demonstration.reset();
    try {
      const address = defined(this.root.dataset.answer);
      return await sendPatiently("POST", address, { state: this.state, ...fields }, (text) =>
        this.#tell("", text),
      );
    } catch (error) {
      this.#tell("wrong", messageOf(error));
      this.#showTask();
      return null;
    } finally {
      this.#isSending = false;
    }
  }

  /** @param {StepVerdictOut} verdict */
  async #onRight({ solved, message, moves, words, position, links }) {
    const start = this.position.pieces;
    this.#played.push(...moves.map(({ move }) => move));
    this.position = position;
    this.#isSolved = solved;
    const reply = words.length > 1 ? words[1] : "";
    const head = solved ? t("Right!") : t("Right. Go on.");
    this.#tell("right", [head, reply, message].filter(Boolean).join(" "));
    if (solved) this.#finish(links);
    const isUndisturbed = await this.stage.play(start, moves);
    if (isUndisturbed) this.#showTask(solved ? { announcement: "" } : {});
  }

  /**
   * Lead on to the next step, or on with the position.
   * @param {StepVerdictOut["links"]} links
   */
  #finish({ analysis, practice }) {
    for (const one of [this.check, this.swap, this.again, this.hints.button, this.solution])
      one.hidden = true;
    this.form.hidden = true;
    this.next.classList.add("first");
    this.next.setAttribute("aria-describedby", "verdict");
    find("#steps [aria-current]").classList.add("solved");
    const others = [
      [analysis, t("Analyse this position")],
      [practice, t("Play it out against the computer")],
    ];
    const added = others.flatMap(([href, text]) =>
      href ? [element("a", { class: "button", href }, text ?? "")] : [],
    );
    this.next.after(...added);
    this.verdict.after(defined(this.next.parentElement)); // in sight of the board
    this.next.focus({ preventScroll: true });
    this.next.scrollIntoView({ block: "nearest" });
  }

  /** @param {StepVerdictOut} verdict */
  async #onWrong({ message, moves, words }) {
    const sentences = words.slice(1).join(" ");
    const line = sentences ? `${t("The game would go on:")} ${sentences}` : "";
    const head = this.lesson.selects ? "" : t("Not right.");
    this.#tell("wrong", [head, message, line].filter(Boolean).join(" "));
    if (!moves.length) {
      this.#showTask({ announcement: "" });
      return;
    }
    const hadFocus = this.stage.hasFocus;
    this.again.hidden = false;
    if (hadFocus) this.again.focus({ preventScroll: true });
    await this.stage.play(this.position.pieces, moves);
  }

  #onUndecided() {
    this.#tell(
      "",
      t("The computer cannot tell quickly whether this is right. Try another answer."),
    );
    this.#showTask();
  }

  #tryAgain() {
    const hadFocus = document.activeElement === this.again;
    this.#tell("", "");
    this.#showTask({ announcement: "" });
    if (hadFocus) this.stage.board.focusCell(this.position.last ?? 0);
  }

  async #askSolution() {
    const suggestion = /** @type {SuggestionOut | null} */ (await this.#post({ ask: "solution" }));
    if (!suggestion) return;
    const { answer, words, cells } = suggestion;
    if (!answer) {
      this.#tell("", t("The computer knows no answer here."));
      return;
    }
    this.#tell("", words || t("The computer would answer {answer}.", { answer }));
    const marks = Object.fromEntries(
      cells.map((cell, i) => [cell, this.lesson.selects ? "1" : String(i + 1)]),
    );
    this.#showTask({ marks, announcement: "" });
  }

  /**
   * Tell the learner something, also to screen readers.
   * @param {"" | "right" | "wrong"} kind
   * @param {string} text
   */
  #tell(kind, text) {
    this.verdict.replaceChildren(...(text ? [element("p", { class: kind || null }, text)] : []));
  }
}

const data = JSON.parse(find("#lesson-data").textContent ?? "");
new LessonPage(find("#lesson"), data).open().catch((error) => {
  find("#verdict").replaceChildren(element("p", { class: "wrong" }, messageOf(error)));
});
