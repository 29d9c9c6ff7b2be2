// The engine in this page: a worker that is started on first use, and replaced by the server when
// anything goes wrong.

import { defined } from "../defined.js";

/** @import { PageEngineOut } from "wire" */
/** @import { Answer, DeviceResult, Order } from "./kit.js" */

// Milliseconds until an answer, besides those that the page asks for; then the worker counts as dead.
const LONGEST = 20_000; // while the engine is loaded, or a move is chosen
const LATE = 4_000; // while an analysis goes on

/**
 * @typedef {object} Waiting
 * @property {(answer: Answer) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number} timer
 */

/** A worker with the engine for one game. */
export class PageEngine {
  #engine;
  #last = 0;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();

  /** @param {PageEngineOut} engine its addresses */
  constructor(engine) {
    this.#engine = engine;
  }

  /** Return another worker with the same engine. */
  another() {
    return new PageEngine(this.#engine);
  }

  /** Whether this browser has what the engine needs. */
  static get isPossible() {
    return typeof WebAssembly === "object" && typeof Worker === "function";
  }

  /** Load the engine, so that the first move comes at once. */
  async prepare() {
    await this.#send({});
  }

  /**
   * Return the move of a level, or -1 if this device is too slow for it.
   * @param {number} level
   * @param {number[]} moves since the start of the match
   * @param {number} milliseconds that it may take
   */
  async choose(level, moves, milliseconds) {
    const { move } = await this.#send({ level, moves, milliseconds });
    if (move === undefined) throw new Error("no move");
    return move;
  }

  /**
   * Return the position after moves that are legal.
   * @param {number[]} moves since the start
   */
  async position(moves) {
    return defined((await this.#send({ moves, shows: true })).position);
  }

  /**
   * Analyse a position for a while.
   * @param {number} milliseconds
   * @param {{moves?: number[], next?: boolean}} from `moves` to the position, or `next` for the next
   *   turn of another colour; without them the analysis goes on
   */
  async analyse(milliseconds, from) {
    const patience = from.moves ? LONGEST : LATE;
    const { result, isDone = false } = await this.#send({ milliseconds, ...from }, patience);
    if (!result) throw new Error("no result");
    return { result, isDone };
  }

  /**
   * Search for the threats of the opponent, and for connections, in the position that was analysed.
   * @param {number} milliseconds
   * @param {number} [before] value of the position; without it the search goes on
   */
  async threats(milliseconds, before) {
    const order = { milliseconds, threats: true, ...(before === undefined ? {} : { before }) };
    const { threats, connections, isDone = false } = await this.#send(order, LATE);
    if (threats === undefined) throw new Error("no threats");
    return { told: { ...(threats && { threats }), ...(connections && { connections }) }, isDone };
  }

  /**
   * Return the turning points of a game.
   * @param {DeviceResult[]} game results of its positions
   * @param {number[]} moves
   */
  async turns(game, moves) {
    return defined((await this.#send({ game, moves })).turns);
  }

  /**
   * Return a move after which the other side cannot win within some own turns; none if there is none.
   * @param {number[]} moves to the position
   * @param {number} turns
   */
  async refute(moves, turns) {
    const { move } = await this.#send({ moves, turns });
    return move === undefined || move < 0 ? [] : [move];
  }

  /** End the worker, and what it computes. */
  close() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const number of [...this.#waiting.keys()]) this.#fail(number, "closed");
  }

  /**
   * @param {Omit<Order, "id" | "engine">} order
   * @param {number} patience milliseconds
   * @returns {Promise<Answer>}
   */
  #send(order, patience = LONGEST) {
    this.#worker ??= this.#start();
    const id = ++this.#last;
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.close(), patience + (order.milliseconds ?? 0));
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, engine: this.#engine, ...order });
    });
  }

  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#receive(data));
    worker.addEventListener("error", () => this.close());
    return worker;
  }

  /** @param {Answer} answer */
  #receive(answer) {
    if (answer.error !== undefined) return this.#fail(answer.id, answer.error);
    const waiting = this.#take(answer.id);
    waiting?.resolve(answer);
  }

  /**
   * @param {number} id
   * @param {string} why
   */
  #fail(id, why) {
    this.#take(id)?.reject(new Error(why));
  }

  /** @param {number} id */
  #take(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) clearTimeout(waiting.timer);
    return waiting;
  }
}
