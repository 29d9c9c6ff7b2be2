// The players: colour, name, rating, clock, and whose turn it is.

import { t, tn } from "../i18n.js";
import { element, setText, spokenHeading } from "./dom.js";
import { signed } from "./ratings.js";
import { stone } from "./status.js";
import { headline, seatDetails } from "./texts.js";
import { clockText, isLow, spokenTime } from "./times.js";

/** @import { Ratings } from "./ratings.js" */
/** @import { MatchState } from "./state.js" */
/** @import { SeatOut } from "wire" */

/** @typedef {ReturnType<typeof makeRow>} Row */
/** @typedef {{say: (text: string) => void, ratings: Ratings, warn: () => void}} SeatsOwner */

/** The players in two lists: the others above the board, and oneself below it. */
export class SeatsPanel {
  /** @type {Row[]} */
  #rows = [];
  #otherSeats = element("ul", { class: "seats" });
  #ownSeats = element("ul", { class: "seats" });
  #spectators = element("p", { class: "spectators", hidden: true });
  #unrated = element("p", { class: "unrated" });
  /** The turn of the last low-time warning: there is one for each turn. */
  #warnedTurn = "";
  /**
   * Seats whose players have the page open; null until the server tells.
   * @type {Set<number> | null}
   */
  #present = null;

  /** @param {SeatsOwner} page */
  constructor(page) {
    this.page = page;
    this.others = element(
      "section",
      { class: "players others" },
      spokenHeading(t("Players")),
      this.#otherSeats,
    );
    this.own = element("section", { class: "players own" }, this.#ownSeats);
    this.remarks = element("div", {}, this.#unrated, this.#spectators);
  }

  /** @param {MatchState} state */
  draw(state) {
    const { seats } = state.view;
    if (this.#rows.length !== seats.length) {
      this.#rows = seats.map(makeRow);
    }
    this.#place(state);
    for (const [index, seat] of seats.entries()) this.#drawRow(this.#rows[index], seat, state);
    setText(this.#unrated, this.page.ratings.unratedText);
    this.tick(state);
  }

  /**
   * Place the rows in the lists; a spectator sees the first seat below the board.
   * @param {MatchState} state
   */
  #place({ view }) {
    const below = view.own.length ? view.own : [0];
    for (const [index, { seat }] of view.seats.entries()) {
      const list = below.includes(seat) ? this.#ownSeats : this.#otherSeats;
      const { item } = this.#rows[index];
      if (item.parentElement !== list) list.append(item);
    }
  }

  /**
   * @param {Row} row
   * @param {SeatOut} seat
   * @param {MatchState} state
   */
  #drawRow(row, seat, state) {
    const isMine = state.view.own.includes(seat.seat);
    const hasTurn = seat.seat === state.view.toMove;
    row.item.classList.toggle("to-move", hasTurn);
    row.item.classList.toggle("winner", state.view.winner === seat.color);
    if (row.color !== seat.color) {
      row.color = seat.color;
      row.stone.replaceChildren(stone(seat.color));
    }
    this.#drawName(row, seat);
    setText(row.details, seatDetails(seat, state.view, this.#present));
    setText(row.turn, hasTurn ? turnText(isMine, state.grace) : "");
    setText(row.result, isMine && state.isOver ? headline(state) : "");
  }

  /**
   * @param {Row} row
   * @param {SeatOut} seat
   */
  #drawName(row, seat) {
    const player = this.page.ratings.of(seat.seat);
    if (player && !row.link.href) {
      row.link.href = player.profile;
      row.name.replaceChildren(row.link);
    }
    setText(player ? row.link : row.name, seat.name);
    const isRated = player?.rating !== undefined;
    setText(row.rating, isRated ? `${player.rating}${player.provisional ? "?" : ""}` : "");
    setText(row.provisional, player?.provisional ? ` ${t("provisional")}` : "");
    setText(row.gain, player?.gain === undefined ? "" : ` ${signed(player.gain)}`);
  }

  /**
   * Update the clocks.
   * @param {MatchState} state
   */
  tick(state) {
    const { clock, toMove } = state.view;
    for (const [index, seat] of state.view.seats.entries()) {
      const row = this.#rows[index];
      const left = state.left(seat.seat);
      row.clock.hidden = left === null;
      if (left === null) continue;
      const hasTurn = clock.running && clock.seat === seat.seat;
      if (hasTurn) setText(row.turn, turnText(state.view.own.includes(seat.seat), state.grace));
      const runs = hasTurn && state.grace === null;
      const low = runs && isLow(left, clock.pace);
      setText(row.face, clockText(left));
      row.clock.classList.toggle("low", low);
      row.clock.classList.toggle("running", runs);
      // Screen readers would be interrupted by a change every second.
      const isDue = !runs || !row.spokenClock.textContent || left % 60_000 < 1000;
      if (isDue) setText(row.spokenClock, spokenTime(left));
      if (low && left > 0 && state.isMyTurn && seat.seat === toMove) this.#warn(state, left);
    }
  }

  /**
   * Tell the time that each player has left.
   * @param {MatchState} state
   */
  timesText(state) {
    return state.view.seats
      .map(({ seat, name }) => `${name}: ${spokenTime(state.left(seat))}.`)
      .join(" ");
  }

  /**
   * @param {MatchState} state
   * @param {number} left
   */
  #warn(state, left) {
    const turn = `${state.view.moves.length} ${state.view.toMove}`;
    if (this.#warnedTurn === turn) return;
    this.#warnedTurn = turn;
    this.page.warn();
    this.page.say(t("Low on time: {time}.", { time: spokenTime(left) }));
  }

  /**
   * Show the number of spectators, and which players are online.
   * @param {number} count of spectators
   * @param {number[]} present seats whose players have the page open
   * @param {MatchState} state
   */
  drawSpectators(count, present, state) {
    this.#present = new Set(present);
    this.#spectators.hidden = !count;
    setText(this.#spectators, tn("{count} spectator", "{count} spectators", count));
    this.draw(state);
  }
}

function makeRow() {
  const row = {
    color: "",
    item: element("li"),
    stone: element("span", { class: "seat-stone" }),
    name: element("span", { class: "seat-name" }),
    link: element("a"),
    rating: element("span"),
    provisional: element("span", { class: "spoken" }),
    gain: element("b"),
    details: element("span", { class: "seat-details" }),
    // On phones, where the status is below the board; screen readers get it there.
    result: element("b", { class: "seat-result", "aria-hidden": "true" }),
    turn: element("span", { class: "seat-turn" }),
    clock: element("span", { class: "clock", hidden: true }),
    face: element("span", { "aria-hidden": "true" }),
    spokenClock: element("span", { class: "spoken" }),
  };
  row.clock.append(row.face, row.spokenClock);
  const strength = element("span", { class: "seat-rating" }, row.rating, row.provisional, row.gain);
  const words = element(
    "span",
    { class: "seat-words" },
    row.name,
    strength,
    row.details,
    row.result,
  );
  row.item.append(row.stone, words, row.turn, row.clock);
  return row;
}

/**
 * Return whose turn it is, with the time for a first move.
 * @param {boolean} isMine
 * @param {number | null} grace
 */
function turnText(isMine, grace) {
  const words = isMine ? t("your turn") : t("to move");
  return grace === null
    ? words
    : `${words} · 0:${String(Math.ceil(grace / 1000)).padStart(2, "0")}`;
}
