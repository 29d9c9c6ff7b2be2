// What stands round the pictures: pieces left above; below, buttons for a move that is being made.

import { t, tc } from "../i18n.js";
import { piece, svg } from "./shapes.js";
import { colorWord } from "./words.js";

/**
 * What the bar offers.
 * @typedef {object} Offer
 * @property {string} text what was chosen so far.
 * @property {boolean} canPlay a complete move waits to be confirmed.
 * @property {boolean} canTurn a rod's diagonal has to be chosen, or may be changed.
 * @property {boolean} canGoBack
 * @property {boolean} keepsRoom whether it stays as high when empty, so that nothing jumps.
 */

/** Buttons to confirm a move, to choose a diagonal, to step back. */
export class Bar {
  /** @param {{play: () => void, turn: (diagonal: number) => void, back: () => void}} acts */
  constructor(acts) {
    this.root = make("div", "board-bar");
    this.text = make("span", "board-bar-text");
    this.play = button(t("Confirm"), "confirm", acts.play);
    this.rising = button("╱", "", () => acts.turn(0), t("rising rod"));
    this.falling = button("╲", "", () => acts.turn(1), t("falling rod"));
    this.back = button(t("Back"), "", acts.back);
    this.root.append(this.text, this.rising, this.falling, this.back, this.play);
  }

  /** @param {Offer} offer */
  show({ text, canPlay, canTurn, canGoBack, keepsRoom }) {
    const hadFocus = this.root.contains(document.activeElement);
    const wasOpen = !this.back.hidden;
    this.text.textContent = text;
    this.play.hidden = !canPlay;
    this.rising.hidden = this.falling.hidden = !canTurn;
    this.back.hidden = !canGoBack;
    this.root.classList.toggle("empty", !canGoBack);
    this.root.hidden = !canGoBack && !keepsRoom;
    // The bar never lies over the board; the page scrolls as far as the bar needs to be seen.
    if (canGoBack && !wasOpen) this.root.scrollIntoView({ block: "nearest" });
    return hadFocus && !this.root.contains(document.activeElement);
  }
}

/** A line to write a move in. */
export class Writing {
  /** @param {(text: string) => void} write */
  constructor(write) {
    this.root = make("form", "board-writing");
    const label = make("label", "");
    const text = make("span", "");
    text.textContent = t("Move");
    this.input = make("input", "");
    for (const [name, value] of Object.entries(INPUT)) this.input.setAttribute(name, value);
    label.append(text, this.input);
    this.trouble = make("p", "board-trouble");
    this.trouble.setAttribute("role", "alert");
    const send = make("button", "");
    send.textContent = tc("button", "Enter");
    this.root.append(label, send, this.trouble);
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.trouble.textContent = "";
      if (this.input.value.trim()) write(this.input.value.trim());
    });
  }

  /** @param {boolean} isOpen */
  show(isOpen) {
    this.root.hidden = !isOpen;
  }

  clear() {
    this.input.value = this.trouble.textContent = "";
  }

  /** @param {string} message */
  refuse(message) {
    this.trouble.textContent = message;
    this.input.select();
  }
}

const INPUT = {
  size: "9",
  maxlength: "40",
  autocomplete: "off",
  autocapitalize: "off",
  spellcheck: "false",
};

/** How many pieces of each colour are left, with a picture of one. */
export class Supply {
  constructor() {
    this.root = make("ul", "board-supply");
    this.drawn = "";
  }

  /** @param {[string, number][]} left colours and how many of their rods are still to come. */
  show(left) {
    this.root.hidden = left.every(([, count]) => count <= 0);
    if (this.drawn === String(left)) return;
    this.drawn = String(left);
    this.root.replaceChildren(
      ...left.map(([color, count]) => {
        const item = make("li", "");
        const icon = svg("svg", { viewBox: "-.55 -.55 1.1 1.1", "aria-hidden": "true" });
        icon.append(piece(`${color}/`));
        const text = make("span", "");
        text.textContent = t("{color} {count} left", { color: colorWord(color), count });
        item.append(icon, text);
        return item;
      })
    );
  }
}

/** Says things to screen readers. */
export class Voice {
  constructor() {
    this.root = make("p", "board-voice");
    this.root.setAttribute("role", "status");
  }

  /** @param {string} text */
  say(text) {
    // The same words twice would not be spoken: a space that nobody hears makes them others.
    this.root.textContent = text === this.root.textContent ? `${text}\u00a0` : text;
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @returns {HTMLElementTagNameMap[Name]}
 */
function make(name, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

/**
 * @param {string} text
 * @param {string} className
 * @param {() => void} act
 * @param {string} [label] where the text does not say it
 */
function button(text, className, act, label) {
  const made = make("button", className);
  made.type = "button";
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", (event) => {
    event.stopPropagation();
    act();
  });
  return made;
}
