// A game against the computer without a network: the kernels of the engine say what is legal and how
// it ends, and find the computer's moves.

import { fetchBoard, messageOf } from "../analysis/server.js";
import { defined } from "../defined.js";
import { PageEngine } from "../engine/page_engine.js";
import { t } from "../i18n.js";
import { button, element, setText } from "../match/dom.js";
import { store } from "./games.js";

/** @import { BoardElement } from "../board/element.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { EnginePosition } from "../engine/kit.js" */
/** @import { StoredGame } from "./games.js" */
/** @import { BoardOut, KeptGameOut } from "wire" */

const PATIENCE = 60_000; // milliseconds for a move of the computer

/** A game on its board. */
export class OfflineGame {
  #facts;
  #engine;
  #data = /** @type {BoardOut | null} */ (null);
  #position = /** @type {EnginePosition | null} */ (null);
  #isClosed = false;
  #board = /** @type {BoardElement} */ (document.createElement("antipodes-board"));
  #status = element("p", { class: "puzzle-status", role: "status" });
  #swap = button(t("Swap sides"), () => this.#play(defined(this.#facts.swap)), { class: "first" });
  #retry = button(t("Try again"), () => this.#guard(() => this.#think()), { class: "first" });
  root = element("div", { class: "offline-game" }, this.#board, this.#status);

  /**
   * @param {StoredGame} game
   * @param {KeptGameOut} facts of its rules and engine
   */
  constructor(game, facts) {
    this.game = game;
    this.#facts = facts;
    this.#engine = new PageEngine(facts.levels[game.level].engine);
    this.#board.setAttribute("options", "");
    this.root.append(element("div", { class: "buttons" }, this.#swap, this.#retry));
    this.#swap.hidden = this.#retry.hidden = true;
    this.#board.addEventListener("play", (event) =>
      this.#play(/** @type {CustomEvent<number>} */ (event).detail),
    );
  }

  /** Show the position, and let the computer move if it is its turn. */
  open() {
    return this.#guard(async () => {
      this.#data = await fetchBoard(this.#facts.board);
      await this.#update();
    });
  }

  /** End the engine; the game stays as it is. */
  close() {
    this.#isClosed = true;
    this.#engine.close();
  }

  /** @param {number} move */
  #play(move) {
    return this.#guard(() => this.#make(move));
  }

  /** @param {number} move */
  async #make(move) {
    this.game.moves.push(move);
    this.#save();
    await this.#update();
  }

  #save() {
    if (!this.#isClosed) store(this.game);
  }

  /** Ask the engine for the position after the last move. */
  async #update() {
    const before = this.#position;
    const position = await this.#engine.position(this.game.moves);
    this.#position = position;
    const { winner, reason } = position.header;
    if (winner !== 0 && !this.game.result) {
      this.game.result = this.#facts.results[`${winner},${reason}`];
      this.#save();
    }
    this.#draw(before);
    await this.#think();
  }

  async #think() {
    this.#retry.hidden = true;
    const { winner, seat } = defined(this.#position).header;
    if (winner !== 0 || seat === this.game.seat) return;
    setText(this.#status, t("The computer is thinking …"));
    const { level, moves } = this.game;
    const move = await this.#engine.choose(level, moves, PATIENCE);
    if (move < 0) throw new Error("this device is too slow");
    await this.#make(move);
  }

  /**
   * Tell if the engine fails; the game can go on later.
   * @param {() => Promise<void>} action
   */
  async #guard(action) {
    try {
      await action();
    } catch (error) {
      if (this.#isClosed) return;
      setText(this.#status, t("The engine in this page has failed. Your game is kept."));
      this.#status.title = messageOf(error);
      this.#retry.hidden = this.#position === null;
    }
  }

  /** @param {EnginePosition | null} before */
  #draw(before) {
    const { pieces, legal, chain, header } = defined(this.#position);
    const { colors, swap, seats } = this.#facts;
    const isOver = header.winner !== 0;
    const isMine = !isOver && header.seat === this.game.seat;
    const last = header.last < 0 ? null : header.last;
    this.#board.show({
      board: defined(this.#data),
      pieces: this.#named(pieces),
      legal: isMine ? legal.filter((move) => move !== swap).map((move) => this.#steps(move)) : [],
      turn: colors[header.color],
      own: seats[header.swapped][this.game.seat],
      chain,
      last,
      move: before && { last, changed: this.#changed(before.pieces, pieces) },
      seat: this.game.seat,
    });
    this.#swap.hidden = !isMine || swap === null || !legal.includes(swap);
    if (isOver) setText(this.#status, defined(this.game.result));
    else if (isMine) setText(this.#status, t("Your turn."));
  }

  /**
   * Return the pieces by their names.
   * @param {number[]} numbers of each cell
   */
  #named(numbers) {
    /** @type {Pieces} */
    const pieces = {};
    for (const [cell, number] of numbers.entries())
      if (number !== 0) pieces[cell] = this.#facts.pieces[number];
    return pieces;
  }

  /**
   * Return what a move has changed.
   * @param {number[]} before
   * @param {number[]} after
   */
  #changed(before, after) {
    /** @type {Record<number, [string | null, string | null]>} */
    const changed = {};
    const name = (/** @type {number} */ number) => this.#facts.pieces[number] || null;
    for (const [cell, number] of after.entries())
      if (number !== before[cell]) changed[cell] = [name(before[cell]), name(number)];
    return changed;
  }

  /**
   * Return a move with its steps, as boards take it.
   * @param {number} move
   */
  #steps(move) {
    const { base, strides } = defined(this.#facts.forms.findLast((form) => form.base <= move));
    const steps = [move];
    let left = move - base;
    for (const stride of strides) {
      steps.push(Math.floor(left / stride));
      left %= stride;
    }
    return steps;
  }
}
