// Ways to hear that something has happened: the page's title, a sound, a notification.

import { t } from "../i18n.js";
import { element } from "./dom.js";
import { headline } from "./words.js";

/** @import { MatchState } from "./state.js" */

const SOUND = "antipodes-sound"; // kept in this browser
const NOTIFY = "antipodes-notify";
const LENGTH = 0.15; // seconds of a beep
const PITCH = 660; // hertz

export class Alerts {
  #title = document.title;
  #sound = this.#choice(t("Play a sound"), SOUND, () => this.#beep());
  #notify = this.#choice(t("Notify me while I look elsewhere"), NOTIFY, () => this.#ask());
  #audio = /** @type {AudioContext | null} */ (null);

  constructor() {
    this.root = element("fieldset", { class: "alerts" }, element("legend", {}, t("When it is my turn")));
    this.root.append(this.#sound.label);
    if ("Notification" in window) this.root.append(this.#notify.label);
  }

  /**
   * @param {string} text
   * @param {string} key
   * @param {() => void} turnedOn
   */
  #choice(text, key, turnedOn) {
    const box = element("input", { type: "checkbox" });
    box.checked = read(key) === "on";
    box.addEventListener("change", () => {
      write(key, box.checked ? "on" : "off");
      if (box.checked) turnedOn();
    });
    return { box, label: element("label", {}, box, ` ${text}`) };
  }

  async #ask() {
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
    volume.gain.exponentialRampToValueAtTime(0.001, now + LENGTH);
    tone.connect(volume).connect(destination);
    tone.start(now);
    tone.stop(now + LENGTH);
  }

  /**
   * Say in the page's title whose turn it is.
   * @param {MatchState} state
   */
  draw(state) {
    const mark = state.isMyTurn && !state.isOver ? "● " : "";
    document.title = `${mark}${headline(state)} · ${this.#title}`;
  }

  /**
   * It has become the viewer's turn, or the game has ended.
   * @param {MatchState} state
   */
  call(state) {
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
 * What this browser keeps under a name; nothing where it keeps nothing.
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
    // A browser that keeps nothing forgets the choice with the page.
  }
}
