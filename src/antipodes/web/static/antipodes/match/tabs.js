// Panels of which one is shown; the arrow keys go from tab to tab.

import { sure } from "../sure.js";
import { element, setText } from "./dom.js";

/**
 * One panel and its tab.
 * @typedef {object} Entry
 * @property {string} name
 * @property {HTMLElement} tab
 * @property {HTMLElement} panel
 * @property {HTMLElement} count
 * @property {() => void} opened called whenever it comes into view
 */

export class Tabs {
  /** @type {Entry[]} */
  #tabs = [];

  /**
   * @param {string} label what the panels are, for those who listen
   */
  constructor(label) {
    this.list = element("div", { role: "tablist", "aria-label": label, class: "tab-list" });
    this.root = element("section", { class: "tabs" }, this.list);
    this.list.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Add a panel.
   * @param {string} name part of the elements' ids
   * @param {string} title
   * @param {HTMLElement} content
   * @param {() => void} [opened] called whenever it comes into view
   */
  add(name, title, content, opened = () => {}) {
    const count = element("span", { class: "count" });
    const tab = element(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` },
      title,
      count
    );
    const panel = element(
      "div",
      { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" },
      content
    );
    const entry = { name, tab, panel, count, opened };
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
    this.#entry(name).opened();
  }

  /**
   * Hide or show a tab; the first other one takes the place of an open one.
   * @param {string} name
   * @param {boolean} isHidden
   */
  setHidden(name, isHidden) {
    const entry = this.#entry(name);
    entry.tab.hidden = isHidden;
    if (isHidden && this.current === name) {
      this.#paint(sure(this.#tabs.find((one) => !one.tab.hidden)).name);
    }
  }

  /**
   * Write a number beside a tab's title, or nothing for 0.
   * @param {string} name
   * @param {number} count
   * @param {string} words
   */
  setCount(name, count, words) {
    const entry = this.#entry(name);
    setText(entry.count, count ? String(count) : "");
    if (count) entry.tab.setAttribute("aria-description", words);
    else entry.tab.removeAttribute("aria-description");
  }

  #entry(/** @type {string} */ name) {
    return sure(this.#tabs.find((one) => one.name === name));
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
  #key(event) {
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
