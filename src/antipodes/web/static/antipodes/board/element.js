// The board of any game. It has no rules: cells, pieces and legal moves come from the server.

import { t } from "../i18n.js";
import { Bar, MoveInput, Supply } from "./controls.js";
import * as compose from "./compose.js";
import { Cursor } from "./cursor.js";
import { Drawing } from "./drawing.js";
import { appearanceOf, lockedCells, piecesLeft, plannedPieces } from "./appearance.js";
import { overlay } from "./overlays.js";
import { describedSettings, preferences } from "./settings.js";
import { defined } from "../defined.js";
import { boardFrom, hasSides, sideOf } from "./sides.js";
import { Motion, tracesOf } from "./motion.js";
import { EMPTY_STATE, isEqual, isSamePosition, mapValues, turnedPiece, turnsOf } from "./state.js";
import { ViewBar } from "./view_bar.js";
import { makeView } from "./views.js";
import "./views_side_by_side.js";
import { isNavigationKey } from "./keyboard.js";
import { LiveRegion } from "../live_region.js";
import { noteStrokes } from "./notes.js";
import { nextStep } from "./next_step.js";
import { answerTo } from "./questions.js";
import { moveText, sideText, stepsText } from "./texts.js";

/** @import { MoveTree } from "./compose.js" */
/** @import { Changes } from "./appearance.js" */
/** @import { Pieces, State } from "./state.js" */
/** @import { BoardOut } from "wire" */

const STYLES = ["theme", "board", "stones", "motion", "coordinates", "lines"]; // settings that stylesheets use

/** @typedef {Board} BoardElement */

