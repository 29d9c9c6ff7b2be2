// Panels of which one is shown; the arrow keys go from tab to tab.

import { element, setText } from "./dom.js";

export class Tabs {
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

  current = null;

  /** Show a panel. */
  open(name) {
    this.#paint(name);
    this.#tabs.find((one) => one.name === name).opened();
  }

  /** Hide or show a tab; the first other one takes the place of an open one. */
  setHidden(name, isHidden) {
    const entry = this.#tabs.find((one) => one.name === name);
    entry.tab.hidden = isHidden;
    if (isHidden && this.current === name) {
      this.#paint(this.#tabs.find((one) => !one.tab.hidden).name);
    }
  }

  /** Write a number beside a tab's title, or nothing for 0. */
  setCount(name, count, words) {
    const entry = this.#tabs.find((one) => one.name === name);
    setText(entry.count, count ? String(count) : "");
    if (count) entry.tab.setAttribute("aria-description", words);
    else entry.tab.removeAttribute("aria-description");
  }

  #paint(name) {
    this.current = name;
    for (const { name: one, tab, panel } of this.#tabs) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
      panel.hidden = one !== name;
    }
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
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
