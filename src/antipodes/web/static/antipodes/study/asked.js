// Work of the computer that a page waits for: asked for, looked at now and then, and ended.

import { fetchJson, messageOf, send } from "./source.js";

/** @import { Found } from "./findings.js" */

const PATIENCE = 350; // milliseconds between two looks

/**
 * How far work is.
 * @typedef {object} Told
 * @property {string} state
 * @property {string} address
 * @property {boolean} isOver
 * @property {number} [wait] seconds until it begins.
 * @property {Found | null} found
 */

/** One piece of work at a time; a new one ends the one before it. */
export class Asked {
  #tell;
  #address = /** @type {string | null} */ (null);
  #number = 0;
  #timer = 0;
  /** @type {(() => Promise<void>) | null} */
  #again = null; // asks for the same work once more, if that may be done

  /**
   * @param {(told: Told | null, trouble: string) => void} tell hears how far the work is, or what went wrong
   */
  constructor(tell) {
    this.#tell = tell;
    // Whoever leaves the page does not let the computer work on.
    addEventListener("pagehide", () => this.stop());
  }

  /** Whether something is asked for and not done. */
  get isOpen() {
    return this.#address !== null;
  }

  /**
   * Ask for work; if somebody else stops it, it is asked for once more.
   * @param {string} address
   * @param {Record<string, string | number>} fields
   */
  async ask(address, fields) {
    this.stop();
    const number = this.#number;
    const request = () => send("POST", address, fields);
    this.#again = () => this.#hear(number, request);
    await this.#hear(number, request);
  }

  /** End the work; nothing more is told of it. */
  stop() {
    this.#number++;
    clearTimeout(this.#timer);
    const address = this.#address;
    this.#address = null;
    if (address) send("DELETE", address, {}, { keepalive: true }).catch(() => {});
  }

  /**
   * @param {number} number
   * @param {() => Promise<Told>} request
   */
  async #hear(number, request) {
    let told = null;
    let trouble = "";
    try {
      told = await request();
    } catch (error) {
      trouble = messageOf(error);
    }
    if (number !== this.#number) {
      // It was stopped before its address was known.
      if (told && !told.isOver) send("DELETE", told.address).catch(() => {});
      return;
    }
    this.#address = told && !told.isOver ? told.address : null;
    if (told?.state === "stopped" && this.#again) {
      // Nobody here did that: this browser slept, or was too slow, and seemed to have left.
      const again = this.#again;
      this.#again = null;
      await again();
      return;
    }
    this.#tell(told, trouble);
    const address = this.#address;
    if (address === null) return;
    const again = () => this.#hear(number, () => fetchJson(address));
    this.#timer = setTimeout(again, PATIENCE);
  }
}