class Board extends HTMLElement {
  #board = /** @type {BoardOut | null} */ (null);
  #named = /** @type {BoardOut | null} */ (null); // the board with the viewer's cell names
  #state = /** @type {Omit<State, "board">} */ (EMPTY_STATE);
  #tree = /** @type {MoveTree} */ (new Map());
  #steps = /** @type {number[]} */ ([]); // chosen so far
  #hoverSteps = /** @type {number[] | null} */ (null); // the steps after a click at the pointer
  #sent = /** @type {Changes} */ ({}); // pieces of the move that was sent and not answered yet
  #preview = /** @type {Changes | null} */ (null); // changes by the shown steps, once `preview` is called
  #drawing = /** @type {Drawing | null} */ (null);
  #cursor = new Cursor((cell) => this.#hover(cell));
  #hovered = /** @type {number | null} */ (null); // the cell under the pointer
  #bar = new Bar({
    play: () => this.confirm(),
    turn: (diagonal) => this.#turnRod(diagonal),
    back: () => this.back(),
  });
  #moveInput = new MoveInput((text) => this.#submitText(text));
  #supply = new Supply();
  #live = new LiveRegion("board-announcer");
  #graph = document.createElement("figure");
  #views = new ViewBar();
  #motion = new Motion();
  #options = this.#makeOptions();
  #pictures = document.createElement("div");
  #side = document.createElement("p");

  constructor() {
    super();
    this.#pictures.className = "board-pictures";
    this.#side.className = "board-side";
    this.#graph.className = "game-graph";
    this.#graph.hidden = true;
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#followFocus(event));
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.contains(/** @type {Node | null} */ (relatedTarget))) this.#hover(null);
    });
    this.addEventListener("pointermove", (event) => this.#pointerMove(event));
    this.addEventListener("pointerleave", () => this.#pointerLeave());
  }

  static observedAttributes = ["options"];

  /** Build the parts; a picture inside stands in for the board until the first `show`. */
  connectedCallback() {
    this.#pictures.append(...this.querySelectorAll(":scope > .stand-in"));
    this.replaceChildren(this.#supply.root, this.#pictures, this.#side, this.#views.root);
    this.append(
      ...(this.beside ? [this.beside] : []),
      this.#graph,
      this.#bar.root,
      this.#moveInput.root,
      this.#options,
      this.#live.root,
    );
    preferences.addEventListener("change", this.#onSettings);
  }

  /** With the attribute `options`, the settings menu is shown below the board. */
  attributeChangedCallback() {
    this.#options.hidden = !this.hasAttribute("options");
  }

  /** Make the section of the settings; its panel is loaded once it is opened. */
  #makeOptions() {
    const options = document.createElement("details");
    options.className = "board-options";
    options.hidden = true;
    const summary = document.createElement("summary");
    summary.textContent = t("Board options");
    options.append(summary);
    const addMenu = async () => (await import("./settings_menu.js")).addMenu(options, this);
    options.addEventListener("toggle", addMenu, { once: true });
    return options;
  }

  disconnectedCallback() {
    preferences.removeEventListener("change", this.#onSettings);
  }

  // Public methods.

  /**
   * Show a board with its pieces. A begun move is kept if position and legal moves are the same.
   * @param {Partial<State> & {board: BoardOut}} state
   */
  show({ board, ...state }) {
    const before = this.#state;
    this.#state = { ...EMPTY_STATE, last: state.move?.last ?? null, ...state };
    const isNew = board !== this.#board;
    if (isNew || !isSamePosition(before, this.#state)) {
      this.#tree = compose.movesTree(this.#state.legal);
      this.#steps = [];
      this.#hoverSteps = this.#preview = null;
    }
    const sent = this.#sent;
    const isMoved = !isEqual(before.pieces, this.#state.pieces);
    // A sent move stays visible until it is answered: there are no legal moves until then.
    if (this.#state.legal.length || isMoved) this.#sent = {};
    this.#board = board;
    if (isNew || before.seat !== this.#state.seat) this.#build();
    if (!isNew) this.#announce(before);
    this.#paint();
    if (!isNew && isMoved)
      this.#motion.show(this.#drawn, this.#state, before.pieces, sent, this.#setting("motion"));
    if (this.#state.last !== before.last) this.#revealLastMove();
    if (isNew) this.#fire("ready", null);
  }

  /**
   * Show what a composed move would change, in answer to the event `compose`.
   * @param {Changes} changes
   * @param {number[]} [steps] of that move; ignored if other steps are shown by now.
   */
  preview(changes, steps = this.#shown) {
    if (String(steps) !== String(this.#shown)) return;
    this.#preview = changes;
    this.#paint();
  }

  /** Choose all steps of a move, and play it at once unless it has to be confirmed. */
  propose(/** @type {number} */ move) {
    this.#moveInput.clear();
    const steps = compose.stepsOf(this.#tree, move);
    if (steps) this.#compose(steps);
    else this.#play(move); // a swap has no steps
  }

  /** Show why a typed move was rejected. */
  rejectText(/** @type {string} */ message) {
    this.#moveInput.showError(message);
  }

  /** Answer a typed question, or pass a typed move on. */
  #submitText(/** @type {string} */ text) {
    const { turn, own = turn ?? "", last } = this.#state;
    const focus = this.#cursor.spot.cell;
    const asked = {
      board: this.#namedBoard,
      pieces: this.#shownPieces,
      last,
      focus,
      own,
      answers: this.answers,
    };
    const answer = answerTo(text, asked);
    if (answer !== null) this.#moveInput.showAnswer(answer);
    else if (this.#state.legal.length) this.#fire("movetext", text);
    else this.rejectText(t("It is not your turn."));
  }

  /** The pieces as the view shows them. */
  get #shownPieces() {
    const { pieces } = this.#state;
    return this.#drawn.view.isTurned ? mapValues(pieces, turnedPiece) : pieces;
  }

  /** Play the complete move. */
  confirm() {
    const move = compose.moveOf(this.#tree, this.#steps);
    if (move !== null) this.#play(move);
  }

  /** Undo the last step of the move in progress. */
  back() {
    if (this.#steps.length) this.#compose(compose.stepBack(this.#tree, this.#steps, this.#isRods));
  }

  /** Announce a text to screen readers. */
  say(/** @type {string} */ text) {
    this.#live.say(text);
  }

  /** What stands beside the pictures, set before the board is in the page. */
  beside = /** @type {HTMLElement | null} */ (null);

  /** Settings of this board that replace the viewer's. */
  looks = /** @type {Record<string, string> | null} */ (null);

  /** Answers of the owner to typed questions, by their words. */
  answers = /** @type {Record<string, () => string>} */ ({});

  /** Whether typed moves are accepted: the owner handles the event `movetext`. */
  acceptsText = false;

  /** The board's data, or null before the first `show`. */
  get data() {
    return this.#board;
  }

  /** Return a move that can be chosen now as text for the player. */
  textOf(/** @type {number} */ move) {
    return this.#textOf(compose.stepsOf(this.#tree, move) ?? []);
  }

  /** The steps chosen so far. */
  get steps() {
    return [...this.#steps];
  }

  /** The next step of the player's move, as a sentence; empty when they cannot move. */
  get nextStep() {
    return nextStep(this.#tree, this.#steps, this.#isRods, this.#state.pieces);
  }

  /** Return the settings of this board with their labels, choices and values. */
  settings() {
    return describedSettings(this.#boardData, (name) => this.#setting(name));
  }

  // Drawing.

  /** The board's data, once `show` was called. */
  get #boardData() {
    return defined(this.#board);
  }

  /** The board's data with the viewer's cell names. */
  get #namedBoard() {
    return defined(this.#named);
  }

  get #drawn() {
    return defined(this.#drawing);
  }

  get #isRods() {
    return this.#boardData.kind === "grid";
  }

  /** The steps that are drawn: those after a click at the pointer, or those chosen so far. */
  get #shown() {
    return this.#hoverSteps ?? this.#steps;
  }

  /** The steps of the move that is set in advance. */
  get #premove() {
    const { premove } = this.#state;
    return premove === null ? [] : (compose.stepsOf(this.#tree, premove) ?? []);
  }

  get #isConfirming() {
    const setting = this.#setting("confirm");
    const isOn = setting === "auto" ? this.#isEasilyMissed : setting === "on";
    return this.#state.confirm ?? isOn;
  }

  /** Whether a wrong move costs much, or the diagonal of a rod is easily missed on a small screen. */
  get #isEasilyMissed() {
    const isTouched = matchMedia("(pointer: coarse)").matches;
    return this.#state.isSlow || (isTouched && this.#board?.kind === "grid");
  }

  #setting(/** @type {string} */ name) {
    return this.looks?.[name] ?? preferences.value(name, this.#boardData);
  }

  #onSettings = () => {
    if (!this.#board) return;
    this.#build();
    this.#paint();
  };

  #build() {
    this.#drawing?.view.detach?.();
    const isOwn = this.#setting("side") === "own";
    const board = this.#boardData;
    const turns = isOwn ? turnsOf(board, this.#state.seat) : 0;
    const side = sideOf(board, this.#state.seat);
    this.#named = boardFrom(board, side);
    this.#side.textContent = sideText(board, side);
    this.#side.hidden = !hasSides(board);
    const view = makeView(this.#named, this.#setting("view"), { turns });
    const { pictures } = (this.#drawing = new Drawing(view, this.#named));
    this.#pictures.replaceChildren(...pictures);
    for (const name of STYLES) this.dataset[name] = this.#setting(name) ?? "none";
    if (!this.looks) document.documentElement.dataset.board = this.dataset.board; // colours of seats
    this.dataset.kind = this.#boardData.kind;
    this.toggleAttribute("data-turned", view.isTurned ?? false);
    view.attach?.({ board: this, pictures, refresh: () => this.#drawn.place() });
    if (matchMedia("(any-pointer: coarse)").matches)
      import("./zoom.js").then(({ addZoom }) => addZoom(pictures));
    this.#views.show(this.#boardData, view.name);
    this.#cursor.attach(this.#drawn);
    this.#revealLastMove();
  }

  /** Show the graph of a position if it is switched on; only then is it loaded. */
  async #showGraph(/** @type {Pieces} */ pieces) {
    const isOn = () => this.#setting("graph") === "on";
    this.#graph.hidden ||= !isOn();
    if (!isOn()) return;
    const { showGraph } = await import("./graph_picture.js");
    if (isOn()) showGraph(this.#graph, this.#boardData, pieces);
  }

  #revealLastMove() {
    const { last } = this.#state;
    if (last !== null) this.#drawn.view.revealCell?.(last);
  }

  #paint() {
    const { view } = this.#drawn;
    const { pieces, chain, turn } = this.#state;
    const premove = this.#premove;
    const shown = this.#describe(this.#shown.length ? this.#shown : premove);
    this.toggleAttribute("data-premove", this.#state.isPremove);
    const context = {
      board: this.#namedBoard,
      state: this.#state,
      open: compose.openCells(this.#tree, this.#steps, this.#isRods),
      free: compose.freeCells(this.#tree, this.#steps, this.#isRods),
      selected: this.#describe(this.#steps).cells,
      planned: { ...this.#sent, ...plannedPieces(turn, shown, pieces), ...this.#preview },
      premove: this.#describe(premove).cells,
      isComplete: compose.moveOf(this.#tree, this.#steps) !== null,
      isHover: this.#hoverSteps !== null,
      hovered: this.#hovered,
      traces: tracesOf(this.#state.move),
      locked: lockedCells(this.#boardData, pieces),
      coordinates: this.#setting("coordinates"),
      withNumbers: this.#setting("numbers") === "on",
      inView: (/** @type {string} */ piece) => (view.isTurned ? turnedPiece(piece) : piece),
    };
    this.#drawn.paint((index) => appearanceOf(context, view.spots[index]));
    this.#drawn.markChain(
      chain,
      this.#isRods ? (cell) => context.inView(pieces[cell]).at(-1) === "/" : null,
    );
    this.#drawn.signs = { ...this.#state.numbers, ...this.#state.marks };
    this.#drawn.notes = noteStrokes(this.#state.shapes, view);
    this.#drawn.overlay = overlay(this.#setting("lines") ?? "none", view, this.#boardData, pieces);
    this.#showGraph(pieces);
    this.#moveInput.show(this.acceptsText && this.#setting("input") === "on");
    this.#supply.show(piecesLeft(this.#boardData, pieces));
    this.#showBar();
  }

  /** Split steps into cells and a diagonal. */
  #describe(/** @type {number[]} */ steps) {
    return compose.describe(this.#tree, steps, this.#isRods);
  }

  /** Return steps as text for the player. */
  #textOf(/** @type {number[]} */ steps) {
    const { cells, diagonal } = this.#describe(steps);
    return stepsText(
      this.#namedBoard.names,
      cells,
      diagonal === null ? null : this.#turnedDiagonal(diagonal),
    );
  }

  #showBar() {
    const isComplete = compose.moveOf(this.#tree, this.#steps) !== null;
    const wantsDiagonal = compose.wantsDiagonal(this.#tree, this.#steps, this.#isRods);
    const needsLanding = this.#steps.length === 1 && !isComplete && !wantsDiagonal;
    this.toggleAttribute("data-landing", needsLanding);
    const lostFocus = this.#bar.show({
      text: [this.#textOf(this.#steps), needsLanding ? this.nextStep : ""]
        .filter(Boolean)
        .join(" · "),
      canPlay: isComplete,
      canTurn: wantsDiagonal || (isComplete && this.#isRods),
      canGoBack: this.#steps.length > 0,
      keepsRoom:
        this.#state.legal.length > 0 && (this.#isConfirming || compose.hasSeveralSteps(this.#tree)),
    });
    if (lostFocus) this.#cursor.focus();
  }

  #announce(/** @type {typeof EMPTY_STATE & Partial<State>} */ before) {
    const { last, announcement } = this.#state;
    const old = this.#drawn.view.isTurned ? mapValues(before.pieces, turnedPiece) : before.pieces;
    if (announcement !== undefined) return announcement && this.say(announcement);
    const text = moveText(this.#namedBoard.names, old, this.#shownPieces, last);
    if (text) this.say(text);
  }

  // Composing a move.

  /** Set the steps of the move; play a complete one unless it has to be confirmed. */
  #compose(/** @type {number[]} */ steps) {
    if (String(steps) === String(this.#steps)) return;
    this.#steps = steps;
    this.#hoverSteps = this.#preview = null;
    const move = compose.moveOf(this.#tree, steps);
    if (move !== null && !this.#isConfirming) return this.confirm();
    this.#paint();
    const text = this.#textOf(steps);
    const status = text ? t("{cells} selected", { cells: text }) : t("nothing selected");
    const { isPremove } = this.#state;
    const hint = isPremove
      ? t("{move}: press Enter to set it", { move: text })
      : t("{move}: press Enter to play", { move: text });
    if (move !== null) this.say(hint);
    else this.say(this.hasAttribute("data-landing") ? `${status}. ${this.nextStep}` : status);
    this.#fireCompose();
  }

  #play(/** @type {number} */ move) {
    const steps = compose.stepsOf(this.#tree, move) ?? [];
    const { turn, pieces } = this.#state;
    const flips = String(steps) === String(this.#shown) ? this.#preview : null;
    this.#sent = { ...plannedPieces(turn, this.#describe(steps), pieces), ...flips };
    this.#steps = [];
    this.#hoverSteps = this.#preview = null;
    this.#paint();
    this.#fire("play", move);
  }

  #fireCompose() {
    const [steps, isHover] = [[...this.#shown], this.#hoverSteps !== null];
    this.#fire("compose", { steps, move: compose.moveOf(this.#tree, steps), isHover });
  }

  #fire(/** @type {string} */ name, /** @type {unknown} */ detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  #stepsAt(/** @type {number} */ index, /** @type {number | null} */ diagonal) {
    const { cell } = this.#drawn.view.spots[index];
    return compose.clickCell(this.#tree, this.#steps, cell, diagonal, this.#isRods);
  }

  /** Choose a spot as the next step, or cancel the premove that ends there. */
  #clickSpot(/** @type {number} */ index, /** @type {number | null} */ diagonal) {
    const { cell } = this.#drawn.view.spots[index];
    const isMarked = !this.#steps.length && this.#describe(this.#premove).cells.includes(cell);
    if (isMarked) this.#fire("cancelpremove", null);
    else this.#compose(this.#stepsAt(index, diagonal));
  }

  #turnRod(/** @type {number} */ diagonal) {
    const { cells } = this.#describe(this.#steps);
    const steps = [...cells, this.#turnedDiagonal(diagonal)];
    if (compose.moveOf(this.#tree, steps) !== null) this.#compose(steps);
  }

  /** Convert a diagonal between the board's and the view's orientation. */
  #turnedDiagonal(/** @type {number} */ diagonal) {
    return this.#drawn.view.isTurned ? 1 - diagonal : diagonal;
  }

  // Pointer.

  #click(/** @type {MouseEvent} */ event) {
    const sign = event.target instanceof Element ? event.target.closest("[data-behind]") : null;
    const behind = Number(sign?.getAttribute("data-behind"));
    if (sign) setTimeout(() => this.#drawn.view.revealCell?.(behind)); // once the sphere is let go
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index === null) return;
    this.#cursor.moveTo(index);
    this.#clickSpot(index, this.#diagonalAt(event, index));
  }

  #diagonalAt(/** @type {MouseEvent} */ event, /** @type {number} */ index) {
    return this.#isRods ? this.#turnedDiagonal(this.#drawn.diagonalAt(index, event)) : null;
  }

  /** Highlight all spots of the cell under the pointer, and preview a click. */
  #pointerMove(/** @type {PointerEvent} */ event) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index === null) return this.#pointerLeave();
    const { cell } = this.#drawn.view.spots[index];
    this.#hover(cell);
    if (event.pointerType === "touch") return;
    const isComplete = compose.moveOf(this.#tree, this.#steps) !== null;
    const steps = isComplete ? this.#steps : this.#stepsAt(index, this.#diagonalAt(event, index));
    this.#setHoverSteps(steps.length > this.#steps.length ? steps : null);
  }

  #pointerLeave() {
    this.#hover(null);
    this.#setHoverSteps(null);
  }

  #setHoverSteps(/** @type {number[] | null} */ steps) {
    if (String(steps) === String(this.#hoverSteps)) return;
    const hadPreview = this.#hoverSteps !== null;
    this.#hoverSteps = steps;
    this.#preview = null;
    this.#paint();
    if (steps || hadPreview) this.#fireCompose();
  }

  #hover(/** @type {number | null} */ cell) {
    if (cell === this.#hovered) return;
    if (this.#hovered !== null) this.#drawn.toggle(this.#hovered, "hovered", false);
    this.#hovered = cell;
    if (cell !== null) this.#drawn.toggle(cell, "hovered", true);
  }

  // Keys.

  #key(/** @type {KeyboardEvent} */ event) {
    const onCell = this.#drawing && this.#drawn.spotOf(event) !== null;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.#steps.length) this.back();
    else if (!onCell) return;
    else if (isNavigationKey(event.key)) this.#cursor.navigate(event.key);
    else if (event.key === "Enter" || event.key === " ") this.#choose();
    else if ("/\\".includes(event.key) && this.#isRods)
      this.#compose(
        this.#stepsAt(this.#cursor.index, this.#turnedDiagonal(Number(event.key === "\\"))),
      );
    else if (!/^[a-z0-9]$/i.test(event.key) || !this.#cursor.type(this.#namedBoard, event.key))
      return;
    event.preventDefault();
  }

  /** Choose the focused cell, or play a complete move that ends there. */
  #choose() {
    const { cell } = this.#cursor.spot;
    const isComplete = compose.moveOf(this.#tree, this.#steps) !== null;
    if (isComplete && this.#describe(this.#steps).cells.at(-1) === cell) this.confirm();
    else this.#clickSpot(this.#cursor.index, null);
  }

  /** Move the keyboard focus to a cell. */
  focusCell(/** @type {number} */ cell) {
    this.#cursor.moveToCell(cell);
  }

  /** Follow the focus, which screen readers move without keys. */
  #followFocus(/** @type {Event} */ event) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index !== null && index !== this.#cursor.index) this.#cursor.moveTo(index);
  }
}

customElements.define("antipodes-board", Board);
