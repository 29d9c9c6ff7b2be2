// Analyses by the engine in this page.

import { PageEngine } from "../engine/page_engine.js";
import { fetchJson, positionQuery } from "./server.js";

/** @import { DeviceResult } from "../engine/kit.js" */
/** @import { MatchEngineOut, PageEngineOut } from "wire" */
/** @import { Line } from "./server.js" */

const SLICE = 250; // milliseconds between two results

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

/** One analysis at a time; starting another one stops it. */
export class DeviceJob {
  /** @type {PageEngine | null} */
  #engine = null;
  #kit = "";
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
    if (this.#kit !== engine.kit) {
      this.close();
      this.#kit = engine.kit;
    }
    this.#engine ??= new PageEngine(engine);
    await this.#engine.prepare();
    return true;
  }

  /**
   * Analyse the position after a line, but not while the page is hidden. Throws if the engine fails.
   * @param {Line} line whose moves are numbers
   * @param {number} seconds
   * @param {(result: DeviceResult, share: number) => void} onResult called with the results so far,
   *   the last time with the share 1
   */
  async analyse(line, seconds, onResult) {
    const number = ++this.#number;
    /** @type {number[] | undefined} */
    let moves = line.moves.map(Number);
    let spent = 0;
    let share = 0;
    while (share < 1) {
      await shown();
      if (number !== this.#number || !this.#engine) return;
      const began = performance.now();
      const { result, isDone } = await this.#engine.analyse(
        Math.min(SLICE, 1_000 * seconds - spent),
        moves,
      );
      if (number !== this.#number) return;
      moves = undefined;
      spent += performance.now() - began;
      share = isDone ? 1 : Math.min(1, spent / (1_000 * seconds));
      result.rootInfo.seconds = spent / 1_000;
      onResult(result, share);
    }
  }

  /** Stop the analysis, and report nothing more about it. */
  stop() {
    this.#number++;
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
