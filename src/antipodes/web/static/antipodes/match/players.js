// The players of the match page, with their ratings and clocks.

import { Ratings } from "./ratings.js";
import { SeatsPanel } from "./seats.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { WatchingMessage } from "wire" */

/** The players and their ratings. */
export class Players {
  messages = {
    watching: (/** @type {WatchingMessage} */ { count, seats }) =>
      this.seats.drawSpectators(count, seats, this.page.state),
  };

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.ratings = new Ratings(
      () => this.draw(page.state),
      (text) => page.say(text),
      { first: JSON.parse(document.querySelector("#match-ratings")?.textContent ?? "null") },
    );
    this.seats = new SeatsPanel({
      say: (text) => page.say(text),
      ratings: this.ratings,
      warn: () => page.dispatchEvent(new Event("low-time")),
    });
    page.place("page", "others", this.seats.others);
    page.place("page", "own", this.seats.own);
    page.place("now", "remarks", this.seats.remarks);
    page.board.answers.time = () => this.seats.timesText(page.state);
  }

  /** @param {MatchState} state */
  draw(state) {
    this.ratings.draw(state);
    this.seats.draw(state);
  }

  /** @param {MatchState} state */
  tick(state) {
    this.seats.tick(state);
  }
}
