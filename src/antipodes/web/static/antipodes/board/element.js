// The board of any game. It knows no rules: places, pieces and legal moves come from the server.

import * as compose from "./compose.js";
import { Drawing } from "./drawing.js";
import { kindsFor, makeView } from "./views.js";
import "./views_flat.js";
import { courseAt, isStep, walk } from "./walk.js";
import { spokenCell } from "./words.js";

/**
 * What a board shows.
 * @typedef {object} State
 * @property {object} board what never changes in a game, as board.json has it.
 * @property {Object<number, string>} pieces cell -> piece.
 * @property {number[][]} [legal] each legal move's number and steps.
 * @property {number | null} [last] cell of the last move.
 * @property {number[]} [chain] the winning chain.
 */

const NOTHING = { pieces: {}, legal: [], last: null, chain: [] };

class Board extends HTMLElement {
  #board = null;
  #state = NOTHING;
  #tree = new Map();
  #steps = [];
  /** @type {Drawing | null} */
  #drawing = null;
  #focus = 0; // index of the spot that keys have reached
  #course = { x: 0, y: 0 };

  connectedCallback() {
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("pointerover", (event) => this.#point(event, true));
    this.addEventListener("pointerout", (event) => this.#point(event, false));
  }

  /**
   * Show a board and what lies on it.
   * @param {State} state
   */
  show({ board, ...state }) {
    this.#state = { ...NOTHING, ...state };
    this.#tree = compose.movesTree(this.#state.legal);
    this.#steps = [];
    if (board !== this.#board) {
      this.#board = board;
      this.#build();
    }
    this.#paint();
  }

  /** The ways in which this board can be looked at: names and titles. */
  get views() {
    return this.#board ? kindsFor(this.#board).map(({ name, title }) => ({ name, title })) : [];
  }

  /** The name of the present view; setting it changes the view. */
  get view() {
    return this.#drawing?.view.name;
  }

  set view(name) {
    this.#build(name);
    this.#paint();
  }

  /** Step back; nothing is played before the last step. */
  back() {
    this.#compose(compose.stepBack(this.#tree, this.#steps, this.#isRods));
  }

  get #isRods() {
    return this.#board.kind === "grid";
  }

  #build(name) {
    this.#drawing?.view.detach?.();
    const view = makeView(this.#board, name);
    this.#drawing = new Drawing(view, this.#board);
    this.replaceChildren(...this.#drawing.pictures);
    view.attach?.({ board: this, pictures: this.#drawing.pictures, refresh: () => this.#refresh() });
    this.#focus = Math.min(this.#focus, view.spots.length - 1);
    this.#moveFocus(this.#focus);
  }

  #refresh() {
    this.#drawing.place();
  }

  #paint() {
    const { view } = this.#drawing;
    const open = compose.openCells(this.#tree, this.#steps, this.#isRods);
    const held = compose.cellsOf(this.#tree, this.#steps, this.#isRods);
    this.#drawing.paint((index) => this.#look(view.spots[index], open, held));
  }

  #look({ cell, name }, open, held) {
    const { pieces, last, chain } = this.#state;
    const classes = [];
    const words = [];
    if (open.has(cell)) classes.push("legal");
    if (held.includes(cell)) classes.push("held");
    if (cell === last) classes.push("last");
    if (chain.includes(cell)) classes.push("chain");
    if (cell === last) words.push("last move");
    if (held.includes(cell)) words.push("chosen");
    return {
      classes,
      piece: pieces[cell],
      marks: cell === last ? ["last"] : [],
      spoken: spokenCell(name, pieces[cell], words),
      isOpen: open.has(cell),
    };
  }

  /** Take over the steps of a move; a complete one is played. */
  #compose(steps) {
    const move = compose.moveOf(this.#tree, steps);
    this.#steps = move === null ? steps : [];
    this.#paint();
    this.#tell("compose", steps);
    if (move !== null) this.#tell("play", move);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  #pointAt(index, diagonal) {
    const { cell } = this.#drawing.view.spots[index];
    this.#compose(compose.pointAt(this.#tree, this.#steps, cell, diagonal, this.#isRods));
  }

  #click(event) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index === null) return;
    this.#moveFocus(index);
    this.#course = courseAt(this.#drawing.view, index);
    this.#pointAt(index, this.#isRods ? diagonalAt(event, this.#drawing.boxOf(index)) : null);
  }

  #key(event) {
    if (this.#drawing?.spotOf(event) === null || event.ctrlKey || event.metaKey) return;
    if (isStep(event.key)) {
      const next = walk(this.#drawing.view, this.#focus, this.#course, event.key);
      this.#course = next.course;
      this.#moveFocus(next.index);
      this.#drawing.focus(next.index);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#pointAt(this.#focus, null);
    } else if (event.key === "Escape") {
      this.back();
    } else if ("/\\".includes(event.key) && this.#isRods) {
      this.#pointAt(this.#focus, event.key === "/" ? 0 : 1);
    } else {
      return;
    }
    event.preventDefault();
  }

  #moveFocus(index) {
    this.#drawing.stopAt(index, this.#focus);
    this.#focus = index;
    this.#drawing.view.reveal?.(index);
  }

  /** Light up all spots of the cell under the pointer. */
  #point(event, on) {
    const index = this.#drawing?.spotOf(event) ?? null;
    if (index !== null) this.#drawing.toggle(this.#drawing.view.spots[index].cell, "pointed", on);
  }
}

/** 0 for a rising rod, 1 for a falling one, by the quarter of the square that was pointed at. */
function diagonalAt(event, box) {
  const right = event.clientX > box.left + box.width / 2;
  const lower = event.clientY > box.top + box.height / 2;
  return right === lower ? 1 : 0;
}

customElements.define("antipodes-board", Board);
