// What the players can do besides moving: offers and their answers, resigning, the end.

import { t } from "../i18n.js";
import { sure } from "../sure.js";
import { button, element, setText, spokenHeading } from "./dom.js";
import { spokenTime } from "./times.js";
import { declinedTexts, headline, offerText, seriesText, swapLabel, swapText } from "./words.js";

/** @import { Answer, Command } from "./connection.js" */
/** @import { Attributes } from "./dom.js" */
/** @import { MatchState, Offer } from "./state.js" */

/**
 * @typedef {Object} Host What the page lends its panels.
 * @property {(details: Command) => Promise<Answer>} command
 * @property {(ply: number) => void} go
 * @property {(text: string) => void} say
 */

export class ActionsPanel {
  #offers = element("div", { class: "offers" });
  #next = element("a", { class: "button first", hidden: true });
  #level = element("a", { class: "button", hidden: true });
  #review = element("a", { class: "button", href: "#review", hidden: true }, t("Review the game"));
  #series = element("p", { class: "series", hidden: true });
  #shownOffers = "";
  #more = element("details", { class: "more" }, element("summary", {}, t("More")));
  #later = button(t("Resign when my turn comes"), () => this.#resign({ command: "queue-resignation", on: true }));
  #dialog = this.#makeDialog();

  /**
   * @param {Host} host
   * @param {HTMLElement} alerts switches that stand under "More" too
   */
  constructor(host, alerts) {
    this.host = host;
    const offer = (/** @type {Offer} */ kind) => () => host.command({ command: "offer", kind });
    this.buttons = {
      claim: button(t("Claim the win on time"), () => host.command({ command: "claim-flag" }), {
        class: "first",
      }),
      swap: button(t("Swap sides"), () => this.#swap(), { class: "first" }),
      takeback: button(t("Take back"), offer("takeback")),
      draw: button(t("Offer a draw"), offer("draw")),
      pause: button(t("Pause"), offer("pause")),
      resume: button(t("End the pause"), () => host.command({ command: "resume" })),
      vacation: button(t("Go on vacation"), () => host.command({ command: "vacation" })),
      back: button(t("Come back from vacation"), () => host.command({ command: "back" })),
      rematch: button(t("Offer a rematch"), offer("rematch"), { class: "first" }),
      abort: button(t("Call it off"), () => host.command({ command: "abort" })),
      resign: button(t("Resign …"), () => this.#dialog.showModal()),
    };
    this.queued = element("p", { class: "notice", hidden: true }, `${t("You resign when your turn comes.")} `);
    this.queued.append(
      button(t("Play on"), () => host.command({ command: "queue-resignation", on: false }))
    );
    this.root = element("section", { class: "actions" });
    this.root.append(
      spokenHeading(t("Actions")),
      this.#offers,
      this.queued,
      this.#series,
      this.#next,
      element("div", { class: "buttons" }, this.#level, this.#review),
      this.#arrange(alerts),
      this.#dialog
    );
  }

  /**
   * Put the buttons that are seldom used under "More".
   * @param {HTMLElement} alerts
   */
  #arrange(alerts) {
    const { pause, vacation, ...others } = this.buttons;
    const seldom = element("div", { class: "buttons" }, pause, vacation);
    this.#more.append(seldom, alerts);
    return element("div", { class: "buttons" }, ...Object.values(others), this.#more);
  }

  #makeDialog() {
    const title = element("h2", { id: "resign-title" }, t("Resign this game?"));
    const stay = button(t("Play on"), () => this.#dialog.close(), { autofocus: true });
    const resign = button(t("Resign now"), () => this.#resign({ command: "resign" }), { class: "danger" });
    return element(
      "dialog",
      { "aria-labelledby": "resign-title" },
      title,
      element("p", {}, t("The game ends, and the other side wins.")),
      element("div", { class: "buttons" }, stay, this.#later, resign)
    );
  }

  #resign(/** @type {Command} */ details) {
    this.#dialog.close();
    this.host.command(details);
  }

  #swap() {
    this.host.command({ command: "play", move: sure(this.state).view.swap });
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    const { view, isSeated, isMyTurn, isOver } = state;
    const plays = isSeated && !isOver;
    const { paused, away, pace } = view.clock;
    const hasMoved = view.moves.some((move) => view.own.includes(move.seat));
    const isAway = view.own.some((seat) => away.includes(seat));
    const vacation = view.clock.vacations[state.mySeat] ?? 0;
    setText(this.buttons.vacation, t("Go on vacation ({time})", { time: spokenTime(vacation) }));
    const open = (/** @type {Offer} */ kind) => Boolean(view.offers[kind]?.length);
    /** @type {Record<string, boolean>} */
    const isShown = {
      claim: plays && state.flagged !== null && !view.own.includes(state.flagged),
      swap: plays && isMyTurn && view.swap !== null && state.isPresent && !paused,
      takeback: plays && hasMoved && !open("takeback"),
      draw: plays && view.draws && !open("draw"),
      pause: plays && pace !== "unlimited" && !paused && !open("pause"),
      resume: plays && paused,
      vacation: plays && !isAway && vacation > 0,
      back: plays && isAway,
      rematch: isSeated && isOver && !state.isSeriesOpen && !view.next && !open("rematch"),
      abort: plays && !hasMoved,
      resign: plays && hasMoved,
    };
    for (const [name, made] of Object.entries(this.buttons)) made.hidden = !isShown[name];
    setText(this.buttons.swap, swapLabel(state));
    this.#more.hidden = !plays;
    this.#later.hidden = isMyTurn;
    this.queued.hidden = !plays || !view.resigning.length;
    if (isOver && this.#dialog.open) this.#dialog.close();
    this.#drawOffers(state, plays || (isSeated && isOver));
    this.#drawNext(state);
    this.#drawLevel(state);
    this.#review.hidden = !isOver;
  }

  /**
   * After a game with the computer: the way to the next level, or after a loss to the one below.
   * @param {MatchState} state
   */
  #drawLevel({ view, isOver, isSeated, isWinner, others }) {
    const level = others.length === 1 ? others[0].level : null;
    const wanted = level === null ? null : level + (isWinner ? 1 : -1);
    this.#level.hidden = true;
    if (!isOver || !isSeated || !view.winner || wanted === null || wanted < 1 || wanted > 9) return;
    this.#level.hidden = false;
    const options = Object.entries(view.options).map(([name, value]) => [`option-${name}`, String(value)]);
    const query = new URLSearchParams([["opponent", "computer"], ["level", String(wanted)], ...options]);
    this.#level.href = `/new/${view.game}/?${query}`;
    setText(this.#level, t("Try level {level}", { level: wanted }));
  }

  /**
   * After the end: the way to the rematch, or to the next game of a series and its standing.
   * @param {MatchState} state
   */
  #drawNext({ view, isSeriesOpen }) {
    const { series, next } = view;
    this.#next.hidden = !next;
    if (next) this.#next.href = `../${next}/`;
    setText(this.#next, isSeriesOpen ? t("To the next game of the series") : t("To the rematch"));
    this.#series.hidden = !series;
    if (series) setText(this.#series, seriesText(series));
  }

  /**
   * @param {MatchState} state
   * @param {boolean} plays
   */
  #drawOffers(state, plays) {
    const { declined } = state.view;
    const key = JSON.stringify([state.view.offers, declined, state.view.next, plays, state.view.own]);
    if (key === this.#shownOffers) return;
    this.#shownOffers = key;
    const { offers, next } = state.view;
    const all = /** @type {[Offer, number[]][]} */ (Object.entries(offers));
    const open = all.filter(([, seats]) => seats.length && !next);
    this.#offers.replaceChildren(
      ...open.map(([kind, seats]) => this.#offer(kind, seats, plays)),
      ...declinedTexts(state).map((text) => element("p", { class: "notice" }, text))
    );
  }

  /**
   * @param {Offer} kind
   * @param {number[]} seats
   * @param {boolean} plays
   */
  #offer(kind, seats, plays) {
    const state = sure(this.state);
    const { own } = state.view;
    const isMine = seats.some((seat) => own.includes(seat));
    const row = element("div", { class: "notice offer" }, element("p", {}, offerText(kind, state)));
    const send = (/** @type {string} */ text, /** @type {string} */ command, /** @type {Attributes} */ attributes = {}) =>
      button(text, () => this.host.command({ command, kind }), attributes);
    if (plays && isMine) row.append(send(t("Withdraw"), "decline"));
    else if (plays) row.append(send(t("Accept"), "accept", { class: "first" }), send(t("Decline"), "decline"));
    return row;
  }
}

/** How the match stands, large: whose turn it is, or how it ended. */
export class StatusPanel {
  constructor() {
    this.line = element("p", { class: "status-line" });
    this.caption = element("p", { class: "caption" });
    this.swap = element("p", { class: "caption" });
    this.root = element("div", { class: "status" }, this.line, this.caption, this.swap);
  }

  /**
   * @param {MatchState} state
   * @param {boolean} isSending
   */
  draw(state, isSending) {
    const { view } = state;
    this.root.classList.toggle("over", state.isOver);
    this.root.classList.toggle("my-turn", state.isMyTurn);
    setText(this.swap, swapText(state));
    if (!state.isPresent) {
      setText(this.line, t("Position after {ply} of {count} moves", { ply: state.ply, count: view.moves.length }));
      const meanwhile = t("The game goes on meanwhile; » leads back to the present.");
      setText(this.caption, state.isOver ? "" : meanwhile);
      return;
    }
    setText(this.line, isSending ? t("Sending your move …") : headline(state));
    // A headline that says who won leaves out by what.
    const decided = headline(state) === view.result ? "" : (view.result ?? "");
    setText(this.caption, state.isOver ? decided : view.caption);
  }
}
