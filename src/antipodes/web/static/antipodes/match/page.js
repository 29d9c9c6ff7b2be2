// A match: its board, its panels, and a socket that brings news and takes commands.

import { t, tn } from "../i18n.js";
import "../board.js";
import { readMoves, showPreviews } from "../board/asking.js";
import { chosen } from "../board/settings.js";
import { sure } from "../sure.js";
import { ActionsPanel, StatusPanel } from "./actions.js";
import { Alerts } from "./alerts.js";
import { ChatPanel } from "./chat.js";
import { Connection } from "./connection.js";
import { button, element, load, setText } from "./dom.js";
import { HintPanel } from "./hint.js";
import { MovesPanel } from "./moves.js";
import { NotesPanel } from "./notes.js";
import { PlansPanel } from "./plans.js";
import { Ratings } from "./ratings.js";
import { SeatsPanel } from "./seats.js";
import { SharePanel } from "./share.js";
import { MatchState } from "./state.js";
import { Tabs } from "./tabs.js";
import { untilNextFace } from "./times.js";
import { TryOut } from "./tryout.js";
import { goalText, headline, newsInWords, positionInWords } from "./words.js";

/** @import { BoardData } from "../board/state.js" */
/** @import { Answer, Command } from "./connection.js" */
/** @import { Step } from "./plan_tree.js" */
/** @import { MatchView } from "./state.js" */

/** @type {Record<string, number>} */
const STEPS = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};
// These work on the board too, where the arrows walk the cells.
/** @type {Record<string, number>} */
const STEPS_ANYWHERE = { ",": -1, "[": -1, ".": 1, "]": 1 };

class MatchPage extends HTMLElement {
  #state = new MatchState();
  /** @type {BoardData | null} */
  #board = null; // the board as data; it never changes
  #isSending = false; // a move is on its way
  #timer = 0;
  #left = 0; // moves that there were when the page was last looked at

