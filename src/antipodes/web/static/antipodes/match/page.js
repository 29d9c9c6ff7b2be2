// The match page: the board, its panels, and the WebSocket connection.

import { t, tn } from "../i18n.js";
import { practiceUrl } from "../analysis/server.js";
import "../board.js";
import { enableMoveInput, showPreviews } from "../board/requests.js";
import { premoves } from "../board/premoves.js";
import { preferences } from "../board/settings.js";
import { defined } from "../defined.js";
import { ActionsPanel } from "./actions.js";
import { Alerts } from "./alerts.js";
import { ChatPanel } from "./chat.js";
import { Connection } from "./connection.js";
import { element, load, setText } from "./dom.js";
import { HintPanel } from "./hint.js";
import { iconButton } from "./icons.js";
import { MovesPanel } from "./moves.js";
import { NotesPanel } from "./notes.js";
import { ConditionalMovesPanel } from "./conditional_moves.js";
import { Premove } from "./premove.js";
import { Ratings } from "./ratings.js";
import { SeatsPanel } from "./seats.js";
import { MatchState } from "./state.js";
import { GoalLine, StatusPanel } from "./status.js";
import { Tabs } from "./tabs.js";
import { untilNextTick } from "./times.js";
import { TryOut } from "./tryout.js";
import { changesText, goalText, headline, positionText } from "./texts.js";

/** @import { BoardData } from "../board/state.js" */
/** @import { Answer, Command } from "./connection.js" */
/** @import { Step } from "./conditional_tree.js" */
/** @import { MatchView } from "./state.js" */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
// These work on the board too, where arrow keys move between cells.
/** @type {Record<string, number>} */
const STEPS_ANYWHERE = { ",": -1, "[": -1, ".": 1, "]": 1 };

/** `<antipodes-match slug="...">`, the content of the match page. */
class MatchPage extends HTMLElement {
  #state = new MatchState();
  /** @type {BoardData | null} */
  #board = null; // the board's data; it never changes
  #isSending = false; // whether a move is sent and not answered yet
  #timer = 0;
  #seenMoves = 0; // number of moves when the page was last visible

