// Tabs and their panels; arrow keys move between tabs.

import { defined } from "../defined.js";
import { element, setText } from "./dom.js";

/**
 * One panel and its tab.
 * @typedef {object} Entry
 * @property {string} name
 * @property {HTMLElement} tab
 * @property {HTMLElement} panel
 * @property {HTMLElement} count
 * @property {() => void} onOpen called whenever the panel is opened
 */

/** A tab list with its panels. */
export class Tabs {
  /** @type {Entry[]} */
  #tabs = [];

  /**
   * @param {string} label for screen readers
   */
  constructor(label) {
    this.list = element("div", { role: "tablist", "aria-label": label, class: "tab-list" });
    this.root = element("section", { class: "tabs" }, this.list);
    this.list.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /**
   * Add a panel.
   * @param {string} name part of the elements' ids
   * @param {string} title
   * @param {HTMLElement} content
   * @param {() => void} [onOpen] called whenever the panel is opened
   */
  add(name, title, content, onOpen = () => {}) {
    const count = element("span", { class: "count" });
    const tab = element(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` },
      title,
      count,
    );
    const panel = element(
      "div",
      { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" },
      content,
    );
    const entry = { name, tab, panel, count, onOpen };
    tab.addEventListener("click", () => this.open(name));
    this.#tabs.push(entry);
    this.list.append(tab);
    this.root.append(panel);
    this.#paint(this.current ?? name);
  }

  current = /** @type {string | null} */ (null);

  /**
   * Show a panel.
   * @param {string} name
   */
  open(name) {
    this.#paint(name);
    this.#entry(name).onOpen();
  }

  /**
   * Hide or show a tab; if it is open, open the first visible one instead.
   * @param {string} name
   * @param {boolean} isHidden
   */
  setHidden(name, isHidden) {
    const entry = this.#entry(name);
    entry.tab.hidden = isHidden;
    if (isHidden && this.current === name) {
      this.#paint(defined(this.#tabs.find((one) => !one.tab.hidden)).name);
    }
  }

  /**
   * Show a number beside a tab's title, or nothing for 0.
   * @param {string} name
   * @param {number} count
   * @param {string} description of the number for screen readers
   */
  setCount(name, count, description) {
    const entry = this.#entry(name);
    setText(entry.count, count ? String(count) : "");
    if (count) entry.tab.setAttribute("aria-description", description);
    else entry.tab.removeAttribute("aria-description");
  }

  #entry(/** @type {string} */ name) {
    return defined(this.#tabs.find((one) => one.name === name));
  }

  /** @param {string} name */
  #paint(name) {
    this.current = name;
    for (const { name: one, tab, panel } of this.#tabs) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
      panel.hidden = one !== name;
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!step) return;
    const open = this.#tabs.filter((one) => !one.tab.hidden);
    const at = open.findIndex((one) => one.name === this.current);
    const next = open[(at + step + open.length) % open.length];
    this.open(next.name);
    next.tab.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
