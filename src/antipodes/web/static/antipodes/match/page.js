// The match page: its state, its connection to the server, and its parts (parts.js).

import { t } from "../i18n.js";
import "../board.js";
import { stepOf } from "../board/keyboard.js";
import { preferences } from "../board/settings.js";
import { LiveRegion } from "../live_region.js";
import { Connection } from "./connection.js";
import { detailOf, element, load, setText } from "./dom.js";
import { PARTS, PLACES } from "./parts.js";
import { MatchState } from "./state.js";
import { Tabs } from "./tabs.js";
import { changesText, headline, positionText } from "./texts.js";

/** @import { Command } from "./connection.js" */
/** @import { Change, Part } from "./parts.js" */
/** @import { AnswerMessage, MatchNews, MatchOut } from "wire" */

/** @typedef {keyof typeof PLACES} Area */

/**
 * `<antipodes-match slug="...">`, the content of the match page.
 *
 * Fires `go` with the number of moves when another position is shown, and `step`, which a part may
 * prevent, when the viewer steps through the moves. Parts fire `low-time` and `add-conditional`.
 */
export class MatchPage extends HTMLElement {
  #timer = 0;
  #seenMoves = 0; // number of moves when the page was last visible
  #leave = new AbortController();
  /** @type {Map<Area, Map<string, HTMLElement>>} */
  #placed = new Map();
  /** @type {Part[]} */
  #parts = [];
  #refusal = element("p", { class: "refusal", role: "alert" });
  #live = new LiveRegion("spoken");

  slug = this.getAttribute("slug") ?? "";
  state = new MatchState();
  connection = new Connection(`/m/${this.slug}/socket?moves=new`);
  tabs = new Tabs(t("Beside the game"));
  board = document.createElement("antipodes-board");
  table = element("div", { class: "table" }, this.board);
  /** Whether the computer reviews the match; null before that is known. */
  hasReview = /** @type {boolean | null} */ (null);
  /** Marks on the board, as cell -> text. */
  marks = /** @type {Record<number, string>} */ ({});

  async connectedCallback() {
    for (const name of ["side", "engine"]) {
      const usual = this.getAttribute(name);
      if (usual !== null) preferences.defaults[name] = usual;
    }
    const [board, view] = await Promise.all(["board.json", "match.json"].map(load));
    this.state.board = board; // it never changes
    this.#build(); // at once with its contents, so that nothing moves
    this.#update(view);
    if (view.seen !== null && view.seen !== undefined) this.#showSince(view.seen);
    this.#openAt(new URLSearchParams(location.search).get("ply"));
    this.#restoreFocus();
    // Screen readers have often read the page's title before it says whose turn it is, and they do
    // not read a live region that is added together with its text.
    requestAnimationFrame(() => this.say(headline(this.state)));
    this.connection.addEventListener("update", (event) => this.#receive(detailOf(event)));
    this.connection.open();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.connection.close();
    this.#leave.abort();
  }

  /** Focus the board after a first move with the keyboard on the home page. */
  #restoreFocus() {
    if (!sessionStorage.getItem("antipodes-keys")) return;
    sessionStorage.removeItem("antipodes-keys");
    this.board.focusCell(this.state.view.moves[0]?.last ?? 0);
  }

