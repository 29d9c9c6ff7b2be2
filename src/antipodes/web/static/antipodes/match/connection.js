// WebSocket connection of a match: receives updates, sends commands, and reconnects.

import { defined } from "../defined.js";

const FIRST_DELAY = 500; // milliseconds before the first attempt to connect again
const LONGEST_DELAY = 30_000;
const ANSWER_TIMEOUT = 8_000; // milliseconds without an answer after which the socket is replaced
const RETRY_DELAY = 4_000; // milliseconds until a command that could not be stored is sent again
const NOT_FOUND = 4404;
const SIGNED_OUT = 4401; // the socket's session has ended
const TOO_MANY = 4429; // the user has opened too many sockets since

/** @typedef {Record<string, unknown>} Command its name and its parameters. */

/**
 * The server's answer to a command: `done`, `refused`, or `later`.
 * @typedef {object} Answer
 * @property {string} type
 * @property {string} [key] of the command
 * @property {string} [code]
 * @property {string} [message] for the player
 */
/** @typedef {{command: Command, answer: (answer: Answer) => void, timeout: number}} Pending */

/**
 * Fires `update` with each message that is not an answer, `up` and `down` when the connection is
 * made or lost, `later` with the reason when a command could not be stored and will be sent again,
 * `gone` if there is no such match, `signed-out` if the session has ended, and `too-many` if the
 * server closed it in favour of other tabs; then `wake` reconnects.
 */
export class Connection extends EventTarget {
  /** @type {WebSocket|null} */
  #socket = null;
  #failures = 0;
  #retryTimer = 0;
  #isClosed = true;
  /**
   * Commands without an answer, by key.
   * @type {Map<string, Pending>}
   */
  #pending = new Map();

  /** @param {string} path of the socket on this site */
  constructor(path) {
    super();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#address = `${scheme}://${location.host}${path}`;
  }

  #address;
  #wake = () => this.#isClosed || this.isUp || this.#connect();

  /** Whether the socket is open. */
  get isUp() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect, and stay connected until `close`. */
  open() {
    this.#isClosed = false;
    addEventListener("online", this.#wake);
    this.#connect();
  }

  /** Close the connection without reconnecting. */
  close() {
    this.#isClosed = true;
    removeEventListener("online", this.#wake);
    clearTimeout(this.#retryTimer);
    this.#dropSocket();
  }

  /** Reconnect at once, such as when the page becomes visible. */
  wake() {
    this.#wake();
  }

  /**
   * Send a command. Until it is answered, it is sent again on each reconnect; its key prevents the
   * server from executing it twice.
   * @param {Command} details
   * @returns {Promise<Answer>} the server's answer
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
    entry.timeout = setTimeout(() => this.#connect(), ANSWER_TIMEOUT);
    this.#socket?.send(JSON.stringify(entry.command));
  }

  #dropSocket() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #connect() {
    clearTimeout(this.#retryTimer);
    this.#dropSocket();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      this.dispatchEvent(new Event("up"));
      for (const key of this.#pending.keys()) this.#transmit(key);
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#onClose(event.code);
  }

  /** @param {number} code */
  #onClose(code) {
    for (const entry of this.#pending.values()) clearTimeout(entry.timeout);
    if (code === NOT_FOUND) {
      this.close();
      this.dispatchEvent(new Event("gone"));
      return;
    }
    if (code === SIGNED_OUT) {
      this.close();
      this.dispatchEvent(new Event("signed-out"));
      return;
    }
    if (code === TOO_MANY) {
      this.dispatchEvent(new Event("too-many"));
      return;
    }
    this.dispatchEvent(new Event("down"));
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#failures++);
    // Jitter spreads out clients that were disconnected at the same time.
    this.#retryTimer = setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
  }

  /** @param {Answer} message */
  #receive(message) {
    const { key = "" } = message;
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
