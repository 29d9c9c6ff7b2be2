// Tasks to mark points or moves: the marks, and the legal "moves" with which a board sets them.

import { t } from "../i18n.js";
import { stepsOf, movesTree } from "../board/compose.js";

/** @import { State } from "../board/state.js" */
/** @import { BoardOut } from "wire" */

/**
 * Return what a board offers where points are marked: each cell is a move of one step.
 * @param {BoardOut} board
 * @returns {number[][]}
 */
export function pointsAsMoves({ names }) {
  return names.map((_, cell) => [cell, cell]);
}

/** The marked points or moves. */
export class Picks {
  /** @type {Map<number, number[]>} */
  #cells = new Map(); // move -> its cells

  /**
   * Mark a move, or unmark it; return what to announce.
   * @param {number} move
   * @param {State["legal"]} legal
   * @param {BoardOut} board
   */
  toggle(move, legal, { names }) {
    const cells = stepsOf(movesTree(legal), move) ?? [];
    const [cell] = cells;
    const isNew = !this.#cells.delete(move);
    if (isNew) this.#cells.set(move, cells.slice(0, 1));
    const values = { point: names[cell]?.[0] ?? "", count: this.#cells.size };
    return isNew
      ? t("{point} marked, {count} in all", values)
      : t("{point} no longer marked, {count} in all", values);
  }

  /** Remove all marks. */
  clear() {
    this.#cells.clear();
  }

  /** The number of marks. */
  get size() {
    return this.#cells.size;
  }

  /** The marked cells. */
  get cells() {
    return [...new Set([...this.#cells.values()].flat())];
  }

  /**
   * The answer to send: names of points, or numbers of moves.
   * @param {BoardOut} board
   * @param {boolean} isOfPoints
   */
  answer({ names }, isOfPoints) {
    return [...this.#cells.keys()]
      .map((move) => (isOfPoints ? names[move][0] : String(move)))
      .join(" ");
  }
}
