// Panels for everything players do besides moving: offers, resignation, the next game.

import { t } from "../i18n.js";
import { keysButton } from "../board/keys.js";
import { defined } from "../defined.js";
import { button, element, setText, spokenHeading } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { spokenTime } from "./times.js";
import { closedOfferTexts, offerText, seriesText, swapLabel } from "./texts.js";

/** @import { Command } from "./connection.js" */
/** @import { Attributes } from "./dom.js" */
/** @import { MatchPage } from "./page.js" */
/** @import { Change } from "./parts.js" */
/** @import { MatchState } from "./state.js" */
/** @import { OfferKind, OfferMessage } from "wire" */

/**
 * Return what asks for another game: the computer needs no offer.
 * @param {MatchState} state
 */
function rematchLabel({ isSeriesOpen, isAgainstComputer }) {
  if (isSeriesOpen) return t("Offer next game");
  return isAgainstComputer ? t("Rematch") : t("Offer rematch");
}

/** The buttons and offers of a match. */
export class ActionsPanel {
  #offers = element("div", { class: "offers" });
  #next = element("a", { class: "button first", hidden: true });
  #level = element("a", { class: "button", hidden: true });
  /** Leads to another game that waits for the viewer. */
  #waiting = element("a", { class: "button", hidden: true });
  /** Leads to the tournament of the match, which pairs its players itself. */
  #event = element("a", { class: "button first", hidden: true }, t("Back to tournament"));
  #another = element("a", { class: "button", href: "/pair/", hidden: true }, t("New opponent"));
  #review = element(
    "a",
    { class: "button review-link", href: "#panel-review", hidden: true },
    t("Review game"),
  );
  #series = element("p", { class: "series", hidden: true });
  #shownOffers = "";
  #more = element(
    "details",
    { class: "more" },
    element("summary", { class: "icon-button" }, icon("dots"), t("More")),
  );
  #resignLater = button(t("Resign on my next turn"), () =>
    this.#resign({ command: "queue-resignation", on: true }),
  );
  #dialog = this.#makeDialog();
  #bar = element("div", { class: "icon-bar", role: "group", "aria-label": t("More actions") });

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    /** In how many other matches it is the viewer's turn. */
    this.waiting = Number(page.getAttribute("waiting") ?? 0);
    /** The address of the match's tournament. */
    this.event = page.getAttribute("event");
    this.#event.href = this.event ?? "";
    this.#waiting.href = `/next-game/?after=${page.slug}`;
    setText(this.#waiting, t("Next game ({count})", { count: this.waiting }));
    const offer = (/** @type {OfferKind} */ kind) => () => page.command({ command: "offer", kind });
    this.buttons = {
      claim: button(t("Claim win on time"), () => page.command({ command: "claim-flag" }), {
        class: "first",
      }),
      swap: button(t("Swap sides"), () => this.#swap(), { class: "first" }),
      takeback: iconButton("undo", t("Take back"), offer("takeback")),
      draw: iconButton("half", t("Offer draw"), offer("draw")),
      pause: button(t("Pause"), offer("pause")),
      resume: button(t("End pause"), () => page.command({ command: "resume" }), { class: "first" }),
      vacation: button(t("Start vacation"), () => page.command({ command: "vacation" })),
      back: button(t("End vacation"), () => page.command({ command: "back" }), { class: "first" }),
      rematch: button(t("Offer rematch"), offer("rematch"), { class: "first" }),
      abort: iconButton("cross", t("Abort game"), () => page.command({ command: "abort" })),
      resign: iconButton("flag", t("Resign"), () => this.#dialog.showModal()),
    };
    this.queued = element(
      "p",
      { class: "notice", hidden: true },
      `${t("You will resign on your next turn.")} `,
    );
    this.queued.append(
      button(t("Cancel"), () => page.command({ command: "queue-resignation", on: false })),
    );
    this.root = element("section", { class: "actions" });
    this.root.append(
      spokenHeading(t("Actions")),
      this.#offers,
      this.queued,
      this.#series,
      this.#next,
      this.#makeMain(),
      this.#bar,
      this.#dialog,
    );
    this.#review.addEventListener("click", () => page.tabs.open("review"));
    page.place("now", "actions", this.root);
  }

  /** Make the row of actions that the moment asks for. */
  #makeMain() {
    const { claim, swap, resume, back, rematch } = this.buttons;
    return element(
      "div",
      { class: "buttons" },
      this.#event,
      claim,
      swap,
      resume,
      back,
      rematch,
      this.#review,
      this.#level,
      this.#another,
      this.#waiting,
    );
  }

  /**
   * Make the bar of actions that are possible at any time; the rarely used ones are under "More".
   * All parts of the page have put their tools in their places by then.
   */
  #fillBar() {
    const { takeback, draw, pause, vacation, abort, resign } = this.buttons;
    const details = element(
      "div",
      { class: "more-content" },
      element("div", { class: "buttons" }, pause, vacation),
      ...this.page.placed("more"),
      keysButton(),
    );
    this.#more.append(details);
    this.#bar.append(...this.page.placed("tools"), takeback, draw, abort, this.#more, resign);
  }

  #makeDialog() {
    const title = element("h2", { id: "resign-title" }, t("Resign this game?"));
    const cancel = button(t("Cancel"), () => this.#dialog.close(), { autofocus: true });
    const resign = button(t("Resign now"), () => this.#resign({ command: "resign" }), {
      class: "danger",
    });
    return element(
      "dialog",
      { "aria-labelledby": "resign-title" },
      title,
      element("p", {}, t("The game ends and the other side wins.")),
      element("div", { class: "buttons" }, cancel, this.#resignLater, resign),
    );
  }

  #resign(/** @type {Command} */ details) {
    this.#dialog.close();
    this.page.command(details);
  }

  #swap() {
    this.page.command({ command: "play", move: defined(this.state).view.swap });
  }

  /** @param {MatchState} state */
  draw(state) {
    if (!this.#bar.hasChildNodes()) this.#fillBar();
    this.state = state;
    const { view, isSeated, isMyTurn, isOver } = state;
    const plays = isSeated && !isOver;
    const { paused, away, pace } = view.clock;
    const hasMoved = view.moves.slice(view.given).some((move) => view.own.includes(move.seat));
    const isAway = view.own.some((seat) => away.includes(seat));
    const vacation = view.clock.vacations[state.mySeat] ?? 0;
    setText(this.buttons.vacation, t("Start vacation ({time})", { time: spokenTime(vacation) }));
    const open = (/** @type {OfferKind} */ kind) => Boolean(view.offers[kind]?.length);
    /** @type {Record<string, boolean>} */
    const isShown = {
      claim: plays && state.flagged !== null && !view.own.includes(state.flagged),
      swap: plays && isMyTurn && view.swap !== null && state.isPresent && !paused,
      takeback: plays && hasMoved && !open("takeback"),
      draw: plays && view.draws && !state.isAgainstComputer && !open("draw"),
      pause: plays && pace !== "unlimited" && !paused && !open("pause"),
      resume: plays && paused,
      vacation: plays && !isAway && vacation > 0,
      back: plays && isAway,
      rematch: isSeated && isOver && !this.event && !view.next && !open("rematch"),
      abort: plays && !hasMoved,
      resign: plays && hasMoved,
    };
    for (const [name, one] of Object.entries(this.buttons)) one.hidden = !isShown[name];
    setText(this.buttons.swap, swapLabel(state));
    setText(this.buttons.rematch, rematchLabel(state));
    this.#more.hidden = !plays;
    this.#resignLater.hidden = isMyTurn;
    this.queued.hidden = !plays || !view.resigning.length;
    if (isOver && this.#dialog.open) this.#dialog.close();
    this.#drawOffers(state, plays || (isSeated && isOver));
    this.#drawNext(state);
    this.#drawLevel(state);
    this.#review.hidden = !isOver || !this.page.hasReview;
    this.#event.hidden = !isOver || !this.event;
    if (isOver) document.querySelector("antipodes-tournament")?.removeAttribute("waits");
    this.#another.hidden =
      !isOver ||
      Boolean(this.event) ||
      !isSeated ||
      state.isSeriesOpen ||
      state.others.some((seat) => seat.computer);
    this.#waiting.hidden = !this.waiting || !isSeated || (isMyTurn && !isOver);
  }

  /** @param {MatchState} state */
  tick(state) {
    this.draw(state); // a flag may have fallen
  }

  /**
   * Take players to the game that they have agreed to. Where a series goes on by itself, they see
   * first how the game ended.
   * @param {Change} change
   */
  tell({ changes: { before } }) {
    const { isSeated, isSeriesOpen, view } = this.page.state;
    const isAgreed = before && (before.result !== null || !isSeriesOpen);
    const isNew = view.next && !before?.next;
    if (isNew && isAgreed && isSeated) location.assign(`../${view.next}/`);
  }

  /**
   * Link to the next level after a win against the computer, or to the level below after a loss.
   * @param {MatchState} state
   */
  #drawLevel({ view, isOver, isSeated, isWinner, others }) {
    const level = others.length === 1 ? others[0].level : null;
    const nextLevel = level === null ? null : level + (isWinner ? 1 : -1);
    this.#level.hidden = true;
    if (
      this.event ||
      !isOver ||
      !isSeated ||
      !view.winner ||
      nextLevel === null ||
      nextLevel < 1 ||
      nextLevel > 9
    )
      return;
    this.#level.hidden = false;
    const options = Object.entries(view.options).map(([name, value]) => [
      `option-${name}`,
      String(value),
    ]);
    const query = new URLSearchParams([
      ["opponent", "computer"],
      ["level", String(nextLevel)],
      ...options,
    ]);
    this.#level.href = `/new/${view.game}/?${query}`;
    setText(this.#level, t("Try level {level}", { level: nextLevel }));
  }

  /**
   * Link to the rematch or the next game of a series, and show the series' score.
   * @param {MatchState} state
   */
  #drawNext({ view, isSeriesOpen }) {
    const { series, next } = view;
    this.#next.hidden = !next;
    if (next) this.#next.href = `../${next}/`;
    setText(this.#next, isSeriesOpen ? t("Next game of the series") : t("Go to rematch"));
    this.#series.hidden = !series;
    if (series) setText(this.#series, seriesText(series));
  }

  /**
   * @param {MatchState} state
   * @param {boolean} plays
   */
  #drawOffers(state, plays) {
    const { declined, withdrawn } = state.view;
    const key = JSON.stringify([
      state.view.offers,
      declined,
      withdrawn,
      state.view.next,
      plays,
      state.view.own,
    ]);
    if (key === this.#shownOffers) return;
    this.#shownOffers = key;
    const { offers, next } = state.view;
    const all = /** @type {[OfferKind, number[]][]} */ (Object.entries(offers));
    const open = all.filter(([, seats]) => seats.length && !next);
    this.#offers.replaceChildren(
      ...open.map(([kind, seats]) => this.#offer(kind, seats, plays)),
      ...closedOfferTexts(state).map((text) => element("p", { class: "notice" }, text)),
    );
  }

  /**
   * @param {OfferKind} kind
   * @param {number[]} seats
   * @param {boolean} plays
   */
  #offer(kind, seats, plays) {
    const state = defined(this.state);
    const { own } = state.view;
    const isMine = seats.some((seat) => own.includes(seat));
    const row = element("div", { class: "notice offer" }, element("p", {}, offerText(kind, state)));
    const send = (
      /** @type {string} */ text,
      /** @type {OfferMessage["command"]} */ command,
      /** @type {Attributes} */ attributes = {},
    ) => button(text, () => this.page.command({ command, kind }), attributes);
    if (plays && isMine) row.append(send(t("Withdraw"), "decline"));
    else if (plays)
      row.append(send(t("Accept"), "accept", { class: "first" }), send(t("Decline"), "decline"));
    return row;
  }
}
