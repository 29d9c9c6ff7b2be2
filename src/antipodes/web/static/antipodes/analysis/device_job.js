// Analyses by the engine in this page.

import { defined } from "../defined.js";
import { PageEngine } from "../engine/page_engine.js";
import { fetchJson, positionQuery } from "./server.js";

/** @import { DeviceResult } from "../engine/kit.js" */
/** @import { MatchEngineOut, PageEngineOut, RefutationSearchOut } from "wire" */
/** @import { Line } from "./server.js" */

const SLICE = 250; // milliseconds between two results
const REFUTATION = 7; // moves at most
const SHARE = 4; // searches for threats, and for other colours, take a quarter of the time each
const MOST_WORKERS = 4; // of a review: each takes some 100 MB

/** @type {Map<string, Promise<PageEngineOut | null>>} by game, options and setup */
const engines = new Map();

/**
 * Return the engine for a line, or null if pages have none for its game.
 * @param {Line} line
 */
function engineFor(line) {
  const query = `${positionQuery({ ...line, moves: [] })}&for=analysis`;
  const asked =
    engines.get(query) ??
    fetchJson(`/engine.json?${query}`).then((/** @type {MatchEngineOut} */ { engine }) => engine);
  engines.set(query, asked);
  return asked;
}

/** Return how many workers review a game; one core is left to the page. */
function workerCount() {
  return Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency - 1));
}

/**
 * Return how many colours besides the one to move are searched from turns of their own: where there
 * are more than two, one's loss is not another's win.
 * @param {DeviceResult | undefined} result
 */
function othersIn(result) {
  const isOpen = result && result.rootInfo.currentPlayer !== null && result.estimates.length > 2;
  return isOpen ? result.estimates.length - 1 : 0;
}

/** One analysis at a time; starting another one stops it. */
export class DeviceJob {
  /** @type {PageEngine | null} */
  #engine = null;
  /** @type {PageEngine[]} */
  #more = []; // engines of a review
  #begins = ""; // the kit of the engine, and the state of the setup
  #number = 0;

  constructor() {
    addEventListener("pagehide", () => this.close());
  }

  /**
   * Return whether this page can analyse a line; prepare the engine then.
   * @param {Line} line
   */
  async prepare(line) {
    const engine = PageEngine.isPossible ? await engineFor(line) : null;
    if (!engine) return false;
    const begins = engine.kit + engine.start;
    if (this.#begins !== begins) {
      this.close();
      this.#begins = begins;
    }
    this.#engine ??= new PageEngine(engine);
    await this.#engine.prepare();
    return true;
  }

  /**
   * Analyse the position after a line, but not while the page is hidden. Throws if the engine fails.
   * @param {Line} line whose moves are numbers
   * @param {number} seconds threats, and each further colour than two, take up to a quarter of it in
   *   addition
   * @param {boolean} hasThreats whether to search for threats too
   * @param {(result: DeviceResult, share: number) => void} onResult called with the results so far,
   *   the last time with the share 1
   */
  async analyse(line, seconds, hasThreats, onResult) {
    const number = ++this.#number;
    const time = 1_000 * seconds;
    let spent = 0;
    /** @type {DeviceResult | undefined} */
    let result;
    /** @type {(time: number, from: {moves?: number[], next?: boolean}) => Promise<void>} */
    const search = async (most, from) => {
      const before = spent;
      await this.#slices(number, most, async (engine, slice, used) => {
        const found = await engine.analyse(slice, from);
        from = {};
        spent = before + used();
        result = found.result;
        result.rootInfo.seconds = spent / 1_000;
        const all = time * (1 + (othersIn(result) + Number(hasThreats)) / SHARE);
        if (number === this.#number) onResult(result, Math.min(spent / all, 0.99));
        return found.isDone;
      });
    };
    await search(time, { moves: line.moves.map(Number) });
    for (let left = othersIn(result); left > 0 && number === this.#number; left--)
      await search(time / SHARE, { next: true });
    if (number !== this.#number || !result) return;
    const { rootInfo } = result;
    /** @type {number | undefined} */
    let before = rootInfo.winrate;
    let told = {}; // threats and connections
    if (hasThreats && rootInfo.currentPlayer !== null) {
      await this.#slices(number, time / SHARE, async (engine, slice) => {
        const found = await engine.threats(slice, before);
        before = undefined;
        told = found.told;
        return found.isDone;
      });
    }
    if (number !== this.#number) return;
    onResult({ ...result, ...told }, 1);
  }

