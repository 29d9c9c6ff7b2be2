// Jobs of the engine: started, polled and stopped by a page.

import { fetchJson, messageOf, send } from "./server.js";

/** @import { AnalysisOut } from "wire" */

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
    return this.#url !== null;
  }

  /**
   * Start a job; if the server stops it, start it again once.
   * @param {string} url
   * @param {Record<string, string | number>} fields
   */
  async start(url, fields) {
    this.stop();
    const number = this.#number;
    const request = () => send("POST", url, fields);
    this.#restart = () => this.#poll(number, request);
    await this.#poll(number, request);
  }

  /** Stop the job and report nothing more about it. */
  stop() {
    this.#number++;
    clearTimeout(this.#timer);
    const url = this.#url;
    this.#url = null;
    if (url) send("DELETE", url, {}, { keepalive: true }).catch(() => {});
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
