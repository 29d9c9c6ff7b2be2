// Playing: the board, the move that is being made, and the premove.

import { t } from "../i18n.js";
import { premoves } from "../board/premoves.js";
import { enableMoveInput, showPreviews } from "../board/requests.js";
import { preferences } from "../board/settings.js";
import { numbersOf } from "../board/state.js";
import { defined } from "../defined.js";
import { detailOf } from "./dom.js";
import { Premove } from "./premove.js";
import { StatusPanel } from "./status.js";
import { headline } from "./texts.js";

/** @import { MatchPage } from "./page.js" */
/** @import { Change } from "./parts.js" */
/** @import { MatchState } from "./state.js" */
/** @import { ThinkingMessage } from "wire" */

/** The board of a match, on which the viewer plays. */
export class Play {
  #isSending = false; // whether a move is sent and not answered yet
  #status = new StatusPanel();
  #premove = new Premove(() => this.#cancelPremove());
  /** @type {number | null} */
  #next = null; // a premove to send now

  messages = {
    thinking: (/** @type {ThinkingMessage} */ message) => this.#showThinking(message),
  };

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.place("now", "status", this.#status.root);
    page.place("now", "premove", this.#premove.root);
    const { board, state } = page;
    board.addEventListener("play", (event) => this.#choose(detailOf(event)));
    board.addEventListener("cancelpremove", () => this.#cancelPremove());
    board.addEventListener("compose", () => this.#drawStatus());
    board.setAttribute("options", "");
    showPreviews(board, () => (this.#isPremoving ? null : state.line));
    enableMoveInput(
      board,
      () => state.line,
      () => state.side,
    );
    page.listen(document, "keydown", (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)));
  }

  /** Whether the board offers moves to set while the opponent thinks. */
  get #isPremoving() {
    const { state } = this.page;
    const isOn = preferences.value("premove", defined(state.board)) === "on";
    return isOn && state.isPresent && !this.#isSending && Premove.isAllowed(state);
  }

  /**
   * Play the move that was chosen on the board, or set it during the opponent's turn.
   * @param {number} move
   */
  #choose(move) {
    const { board, state } = this.page;
    if (!this.#isPremoving) return void this.#play(move);
    const { color } = defined(state.seat(state.mySeat));
    const name = board.textOf(move);
    if (!name) return board.rejectText(t("This move cannot be set in advance."));
    const text = this.#premove.set({ move, color, text: name });
    this.page.draw();
    this.page.say(text);
  }

  #cancelPremove() {
    const text = this.#premove.cancel();
    this.page.draw();
    this.page.say(text);
  }

  /** @param {number} move */
  async #play(move) {
    const { page } = this;
    const { length } = page.state.view.moves;
    this.#isSending = true;
    page.draw();
    const answer = await page.command({ command: "play", move });
    // The answer can arrive before the updated match.
    this.#isSending = answer.type === "done" && page.state.view.moves.length === length;
    page.draw();
  }

  /** @param {Change} change */
  take(change) {
    this.#isSending = false;
    const { move, text } = this.#premove.take(this.page.state, change.changes);
    change.texts.push(text);
    change.isAnswered = move !== null;
    this.#next = move;
  }

  tell() {
    const move = this.#next;
    this.#next = null;
    if (move !== null) this.#play(move);
  }

  /**
   * Show that the computer is thinking or busy, and announce a wait once.
   * @param {ThinkingMessage} message
   */
  #showThinking({ wait }) {
    const { page } = this;
    const isNew = wait && !page.state.wait;
    page.state.wait = wait;
    page.draw();
    if (isNew) page.say(headline(page.state));
  }

  #drawStatus() {
    const { nextStep, steps } = this.page.board;
    const step = this.#isPremoving
      ? steps.length && t("Premove: {step}", { step: nextStep })
      : nextStep;
    this.#status.draw(this.page.state, this.#isSending, step || "");
  }

  /** @param {MatchState} state */
  draw(state) {
    const { view, ply, isPresent, variation } = state;
    const mayMove = isPresent && !this.#isSending && !view.clock.paused;
    const isPremove = this.#isPremoving;
    const board = defined(state.board);
    const turn = state.seat(isPremove ? view.own[0] : view.toMove)?.color;
    this.page.board.show({
      board,
      pieces: state.pieces,
      legal: isPremove ? premoves(board, state.pieces, defined(turn)) : mayMove ? view.legal : [],
      isPremove,
      premove: isPremove ? this.#premove.move : null,
      move: ply && !variation.length ? view.moves[ply - 1] : null,
      chain: isPresent ? view.chain : [],
      numbers: numbersOf(variation),
      plies: state.numbers,
      marks: this.page.marks,
      seat: view.own[0] ?? 0,
      turn,
      own: state.seat(state.mySeat)?.color,
      isSlow: view.clock.pace === "correspondence" && !state.isAgainstComputer,
      announcement: "", // the page announces moves, with names
    });
    this.#drawStatus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key !== "Escape" || event.defaultPrevented || this.#premove.move === null) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    if (target instanceof Element && target.closest("dialog")) return;
    this.#cancelPremove();
  }
}
