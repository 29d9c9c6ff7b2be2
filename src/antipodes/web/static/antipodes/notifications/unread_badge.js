// The unread badge: shows the number of unread notifications in the header and the page's title, and
// announces new ones to screen readers.

import { csrfToken } from "../csrf.js";
import { number, tn } from "../i18n.js";
import { defined } from "../defined.js";
import { ReconnectingSocket } from "../socket.js";

const HEARTBEAT = 60_000; // milliseconds between messages that a visible match page is viewed
const MAX_SHOWN = 99;
const ZONE_SENT = "antipodes-time-zone"; // key in the browser's storage
const PREFIX = /^\(\d+\+?\) /;

/** @import { BellMessage, Notice } from "wire" */

/** `<antipodes-unread-badge>`. */
class UnreadBadge extends HTMLElement {
  #socket = new ReconnectingSocket("/notices/socket", {
    onMessage: (message) => this.#receive(message),
    onOpen: () => {
      this.#isViewing = false;
      this.#reportViewing();
    },
  });
  #unread = 0;
  #isViewing = false;
  #match = /^\/m\/([\w-]+)\/$/.exec(location.pathname)?.[1] ?? null;

  connectedCallback() {
    const count = this.#count;
    this.#unread = count.hidden ? 0 : Number.parseInt(count.textContent ?? "", 10);
    this.#socket.open();
    document.addEventListener("visibilitychange", () => this.#reportViewing());
    setInterval(() => this.#reportViewing(true), HEARTBEAT);
    // Other scripts change the title too.
    new MutationObserver(() => this.#updateTitle()).observe(
      defined(document.querySelector("title")),
      { childList: true },
    );
    this.#updateTitle();
  }

  get #count() {
    return /** @type {HTMLElement} */ (this.querySelector(".unread-badge-count"));
  }

  /** Tell the server which match is viewed, or that none is any more. */
  #reportViewing(again = false) {
    if (this.#match === null || !this.#socket.isUp) return;
    const isViewing = !document.hidden;
    if (isViewing === this.#isViewing && !(again && isViewing)) return;
    this.#isViewing = isViewing;
    this.#socket.send({ looking: isViewing ? this.#match : null });
  }

  /** @param {Notice} message */
  async #receive(message) {
    if (message.type === "bell") this.#show(message);
    else if (message.type === "began") (await import("./beginnings.js")).begin(message);
  }

  /** @param {BellMessage} message */
  #show({ unseen, words }) {
    const announcement = unseen > this.#unread && words;
    this.#unread = unseen;
    const count = this.#count;
    const [shown, spoken] = count.children;
    count.hidden = unseen === 0;
    shown.textContent = unseen > MAX_SHOWN ? `${MAX_SHOWN}+` : number(unseen);
    spoken.textContent = tn("{count} unread", "{count} unread", unseen);
    if (announcement)
      defined(this.querySelector(".unread-badge-announcement")).textContent = announcement;
    this.#updateTitle();
    this.dispatchEvent(new CustomEvent("unread", { bubbles: true, detail: { unseen } }));
  }

  /** Show the number before the title of the page, and on the icon of the installed app. */
  #updateTitle() {
    // Browsers without app icons do not have it.
    navigator.setAppBadge?.(this.#unread).catch(() => {});
    const plain = document.title.replace(PREFIX, "");
    const title = this.#unread
      ? `(${this.#unread > MAX_SHOWN ? `${MAX_SHOWN}+` : this.#unread}) ${plain}`
      : plain;
    if (title !== document.title) document.title = title;
  }
}

/** Send the browser's time zone to the server once, for the times in mails. */
function sendTimeZone() {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const value = `${zone} ${document.querySelector(".who .name")?.textContent}`;
  const token = csrfToken();
  try {
    if (!token || localStorage.getItem(ZONE_SENT) === value) return;
    localStorage.setItem(ZONE_SENT, value);
  } catch {
    return; // without storage, it would be sent on every page
  }
  fetch("/notices/browser", {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ zone }),
  });
}

sendTimeZone();
customElements.define("antipodes-unread-badge", UnreadBadge);
