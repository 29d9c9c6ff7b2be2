// Alerts about a match: the page's title, a sound, a notification.

import { t } from "../i18n.js";
import { element } from "./dom.js";
import { headline } from "./texts.js";

/** @import { MatchState } from "./state.js" */

const SOUND = "antipodes-sound"; // keys in the browser's storage
const NOTIFY = "antipodes-notify";
const DURATION = 0.15; // seconds of a beep
const PITCH = 660; // hertz

/** Alerts with the checkboxes that turn them on. */
export class Alerts {
  #title = document.title;
  #sound = this.#checkbox(t("Play a sound"), SOUND, () => this.#beep());
  #notify = this.#checkbox(t("Show a notification when this page is in the background"), NOTIFY, () => this.#requestPermission());
  #audio = /** @type {AudioContext | null} */ (null);

  constructor() {
    this.root = element("fieldset", { class: "alerts" }, element("legend", {}, t("When it is my turn")));
    this.root.append(this.#sound.label);
    if ("Notification" in window) this.root.append(this.#notify.label);
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

  #beep() {
    this.#audio ??= new AudioContext();
    const { currentTime: now, destination } = this.#audio;
    const tone = this.#audio.createOscillator();
    const volume = this.#audio.createGain();
    tone.frequency.value = PITCH;
    volume.gain.setValueAtTime(0.15, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + DURATION);
    tone.connect(volume).connect(destination);
    tone.start(now);
    tone.stop(now + DURATION);
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
  alert(state) {
    if (this.#sound.box.checked) this.#beep();
    if (!document.hidden || !("Notification" in window) || !this.#notify.box.checked) return;
    if (Notification.permission !== "granted") return;
    const note = new Notification(headline(state), { body: state.view.caption, tag: location.href });
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
