// The board of any game. It knows no rules: places, pieces and legal moves come from the server.

import { t } from "../i18n.js";
import { Bar, Supply, Voice, Writing } from "./bar.js";
import * as compose from "./compose.js";
import { Drawing } from "./drawing.js";
import { lockedCells, lookOf, piecesLeft, plannedPieces } from "./looks.js";
import { GraphPicture } from "./graph_picture.js";
import { overlay } from "./overlays.js";
import { chosen, settingsFor } from "./settings.js";
import { makeOptions } from "./settings_menu.js";
import { sure } from "../sure.js";
import { boardFrom, hasSides, sideOf } from "./sides.js";
import { isEqual, isSame, mapValues, NOTHING, turned, turnsOf } from "./state.js";
import { ViewBar } from "./view_bar.js";
import { makeView } from "./views.js";
import "./views_together.js";
import { courseAt, isStep, spotNamed, walk } from "./walk.js";
import { sideWords, spokenMove, spokenSteps } from "./words.js";

/** @import { MoveTree } from "./compose.js" */
/** @import { Changes } from "./looks.js" */
/** @import { BoardData, State } from "./state.js" */

const PATIENCE = 1200; // milliseconds between two letters of a cell's name

/** @typedef {Board} BoardElement */

class Board extends HTMLElement {
  #board = /** @type {BoardData | null} */ (null);
  #named = /** @type {BoardData | null} */ (null); // with the names of the seat as which it is read
  #state = /** @type {Omit<State, "board">} */ (NOTHING);
  #tree = /** @type {MoveTree} */ (new Map());
  #steps = /** @type {number[]} */ ([]); // chosen so far
  #pointed = /** @type {number[] | null} */ (null); // the steps that a click would lead to, or null
  #sent = /** @type {Changes} */ ({}); // pieces of the move that was sent and has no answer yet
  #preview = /** @type {Changes | null} */ (null); // what the shown steps would change, if somebody has told
  #drawing = /** @type {Drawing | null} */ (null);
  #focus = 0; // index of the spot that keys have reached
  #course = { x: 0, y: 0 };
  #lit = /** @type {number | null} */ (null); // the cell under the pointer
  #typed = { text: "", at: 0 };
  #bar = new Bar({
    play: () => this.confirm(),
    turn: (diagonal) => this.#turnRod(diagonal),
    back: () => this.back(),
  });
  #writing = new Writing((text) => this.#tell("write", text));
  #supply = new Supply();
  #voice = new Voice();
  #graph = new GraphPicture();
  #views = new ViewBar();
  #options = makeOptions();
  #pictures = document.createElement("div");
  #side = document.createElement("p");

  constructor() {
    super();
    this.#pictures.className = "board-pictures";
    this.#side.className = "board-side";
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#follow(event));
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.contains(/** @type {Node | null} */ (relatedTarget))) this.#light(null);
    });
    this.addEventListener("pointermove", (event) => this.#point(event));
    this.addEventListener("pointerleave", () => this.#pointNowhere());
  }

  static observedAttributes = ["options"];

  connectedCallback() {
    this.replaceChildren(this.#supply.root, this.#pictures, this.#side, this.#views.root);
    this.append(this.#graph.root, this.#bar.root, this.#writing.root, this.#options.root, this.#voice.root);
    chosen.addEventListener("change", this.#onSettings);
  }

  /** With the attribute `options`, what can be chosen about the board stands below it. */
  attributeChangedCallback() {
    this.#options.root.hidden = !this.hasAttribute("options");
    this.#options.menu.board ??= this;
  }

  disconnectedCallback() {
    chosen.removeEventListener("change", this.#onSettings);
  }

  // What owners of a board call.

  /**
   * Show a board and what lies on it. A begun move stays if nothing has changed for it.
   * @param {Partial<State> & {board: BoardData}} state
   */
  show({ board, ...state }) {
    const before = this.#state;
    this.#state = { ...NOTHING, ...state };
    const isNew = board !== this.#board;
    if (isNew || !isSame(before, this.#state)) {
      this.#tree = compose.movesTree(this.#state.legal);
      this.#steps = [];
      this.#pointed = this.#preview = null;
    }
    // While a move is on its way there is nothing to choose, and it stays in sight.
    if (this.#state.legal.length || !isEqual(before.pieces, this.#state.pieces)) this.#sent = {};
    this.#board = board;
    if (isNew || before.seat !== this.#state.seat) this.#build();
    if (!isNew) this.#announce(before);
    this.#paint();
    if (this.#state.last !== before.last) this.#attend();
    if (isNew) this.#tell("ready", null);
  }

  /**
   * Show what a composed move would change, as asked for by `compose`.
   * @param {Changes} changes
   * @param {number[]} [steps] of that move: what comes too late is not shown.
   */
  preview(changes, steps = this.#shown) {
    if (String(steps) !== String(this.#shown)) return;
    this.#preview = changes;
    this.#paint();
  }

  /** Choose all steps of a move; it is played at once, or waits to be confirmed. */
  propose(/** @type {number} */ move) {
    this.#writing.clear();
    const steps = compose.stepsOf(this.#tree, move);
    if (steps) this.#compose(steps);
    else this.#play(move); // a swap has no steps
  }

  /** Say what was wrong with a move that was written. */
  refuse(/** @type {string} */ message) {
    this.#writing.refuse(message);
  }

  /** Play the move that waits to be confirmed. */
  confirm() {
    const move = compose.moveOf(this.#tree, this.#steps);
    if (move !== null) this.#play(move);
  }

  /** Step back; nothing is played before the last step. */
  back() {
    if (this.#steps.length) this.#compose(compose.stepBack(this.#tree, this.#steps, this.#isRods));
  }

  /** Say something to screen readers. */
  say(/** @type {string} */ text) {
    this.#voice.say(text);
  }

  /** Whether somebody hears `write` and knows moves by their text. */
  reads = false;

  /** The board as it was given, or null. */
  get data() {
    return this.#board;
  }

  /** The steps that were chosen so far. */
  get steps() {
    return [...this.#steps];
  }

  /** What can be chosen: names, labels, choices and values. */
  settings() {
    return settingsFor(this.#given).map(({ name, label, choices }) => ({
      name,
      label,
      choices: choices(this.#given),
      value: this.#setting(name),
      choose: (/** @type {string} */ value) => chosen.choose(name, value, this.#given),
    }));
  }

  // Drawing.

  /** The board: `show` was called before anything is drawn or chosen. */
  get #given() {
    return sure(this.#board);
  }

  get #readBoard() {
    return sure(this.#named);
  }

  get #drawn() {
    return sure(this.#drawing);
  }

  get #isRods() {
    return this.#given.kind === "grid";
  }

  /** The steps that are shown: a complete or begun move, or the one that is pointed at. */
  get #shown() {
    return this.#pointed ?? this.#steps;
  }

  get #isConfirming() {
    const wanted = this.#setting("confirm");
    const isWanted = wanted === "auto" ? matchMedia("(pointer: coarse)").matches : wanted === "on";
    return this.#state.confirm ?? isWanted;
  }

  #setting(/** @type {string} */ name) {
    return chosen.value(name, this.#given);
  }

  #onSettings = () => {
    if (!this.#board) return;
    this.#build();
    this.#paint();
  };

  #build() {
    this.#drawing?.view.detach?.();
    const isOwn = this.#setting("side") === "own";
    const board = this.#given;
    const turns = isOwn ? turnsOf(board, this.#state.seat) : 0;
    const side = sideOf(board, this.#state.seat);
    this.#named = boardFrom(board, side);
    this.#side.textContent = sideWords(board, side);
    this.#side.hidden = !hasSides(board);
    const view = makeView(this.#named, this.#setting("view"), { turns });
    this.#drawing = new Drawing(view, this.#named);
    const { pictures } = this.#drawn;
    this.#pictures.replaceChildren(...pictures);
    this.dataset.theme = this.#setting("theme");
    this.dataset.coordinates = this.#setting("coordinates");
    this.dataset.lines = this.#setting("lines") ?? "none";
    this.dataset.kind = this.#given.kind;
    this.toggleAttribute("data-turned", view.isTurned ?? false);
    view.attach?.({ board: this, pictures, refresh: () => this.#drawn.place() });
    this.#views.show(this.#given, view.name);
    this.#focus = Math.min(this.#focus, view.spots.length - 1);
    this.#drawn.stopAt(this.#focus);
    this.#course = courseAt(view, this.#focus);
    this.#attend();
  }

  /** Bring the last move in sight. */
  #attend() {
    const { last } = this.#state;
    if (last !== null) this.#drawn.view.attend?.(last);
  }

  #paint() {
    const { view } = this.#drawn;
    const { pieces, chain, turn } = this.#state;
    const shown = this.#describe(this.#shown);
    const context = {
      board: this.#readBoard,
      state: this.#state,
      open: compose.openCells(this.#tree, this.#steps, this.#isRods),
      free: compose.freeCells(this.#tree, this.#steps, this.#isRods),
      held: this.#describe(this.#steps).cells,
      coming: { ...this.#sent, ...plannedPieces(turn, shown, pieces), ...this.#preview },
      isComplete: compose.moveOf(this.#tree, this.#steps) !== null,
      isPointed: this.#pointed !== null,
      lit: this.#lit,
      locked: lockedCells(this.#given, pieces),
      coordinates: this.#setting("coordinates"),
      withNumbers: this.#setting("numbers") === "on",
      seen: (/** @type {string} */ piece) => (view.isTurned ? turned(piece) : piece),
    };
    this.#drawn.paint((index) => lookOf(context, view.spots[index]));
    this.#drawn.join(chain, this.#isRods);
    this.#drawn.overlay = overlay(this.#setting("lines") ?? "none", view, this.#given, pieces);
    this.#graph.show(this.#given, pieces, this.#setting("graph") === "on");
    const mayWrite = this.reads && this.#state.legal.length > 0;
    this.#writing.show(mayWrite && this.#setting("writing") === "on");
    this.#supply.show(piecesLeft(this.#given, pieces));
    this.#showBar();
  }

  /** Steps as cells and a diagonal. */
  #describe(/** @type {number[]} */ steps) {
    const cells = compose.cellsOf(this.#tree, steps, this.#isRods);
    const diagonal = cells.length < steps.length ? steps[steps.length - 1] : null;
    return { cells, diagonal, isRods: this.#isRods };
  }

  /** Steps as people read them. */
  #read(/** @type {number[]} */ steps) {
    const { cells, diagonal } = this.#describe(steps);
    return spokenSteps(this.#readBoard.names, cells, diagonal === null ? null : this.#asSeen(diagonal));
  }

  #showBar() {
    const isComplete = compose.moveOf(this.#tree, this.#steps) !== null;
    const wantsDiagonal = compose.wantsDiagonal(this.#tree, this.#steps, this.#isRods);
    const wantsPlace = this.#steps.length === 1 && !isComplete && !wantsDiagonal;
    this.toggleAttribute("data-landing", wantsPlace);
    const lostFocus = this.#bar.show({
      text: [this.#read(this.#steps), wantsPlace ? this.#placeWanted : ""].filter(Boolean).join(" · "),
      canPlay: isComplete,
      canTurn: wantsDiagonal || (isComplete && this.#isRods),
      canGoBack: this.#steps.length > 0,
      keepsRoom: this.#state.legal.length > 0 && (this.#isConfirming || compose.isLong(this.#tree)),
    });
    if (lostFocus) this.#drawn.focus(this.#focus);
  }

  /** What to do after the first of two cells. */
  get #placeWanted() {
    return this.#isRods ? t("Now choose where the rod goes") : t("Now choose where your pawn lands");
  }

  #announce(/** @type {typeof NOTHING & Partial<State>} */ before) {
    const { pieces, last, said } = this.#state;
    const { isTurned } = this.#drawn.view;
    const seen = isTurned ? mapValues(pieces, turned) : pieces;
    const old = isTurned ? mapValues(before.pieces, turned) : before.pieces;
    if (said !== undefined) return said && this.say(said);
    const text = spokenMove(this.#readBoard.names, old, seen, last);
    if (text) this.say(text);
  }

  // Composing a move.

  /** Take over the steps of a move; a complete one is played, or waits to be confirmed. */
  #compose(/** @type {number[]} */ steps) {
    if (String(steps) === String(this.#steps)) return;
    this.#steps = steps;
    this.#pointed = this.#preview = null;
    const move = compose.moveOf(this.#tree, steps);
    if (move !== null && !this.#isConfirming) return this.confirm();
    this.#paint();
    const read = this.#read(steps);
    const words = read ? t("{cells} chosen", { cells: read }) : t("nothing chosen");
    if (move !== null) this.say(t("{move}: Enter plays", { move: read }));
    else this.say(this.hasAttribute("data-landing") ? `${words}. ${this.#placeWanted}` : words);
    this.#tellComposed();
  }

  #play(/** @type {number} */ move) {
    const steps = compose.stepsOf(this.#tree, move) ?? [];
    const { turn, pieces } = this.#state;
    const flips = String(steps) === String(this.#shown) ? this.#preview : null;
    this.#sent = { ...plannedPieces(turn, this.#describe(steps), pieces), ...flips };
    this.#steps = [];
    this.#pointed = this.#preview = null;
    this.#paint();
    this.#tell("play", move);
  }

  #tellComposed() {
    const steps = this.#shown;
    const move = compose.moveOf(this.#tree, steps);
    this.#tell("compose", { steps: [...steps], move, isPointed: this.#pointed !== null });
  }

  #tell(/** @type {string} */ name, /** @type {unknown} */ detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  #stepsAt(/** @type {number} */ index, /** @type {number | null} */ diagonal) {
    const { cell } = this.#drawn.view.spots[index];
    return compose.pointAt(this.#tree, this.#steps, cell, diagonal, this.#isRods);
  }

  #turnRod(/** @type {number} */ diagonal) {
    const { cells } = this.#describe(this.#steps);
    const steps = [...cells, this.#asSeen(diagonal)];
    if (compose.moveOf(this.#tree, steps) !== null) this.#compose(steps);
  }

  /** A diagonal as it is seen, or one that is seen as it is: both are the same exchange. */
  #asSeen(/** @type {number} */ diagonal) {
    return this.#drawn.view.isTurned ? 1 - diagonal : diagonal;
  }

  // Pointing.

  #click(/** @type {MouseEvent} */ event) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index === null) return;
    this.#moveFocus(index);
    this.#course = courseAt(this.#drawn.view, index);
    this.#compose(this.#stepsAt(index, this.#diagonalAt(event, index)));
  }

  /** The diagonal that is meant by where in a square one points: it meets the nearest corner. */
  #diagonalAt(/** @type {MouseEvent} */ event, /** @type {number} */ index) {
    if (!this.#isRods) return null;
    const box = this.#drawn.boxOf(index);
    const right = event.clientX > box.left + box.width / 2;
    const lower = event.clientY > box.top + box.height / 2;
    return this.#asSeen(right === lower ? 1 : 0);
  }

  /** Light up all spots of the cell under the pointer, and show what a click would do. */
  #point(/** @type {PointerEvent} */ event) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index === null) return this.#pointNowhere();
    const { cell } = this.#drawn.view.spots[index];
    this.#light(cell);
    if (event.pointerType === "touch") return;
    const isWaiting = compose.moveOf(this.#tree, this.#steps) !== null;
    const steps = isWaiting ? this.#steps : this.#stepsAt(index, this.#diagonalAt(event, index));
    this.#pointTo(steps.length > this.#steps.length ? steps : null);
  }

  #pointNowhere() {
    this.#light(null);
    this.#pointTo(null);
  }

  #pointTo(/** @type {number[] | null} */ steps) {
    if (String(steps) === String(this.#pointed)) return;
    const hadPreview = this.#pointed !== null;
    this.#pointed = steps;
    this.#preview = null;
    this.#paint();
    if (steps || hadPreview) this.#tellComposed();
  }

  #light(/** @type {number | null} */ cell) {
    if (cell === this.#lit) return;
    if (this.#lit !== null) this.#drawn.toggle(this.#lit, "pointed", false);
    this.#lit = cell;
    if (cell !== null) this.#drawn.toggle(cell, "pointed", true);
  }

  // Keys.

  #key(/** @type {KeyboardEvent} */ event) {
    const onCell = this.#drawing && this.#drawn.spotOf(event) !== null;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.#steps.length) this.back();
    else if (!onCell) return;
    else if (isStep(event.key)) this.#walk(event.key);
    else if (event.key === "Enter" || event.key === " ") this.#choose();
    else if ("/\\".includes(event.key) && this.#isRods) this.#layRod(event.key);
    else if (!/^[a-z0-9]$/i.test(event.key) || !this.#type(event.key)) return;
    event.preventDefault();
  }

  #walk(/** @type {string} */ key) {
    const next = walk(this.#drawn.view, this.#focus, this.#course, key);
    this.#course = next.course;
    this.#moveFocus(next.index);
    this.#drawn.focus(next.index);
  }

  /** Choose the cell that keys have reached; on the end of a complete move, play that. */
  #choose() {
    const { cell } = this.#drawn.view.spots[this.#focus];
    const isComplete = compose.moveOf(this.#tree, this.#steps) !== null;
    if (isComplete && this.#describe(this.#steps).cells.at(-1) === cell) this.confirm();
    else this.#compose(this.#stepsAt(this.#focus, null));
  }

  /** Let the keys go on at a cell. */
  focusCell(/** @type {number} */ cell) {
    const index = this.#drawn.view.spots.findIndex((spot) => spot.cell === cell && !spot.repeated);
    if (index < 0) return;
    this.#moveFocus(index);
    this.#drawn.focus(index);
  }

  #layRod(/** @type {string} */ key) {
    this.#compose(this.#stepsAt(this.#focus, this.#asSeen(key === "/" ? 0 : 1)));
  }

  /** Go to the cell whose name is typed, letter by letter; tells whether there is one. */
  #type(/** @type {string} */ letter) {
    const now = performance.now();
    const isNew = now - this.#typed.at > PATIENCE;
    const text = (isNew ? "" : this.#typed.text) + letter;
    this.#typed = { text, at: now };
    const index = spotNamed(this.#drawn.view, this.#readBoard, text);
    if (index === null) return false;
    this.#moveFocus(index);
    this.#course = courseAt(this.#drawn.view, index);
    this.#drawn.focus(index);
    return true;
  }

  /** Screen readers move the focus without keys. */
  #follow(/** @type {Event} */ event) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index === null || index === this.#focus) return;
    this.#moveFocus(index);
    this.#course = courseAt(this.#drawn.view, index);
  }

  #moveFocus(/** @type {number} */ index) {
    this.#drawn.stopAt(index);
    this.#focus = index;
    this.#light(this.#drawn.view.spots[index].cell);
    this.#drawn.view.reveal?.(index);
  }
}

customElements.define("antipodes-board", Board);
