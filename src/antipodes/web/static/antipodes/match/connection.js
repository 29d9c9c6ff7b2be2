// The socket of a match: it brings news, takes commands, and comes back by itself when it was lost.

import { sure } from "../sure.js";

const FIRST_DELAY = 500; // milliseconds before the first attempt to connect again
const LONGEST_DELAY = 30_000;
const ANSWER_LIMIT = 8_000; // a socket that leaves a command unanswered for so long is given up
const REPEAT_DELAY = 4_000; // milliseconds until a command that could not be stored is sent again
const NOT_FOUND = 4404;
const SIGNED_OUT = 4401; // the session with which it was opened has ended
const TOO_MANY = 4429; // the user has opened more sockets since

/** @typedef {Record<string, unknown>} Command what a player wants, and its details. */

/**
 * What the server answers to a command: `done`, `refused`, or `later`.
 * @typedef {object} Answer
 * @property {string} type
 * @property {string} [key] of the command
 * @property {string} [code]
 * @property {string} [message] for people
 */
/** @typedef {{command: Command, answer: (answer: Answer) => void, limit: number}} Waiting */

/**
 * Fires `news` with each message that answers no command, `up` and `down` as the connection
 * comes and goes, `later` with the reason when a command could not be stored and will be sent again,
 * `gone` if there is no such match, `signed-out` if the session has ended, and `crowded` if it made
 * room for other tabs. After that it connects again when it is woken.
 */
export class Connection extends EventTarget {
  /** @type {WebSocket|null} */
  #socket = null;
  #failures = 0;
  #retry = 0;
  #isClosed = true;
  /**
   * Commands that were not answered yet, by key.
   * @type {Map<string, Waiting>}
   */
  #waiting = new Map();

  /** @param {string} path address of the socket on this host */
  constructor(path) {
    super();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#address = `${scheme}://${location.host}${path}`;
  }

  #address;
  #wake = () => this.#isClosed || this.isUp || this.#connect();

  /** Whether commands are heard at once. */
  get isUp() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect, and stay connected until `close`. */
  open() {
    this.#isClosed = false;
    addEventListener("online", this.#wake);
    this.#connect();
  }

  /** Leave for good. */
  close() {
    this.#isClosed = true;
    removeEventListener("online", this.#wake);
    clearTimeout(this.#retry);
    this.#drop();
  }

  /** Try again at once, such as when the page is looked at again. */
  wake() {
    this.#wake();
  }

  /**
   * Send a command. Until it is answered it is sent again whenever the connection comes back; its
   * key keeps it from being carried out twice.
   * @param {Command} details
   * @returns {Promise<Answer>} the server's answer
   */
  send(details) {
    const command = { key: newKey(), ...details };
    return new Promise((answer) => {
      this.#waiting.set(command.key, { command, answer, limit: 0 });
      if (this.isUp) this.#post(command.key);
    });
  }

  /** @param {string} key */
  #post(key) {
    const entry = sure(this.#waiting.get(key));
    clearTimeout(entry.limit);
    entry.limit = setTimeout(() => this.#connect(), ANSWER_LIMIT);
    this.#socket?.send(JSON.stringify(entry.command));
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#drop();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      this.dispatchEvent(new Event("up"));
      for (const key of this.#waiting.keys()) this.#post(key);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(event.code);
  }

  /** @param {number} code */
  #lost(code) {
    for (const entry of this.#waiting.values()) clearTimeout(entry.limit);
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
      this.dispatchEvent(new Event("crowded"));
      return;
    }
    this.dispatchEvent(new Event("down"));
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#failures++);
    // Chance spreads out those who were cut off together.
    this.#retry = setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
  }

  /** @param {Answer} message */
  #hear(message) {
    const { key = "" } = message;
    const entry = this.#waiting.get(key);
    if (entry && message.type === "later") {
      clearTimeout(entry.limit);
      entry.limit = setTimeout(() => this.isUp && this.#post(key), REPEAT_DELAY);
      this.dispatchEvent(new CustomEvent("later", { detail: message }));
    } else if (entry) {
      this.#waiting.delete(key);
      clearTimeout(entry.limit);
      entry.answer(message);
    } else {
      this.dispatchEvent(new CustomEvent("news", { detail: message }));
    }
  }
}

/** A key that nobody else makes. `crypto.randomUUID` is missing where pages come without TLS. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
