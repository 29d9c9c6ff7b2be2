// Ratings of the players, and their change after the match.

import { t } from "../i18n.js";
import { defined } from "../defined.js";
import { load } from "./dom.js";

/** @import { MatchState } from "./state.js" */
/** @import { MatchRatingsOut } from "wire" */

// Milliseconds between two requests after the end: the first one rates the game, unless the server is in trouble.
const DELAYS = [0, 1_500, 2_000, 3_000, 5_000, 10_000, 30_000];

/** The ratings of a match, from its page or loaded from the server. */
export class Ratings {
  /** @type {MatchRatingsOut | null} */
  #ratings;
  #isLoading = false;
  #delays = [...DELAYS];
  #onChange;
  #say;
  #address;

  /**
   * @param {() => void} onChange called after each answer of the server
   * @param {(text: string) => void} say announces a text to screen readers
   * @param {{address?: string, first?: MatchRatingsOut | null}} [of] the match's address, if it is not that of the page,
   *   and the ratings that are known already
   */
  constructor(onChange, say, { address = "", first = null } = {}) {
    this.#onChange = onChange;
    this.#say = say;
    this.#address = address;
    this.#ratings = first;
  }

  /** @param {MatchState} state */
  draw(state) {
    if (this.#isLoading) return;
    if (!this.#ratings) this.#load(state, 0);
    else if (state.isOver && !this.#ratings.isDone && this.#delays.length) {
      this.#load(state, defined(this.#delays.shift()));
    }
  }

  /**
   * @param {MatchState} state
   * @param {number} delay milliseconds
   */
  async #load(state, delay) {
    this.#isLoading = true;
    await new Promise((done) => void setTimeout(done, delay));
    const before = this.#ratings;
    try {
      this.#ratings = await load(`${this.#address}ratings.json`);
    } catch {
      // The page works without them.
      this.#ratings ??= { seats: [], isDone: true, rated: false, why: null };
    }
    this.#isLoading = false;
    if (before && !before.isDone && this.#ratings?.isDone) this.#announceGain(state);
    this.#onChange();
  }

  /** @param {MatchState} state */
  #announceGain(state) {
    const own = this.of(state.mySeat);
    if (own?.gain !== undefined && own.rating !== undefined) {
      this.#say(
        t("Your new rating: {rating} ({gain}).", { rating: own.rating, gain: signed(own.gain) }),
      );
    }
  }

  /** The reason why a rated match did not count, or an empty text. */
  get unratedText() {
    return this.#ratings?.why ? t("Not rated: {reason}", { reason: this.#ratings.why }) : "";
  }

  /**
   * Return the rating of a seat's player.
   * @param {number} seat
   */
  of(seat) {
    return this.#ratings?.seats.find((one) => one.seat === seat);
  }
}

/**
 * Format a number with its sign.
 * @param {number} number
 */
export function signed(number) {
  return number < 0 ? `−${-number}` : `+${number}`;
}
