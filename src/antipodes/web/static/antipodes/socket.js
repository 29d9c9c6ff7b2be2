// WebSockets of this site that reconnect after they are lost.

// Milliseconds within which the first attempt to connect again happens; those of all pages are
// spread over them, and over twice as many after each failure.
const FIRST_WINDOW = 1000;
const RESTART_WINDOW = 8000; // when the server has ended the sockets of all pages at once
const LONGEST_WINDOW = 60_000;
const LEAST_SHARE = 0.1; // of a window

/** Close codes of the server. */
export const SIGNED_OUT = 4401; // the socket's session has ended
export const NOT_FOUND = 4404; // there is no such thing, or the user may not see it
export const RESTARTS = 1012; // the server stops; the next one starts in a moment
export const TRY_LATER = 1013; // the server is busy, or has lost its database
export const TOO_MANY = 4429; // the user has opened too many sockets since

/**
 * @typedef {object} Handlers
 * @property {(message: any) => void} onMessage gets each parsed message
 * @property {() => void} [onOpen]
 * @property {(code: number) => void} [onLost] gets the close code; after `NOT_FOUND` the socket stays
 *   closed, and after `SIGNED_OUT` and `TOO_MANY` until the page is shown again or `open` is called
 */

/** A socket that connects again after growing, random delays, and at once when it is of use again. */
export class ReconnectingSocket {
  #address;
  #handlers;
  /** @type {WebSocket | null} */
  #socket = null; // null while it waits for the next attempt
  #failures = 0;
  #timer = 0;
  #isWanted = false;

  /**
   * @param {string} path of the socket on this site
   * @param {Handlers} handlers
   */
  constructor(path, handlers) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const joint = path.includes("?") ? "&" : "?";
    // What the server sends is for this page, whose language may differ from the browser's.
    this.#address = `${scheme}://${location.host}${path}${joint}language=${document.documentElement.lang}`;
    this.#handlers = handlers;
  }

  /** Whether messages can be sent. */
  get isUp() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect, and stay connected until `close`. */
  open() {
    if (!this.#isWanted) this.#listen(true);
    this.#isWanted = true;
    this.reconnect();
  }

  /** Close the socket without reconnecting. */
  close() {
    if (this.#isWanted) this.#listen(false);
    this.#isWanted = false;
    this.#drop();
  }

  /** Replace the socket, such as one that does not answer. */
  reconnect() {
    this.#drop();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      this.#handlers.onOpen?.();
    };
    socket.onmessage = (event) => this.#handlers.onMessage(JSON.parse(event.data));
    socket.onclose = (event) => this.#onClose(event.code);
  }

  /**
   * Send a message; it is lost if the socket is not open.
   * @param {unknown} message
   */
  send(message) {
    if (this.isUp) this.#socket?.send(JSON.stringify(message));
  }

  #drop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Also while it connects: the server would finish a handshake for no client. Browsers
    // log a warning then.
    socket.close();
  }

  /** @param {number} code */
  #onClose(code) {
    this.#socket = null;
    if (code === NOT_FOUND) this.close();
    else if (code !== SIGNED_OUT && code !== TOO_MANY) {
      const first = code === RESTARTS || code === TRY_LATER ? RESTART_WINDOW : FIRST_WINDOW;
      const spread = Math.min(LONGEST_WINDOW, first * 2 ** this.#failures++);
      const share = LEAST_SHARE + (1 - LEAST_SHARE) * Math.random();
      this.#timer = setTimeout(() => this.reconnect(), spread * share);
    }
    this.#handlers.onLost?.(code);
  }

  // A page that the browser keeps for the back button has no socket meanwhile.

  #wake = () => {
    if (!this.#socket) this.reconnect();
  };
  #onVisibility = () => {
    if (!document.hidden) this.#wake();
  };
  #onHide = () => this.#drop();

  /** @param {boolean} isOn */
  #listen(isOn) {
    const change = isOn ? "addEventListener" : "removeEventListener";
    window[change]("online", this.#wake);
    window[change]("pageshow", this.#wake);
    window[change]("pagehide", this.#onHide);
    document[change]("visibilitychange", this.#onVisibility);
  }
}
