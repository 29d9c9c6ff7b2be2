// Who sits where: colour, name, clock, whose turn it is.

import { t, tn } from "../i18n.js";
import { piece, svg } from "../board/shapes.js";
import { colorWord } from "../board/words.js";
import { element, setText, spokenHeading } from "./dom.js";
import { signed } from "./ratings.js";
import { face, isLow, spokenTime } from "./times.js";

/** @import { MatchState, Seat } from "./state.js" */

/** @typedef {ReturnType<typeof makeRow>} Row */

export class SeatsPanel {
  /** @type {Row[]} */
  #rows = [];
  #list = element("ul", { class: "seats" });
  #watchers = element("p", { class: "watchers", hidden: true });
  #unrated = element("p", { class: "unrated" });
  /** Turn in which the viewer was warned of little time; each is warned of once. */
  #warned = "";
  /**
   * Seats whose players have the page open, once that is known.
   * @type {Set<number> | null}
   */
  #present = null;

  /** @param {{say: (text: string) => void, ratings: import("./ratings.js").Ratings}} host */
  constructor(host) {
    this.host = host;
    this.root = element("section", { class: "players" });
    this.root.append(
      spokenHeading(t("Players")),
      this.#list,
      this.#unrated,
      this.#watchers
    );
  }

  /** @param {MatchState} state */
  draw(state) {
    const { seats } = state.view;
    if (this.#rows.length !== seats.length) {
      this.#rows = seats.map(makeRow);
      this.#list.replaceChildren(...this.#rows.map((row) => row.item));
    }
    for (const [index, seat] of seats.entries()) this.#drawRow(this.#rows[index], seat, state);
    setText(this.#unrated, this.host.ratings.why);
    this.tick(state);
  }

  /**
   * @param {Row} row
   * @param {Seat} seat
   * @param {MatchState} state
   */
  #drawRow(row, seat, state) {
    const isMine = state.view.own.includes(seat.seat);
    const hasTurn = seat.seat === state.view.toMove;
    row.item.classList.toggle("to-move", hasTurn);
    row.item.classList.toggle("winner", state.view.winner === seat.color);
    if (row.color !== seat.color) {
      row.color = seat.color;
      const stone = svg("svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true", class: "stone" });
      stone.append(piece(seat.color));
      row.stone.replaceChildren(stone);
    }
    this.#drawName(row, seat);
    setText(row.details, details(seat, isMine, state.view.clock.away, this.#present));
    setText(row.turn, hasTurn ? t("to move") : "");
  }

  /**
   * @param {Row} row
   * @param {Seat} seat
   */
  #drawName(row, seat) {
    const known = this.host.ratings.of(seat.seat);
    if (known && !row.link.href) {
      row.link.href = known.profile;
      row.name.replaceChildren(row.link);
    }
    setText(known ? row.link : row.name, seat.name);
    const isRated = known?.rating !== undefined;
    setText(row.rating, isRated ? `${known.rating}${known.provisional ? "?" : ""}` : "");
    setText(row.provisional, known?.provisional ? ` ${t("provisional")}` : "");
    setText(row.gain, known?.gain === undefined ? "" : ` ${signed(known.gain)}`);
  }

  /**
   * Let the clocks show the time that it is now.
   * @param {MatchState} state
   */
  tick(state) {
    const { clock, toMove } = state.view;
    for (const [index, seat] of state.view.seats.entries()) {
      const row = this.#rows[index];
      const left = state.left(seat.seat);
      row.clock.hidden = left === null;
      if (left === null) continue;
      const runs = clock.running && clock.seat === seat.seat;
      const low = runs && isLow(left, clock.pace);
      setText(row.face, face(left));
      row.clock.classList.toggle("low", low);
      row.clock.classList.toggle("running", runs);
      // Whoever listens would lose their place if it changed every second.
      const isDue = !runs || !row.spokenClock.textContent || left % 60_000 < 1000;
      if (isDue) setText(row.spokenClock, spokenTime(left));
      if (low && left > 0 && state.isMyTurn && seat.seat === toMove) this.#warn(state, left);
    }
  }

  /**
   * @param {MatchState} state
   * @param {number} left
   */
  #warn(state, left) {
    const turn = `${state.view.moves.length} ${state.view.toMove}`;
    if (this.#warned === turn) return;
    this.#warned = turn;
    this.host.say(t("Your time runs out: {time}.", { time: spokenTime(left) }));
  }

  /**
   * Show who is here.
   * @param {number} count how many look on
   * @param {number[]} present seats whose players have the page open
   * @param {MatchState} state
   */
  drawWatchers(count, present, state) {
    this.#present = new Set(present);
    this.#watchers.hidden = !count;
    setText(this.#watchers, tn("{count} spectator", "{count} spectators", count));
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
    turn: element("span", { class: "seat-turn" }),
    clock: element("span", { class: "clock", hidden: true }),
    face: element("span", { "aria-hidden": "true" }),
    spokenClock: element("span", { class: "spoken" }),
  };
  row.clock.append(row.face, row.spokenClock);
  const strength = element("span", { class: "seat-rating" }, row.rating, row.provisional, row.gain);
  const words = element("span", { class: "seat-words" }, row.name, strength, row.details);
  row.item.append(row.stone, words, row.turn, row.clock);
  return row;
}

/**
 * @param {Seat} seat
 * @param {boolean} isMine
 * @param {number[]} away
 * @param {Set<number> | null} present
 */
function details(seat, isMine, away, present) {
  const color = colorWord(seat.color);
  const words = isMine ? [t("you"), color] : [color];
  if (away.includes(seat.seat)) words.push(t("on vacation"));
  else if (!seat.computer && present && !present.has(seat.seat)) words.push(t("not here"));
  return words.join(" · ");
}
