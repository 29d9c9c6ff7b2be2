// A puzzle: the solver plays on the board, the server judges each move and replies.
//
//   <antipodes-puzzle address="/puzzles/…/">
//     <antipodes-board></antipodes-board> <div class="puzzle-talk"></div>
//   </antipodes-puzzle>
//
// Fires `puzzle-over` with the puzzle and the moves when a try ends. With the attribute `framed` it is shown on another site:
// nothing is recorded, and there are neither hints nor solutions. Without a network the page has the
// answers to the moves of the solution, and judges other first moves, which are all wrong. With a
// network the server judges, and the engine in the page searches for refutations of first moves.

import "./board.js";
import { fetchBoard, fetchJson, messageOf, send } from "./analysis/server.js";
import { LineSteps } from "./board/line_steps.js";
import { preferences } from "./board/settings.js";
import { numbersOf, piecesAfter } from "./board/state.js";
import { enableMoveInput, showPreviews } from "./board/requests.js";
import { sideOf, textFrom } from "./board/sides.js";
import { defined } from "./defined.js";
import { t } from "./i18n.js";
import { button, element, setText } from "./match/dom.js";

/** @import { Refuter } from "./analysis/refuter.js" */
/** @import { BoardElement } from "./board/element.js" */
/** @import { Pieces, State } from "./board/state.js" */
/** @import { Line } from "./analysis/server.js" */
/** @import { BoardOut, BoardPositionOut, JudgedMoveOut, ShownMove } from "wire" */
/** @import { KeptPuzzleOut, PuzzleHintOut, PuzzleLineOut, PuzzleStartOut, ToldMovesOut } from "wire" */

const PAUSE = 650; // milliseconds between a right move and the reply
const LINE_PAUSE = 1_200; // milliseconds between two moves of a line, to read what they do
const POLL = 250; // milliseconds before the first repeated request for a judgement; later ones are rarer
const LONGEST_POLL = 2_000;
const PATIENCE = 14; // requests

class Puzzle extends HTMLElement {
  /** What the device keeps of it, without a network. */
  kept = /** @type {KeptPuzzleOut | null} */ (null);
  /** @type {PuzzleStartOut | null} */
  #start = null;
  /** @type {BoardOut | null} */
  #data = null;
  #moves = /** @type {string[]} */ ([]); // right moves and replies so far
  /** @type {BoardPositionOut | null} */
  #view = null; // the position after them
  #hinted = /** @type {number[]} */ ([]); // cells of a hint
  #tried = ""; // the last move, as text for the solver
  #isOver = false;
  #refuter = /** @type {Refuter | null} */ (null);
  #turn = 0; // counts what the solver does, to stop what was begun before
  #status = /** @type {HTMLElement} */ (this.querySelector(".puzzle-status"));
  #error = element("p", { class: "note", role: "alert" });
  #where = element("p", { class: "small faint" }); // the computer thinks
  #retry = button(t("Try again"), () => this.#goBack(), { class: "first", hidden: true });
  #restart = button(t("Start again"), () => this.#begin(), { hidden: true });
  #hint = button(t("Hint"), () => this.#askHint());
  #solution = button(t("Show solution"), () => this.#askSolution());
  #shownLine = { pieces: /** @type {Pieces} */ ({}), moves: /** @type {ShownMove[]} */ ([]) };
  #steps = new LineSteps("", (shown) => this.#stepTo(shown));

  connectedCallback() {
    if (this.kept) this.#draft();
    defined(this.querySelector(".puzzle-talk")).replaceChildren(
      this.#status,
      this.#error,
      this.#steps.root,
      this.#buildButtons(),
      this.#where,
    );
    this.#board.addEventListener("play", (event) =>
      this.#play(/** @type {CustomEvent<number>} */ (event).detail),
    );
    if (!this.kept) showPreviews(this.#board, () => this.#line);
    if (!this.#isFramed && !this.kept)
      enableMoveInput(
        this.#board,
        () => this.#line,
        () => this.#side,
      );
    this.#load().catch((error) => this.#fail(error));
  }

  /** Make the contents that the page of a puzzle has. */
  #draft() {
    this.#status = element("p", { class: "puzzle-status", role: "status" });
    const board = document.createElement("antipodes-board");
    board.setAttribute("options", "");
    this.replaceChildren(
      element("div", { class: "puzzle-board" }, board),
      element("div", { class: "puzzle-side" }, element("div", { class: "puzzle-talk" })),
    );
  }

