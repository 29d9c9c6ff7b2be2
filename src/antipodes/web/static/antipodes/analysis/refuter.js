// Refutations of wrong moves in puzzles and lessons, which the engine in this page searches for.

import { preferences } from "../board/settings.js";
import { t } from "../i18n.js";
import { DeviceJob } from "./device_job.js";
import { fetchTold } from "./server.js";

/** @import { BoardOut, RefutationSearchOut, ToldMovesOut } from "wire" */
/** @import { Line } from "./server.js" */

const SECONDS = 2; // of a search; then the server is asked

/** Searches for one refutation at a time. */
export class Refuter {
  #job = new DeviceJob();
  #hasFailed = false;

  /** Where the computer thinks, as a sentence; empty if the server does as usual. */
  notice = "";

  /**
   * Whether this page should search, and not the server.
   * @param {BoardOut} board
   */
  isWanted(board) {
    return !this.#hasFailed && preferences.value("engine", board) === "device";
  }

  /**
   * Return the last move of a line with those that refute it; null if this page finds none.
   * @param {Line} line whose moves are numbers
   * @param {RefutationSearchOut} search
   * @returns {Promise<ToldMovesOut | null>}
   */
  async find(line, search) {
    this.notice = "";
    try {
      if (!(await this.#job.prepare(line))) return null;
      const refutation = await this.#job.refute(line, SECONDS, search);
      if (!refutation.length) return null;
      this.notice = t("The computer thinks on this device, which costs the site nothing.");
      const moves = [...line.moves, ...refutation];
      return await fetchTold({ ...line, moves, since: line.moves.length - 1 });
    } catch {
      this.#hasFailed = true;
      this.notice = t("The engine in this page has failed; the computer thinks on the server.");
      return null;
    }
  }

  /** Stop the search. */
  stop() {
    this.#job.stop();
  }
}
