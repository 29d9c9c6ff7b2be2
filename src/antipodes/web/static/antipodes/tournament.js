// Pages of tournaments: times in the browser's zone, and what has changed without loading the page.

import { timeFormat } from "./i18n.js";

const FIRST_DELAY = 1_000; // milliseconds before the first attempt to connect again
const LONGEST_DELAY = 60_000;
const BETWEEN_LOADS = 1_500; // milliseconds between two loads at least
const UNSEEN = 4404; // close code of a tournament that the viewer may not see any more

/**
 * Write the times of a part of the page in the browser's zone.
 * @param {ParentNode} part
 */
function localise(part) {
  const format = timeFormat({ dateStyle: "medium", timeStyle: "short" });
  for (const time of part.querySelectorAll("time[data-local]")) {
    time.textContent = format.format(new Date(/** @type {HTMLTimeElement} */ (time).dateTime));
  }
}

/** `<antipodes-tournament slug="...">`, the part of the page that changes. */
class TournamentPart extends HTMLElement {
  /** @type {WebSocket | null} */
  #socket = null;
  #failures = 0;
  #timer = 0;
  #loadedAt = 0;
  #load = 0;
  #version = 0;

  connectedCallback() {
    this.#version = this.#shownVersion;
    this.#connect();
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    clearTimeout(this.#load);
    document.removeEventListener("visibilitychange", this.#onVisible);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #onVisible = () => {
    if (!document.hidden && this.#version > this.#shownVersion) this.#loadSoon();
  };

  get #shownVersion() {
    return Number(this.querySelector("[data-version]")?.getAttribute("data-version"));
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/tournament/${this.getAttribute("slug")}/socket`);
    this.#socket = socket;
    socket.onopen = () => (this.#failures = 0);
    socket.onmessage = (event) => {
      this.#version = JSON.parse(event.data).version;
      if (this.#version > this.#shownVersion && !document.hidden) this.#loadSoon();
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket || event.code === UNSEEN) return;
      const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#failures++);
      this.#timer = setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
    };
  }

  /** Load what has changed: at once, or later if it was loaded a moment ago. */
  #loadSoon() {
    clearTimeout(this.#load);
    const wait = Math.max(0, this.#loadedAt + BETWEEN_LOADS - Date.now());
    this.#load = setTimeout(() => this.#show(), wait + Math.random() * 500);
  }

  async #show() {
    this.#loadedAt = Date.now();
    const query = new URLSearchParams(location.search);
    query.set("v", String(this.#shownVersion));
    const response = await fetch(`/tournament/${this.getAttribute("slug")}/now?${query}`).catch(() => null);
    if (response?.status !== 200) return;
    const part = /** @type {HTMLElement} */ (this.querySelector("[data-live]"));
    const focused = this.#focused(part);
    const loaded = new DOMParser().parseFromString(await response.text(), "text/html");
    part.replaceChildren(...loaded.body.childNodes);
    localise(part);
    if (focused) /** @type {HTMLElement | null} */ (part.querySelector(focused))?.focus();
    const said = part.querySelector("[data-say]")?.getAttribute("data-say") ?? "";
    const status = this.querySelector("[data-said]");
    if (status) status.textContent = said;
  }

  /**
   * Return a selector of the focused element, to focus it again; empty if the focus is elsewhere.
   * @param {HTMLElement} part
   */
  #focused(part) {
    const active = document.activeElement;
    if (!active || !part.contains(active)) return "";
    const address = active.getAttribute("href");
    if (address) return `a[href="${CSS.escape(address)}"]`;
    const form = active.closest("form");
    return form ? `form[action="${CSS.escape(form.getAttribute("action") ?? "")}"] button` : "";
  }
}

localise(document);
customElements.define("antipodes-tournament", TournamentPart);