  #buildButtons() {
    const row = element("div", { class: "buttons" }, this.#retry, this.#restart);
    if (!this.#isFramed) row.append(this.#hint, this.#solution);
    return row;
  }

  get #board() {
    return /** @type {BoardElement} */ (this.querySelector("antipodes-board"));
  }

  get #address() {
    return this.getAttribute("address") ?? "";
  }

  get #isFramed() {
    return this.hasAttribute("framed");
  }

  /** The shown position as the server's queries name it. */
  get #line() {
    if (!this.#start) return null;
    const { game, options, setup } = this.#start;
    return /** @type {Line} */ ({ game, options, setup, moves: this.#moves });
  }

  /** The seat whose coordinates are used. */
  get #side() {
    return this.#data && this.#start ? sideOf(this.#data, this.#start.solver) : 0;
  }

  async #load() {
    const start = this.kept?.start ?? (await fetchJson(`${this.#address}position.json`));
    this.#start = /** @type {PuzzleStartOut} */ (start);
    this.#data = await fetchBoard(this.#start.board);
    this.#begin();
  }

  /** Show the position to solve. */
  #begin() {
    this.#turn++;
    this.#moves = [];
    this.#view = defined(this.#start).position;
    this.#isOver = false;
    this.#goBack();
  }

  /** Return to the position after the right moves so far. */
  #goBack() {
    this.#turn++;
    this.#refuter?.stop();
    const hadFocus = this.#retry === document.activeElement;
    this.#hinted = [];
    this.#retry.hidden = true;
    this.#steps.close();
    this.#draw(defined(this.#view));
    this.#say(t("Your move."));
    this.#drawButtons();
    const { last } = defined(this.#view);
    if (hadFocus) this.#board.focusCell(last ?? 0);
  }

  #drawButtons() {
    this.#restart.hidden = !this.#isOver && this.#moves.length === 0;
    this.#hint.hidden = this.#isOver || this.kept !== null;
    this.#solution.hidden = this.#isOver;
  }

  /**
   * Show a position; without `legal` no move can be made.
   * @param {Partial<BoardPositionOut> & {pieces: Pieces, move?: State["move"]}} view
   * @param {Partial<State>} [more]
   */
  #draw({ pieces, legal = [], toMove, chain = [], last = null, move = null }, more = {}) {
    this.#board.show({
      board: defined(this.#data),
      pieces,
      legal: this.#isOver ? [] : legal,
      turn: toMove,
      chain,
      last: move?.last ?? last,
      move,
      seat: defined(this.#start).solver,
      ...more,
    });
  }

  /** @param {number} move */
  async #play(move) {
    const view = defined(this.#view);
    const turn = ++this.#turn;
    this.#tried = this.#board.textOf(move);
    this.#hint.hidden = this.#solution.hidden = true;
    this.#draw({ pieces: view.pieces, toMove: view.toMove });
    this.#say("");
    try {
      const answer = await this.#judged(move, turn);
      if (answer && turn === this.#turn) await this.#answer(answer, move, turn);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#goBack();
      this.#fail(error);
    }
  }

  /**
   * Return the judgement of a move; wait for the server's search if it needs one.
   * @param {number} move
   * @param {number} turn
   */
  async #judged(move, turn) {
    const isWaiting = (/** @type {JudgedMoveOut} */ { verdict }) => verdict === "waiting";
    const first = await this.#ask(move);
    if (isWaiting(first)) this.#say(t("Thinking …"));
    const found = await this.#searched(first, () => this.#ask(move), isWaiting, turn);
    if (isWaiting(found) && turn === this.#turn)
      throw new Error(t("The computer is busy. Try again soon."));
    return found;
  }

  /**
   * Repeat a request until the server has searched.
   * @param {JudgedMoveOut} first the answer to the first request
   * @param {() => Promise<JudgedMoveOut>} ask
   * @param {(answer: JudgedMoveOut) => boolean} isOpen whether a search goes on
   * @param {number} turn
   */
  async #searched(first, ask, isOpen, turn) {
    let found = first;
    for (let asked = 0; asked < PATIENCE && isOpen(found) && turn === this.#turn; asked++) {
      await pause(pollAfter(asked));
      if (turn === this.#turn) found = await ask();
    }
    return found;
  }

  /**
   * @param {number} move
   * @returns {Promise<JudgedMoveOut>}
   */
  async #ask(move) {
    if (this.kept) return this.#keptAnswer(this.kept, move);
    /** @type {Record<string, string>} */
    const more = this.#refutes ? { refutes: "1" } : {};
    if (this.#isFramed) return this.#judgement(move, more);
    return send("POST", `${this.#address}answer`, { moves: this.#moves.join(","), move, ...more });
  }

  /**
   * Return what the device knows about a move: exactly one first move is right.
   * @param {KeptPuzzleOut} kept
   * @param {number} move
   * @returns {JudgedMoveOut}
   */
  #keptAnswer({ answers }, move) {
    const moves = this.#moves;
    const known = answers[`${moves.length},${move}`];
    if (known) return known;
    const values = { move: this.#tried };
    return {
      verdict: moves.length ? "undecided" : "wrong",
      message: moves.length
        ? t("{move} cannot be judged without a network. Try another move.", values)
        : t("{move} is wrong.", values),
      isFinal: true,
      moves,
      shown: [{ move, text: "", color: "", last: null, changed: {}, flips: [] }],
      words: [""],
      position: null,
    };
  }

  /**
   * Return what is known about a move; nothing is recorded.
   * @param {number} move
   * @param {Record<string, string>} [more] fields
   * @returns {Promise<JudgedMoveOut>}
   */
  #judgement(move, more = {}) {
    const query = new URLSearchParams({ moves: [...this.#moves, move].join(","), ...more });
    return fetchJson(`${this.#address}judgement?${query}`);
  }

  /** Whether this page searches for refutations itself. */
  get #refutes() {
    const board = defined(this.#data);
    return this.#refuter?.isWanted(board) ?? preferences.value("engine", board) === "device";
  }

  /**
   * @param {JudgedMoveOut} answer
   * @param {number} move
   * @param {number} turn
   */
  async #answer(answer, move, turn) {
    const [own, reply] = answer.shown;
    const values = { move: this.#textOf(own) };
    switch (answer.verdict) {
      case "undecided":
        this.#goBack();
        return this.#say(
          answer.message ??
            t(
              "{move}: the computer could not decide whether this is right. Try another move.",
              values,
            ),
        );
      case "wrong":
        return this.#showWrong(answer, move, turn);
      case "solved":
        this.#keep(answer);
        this.#isOver = true;
        this.#draw(defined(answer.position));
        this.#say(answer.message ?? t("{move} is right. Solved!", values));
        this.#end(this.#moves);
        return this.#drawButtons();
      default: {
        const before = defined(this.#view);
        this.#say(t("{move} is right.", values));
        this.#draw({ pieces: piecesAfter(before.pieces, [own]), move: own });
        this.#keep(answer);
        await pause(PAUSE);
        if (turn !== this.#turn) return;
        this.#goBack();
        this.#say(
          t("{move} is right. The reply is {reply}. Your move.", {
            ...values,
            reply: this.#textOf(reply),
          }),
        );
      }
    }
  }

  /** Keep the moves of a right answer. */
  #keep(/** @type {JudgedMoveOut} */ { moves, position }) {
    this.#moves = moves;
    this.#view = position;
  }

  /**
   * Show a wrong move, and play its refutation.
   * @param {JudgedMoveOut} answer
   * @param {number} move
   * @param {number} turn
   */
  async #showWrong(answer, move, turn) {
    const { pieces } = defined(this.#view);
    const wrong = answer.message ?? t("{move} is wrong.", { move: this.#textOf(answer.shown[0]) });
    this.#end([...this.#moves, move]);
    this.#drawButtons();
    this.#hint.hidden = true;
    this.#retry.hidden = false;
    this.#draw({ pieces: piecesAfter(pieces, answer.shown.slice(0, 1)), move: answer.shown[0] });
    this.#say(wrong);
    if (this.#board.contains(document.activeElement)) this.#retry.focus();
    const line = await this.#refutation(answer, move, turn);
    if (turn !== this.#turn || line.shown.length < 2) return;
    const moves = this.#listed(line.shown.slice(1));
    this.#say(`${wrong} ${t("The refutation: {moves}", { moves })}`);
    this.#offer(pieces, line, t("The refutation"));
    await this.#playLine(turn, 2);
  }

  /**
   * Return a wrong move with its refutation, for which this page or the server searches.
   * @param {JudgedMoveOut} answer
   * @param {number} move
   * @param {number} turn
   * @returns {Promise<ToldMovesOut>}
   */
  async #refutation(answer, move, turn) {
    const { search } = answer;
    if (search && this.#refutes) {
      this.#refuter ??= new (await import("./analysis/refuter.js")).Refuter();
      const line = { ...defined(this.#line), moves: [move] };
      const told = await this.#refuter.find(line, search);
      setText(this.#where, this.#refuter.notice);
      if (told || turn !== this.#turn) return told ?? answer;
    }
    return this.#searched(
      answer,
      () => this.#judgement(move),
      ({ isFinal }) => !isFinal,
      turn,
    );
  }

  /**
   * Let the solver step through a line of moves.
   * @param {Pieces} pieces before them
   * @param {Pick<PuzzleLineOut, "shown" | "words">} line
   * @param {string} title
   */
  #offer(pieces, { shown, words }, title) {
    this.#shownLine = { pieces, moves: shown };
    const side = this.#side;
    this.#steps.open(
      words.map((text) => textFrom(defined(this.#data), side, text)),
      title,
    );
  }

  /**
   * Play the offered line, until the solver steps through it or does something else.
   * @param {number} turn
   * @param {number} first number of moves to begin with
   */
  async #playLine(turn, first = 1) {
    for (let shown = first; shown <= this.#shownLine.moves.length; shown++) {
      if (turn !== this.#turn) return;
      this.#steps.show(shown);
      this.#drawLine(shown);
      await pause(LINE_PAUSE);
    }
  }

  /** @param {number} shown moves, as the solver has chosen */
  #stepTo(shown) {
    this.#turn++;
    this.#drawLine(shown);
  }

  /** @param {number} shown moves of the offered line, which are numbered */
  #drawLine(shown) {
    const { pieces, moves } = this.#shownLine;
    const made = moves.slice(0, shown);
    const move = made.at(-1) ?? null;
    this.#draw({ pieces: piecesAfter(pieces, made), move }, { numbers: numbersOf(made) });
  }

  async #askHint() {
    if (this.#hinted.length) return this.#showHint();
    try {
      const turn = this.#turn;
      const moves = this.#moves.join(",");
      /** @type {PuzzleHintOut} */
      const { themes, cells } = await send("POST", `${this.#address}hint`, { moves });
      if (turn !== this.#turn) return;
      this.#hinted = cells;
      if (!themes.length) return this.#showHint();
      this.#say(
        t("Theme: {themes}. Press again for a closer hint.", { themes: themes.join(", ") }),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Mark a few cells, of which one begins the right move. */
  #showHint() {
    if (!this.#hinted.length) return this.#say(t("There is no hint here."));
    const marks = Object.fromEntries(this.#hinted.map((cell) => [cell, "?"]));
    this.#draw(defined(this.#view), { marks });
    const names = this.#hinted.map((cell) => this.#nameOf(cell)).join(", ");
    this.#say(t("The right move begins at one of these: {names}", { names }));
  }

  async #askSolution() {
    const turn = ++this.#turn;
    try {
      /** @type {PuzzleLineOut} */
      const solution = this.kept?.solution ?? (await send("POST", `${this.#address}solution`));
      if (turn !== this.#turn) return;
      const { pieces } = defined(this.#start).position;
      this.#moves = [];
      this.#isOver = true;
      this.#retry.hidden = true;
      this.#drawButtons();
      this.#view = solution.position;
      this.#say(t("Solution: {moves}", { moves: this.#listed(solution.shown) }));
      this.#end([]);
      this.#restart.focus();
      this.#offer(pieces, solution, t("Solution"));
      await this.#playLine(turn);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Tell the page that the try is over.
   * @param {(string | number)[]} moves of both sides; none if the solution was shown
   */
  #end(moves) {
    const detail = { puzzle: defined(this.#start).id, moves };
    this.dispatchEvent(new CustomEvent("puzzle-over", { bubbles: true, detail }));
  }

  /** @param {ShownMove} move */
  #textOf({ text }) {
    return textFrom(defined(this.#data), this.#side, text);
  }

  /** @param {ShownMove[]} moves */
  #listed(moves) {
    return moves.map((move) => this.#textOf(move)).join(" ");
  }

  /** @param {number} cell */
  #nameOf(cell) {
    const { names, seen } = defined(this.#data);
    return seen?.[this.#side]?.[cell] ?? names[cell].join("/");
  }

  /** @param {string} text */
  #say(text) {
    this.#error.textContent = "";
    setText(this.#status, text);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#error.textContent = messageOf(error);
  }
}

/**
 * Return the milliseconds until a request is repeated.
 * @param {number} asked how often it was sent before
 */
function pollAfter(asked) {
  return Math.min(LONGEST_POLL, POLL * 2 ** asked);
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

customElements.define("antipodes-puzzle", Puzzle);

/**
 * Make the element of a puzzle that the device keeps.
 * @param {KeptPuzzleOut} kept
 */
export function makePuzzle(kept) {
  const puzzle = new Puzzle();
  puzzle.kept = kept;
  return puzzle;
}
