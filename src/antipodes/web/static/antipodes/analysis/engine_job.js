// Jobs of the engine: done by this page, or started, polled and stopped on the server.

import { preferences } from "../board/settings.js";
import { t } from "../i18n.js";
import { DeviceJob } from "./device_job.js";
import { fetchJson, messageOf, send } from "./server.js";

/** @import { DeviceResult } from "../engine/kit.js" */
/** @import { AnalysisOut, BoardOut } from "wire" */
/** @import { Line } from "./server.js" */

/**
 * What this page needs to do a job itself.
 * @typedef {object} Task
 * @property {BoardOut} board whose settings say where the computer thinks
 * @property {Line} line to the position
 * @property {number} seconds
 * @property {boolean} [hasThreats] whether to search for the opponent's threats too
 */

const POLL_INTERVAL = 350; // milliseconds

/** @param {AnalysisOut} analysis */
const urlOf = ({ slug }) => `/analyses/${slug}`;

/** One job at a time; starting another one stops it. */
export class EngineJob {
  #onStatus;
  #url = /** @type {string | null} */ (null);
  #number = 0;
  #timer = 0;
  /** @type {(() => Promise<void>) | null} */
  #restart = null; // starts the same job again, at most once
  #device = new DeviceJob();
  #isHere = false; // whether the job is this page's
  #isBusy = false; // whether this page is doing it
  #hasFailed = false; // whether the engine in this page has; then it is not tried again

  /** Where the computer thinks, as a sentence; empty for the server's usual jobs. */
  get notice() {
    if (this.#hasFailed)
      return t("The engine in this page has failed; the computer thinks on the server.");
    if (!this.#isHere) return "";
    return t("The computer thinks on this device, which costs the site nothing.");
  }

  /**
   * @param {(status: AnalysisOut | null, error: string) => void} onStatus called after each answer
   */
  constructor(onStatus) {
    this.#onStatus = onStatus;
    // Do not keep the engine busy after the page is closed.
    addEventListener("pagehide", () => this.stop());
  }

  /** Whether a job is running or queued. */
  get isRunning() {
    return this.#url !== null || this.#isBusy;
  }

  /**
   * Start a job, here if the user wants that and this page can do it; if it is the server's and the
   * server stops it, start it again once.
   * @param {string} url
   * @param {Record<string, string | number>} fields
   * @param {Task | null} [task] null for a job of the server
   */
  async start(url, fields, task = null) {
    this.stop();
    const number = this.#number;
    if (task && preferences.value("engine", task.board) === "device" && !this.#hasFailed) {
      if (await this.#doHere(task, number)) return;
    }
    const request = () => send("POST", url, fields);
    this.#restart = () => this.#poll(number, request);
    await this.#poll(number, request);
  }

  /** Stop the job and report nothing more about it. */
  stop() {
    this.#number++;
    this.#isHere = this.#isBusy = false;
    this.#device.stop();
    clearTimeout(this.#timer);
    const url = this.#url;
    this.#url = null;
    if (url) send("DELETE", url, {}, { keepalive: true }).catch(() => {});
  }

  /**
   * Do a job in this page; return false if the server has to do it.
   * @param {Task} task
   * @param {number} number
   */
  async #doHere({ line, seconds, hasThreats = false }, number) {
    try {
      if (!(await this.#device.prepare(line))) return number !== this.#number;
      if (number !== this.#number) return true;
      this.#isHere = this.#isBusy = true;
      await this.#device.analyse(line, seconds, hasThreats, (result, share) => {
        this.#isBusy = share < 1;
        this.#onStatus(statusOf(line, result, share), "");
      });
      return true;
    } catch {
      if (number !== this.#number) return true;
      this.#isHere = this.#isBusy = false;
      this.#hasFailed = true;
      return false;
    }
  }

  /**
   * @param {number} number
   * @param {() => Promise<AnalysisOut>} request
   */
  async #poll(number, request) {
    let status = null;
    let errorText = "";
    try {
      status = await request();
    } catch (error) {
      errorText = messageOf(error);
    }
    if (number !== this.#number) {
      // It was stopped before its URL was known.
      if (status && !status.isOver) send("DELETE", urlOf(status)).catch(() => {});
      return;
    }
    this.#url = status && !status.isOver ? urlOf(status) : null;
    if (status?.state === "stopped" && this.#restart) {
      // The server stops jobs of pages that stop polling, such as after the computer slept.
      const restart = this.#restart;
      this.#restart = null;
      await restart();
      return;
    }
    this.#onStatus(status, errorText);
    const url = this.#url;
    if (url === null) return;
    this.#timer = setTimeout(() => this.#poll(number, () => fetchJson(url)), POLL_INTERVAL);
  }
}

/**
 * Return results of this page in the form of the server's.
 * @param {Line} line
 * @param {DeviceResult} result
 * @param {number} share
 * @returns {AnalysisOut}
 */
function statusOf({ game, options }, result, share) {
  const isOver = share === 1;
  const found = { game, options, ...result, share };
  return { slug: "", state: isOver ? "done" : "working", isOver, found, wait: null };
}
