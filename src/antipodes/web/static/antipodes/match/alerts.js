// Alerts about a match: the page's title, sounds, vibration, a notification.

import { t } from "../i18n.js";
import { element } from "./dom.js";
import { iconButton } from "./icons.js";
import { headline } from "./texts.js";

/** @import { MatchPage } from "./page.js" */
/** @import { Change } from "./parts.js" */
/** @import { Sounds } from "./sounds.js" */
/** @import { Changes, MatchState } from "./state.js" */

const SOUND = "antipodes-sound"; // keys in the browser's storage
const NOTIFY = "antipodes-notify";
const VIBRATE = "antipodes-vibrate";
const VIBRATION = 120; // milliseconds

/** Alerts with the button and the checkboxes that turn them on. */
export class Alerts {
  #title = document.title;
  #notify = this.#checkbox(
    t("Show a notification when this page is in the background"),
    NOTIFY,
    () => this.#requestPermission(),
  );
  #vibrate = this.#checkbox(t("Vibrate"), VIBRATE, () => navigator.vibrate?.(VIBRATION));
  #sounds = /** @type {Promise<Sounds> | null} */ (null);

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    const root = element(
      "fieldset",
      { class: "alerts" },
      element("legend", {}, t("When it is my turn")),
    );
    if ("vibrate" in navigator) root.append(this.#vibrate.label);
    if ("Notification" in window) root.append(this.#notify.label);
    root.hidden = root.children.length < 2;
    this.button = iconButton("sound", t("Sounds"), () => this.#toggleSound(), {
      "aria-pressed": "false",
    });
    this.#isSounding = read(SOUND) === "on";
    page.place("more", "alerts", root);
    page.place("tools", "sounds", this.button);
    page.addEventListener("low-time", () => this.#play("low"));
  }

  get #isSounding() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  set #isSounding(isOn) {
    this.button.setAttribute("aria-pressed", String(isOn));
  }

  #toggleSound() {
    this.#isSounding = !this.#isSounding;
    write(SOUND, this.#isSounding ? "on" : "off");
    this.#play("move");
  }

  /**
   * Play a sound if the viewer wants sounds; the module is loaded with the first one.
   * @param {import("./sounds.js").Sound} name
   */
  async #play(name) {
    if (!this.#isSounding) return;
    this.#sounds ??= import("./sounds.js").then((module) => new module.Sounds());
    (await this.#sounds).play(name);
  }

  /** @param {Change} change */
  tell({ changes, isNewTurn, isAnswered }) {
    this.#sound(changes);
    if (!isAnswered && (changes.ended || isNewTurn)) this.#alert(this.page.state);
  }

  /**
   * Play the sound of what has changed.
   * @param {Changes} changes
   */
  async #sound(changes) {
    if (!this.#isSounding) return;
    const name = (await import("./sounds.js")).soundOf(changes, this.page.state);
    if (name) this.#play(name);
  }

  /**
   * @param {string} text
   * @param {string} key
   * @param {() => void} onTurnOn
   */
  #checkbox(text, key, onTurnOn) {
    const box = element("input", { type: "checkbox" });
    box.checked = read(key) === "on";
    box.addEventListener("change", () => {
      write(key, box.checked ? "on" : "off");
      if (box.checked) onTurnOn();
    });
    return { box, label: element("label", {}, box, ` ${text}`) };
  }

  async #requestPermission() {
    if ((await Notification.requestPermission()) === "granted") return;
    this.#notify.box.checked = false;
    write(NOTIFY, "off");
  }

  /**
   * Show whose turn it is in the page's title.
   * @param {MatchState} state
   */
  draw(state) {
    const mark = state.isMyTurn && !state.isOver ? "● " : "";
    document.title = `${mark}${headline(state)} · ${this.#title}`;
  }

  /**
   * Alert the viewer that it is their turn, or that the game has ended.
   * @param {MatchState} state
   */
  #alert(state) {
    if (this.#vibrate.box.checked) navigator.vibrate?.(VIBRATION);
    if (!document.hidden || !("Notification" in window) || !this.#notify.box.checked) return;
    if (Notification.permission !== "granted") return;
    const note = new Notification(headline(state), {
      body: state.view.caption,
      tag: location.href,
    });
    note.onclick = () => {
      focus();
      note.close();
    };
  }
}

/**
 * Return a stored value, or null if there is none or no storage.
 * @param {string} key
 */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
