// The keyboard focus of a board: a spot, and the line that arrow keys follow.

import { courseAt, navigate, spotNamed, Typing } from "./keyboard.js";

/** @import { Drawing } from "./drawing.js" */
/** @import { BoardOut } from "wire" */

export class Cursor {
  /** Index of the spot. */
  index = 0;
  #course = { x: 0, y: 0 };
  #typing = new Typing();
  #drawing = /** @type {() => Drawing} */ (
    () => {
      throw new Error("show() has not been called");
    }
  );
  #onMove;

  /** @param {(cell: number) => void} onMove called with the cell of each new spot. */
  constructor(onMove) {
    this.#onMove = onMove;
  }

  /** The spot. */
  get spot() {
    return this.#drawing().view.spots[this.index];
  }

  /** Stay at the same spot of a new drawing, as far as there is one. */
  attach(/** @type {Drawing} */ drawing) {
    this.#drawing = () => drawing;
    this.index = Math.min(this.index, drawing.view.spots.length - 1);
    drawing.setTabStop(this.index);
    this.#course = courseAt(drawing.view, this.index);
  }

  /** Give the spot the browser's focus. */
  focus() {
    this.#drawing().focus(this.index);
  }

  /** Move to a spot, from which arrow keys then start. */
  moveTo(/** @type {number} */ index) {
    this.#move(index);
    this.#course = courseAt(this.#drawing().view, index);
  }

  /** Move to a cell. */
  moveToCell(/** @type {number} */ cell) {
    const index = this.#drawing().view.spots.findIndex(
      (spot) => spot.cell === cell && !spot.repeated,
    );
    if (index < 0) return;
    this.#move(index);
    this.focus();
  }

  /** Move as a navigation key says. */
  navigate(/** @type {string} */ key) {
    const next = navigate(this.#drawing().view, this.index, this.#course, key);
    this.#course = next.course;
    this.#move(next.index);
    this.focus();
  }

  /**
   * Move to the cell whose name is typed, letter by letter; return whether there is one.
   * @param {BoardOut} board
   * @param {string} letter
   */
  type(board, letter) {
    const index = spotNamed(this.#drawing().view, board, this.#typing.add(letter));
    if (index === null) return false;
    this.moveTo(index);
    this.focus();
    return true;
  }

  #move(/** @type {number} */ index) {
    const drawing = this.#drawing();
    drawing.setTabStop(index);
    this.index = index;
    this.#onMove(drawing.view.spots[index].cell);
    drawing.view.reveal?.(index);
  }
}
