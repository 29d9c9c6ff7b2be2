// Pages of tournaments: changes appear without loading the page.

import { localise } from "./site/local_times.js";
import { ReconnectingSocket } from "./socket.js";

const BETWEEN_LOADS = 1_500; // milliseconds between two loads at least

/**
 * `<antipodes-tournament slug="..." now="...">`, on a page with parts that change; `now` is their
 * address. With `waits` it does nothing until that is removed, and it stops at a part that is
 * complete.
 */
class TournamentPart extends HTMLElement {
  static observedAttributes = ["waits"];
  #socket = new ReconnectingSocket(`/tournament/${this.getAttribute("slug")}/socket`, {
    onMessage: ({ version }) => {
      this.#version = version;
      if (this.#version > this.#shownVersion && !document.hidden) this.#loadSoon();
    },
  });
  #loadedAt = 0;
  #load = 0;
  #version = 0;

  connectedCallback() {
    this.#version = this.#shownVersion;
    this.attributeChangedCallback();
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  attributeChangedCallback() {
    const isIdle = this.hasAttribute("waits") || this.#isComplete;
    if (this.isConnected && !isIdle) this.#socket.open();
  }

  disconnectedCallback() {
    clearTimeout(this.#load);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#socket.close();
  }

  #onVisible = () => {
    if (!document.hidden && this.#version > this.#shownVersion) this.#loadSoon();
  };

  get #shownVersion() {
    return Number(this.querySelector("[data-version]")?.getAttribute("data-version"));
  }

  get #isComplete() {
    return this.querySelector("[data-complete]") !== null;
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
    const response = await fetch(`${this.getAttribute("now")}?${query}`).catch(() => null);
    if (response?.status !== 200) return;
    const loaded = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const name = part.getAttribute("data-part");
      const fresh = loaded.querySelector(`[data-part="${name}"]`);
      // An open form of the director keeps what is typed in it.
      if (!fresh || (name === "direct" && part.querySelector("details[open]"))) continue;
      const focused = this.#focused(part);
      part.replaceChildren(...fresh.childNodes);
      localise(part);
      if (focused) /** @type {HTMLElement | null} */ (part.querySelector(focused))?.focus();
    }
    const said = document.querySelector("[data-say]")?.getAttribute("data-say") ?? "";
    const status = this.querySelector("[data-said]");
    if (status) status.textContent = said;
    if (this.#isComplete) this.#socket.close();
  }

  /**
   * Return a selector of the focused element, to focus it again; empty if the focus is elsewhere.
   * @param {Element} part
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

customElements.define("antipodes-tournament", TournamentPart);