  /**
   * Review a game, with several workers if the device has cores for them: each analyses other
   * positions. Throws if the engine fails.
   * @param {Line} line
   * @param {number} seconds for each position
   * @param {(result: DeviceResult) => void} onPosition called with the results of each position, in
   *   their order
   */
  async review(line, seconds, onPosition) {
    const number = ++this.#number;
    const moves = line.moves.map(Number);
    const engine = defined(this.#engine);
    this.#more = Array.from({ length: workerCount() - 1 }, () => engine.another());
    /** @type {DeviceResult[]} */
    const results = [];
    let begun = 0;
    let told = 0;
    const work = async (/** @type {PageEngine} */ worker) => {
      while (begun <= moves.length) {
        const ply = begun++;
        await shown();
        if (number !== this.#number) return;
        let { result } = await worker.analyse(1_000 * seconds, { moves: moves.slice(0, ply) });
        for (let left = othersIn(result); left > 0 && number === this.#number; left--)
          ({ result } = await worker.analyse((1_000 * seconds) / SHARE, { next: true }));
        if (number !== this.#number) return;
        results[ply] = result;
        while (results[told]) onPosition(results[told++]);
      }
    };
    try {
      await Promise.all([engine, ...this.#more].map(work));
      return number === this.#number ? await engine.turns(results, moves) : [];
    } catch (error) {
      if (number !== this.#number) return []; // stopped
      throw error;
    } finally {
      if (number === this.#number) this.stop();
    }
  }

  /**
   * Return moves that refute the last move of a line; none if they are not found. Throws if the
   * engine fails.
   * @param {Line} line
   * @param {number} seconds
   * @param {RefutationSearchOut} search
   * @returns {Promise<(number | string)[]>}
   */
  async refute(line, seconds, { turns, proves }) {
    const number = ++this.#number;
    const moves = line.moves.map(Number);
    if (turns !== null) {
      await shown();
      if (number !== this.#number || !this.#engine) return [];
      return this.#engine.refute(moves, turns);
    }
    /** @type {{moves?: number[]}} */
    let from = { moves };
    /** @type {DeviceResult["moveInfos"]} */
    let infos = [];
    await this.#slices(number, 1_000 * seconds, async (engine, slice) => {
      const { result, isDone } = await engine.analyse(slice, from);
      from = {};
      infos = result.moveInfos;
      return isDone || (proves && infos[0]?.proven === "win");
    });
    const [best] = infos;
    const isRefuted = number === this.#number && best && (!proves || best.proven === "win");
    return isRefuted ? best.pv.slice(0, REFUTATION) : [];
  }

  /**
   * Let the engine work in slices while the page is shown, until it is done or a time is over.
   * @param {number} number of the job
   * @param {number} time in milliseconds
   * @param {(engine: PageEngine, slice: number, used: () => number) => Promise<boolean>} work
   *   returns whether the engine is done; `used` returns the milliseconds so far
   */
  async #slices(number, time, work) {
    let spent = 0;
    let isDone = false;
    while (!isDone && spent < time) {
      await shown();
      if (number !== this.#number || !this.#engine) return;
      const began = performance.now();
      const used = () => spent + performance.now() - began;
      isDone = await work(this.#engine, Math.min(SLICE, time - spent), used);
      spent = used();
      if (number !== this.#number) return;
    }
  }

  /** Stop the analysis, and report nothing more about it. */
  stop() {
    this.#number++;
    for (const engine of this.#more) engine.close();
    this.#more = [];
  }

  /** End the worker and give its memory back. */
  close() {
    this.stop();
    this.#engine?.close();
    this.#engine = null;
  }
}

/** Wait until the page is shown. */
function shown() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", function onChange() {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", onChange);
      resolve(undefined);
    });
  });
}
