// The TV page: follows a game as a spectator, and then the next one.

import { t } from "./i18n.js";
import "./board.js";
import { csrfToken } from "./csrf.js";
import { LiveRegion } from "./live_region.js";
import { Connection } from "./match/connection.js";
import { element, load, setText } from "./match/dom.js";
import { Ratings } from "./match/ratings.js";
import { SeatsPanel } from "./match/seats.js";
import { MatchState } from "./match/state.js";
import { changesText, headline } from "./match/texts.js";

/** @import { BoardOut, MatchNews, MatchOut } from "wire" */

const AFTER_END = 8_000; // milliseconds that the end of a game stays
const BETWEEN_CHECKS = 20_000; // milliseconds between two questions for a better game

/** `<antipodes-tv slug="..." game="...">`, the content of the TV page. */
class TvPage extends HTMLElement {
  #state = new MatchState();
  #slug = "";
  #timer = 0;
  #check = 0;
  /** @type {Connection | null} */
  #connection = null;

  board = document.createElement("antipodes-board");
  #live = new LiveRegion("spoken");
  line = element("p", { class: "status-line" });
  caption = element("p", { class: "caption" });
  link = element("a", { class: "button", hidden: true }, t("Open game and chat"));
  warn = () => undefined; // spectators get no warnings
  ratings = this.#newRatings("");
  seats = new SeatsPanel(this);

  connectedCallback() {
    const table = element("div", { class: "table" }, this.board);
    const now = element("div", { class: "now" }, this.line, this.caption, this.link);
    this.append(this.seats.others, table, this.seats.own, now, this.#live.root);
    const slug = this.getAttribute("slug");
    if (slug) this.#show(slug);
    else this.#next();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    clearTimeout(this.#check);
    this.#connection?.close();
  }

  /**
   * Announce a text to screen readers.
   * @param {string} text
   */
  say(text) {
    this.#live.say(text);
  }

  /** @param {string} slug */
  #newRatings(slug) {
    return new Ratings(
      () => this.#state.view && this.seats.draw(this.#state),
      () => undefined,
      { address: `/m/${slug}/` },
    );
  }

  /**
   * Follow a game.
   * @param {string} slug
   */
  async #show(slug) {
    this.#connection?.close();
    const [board, view] = await Promise.all(
      ["board.json", "match.json"].map((name) => load(`/m/${slug}/${name}`)),
    );
    this.#slug = slug;
    this.#state = new MatchState();
    this.#state.board = board;
    this.#state.update(asSpectator(view));
    this.ratings = this.#newRatings(slug);
    this.link.href = `/m/${slug}/`;
    this.link.hidden = false;
    this.#draw();
    this.say(headline(this.#state));
    this.#connection = new Connection(`/m/${slug}/socket?moves=new`);
    this.#connection.addEventListener("update", (event) =>
      this.#receive(/** @type {CustomEvent} */ (event).detail),
    );
    this.#connection.open();
    this.#checkAfter(this.#state.isOver ? AFTER_END : BETWEEN_CHECKS);
  }

  /** @param {MatchNews} message */
  #receive(message) {
    if (message.type !== "match") return;
    const changes = this.#state.update(asSpectator(message.match));
    if (!changes) return;
    this.#draw();
    const text = changesText(changes, this.#state);
    if (text) this.say(text);
    if (changes.ended) this.#checkAfter(AFTER_END);
  }

  /** @param {number} delay milliseconds */
  #checkAfter(delay) {
    clearTimeout(this.#check);
    this.#check = setTimeout(() => this.#next(), delay);
  }

  /** Show the next game; the computer begins one if there is none. */
  async #next() {
    const game = this.getAttribute("game") ?? "";
    try {
      const found = await load(`/tv/now?${new URLSearchParams({ game, current: this.#slug })}`);
      const slug = found.slug ?? (await computerGame(game));
      if (slug !== this.#slug) return await this.#show(slug);
    } catch {
      if (!this.#slug)
        setText(this.line, t("No game is being played now. The next one is shown here."));
    }
    this.#checkAfter(BETWEEN_CHECKS);
  }

  #draw() {
    const state = this.#state;
    const { view } = state;
    this.ratings.draw(state);
    this.seats.draw(state);
    this.board.show({
      board: /** @type {BoardOut} */ (state.board),
      pieces: state.pieces,
      move: view.moves.at(-1) ?? null,
      chain: view.chain,
      plies: state.numbers,
      seat: 0,
      announcement: "",
    });
    setText(this.line, headline(state));
    setText(this.caption, state.isOver ? (view.result ?? "") : view.caption);
    this.#tick();
  }

  #tick() {
    clearTimeout(this.#timer);
    const state = this.#state;
    this.seats.tick(state);
    if (state.view.clock.running) this.#timer = setTimeout(() => this.#tick(), state.untilNextTick);
  }
}

/**
 * Return a match as a spectator sees it: a player who watches TV does not play there.
 * @param {MatchOut} view
 * @returns {MatchOut}
 */
function asSpectator(view) {
  return { ...view, own: [], legal: [] };
}

/**
 * Let the computer begin a game against itself, and return its slug.
 * @param {string} game
 * @returns {Promise<string>}
 */
async function computerGame(game) {
  const headers = { "X-CSRFToken": csrfToken() };
  const response = await fetch("/tv/computer", {
    method: "POST",
    headers,
    body: new URLSearchParams({ game }),
  });
  if (!response.ok) throw new Error(`tv: ${response.status}`);
  return (await response.json()).slug;
}

customElements.define("antipodes-tv", TvPage);
