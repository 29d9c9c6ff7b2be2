// A player who has left a live game: the opponent may claim its end after a while.

import { defined } from "../defined.js";
import { number, t } from "../i18n.js";
import { button, element, setText } from "./dom.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { LeftMessage } from "wire" */

/** The notice about a player who has left, with what the opponent may claim. */
export class Absence {
  /** @type {Map<number, LeftMessage>} */
  #left = new Map(); // by seat
  /** @type {{message: LeftMessage, ply: number} | null} */
  #own = null; // what the viewer's absence was, until the next move
  #text = element("p");
  #win = button(t("Claim win"), () => this.page.command({ command: "claim-win" }), {
    class: "first",
  });
  #draw = button(t("Claim draw"), () => this.page.command({ command: "claim-draw" }));
  #root = element(
    "div",
    { class: "notice absence", role: "status", hidden: true },
    this.#text,
    element("div", { class: "buttons" }, this.#win, this.#draw),
  );

  messages = { left: (/** @type {LeftMessage} */ message) => this.#take(message) };

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.place("now", "absence", this.#root);
  }

  /** @param {LeftMessage} message */
  #take(message) {
    const { state } = this.page;
    const { own, moves } = state.view;
    if (message.at === null) this.#left.delete(message.seat);
    else if (own.includes(message.seat)) this.#own = { message, ply: moves.length };
    else this.#left.set(message.seat, message);
    this.draw(state);
  }

  /** @param {MatchState} state */
  draw(state) {
    const { view, isOver, isSeated } = state;
    const away = [...this.#left.values()].find(({ seat }) => !view.own.includes(seat));
    if (this.#own && this.#own.ply !== view.moves.length) this.#own = null;
    this.#root.hidden = (!away && !this.#own) || isOver;
    if (this.#root.hidden) return;
    if (!away) return this.#tellOwn(state, defined(this.#own).message);
    const player = state.seat(away.seat)?.name ?? "";
    const seconds = secondsLeft(away, state);
    const isOpen = isSeated && seconds === 0;
    this.#win.hidden = !isOpen;
    this.#draw.hidden = !isOpen || !view.draws;
    if (!isSeated || seconds === null) setText(this.#text, t("{player} has left.", { player }));
    else if (isOpen) setText(this.#text, claimText(player, view.rated));
    else {
      const values = { player, seconds: number(seconds) };
      setText(this.#text, t("{player} has left. You can claim the win in {seconds} s.", values));
    }
  }

  /**
   * Tell a player who has returned what the opponent may claim, or could have claimed.
   * @param {MatchState} state
   * @param {LeftMessage} left
   */
  #tellOwn({ others }, { claimAfter }) {
    this.#win.hidden = this.#draw.hidden = true;
    const values = { player: others[0]?.name ?? "", seconds: number(claimAfter / 1000) };
    const text = t(
      "You were away. If you leave for {seconds} s in your turn, {player} may claim the win.",
      values,
    );
    setText(this.#text, text);
  }

  /** @param {MatchState} state */
  tick(state) {
    if (!this.#root.hidden) this.draw(state);
  }
}

/**
 * @param {string} player
 * @param {boolean} isRated
 */
function claimText(player, isRated) {
  const values = { player };
  return isRated
    ? t("{player} has left. You can claim the end; it counts for the ratings.", values)
    : t("{player} has left. You can claim the end; the game is not rated.", values);
}

/**
 * Return the seconds until the end may be claimed; null while it may not, such as in one's own turn.
 * @param {LeftMessage} left
 * @param {MatchState} state
 */
function secondsLeft({ seat, at, claimAfter }, state) {
  const { clock, toMove, moves, given } = state.view;
  const hasBegun = moves.length >= given + 2;
  if (toMove !== seat || clock.paused || clock.since === null || at === null || !hasBegun)
    return null;
  return Math.max(0, Math.ceil((Math.max(at, clock.since) + claimAfter - state.now) / 1000));
}
