// Connection of a page to its match, study or chat: receives updates and sends commands.

import { defined } from "../defined.js";
import { NOT_FOUND, ReconnectingSocket, SIGNED_OUT, TOO_MANY } from "../socket.js";

const ANSWER_TIMEOUT = 8_000; // milliseconds without an answer after which the socket is replaced
const RETRY_DELAY = 4_000; // milliseconds until a command that could not be stored is sent again
/** @type {Record<number, string>} */
const EVENTS = { [NOT_FOUND]: "gone", [SIGNED_OUT]: "signed-out", [TOO_MANY]: "too-many" };

/** @import { AnswerMessage, ClientMessage } from "wire" */

/**
 * A message without what a page adds to each.
 * @template T
 * @typedef {T extends unknown ? Omit<T, "seat" | "ply" | "key"> & {seat?: number} : never} Unsent
 */
/** @typedef {Unsent<ClientMessage>} Command */
/**
 * @typedef {object} Pending
 * @property {object} command
 * @property {(answer: AnswerMessage) => void} answer
 * @property {number} timeout
 */

/**
 * Fires `update` with each message that is not an answer, `up` and `down` when the connection is
 * made or lost, `later` with the reason when a command could not be stored and will be sent again,
 * `gone` if there is no such match, `signed-out` if the session has ended, and `too-many` if the
 * server closed it in favour of other tabs, until the page is shown again.
 */
export class Connection extends EventTarget {
  #socket;
  /**
   * Commands without an answer, by key.
   * @type {Map<string, Pending>}
   */
  #pending = new Map();

  /** @param {string} path of the socket on this site */
  constructor(path) {
    super();
    this.#socket = new ReconnectingSocket(path, {
      onOpen: () => this.#onOpen(),
      onMessage: (message) => this.#receive(message),
      onLost: (code) => this.#onLost(code),
    });
  }

  /** Whether the socket is open. */
  get isUp() {
    return this.#socket.isUp;
  }

  /** Connect, and stay connected until `close`. */
  open() {
    this.#socket.open();
  }

  /** Close the connection without reconnecting. */
  close() {
    this.#socket.close();
  }

  /**
   * Send a command. Until it is answered, it is sent again on each reconnect; its key prevents the
   * server from executing it twice.
   * @param {object} details
   * @returns {Promise<AnswerMessage>} the server's answer
   */
  send(details) {
    const command = { key: newKey(), ...details };
    return new Promise((answer) => {
      this.#pending.set(command.key, { command, answer, timeout: 0 });
      if (this.isUp) this.#transmit(command.key);
    });
  }

  /** @param {string} key */
  #transmit(key) {
    const entry = defined(this.#pending.get(key));
    clearTimeout(entry.timeout);
    entry.timeout = setTimeout(() => this.#socket.reconnect(), ANSWER_TIMEOUT);
    this.#socket.send(entry.command);
  }

  #onOpen() {
    this.dispatchEvent(new Event("up"));
    for (const key of this.#pending.keys()) this.#transmit(key);
  }

  /** @param {number} code */
  #onLost(code) {
    for (const entry of this.#pending.values()) clearTimeout(entry.timeout);
    this.dispatchEvent(new Event(EVENTS[code] ?? "down"));
  }

  /** @param {AnswerMessage} message */
  #receive(message) {
    const key = message.key ?? "";
    const entry = this.#pending.get(key);
    if (entry && message.type === "later") {
      clearTimeout(entry.timeout);
      entry.timeout = setTimeout(() => this.isUp && this.#transmit(key), RETRY_DELAY);
      this.dispatchEvent(new CustomEvent("later", { detail: message }));
    } else if (entry) {
      this.#pending.delete(key);
      clearTimeout(entry.timeout);
      entry.answer(message);
    } else {
      this.dispatchEvent(new CustomEvent("update", { detail: message }));
    }
  }
}

/** Return a unique key. `crypto.randomUUID` is missing on pages without TLS. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