  slug = this.getAttribute("slug") ?? "";
  board = document.createElement("antipodes-board");
  live = element("p", { class: "spoken", role: "status", "aria-live": "polite" });
  lost = element("p", { class: "connection", role: "status" });
  refusal = element("p", { class: "refusal", role: "alert" });
  ratings = new Ratings(
    () => {
      this.ratings.draw(this.#state);
      this.seats.draw(this.#state);
    },
    (text) => this.say(text)
  );
  seats = new SeatsPanel(this);
  moves = new MovesPanel(this);
  status = new StatusPanel();
  alerts = new Alerts();
  actions = new ActionsPanel(this, this.alerts.root);
  hint = new HintPanel(this.slug, () => this.#draw());
  review = element("antipodes-review", { hidden: true, id: "review" });
  share = new SharePanel();
  tabs = new Tabs(t("Beside the game"));
  notes = new NotesPanel();
  chat = new ChatPanel(
    this,
    this.hasAttribute("named"),
    () => this.tabs.current === "chat" && !document.hidden,
    () => this.#countChat()
  );
  plans = new PlansPanel(this, (count) => this.tabs.setCount("plan", count, tn("{count} move", "{count} moves", count)));
  table = element("div", { class: "table" }, this.board);
  tryOut = new TryOut(this.table, this.board, {
    keep: (line) => this.#keep(line),
    changed: (isOpen) => this.#trying(isOpen),
  });
  goal = element("p", { class: "goal" });
  tryButton = button(t("Try moves out"), () => this.tryOut.open(this.#state));
  connection = new Connection(`/m/${this.slug}/socket?moves=new`);

  async connectedCallback() {
    const side = this.getAttribute("side");
    if (side !== null) chosen.usual = { side };
    this.#build();
    const [board, view] = await Promise.all(["board.json", "match.json"].map(load));
    this.#board = this.#state.board = board;
    this.#take(view);
    if (view.seen !== null && view.seen !== undefined) this.moves.tellSince(view.seen);
    this.#openAt(new URLSearchParams(location.search).get("ply"));
    this.#keepKeys();
    this.#connect();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.connection.close();
    document.removeEventListener("keydown", this.#key);
    document.removeEventListener("visibilitychange", this.#look);
    chosen.removeEventListener("change", this.#redraw);
  }

  /** Moves are written as the board is seen. */
  #redraw = () => this.#state.view && this.#draw();

  /** After a first move by keys on the first page, keep the focus on the board. */
  #keepKeys() {
    if (!sessionStorage.getItem("antipodes-keys")) return;
    sessionStorage.removeItem("antipodes-keys");
    this.board.focusCell(this.#state.view.moves[0]?.last ?? 0);
  }

  /**
   * Show the move that the page's address names.
   * @param {string | null} ply
   */
  #openAt(ply) {
    if (ply !== null && /^\d{1,6}$/.test(ply)) this.go(Number(ply));
  }

  #build() {
    this.review.addEventListener("go", (event) => this.go(event.detail));
    this.tabs.add("chat", t("Chat"), this.chat.root, () => this.chat.seen());
    this.tabs.add("plan", t("Plan"), this.plans.root);
    this.tabs.add("notes", t("Notes"), this.notes.root, () => this.notes.open());
    this.tabs.add("share", t("Share"), this.share.root);
    this.tabs.open("chat");
    this.append(
      this.goal,
      this.seats.root,
      this.table,
      element(
        "div",
        { class: "now" },
        this.status.root,
        this.lost,
        this.refusal,
        this.actions.root,
        this.hint.root
      ),
      this.#makeStepper(),
      this.moves.root,
      this.tabs.root,
      this.review,
      this.live
    );
    this.board.addEventListener("play", (event) => this.#play(detailOf(event)));
    this.board.setAttribute("options", "");
    showPreviews(this.board, () => this.#state.line);
    readMoves(
      this.board,
      () => this.#state.line,
      () => this.#state.side
    );
    chosen.addEventListener("change", this.#redraw);
    document.addEventListener("keydown", this.#key);
    document.addEventListener("visibilitychange", this.#look);
  }

  #makeStepper() {
    return element("div", { class: "steps" }, this.moves.stepper, this.tryButton);
  }

  /** @param {Omit<Step, "then">[]} line */
  #keep(line) {
    this.plans.keep(line);
    this.tabs.open("plan");
  }

  /** @param {boolean} isOpen */
  #trying(isOpen) {
    this.classList.toggle("is-trying", isOpen);
    this.moves.stepper.hidden = isOpen;
    this.#draw();
    if (!isOpen) this.tryButton.focus();
  }

  // News and commands.

  #connect() {
    const { connection } = this;
    connection.addEventListener("news", (event) => this.#hear(detailOf(event)));
    connection.addEventListener("up", () => setText(this.lost, ""));
    connection.addEventListener("down", () =>
      setText(this.lost, t("The connection is lost. Trying again …"))
    );
    connection.addEventListener("later", (event) => setText(this.refusal, detailOf(event).message));
    connection.addEventListener("gone", () => setText(this.lost, t("This game is not there any more.")));
    connection.addEventListener("crowded", () =>
      setText(this.lost, t("You have opened too many tabs. Come back to this one to connect again."))
    );
    connection.addEventListener("signed-out", () => this.#goOnSignedOut());
    connection.open();
  }

  /** Connect again with the browser's new session, or as a spectator; a player has to sign in. */
  async #goOnSignedOut() {
    const own = String(this.#state.view.own);
    const view = await load("match.json").catch(() => null);
    if (view && String(view.own) === own) {
      this.connection.open();
      return;
    }
    const address = `/accounts/login/?next=${encodeURIComponent(location.pathname)}`;
    const link = element("a", { href: address }, t("Sign in again"));
    this.lost.replaceChildren(t("You were signed out."), " ", link);
  }

  /** @param {any} message */
  #hear(message) {
    if (message.type === "match") this.#take(message.match);
    else if (message.type === "chat") this.chat.add(message.lines);
    else if (message.type === "chat-hidden") this.chat.remove(message.id);
    else if (message.type === "watching") {
      this.seats.drawWatchers(message.count, message.seats, this.#state);
    } else if (message.type === "thinking") {
      this.#wait(message);
    }
  }

  /**
   * The computer thinks, or says what it waits for; screen readers say that it is busy once.
   * @param {{warming: boolean, wait?: number}} told
   */
  #wait({ warming, wait = 0 }) {
    const isNew = wait && !this.#state.wait;
    this.#state.isWarming = warming;
    this.#state.wait = wait;
    this.#draw();
    if (isNew) this.say(headline(this.#state));
  }

  /**
   * Send a command for the viewer's seat; a refusal is shown.
   * @param {Command} details
   * @returns {Promise<Answer>}
   */
  async command(details) {
    const { view, mySeat } = this.#state;
    setText(this.refusal, "");
    const answer = await this.connection.send({ seat: mySeat, ply: view.moves.length, ...details });
    setText(this.refusal, answer.type === "refused" ? (answer.message ?? "") : "");
    return answer;
  }

  /** @param {number} move */
  async #play(move) {
    const { length } = this.#state.view.moves;
    this.#isSending = true;
    this.#draw();
    const answer = await this.command({ command: "play", move });
    // It may be known to be done before the match with it arrives.
    this.#isSending = answer.type === "done" && this.#state.view.moves.length === length;
    this.#draw();
  }

  /** Whoever comes back to the page sees at once what has happened meanwhile. */
  #look = async () => {
    if (document.hidden) {
      this.#left = this.#state.view?.moves.length ?? 0;
      return;
    }
    this.#countChat();
    this.connection.wake();
    this.#take(await load("match.json"));
    this.moves.tellSince(this.#left);
  };

  /** @param {MatchView} view */
  #take(view) {
    const wasMyTurn = this.#state.view && this.#state.isMyTurn;
    const news = this.#state.take(view);
    if (!news) return;
    this.#isSending = false;
    this.#draw();
    if (!news.before) return;
    this.#goOn(news.before, view);
    const words = newsInWords(news, this.#state);
    if (words) this.say(words);
    if (news.ended || (this.#state.isMyTurn && !wasMyTurn)) this.alerts.call(this.#state);
  }

  /**
   * Whoever agreed to a rematch goes there when it begins.
   * @param {MatchView} before
   * @param {MatchView} view
   */
  #goOn(before, view) {
    const isRematch = view.next && !before.next && !this.#state.isSeriesOpen;
    if (isRematch && this.#state.isSeated) location.assign(`../${view.next}/`);
  }

  // What is shown.

  /**
   * Look at the position after so many moves; the game goes on meanwhile.
   * @param {number} ply
   */
  go(ply) {
    if (this.tryOut.isOpen) this.tryOut.close();
    this.#state.go(ply);
    this.#draw();
    this.say(positionInWords(this.#state));
  }

  /**
   * Let screen readers say something when they have time.
   * @param {string} text
   */
  say(text) {
    this.live.replaceChildren(element("span", {}, text));
  }

  #countChat() {
    if (this.tabs.current === "chat" && !document.hidden) this.chat.unread = 0;
    const { unread } = this.chat;
    this.tabs.setCount("chat", unread, tn("{count} not read yet", "{count} not read yet", unread));
  }

  #draw() {
    const state = this.#state;
    setText(this.goal, goalText(state));
    this.hint.draw(state);
    this.#drawBoard(state);
    this.ratings.draw(state);
    this.seats.draw(state);
    this.moves.draw(state);
    this.status.draw(state, this.#isSending);
    this.actions.draw(state);
    this.chat.draw(state);
    this.plans.draw(state);
    this.tabs.setHidden("plan", !state.isSeated || state.isOver || !state.view.analysis);
    this.tabs.setHidden("notes", !this.hasAttribute("named"));
    this.tryOut.draw(state);
    this.tryButton.hidden = this.tryOut.isOpen || !(state.view.analysis || state.isOver);
    this.#drawReview(state);
    this.share.draw(state);
    this.alerts.draw(state);
    this.#tick();
  }

  /** @param {MatchState} state */
  async #drawReview(state) {
    if (!state.isOver) return;
    await import("../review.js");
    const { analysisAddress, ply, view } = state;
    const moves = view.moves.map((move) => ({ ...move, text: state.textOf(move.text) }));
    const textOf = (/** @type {string} */ text) => state.textOf(text);
    this.review.show({ slug: this.slug, moves, ply, analysisAddress, textOf, side: state.side });
  }

  /** @param {MatchState} state */
  #drawBoard(state) {
    const { view, ply, isPresent } = state;
    const mayMove = isPresent && !this.#isSending && !view.clock.paused;
    this.board.show({
      board: sure(this.#board),
      pieces: state.pieces,
      legal: mayMove ? view.legal : [],
      last: ply ? view.moves[ply - 1].last : null,
      chain: isPresent ? view.chain : [],
      plies: state.numbers,
      marks: this.hint.marks,
      seat: view.own[0] ?? 0,
      turn: state.seat(view.toMove)?.color,
      said: "", // the page tells the news, with names
    });
  }

  /** Let the clocks go on, and look whether a flag has fallen. */
  #tick() {
    clearTimeout(this.#timer);
    const state = this.#state;
    this.seats.tick(state);
    this.actions.draw(state);
    const { clock } = state.view;
    if (!clock.running) return;
    this.#timer = setTimeout(() => this.#tick(), untilNextFace(clock.seat === null ? null : state.left(clock.seat)));
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    const within = (/** @type {string} */ selector) => target instanceof Element && target.closest(selector) !== null;
    if (within("input, textarea, select, dialog")) return;
    const onBoard = within("antipodes-board, [role=tablist]");
    const step = STEPS_ANYWHERE[event.key] ?? (onBoard ? undefined : STEPS[event.key]);
    if (step === undefined || event.defaultPrevented) return;
    event.preventDefault();
    if (this.tryOut.isOpen) this.tryOut.step(step);
    else this.go(this.#state.ply + step);
  };
}

/**
 * What an event of our own tells.
 * @param {Event} event
 * @returns {any} each event has a detail of its own
 */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

customElements.define("antipodes-match", MatchPage);
