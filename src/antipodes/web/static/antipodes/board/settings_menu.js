// `<antipodes-board-settings for="id of a board">`: the settings of a board.
//
// The board can also be set as `menu.board`.

import { t } from "../i18n.js";
import { preferences, settingsFor } from "./settings.js";

/** @import { BoardElement } from "./element.js" */
/** @import { Setting } from "./settings.js" */
/** @import { BoardOut } from "wire" */

/** @typedef {SettingsMenu} SettingsMenuElement */

class SettingsMenu extends HTMLElement {
  /** @type {BoardElement | null} */
  #board = null;
  #onReady = () => this.#draw();

  connectedCallback() {
    preferences.addEventListener("change", this.#onReady);
    this.board ??= /** @type {BoardElement | null} */ (
      document.getElementById(this.getAttribute("for") ?? "")
    );
  }

  disconnectedCallback() {
    preferences.removeEventListener("change", this.#onReady);
    this.#board?.removeEventListener("ready", this.#onReady);
  }

  /** The board element whose settings it shows. */
  get board() {
    return this.#board;
  }

  set board(board) {
    this.#board?.removeEventListener("ready", this.#onReady);
    this.#board = board;
    board?.addEventListener("ready", this.#onReady);
    this.#draw();
  }

  #draw() {
    const data = this.#board?.data;
    if (!data) return;
    const names = settingsFor(data).map((setting) => setting.name);
    if (names.join() === [...this.querySelectorAll("select")].map((one) => one.name).join()) {
      for (const select of this.querySelectorAll("select")) {
        select.value = preferences.value(select.name, data);
      }
      return;
    }
    this.replaceChildren(...settingsFor(data).map((setting) => row(setting, data)));
  }
}

/**
 * @param {Setting} setting
 * @param {BoardOut} data
 */
function row({ name, label = "", choices }, data) {
  const select = document.createElement("select");
  select.name = name;
  select.append(...choices(data).map(([value, title]) => new Option(title, value)));
  select.value = preferences.value(name, data);
  select.addEventListener("change", () => preferences.choose(name, select.value, data));
  const shown = document.createElement("label");
  const text = document.createElement("span");
  text.textContent = label;
  shown.append(text, select);
  return shown;
}

customElements.define("antipodes-board-settings", SettingsMenu);

/** Make a collapsed, hidden section with the settings menu. */
export function makeOptions() {
  const options = document.createElement("details");
  options.className = "board-options";
  options.hidden = true;
  const summary = document.createElement("summary");
  summary.textContent = t("Board options");
  const menu = document.createElement("antipodes-board-settings");
  options.append(summary, menu);
  return { root: options, menu };
}
