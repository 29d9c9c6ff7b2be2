// How strong the players are, and what the match makes of their ratings once it is over.

import { t } from "../i18n.js";
import { sure } from "../sure.js";
import { load } from "./dom.js";

/** @import { MatchState } from "./state.js" */

// Milliseconds between two questions after the end: ratings are counted within seconds.
const PAUSES = [1_500, 2_000, 3_000, 5_000, 10_000, 30_000];

/**
 * @typedef {Object} SeatRating
 * @property {number} seat
 * @property {string} profile address of the player's page
 * @property {number} [rating] of those who have one
 * @property {boolean} [provisional]
 * @property {number} [gain] points that the match has brought or cost
 */

export class Ratings {
  /** @type {{seats: SeatRating[], isDone: boolean, why?: string} | null} */
  #told = null;
  #isAsking = false;
  #pauses = [...PAUSES];
  #changed;
  #say;

  /**
   * @param {() => void} changed called when more is known
   * @param {(text: string) => void} say tells whoever listens
   */
  constructor(changed, say) {
    this.#changed = changed;
    this.#say = say;
  }

  /** @param {MatchState} state */
  draw(state) {
    if (this.#isAsking) return;
    if (!this.#told) this.#ask(state, 0);
    else if (state.isOver && !this.#told.isDone && this.#pauses.length) {
      this.#ask(state, sure(this.#pauses.shift()));
    }
  }

  /**
   * @param {MatchState} state
   * @param {number} pause
   */
  async #ask(state, pause) {
    this.#isAsking = true;
    await new Promise((done) => void setTimeout(done, pause));
    const before = this.#told;
    try {
      this.#told = await load("ratings.json");
    } catch {
      // The game goes on without them.
      this.#told ??= { seats: [], isDone: true };
    }
    this.#isAsking = false;
    if (before && !before.isDone && this.#told?.isDone) this.#tellGain(state);
    this.#changed();
  }

  /** @param {MatchState} state */
  #tellGain(state) {
    const own = this.of(state.mySeat);
    if (own?.gain !== undefined && own.rating !== undefined) {
      this.#say(t("Your rating is {rating} now: {gain}.", { rating: own.rating, gain: signed(own.gain) }));
    }
  }

  /** Why the match was not rated although that was agreed, in words; or nothing. */
  get why() {
    return this.#told?.why ? t("Not rated: {reason}", { reason: this.#told.why }) : "";
  }

  /**
   * Return what is known of a seat's player.
   * @param {number} seat
   * @returns {SeatRating|undefined}
   */
  of(seat) {
    return this.#told?.seats.find((one) => one.seat === seat);
  }
}

/**
 * Write a number with its sign.
 * @param {number} number
 */
export function signed(number) {
  return number < 0 ? `−${-number}` : `+${number}`;
}