  slug = this.getAttribute("slug") ?? "";
  board = document.createElement("antipodes-board");
  live = element("p", { class: "spoken", role: "status", "aria-live": "polite" });
  connectionStatus = element("p", { class: "connection", role: "status" });
  refusal = element("p", { class: "refusal", role: "alert" });
  ratings = new Ratings(
    () => {
      this.ratings.draw(this.#state);
      this.seats.draw(this.#state);
    },
    (text) => this.say(text),
    { first: JSON.parse(document.querySelector("#match-ratings")?.textContent ?? "null") },
  );
  alerts = new Alerts();
  seats = new SeatsPanel(this);
  moves = new MovesPanel(this);
  status = new StatusPanel();
  premove = new Premove(() => this.#cancelPremove());
  hint = new HintPanel(this.slug, () => this.#draw());
  tryButton = iconButton("branch", t("Try moves"), () => this.tryOut.open(this.#state));
  actions = new ActionsPanel(
    this,
    this.alerts.root,
    [this.hint.button, this.tryButton, this.hint.link, this.alerts.button],
    {
      slug: this.slug,
      waiting: Number(this.getAttribute("waiting") ?? 0),
      event: this.getAttribute("event"),
    },
  );
  review = element("antipodes-review", { hidden: true, id: "review" });
  /** The tab of links; its contents are loaded when it is first opened. */
  shareTab = element("div", { class: "share" });
  /** @type {import("./share.js").SharePanel | null} */
  #share = null;
  tabs = new Tabs(t("Beside the game"));
  notes = new NotesPanel();
  chat = new ChatPanel(
    this,
    this.hasAttribute("named"),
    () => this.tabs.current === "chat" && !document.hidden,
    () => this.#showUnread(),
  );
  conditionalMoves = new ConditionalMovesPanel(this, (count) =>
    this.tabs.setCount("conditional", count, tn("{count} move", "{count} moves", count)),
  );
  table = element("div", { class: "table" }, this.board);
  tryOut = new TryOut(this.table, this.board, {
    addConditional: (line) => this.#addConditional(line),
    onToggle: (isOpen) => this.#onTryOut(isOpen),
  });
  goal = new GoalLine();
  connection = new Connection(`/m/${this.slug}/socket?moves=new`);

  async connectedCallback() {
    const side = this.getAttribute("side");
    if (side !== null) preferences.defaults = { side };
    const [board, view] = await Promise.all(["board.json", "match.json"].map(load));
    this.#build(); // at once with its contents, so that nothing moves
    this.#board = this.#state.board = board;
    this.#update(view);
    if (view.seen !== null && view.seen !== undefined) this.moves.showSince(view.seen);
    this.#openAt(new URLSearchParams(location.search).get("ply"));
    this.#restoreFocus();
    // Screen readers have often read the page's title before it says whose turn it is, and they do
    // not read a live region that is added together with its text.
    requestAnimationFrame(() => this.say(headline(this.#state)));
    this.#connect();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.connection.close();
    document.removeEventListener("keydown", this.#onKey);
    document.removeEventListener("visibilitychange", this.#onVisibility);
    preferences.removeEventListener("change", this.#redraw);
  }

  /** Redraw after a change of settings: the texts of moves depend on the orientation. */
  #redraw = () => this.#state.view && this.#draw();

  /** Focus the board after a first move with the keyboard on the home page. */
  #restoreFocus() {
    if (!sessionStorage.getItem("antipodes-keys")) return;
    sessionStorage.removeItem("antipodes-keys");
    this.board.focusCell(this.#state.view.moves[0]?.last ?? 0);
  }

  /**
   * Show the move in the page's URL.
   * @param {string | null} ply
   */
  #openAt(ply) {
    if (ply !== null && /^\d{1,6}$/.test(ply)) this.go(Number(ply));
  }

  #build() {
    this.review.addEventListener("go", (event) => this.go(event.detail));
    this.tabs.add("moves", t("Moves"), this.moves.root, () => this.moves.reveal());
    this.tabs.add("chat", t("Chat"), this.chat.root, () => this.chat.markRead());
    this.tabs.add("conditional", t("Conditional moves"), this.conditionalMoves.root);
    this.tabs.add("notes", t("Notes"), this.notes.root, () => this.notes.open());
    this.tabs.add("share", t("Share"), this.shareTab, () => this.#openShare());
    this.tabs.open("moves");
    this.append(
      this.goal.root,
      this.seats.others,
      this.table,
      this.seats.own,
      element(
        "div",
        { class: "now" },
        this.status.root,
        this.premove.root,
        this.connectionStatus,
        this.refusal,
        this.actions.root,
        this.hint.root,
        this.seats.remarks,
        this.moves.since,
      ),
      this.moves.stepper,
      this.tabs.root,
      this.review,
      this.live,
    );
    this.board.addEventListener("play", (event) => this.#choose(detailOf(event)));
    this.board.addEventListener("cancelpremove", () => this.#cancelPremove());
    this.board.addEventListener("compose", () => this.#drawStatus());
    this.board.setAttribute("options", "");
    this.board.answers = {
      goal: () => goalText(this.#state),
      time: () => this.seats.timesText(this.#state),
    };
    showPreviews(this.board, () => (this.#isPremoving ? null : this.#state.line));
    enableMoveInput(
      this.board,
      () => this.#state.line,
      () => this.#state.side,
    );
    preferences.addEventListener("change", this.#redraw);
    document.addEventListener("keydown", this.#onKey);
    document.addEventListener("visibilitychange", this.#onVisibility);
  }

  /** @param {Omit<Step, "then">[]} line */
  #addConditional(line) {
    this.conditionalMoves.add(line);
    this.tabs.open("conditional");
  }

  /** @param {boolean} isOpen */
  #onTryOut(isOpen) {
    this.classList.toggle("is-trying", isOpen);
    this.moves.stepper.hidden = isOpen;
    this.#draw();
    if (!isOpen) this.tryButton.focus();
  }

  // Updates and commands.

  #connect() {
    const { connection } = this;
    const showStatus = (/** @type {string} */ text) => setText(this.connectionStatus, text);
    connection.addEventListener("update", (event) => this.#receive(detailOf(event)));
    connection.addEventListener("up", () => showStatus(""));
    connection.addEventListener("down", () => showStatus(t("Connection lost. Reconnecting …")));
    connection.addEventListener("later", (event) => setText(this.refusal, detailOf(event).message));
    connection.addEventListener("gone", () => showStatus(t("This game no longer exists.")));
    connection.addEventListener("too-many", () =>
      showStatus(t("Too many tabs are open. Return to this tab to reconnect.")),
    );
    connection.addEventListener("signed-out", () => this.#onSignedOut());
    connection.open();
  }

  /** Reconnect with the browser's new session, or as a spectator; ask a player to sign in. */
  async #onSignedOut() {
    const own = String(this.#state.view.own);
    const view = await load("match.json").catch(() => null);
    if (view && String(view.own) === own) {
      this.connection.open();
      return;
    }
    const address = `/accounts/login/?next=${encodeURIComponent(location.pathname)}`;
    const link = element("a", { href: address }, t("Sign in again"));
    this.connectionStatus.replaceChildren(t("You were signed out."), " ", link);
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === "match") this.#update(message.match);
    else if (message.type === "chat") this.chat.add(message.lines);
    else if (message.type === "chat-hidden") this.chat.remove(message.id);
    else if (message.type === "watching") {
      this.seats.drawSpectators(message.count, message.seats, this.#state);
    } else if (message.type === "thinking") {
      this.#showThinking(message);
    }
  }

  /**
   * Show that the computer is thinking or busy, and announce a wait once.
   * @param {{warming: boolean, wait?: number}} message
   */
  #showThinking({ warming, wait = 0 }) {
    const isNew = wait && !this.#state.wait;
    this.#state.isWarming = warming;
    this.#state.wait = wait;
    this.#draw();
    if (isNew) this.say(headline(this.#state));
  }

  /**
   * Send a command for the viewer's seat, and show a refusal.
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

  /** Whether the board offers moves to set while the opponent thinks. */
  get #isPremoving() {
    const isOn = preferences.value("premove", defined(this.#board)) === "on";
    return isOn && this.#state.isPresent && !this.#isSending && Premove.isAllowed(this.#state);
  }

  /**
   * Play the move that was chosen on the board, or set it during the opponent's turn.
   * @param {number} move
   */
  #choose(move) {
    if (!this.#isPremoving) return void this.#play(move);
    const { color } = defined(this.#state.seat(this.#state.mySeat));
    const name = this.board.textOf(move);
    if (!name) return this.board.rejectText(t("This move cannot be set in advance."));
    const text = this.premove.set({ move, color, text: name });
    this.#draw();
    this.say(text);
  }

  #cancelPremove() {
    const text = this.premove.cancel();
    this.#draw();
    this.say(text);
  }

  /** @param {number} move */
  async #play(move) {
    const { length } = this.#state.view.moves;
    this.#isSending = true;
    this.#draw();
    const answer = await this.command({ command: "play", move });
    // The answer can arrive before the updated match.
    this.#isSending = answer.type === "done" && this.#state.view.moves.length === length;
    this.#draw();
  }

  /** When the page becomes visible, show the current match and the moves since. */
  #onVisibility = async () => {
    if (document.hidden) {
      this.#seenMoves = this.#state.view?.moves.length ?? 0;
      return;
    }
    this.#showUnread();
    this.#update(await load("match.json"));
    this.moves.showSince(this.#seenMoves);
  };

  /** @param {MatchView} view */
  #update(view) {
    const wasMyTurn = this.#state.view && this.#state.isMyTurn;
    const changes = this.#state.update(view);
    if (!changes) return;
    this.#isSending = false;
    const premove = this.premove.take(this.#state, changes);
    this.#draw();
    if (!changes.before) return;
    this.alerts.sound(changes, this.#state);
    this.#openAgreed(changes.before, view);
    const text = [changesText(changes, this.#state), premove.text].filter(Boolean).join(" ");
    if (text) this.say(text);
    if (premove.move !== null) this.#play(premove.move);
    else if (changes.ended || (this.#state.isMyTurn && !wasMyTurn)) this.alerts.alert(this.#state);
  }

  /**
   * Take players to the game that they have agreed to. Where a series goes on by itself, they see
   * first how the game ended.
   * @param {MatchView} before
   * @param {MatchView} view
   */
  #openAgreed(before, view) {
    const isAgreed = before.result !== null || !this.#state.isSeriesOpen;
    const isNew = view.next && !before.next;
    if (isNew && isAgreed && this.#state.isSeated) location.assign(`../${view.next}/`);
  }

  // Display.

  /**
   * Show the position after a number of moves.
   * @param {number} ply
   */
  go(ply) {
    if (this.tryOut.isOpen) this.tryOut.close();
    this.#state.go(ply);
    this.#draw();
    this.say(positionText(this.#state));
  }

  /**
   * Announce a text to screen readers.
   * @param {string} text
   */
  say(text) {
    this.live.replaceChildren(element("span", {}, text));
  }

  #showUnread() {
    if (this.tabs.current === "chat" && !document.hidden) this.chat.unread = 0;
    const { unread } = this.chat;
    this.tabs.setCount("chat", unread, tn("{count} unread", "{count} unread", unread));
  }

  #draw() {
    const state = this.#state;
    this.goal.draw(state);
    this.hint.draw(state);
    this.#drawBoard(state);
    this.ratings.draw(state);
    this.seats.draw(state);
    this.moves.draw(state);
    this.#drawStatus();
    this.actions.draw(state);
    this.chat.draw(state);
    this.conditionalMoves.draw(state);
    this.tabs.setHidden("conditional", !state.isSeated || state.isOver || !state.view.analysis);
    this.tabs.setHidden("notes", !this.hasAttribute("named"));
    this.tryOut.draw(state);
    this.tryButton.hidden = this.tryOut.isOpen || !(state.view.analysis || state.isOver);
    this.#drawReview(state);
    this.#share?.draw(state);
    this.alerts.draw(state);
    this.#tick();
  }

  async #openShare() {
    const { SharePanel } = await import("./share.js");
    if (this.#share) return;
    this.#share = new SharePanel(this.hasAttribute("hexworld"));
    this.shareTab.append(this.#share.root);
    this.#share.draw(this.#state);
  }

  #drawStatus() {
    const { nextStep, steps } = this.board;
    const step = this.#isPremoving
      ? steps.length && t("Premove: {step}", { step: nextStep })
      : nextStep;
    this.status.draw(this.#state, this.#isSending, step || "");
  }

  /** @param {MatchState} state */
  async #drawReview(state) {
    if (!state.isOver) return;
    await import("../review.js");
    const { analysisUrl, ply, view } = state;
    const moves = view.moves.map((move) => ({ ...move, text: state.textOf(move.text) }));
    const textOf = (/** @type {string} */ text) => state.textOf(text);
    const practiceUrlAt = (/** @type {number} */ at) => practiceUrl(state.lineAt(at));
    this.review.show({
      slug: this.slug,
      moves,
      ply,
      analysisUrl,
      practiceUrlAt,
      textOf,
      side: state.side,
      own: state.seat(state.mySeat)?.color,
    });
  }

  /** @param {MatchState} state */
  #drawBoard(state) {
    const { view, ply, isPresent } = state;
    const mayMove = isPresent && !this.#isSending && !view.clock.paused;
    const isPremove = this.#isPremoving;
    const board = defined(this.#board);
    const turn = state.seat(isPremove ? view.own[0] : view.toMove)?.color;
    this.board.show({
      board,
      pieces: state.pieces,
      legal: isPremove ? premoves(board, state.pieces, defined(turn)) : mayMove ? view.legal : [],
      isPremove,
      premove: isPremove ? this.premove.move : null,
      move: ply ? view.moves[ply - 1] : null,
      chain: isPresent ? view.chain : [],
      plies: state.numbers,
      marks: this.hint.marks,
      seat: view.own[0] ?? 0,
      turn,
      own: state.seat(state.mySeat)?.color,
      announcement: "", // the page announces moves, with names
    });
  }

  /** Update the clocks, and check for a fallen flag. */
  #tick() {
    clearTimeout(this.#timer);
    const state = this.#state;
    this.seats.tick(state);
    this.actions.draw(state);
    const { clock } = state.view;
    if (!clock.running) return;
    this.#timer = setTimeout(
      () => this.#tick(),
      untilNextTick(state.grace ?? (clock.seat === null ? null : state.left(clock.seat))),
    );
  }

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    const within = (/** @type {string} */ selector) =>
      target instanceof Element && target.closest(selector) !== null;
    if (
      event.key === "Escape" &&
      this.premove.move !== null &&
      !event.defaultPrevented &&
      !within("dialog")
    ) {
      this.#cancelPremove();
    }
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
 * Return the detail of a custom event.
 * @param {Event} event
 * @returns {any} depends on the event
 */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

customElements.define("antipodes-match", MatchPage);