  /**
   * Show the move in the page's URL.
   * @param {string | null} ply
   */
  #openAt(ply) {
    if (ply !== null && /^\d{1,6}$/.test(ply)) this.go(Number(ply));
  }

  /** Make the parts and put their elements in their places. */
  #build() {
    this.#parts = PARTS.map((MadePart) => new MadePart(this));
    this.place("page", "table", this.table);
    this.place("now", "refusal", this.#refusal);
    this.place("page", "now", element("div", { class: "now" }, ...this.placed("now")));
    this.place("page", "tabs", this.tabs.root);
    this.place("page", "live", this.#live.root);
    this.append(...this.placed("page"));
    this.tabs.open("moves");
    // The texts of moves depend on the orientation.
    this.listen(preferences, "change", () => this.state.view && this.draw());
    this.listen(document, "keydown", (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)));
    this.listen(document, "visibilitychange", () => this.#onVisibility());
  }

  /**
   * Put an element in a place of the page.
   * @param {Area} area
   * @param {string} name of the place; see `PLACES`
   * @param {HTMLElement} content
   */
  place(area, name, content) {
    if (!this.#placed.has(area)) this.#placed.set(area, new Map());
    this.#placed.get(area)?.set(name, content);
  }

  /**
   * Return the elements that were put in an area.
   * @param {Area} area
   */
  placed(area) {
    const contents = this.#placed.get(area);
    return PLACES[area].flatMap((name) => contents?.get(name) ?? []);
  }

  /**
   * Listen to an event for as long as the page is shown.
   * @param {EventTarget} target
   * @param {string} type
   * @param {(event: Event) => void} listener
   */
  listen(target, type, listener) {
    target.addEventListener(type, listener, { signal: this.#leave.signal });
  }

  // Updates and commands.

  /** @param {MatchNews} message */
  #receive(message) {
    if (message.type === "match") this.#update(message.match);
    for (const { messages = {} } of this.#parts) {
      const take = messages[message.type];
      if (take) /** @type {(message: MatchNews) => void} */ (take)(message);
    }
  }

  /**
   * Send a command for the viewer's seat, and show a refusal.
   * @param {Command} details
   * @returns {Promise<AnswerMessage>}
   */
  async command(details) {
    const { view, mySeat } = this.state;
    this.refuse("");
    const answer = await this.connection.send({ seat: mySeat, ply: view.moves.length, ...details });
    this.refuse(answer.type === "refused" ? (answer.message ?? "") : "");
    return answer;
  }

  /**
   * Show why a command was refused or has to wait; an empty text hides it.
   * @param {string} text
   */
  refuse(text) {
    setText(this.#refusal, text);
  }

  /** @param {MatchOut} view */
  #update(view) {
    const wasMyTurn = this.state.view && this.state.isMyTurn;
    const changes = this.state.update(view);
    if (!changes) return;
    const isNewTurn = this.state.isMyTurn && !wasMyTurn;
    /** @type {Change} */
    const change = { changes, isNewTurn, texts: [], isAnswered: false };
    for (const part of this.#parts) part.take?.(change);
    this.draw();
    if (!changes.before) return;
    const text = [changesText(changes, this.state), ...change.texts].filter(Boolean).join(" ");
    if (text) this.say(text);
    for (const part of this.#parts) part.tell?.(change);
  }

  /** When the page becomes visible, show the current match and the moves since. */
  async #onVisibility() {
    if (document.hidden) {
      this.#seenMoves = this.state.view?.moves.length ?? 0;
      return;
    }
    this.#update(await load("match.json"));
    this.#showSince(this.#seenMoves);
  }

  /** @param {number} seen */
  #showSince(seen) {
    for (const part of this.#parts) part.showSince?.(seen);
  }

  // Display.

  /**
   * Show the position after a number of moves.
   * @param {number} ply
   */
  go(ply) {
    this.dispatchEvent(new CustomEvent("go", { detail: ply }));
    this.state.go(ply);
    this.draw();
    this.say(positionText(this.state));
  }

  /**
   * Announce a text to screen readers.
   * @param {string} text
   */
  say(text) {
    this.#live.say(text);
  }

  /** Draw all parts. */
  draw() {
    for (const part of this.#parts) part.draw?.(this.state);
    this.#tick();
  }

  /** Update the clocks, and check for a fallen flag. */
  #tick() {
    clearTimeout(this.#timer);
    const { state } = this;
    for (const part of this.#parts) part.tick?.(state);
    if (state.view.clock.running) this.#timer = setTimeout(() => this.#tick(), state.untilNextTick);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = stepOf(event);
    if (step === null || event.defaultPrevented) return;
    event.preventDefault();
    this.step(step);
  }

  /**
   * Go a number of moves forward or back, in the game or in a line that is shown instead.
   * @param {number} count
   */
  step(count) {
    const isFree = this.dispatchEvent(new CustomEvent("step", { detail: count, cancelable: true }));
    if (isFree) this.go(this.state.ply + count);
  }
}

customElements.define("antipodes-match", MatchPage);
