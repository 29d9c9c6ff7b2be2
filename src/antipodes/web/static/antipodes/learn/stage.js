// The board of a lesson: shows positions, and plays lines of moves on it.

import "../board.js";
import { showPreviews } from "../board/requests.js";
import { fetchBoard } from "../analysis/server.js";
import { piecesAfter } from "../board/state.js";
import { defined } from "../defined.js";

/** @import { BoardElement } from "../board/element.js" */
/** @import { Pieces, State } from "../board/state.js" */
/** @import { Line } from "../analysis/server.js" */
/** @import { BoardOut, BoardPositionOut, ShownMove } from "wire" */

const PAUSE = 900; // milliseconds between two moves

function pause() {
  return new Promise((resolve) => void setTimeout(resolve, PAUSE));
}

/** A board element with its data. */
export class Stage {
  /** @type {BoardOut | null} */
  #data = null;
  #showing = 0; // counts shown lines, so that a new one ends the one before

  /** @param {BoardElement} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * Load the board.
   * @param {string} url
   * @param {() => Line | null} lineOf the moves to the position, for previews of flips
   */
  async open(url, lineOf) {
    this.#data = await fetchBoard(url);
    this.board.setAttribute("options", "");
    showPreviews(this.board, lineOf);
  }

  /** The board's data. */
  get data() {
    return defined(this.#data);
  }

  /**
   * Show a position.
   * @param {BoardPositionOut} position
   * @param {Partial<State>} [more]
   */
  show(position, more = {}) {
    this.#showing++;
    const { pieces, legal, last, chain, toMove: turn } = position;
    // A wrong answer costs nothing; only the diagonal of a rod is easily missed.
    const confirm = this.data.kind === "grid" ? {} : { confirm: false };
    this.board.show({ board: this.data, pieces, legal, last, chain, turn, ...confirm, ...more });
  }

  /**
   * Show moves one after another, without legal moves; return whether nothing else was shown meanwhile.
   * @param {Pieces} start
   * @param {ShownMove[]} moves
   * @param {Partial<State>} [more]
   */
  async play(start, moves, more = {}) {
    const showing = ++this.#showing;
    let pieces = start;
    /** @type {Record<number, number>} */
    const numbers = {};
    for (const [index, move] of moves.entries()) {
      if (index) await pause();
      if (showing !== this.#showing) return false;
      pieces = piecesAfter(pieces, [move]);
      if (moves.length > 2 && move.last !== null) numbers[move.last] = index + 1;
      this.board.show({ board: this.data, pieces, move, numbers: { ...numbers }, ...more });
    }
    return true;
  }

  /**
   * Show the position after moves, without legal moves.
   * @param {Pieces} start
   * @param {ShownMove[]} moves
   */
  playTo(start, moves) {
    this.#showing++;
    this.board.show({
      board: this.data,
      pieces: piecesAfter(start, moves),
      move: moves.at(-1) ?? null,
    });
  }

  /** Whether the keyboard focus is on the board. */
  get hasFocus() {
    return this.board.contains(document.activeElement);
  }
}
