// The premove: one move that is set while the opponent thinks, and sent when their move arrives.

import { t } from "../i18n.js";
import { movesTree, stepsOf } from "../board/compose.js";
import { defined } from "../defined.js";
import { button, element, setText } from "./dom.js";

/** @import { Changes, MatchState } from "./state.js" */

/** @typedef {{move: number, text: string, color: string}} SetMove */
/** @typedef {{move: number | null, text: string}} Taken a move to send now, and a text about it. */

/** The premove with its notice. It is never sent to the server before the player's turn. */
export class Premove {
  /** @type {SetMove | null} */
  #set = null;
  #text = element("p");
  #cancel;

  /** @param {() => void} onCancel */
  constructor(onCancel) {
    this.#cancel = button(t("Cancel"), onCancel);
    this.root = element("div", { class: "notice premove", hidden: true }, this.#text, this.#cancel);
  }

  /**
   * Return whether a move can be set now: in live games, for a player with one seat, during the
   * opponents' turns.
   * @param {MatchState} state
   */
  static isAllowed({ view, isOver, isMyTurn }) {
    return (
      view.clock.pace === "live" &&
      !view.clock.paused &&
      view.own.length === 1 &&
      !isOver &&
      !isMyTurn
    );
  }

  /** The move that is set, or null. */
  get move() {
    return this.#set?.move ?? null;
  }

  /**
   * Set a move, instead of the one before.
   * @param {SetMove} one
   */
  set(one) {
    this.#set = one;
    this.#show(
      t("Premove {move}: it is played as soon as your opponent has moved.", { move: one.text }),
    );
    return t("Premove {move} set. Press Escape to cancel it.", { move: one.text });
  }

  /** Cancel the move, and return the text about it. */
  cancel() {
    this.clear();
    return t("Premove cancelled.");
  }

  /** Forget the move and hide the notice. */
  clear() {
    this.#set = null;
    this.root.hidden = true;
  }

  /**
   * Return the move if it is to be sent after changes of the match. It is dropped if the game took
   * another course: the seat has another colour, moves were taken back, or a conditional move was
   * played.
   * @param {MatchState} state
   * @param {Changes} changes
   * @returns {Taken}
   */
  take(state, changes) {
    if (changes.added.length || changes.ended)
      this.root.hidden = this.#set === null || state.isOver;
    if (!this.#set) return { move: null, text: "" };
    const { move, text, color } = this.#set;
    if (state.isOver) this.#set = null;
    if (state.isOver || !(state.isMyTurn || hasTurned(state, changes, color)))
      return { move: null, text: "" };
    this.clear();
    if (!hasTurned(state, changes, color) && stepsOf(movesTree(state.view.legal), move)) {
      return { move, text: "" };
    }
    const dropped = t("Your premove {move} is not possible any more.", { move: text });
    this.#show(dropped);
    return { move: null, text: dropped };
  }

  /** @param {string} text */
  #show(text) {
    setText(this.#text, text);
    this.#cancel.hidden = this.#set === null;
    this.root.hidden = false;
  }
}

/**
 * Return whether the game took another course than the premove was meant for.
 * @param {MatchState} state
 * @param {Changes} changes
 * @param {string} color of the seat when the move was set
 */
export function hasTurned(state, { added, takenBack }, color) {
  const { own } = state.view;
  const isOther = defined(state.seat(own[0])).color !== color;
  return (
    takenBack || isOther || added.some(({ seat, text }) => own.includes(seat) || text === "swap")
  );
}
