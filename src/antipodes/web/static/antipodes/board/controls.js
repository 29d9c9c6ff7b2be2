// Controls around the board's pictures: pieces left, buttons for the move in progress, move input.

import { t, tc } from "../i18n.js";
import { piece, svg } from "./shapes.js";
import { colorText } from "./texts.js";

/**
 * What the bar shows.
 * @typedef {object} BarState
 * @property {string} text the steps chosen so far.
 * @property {boolean} canPlay a complete move can be confirmed.
 * @property {boolean} canTurn a rod's diagonal can be chosen or changed.
 * @property {boolean} canGoBack
 * @property {boolean} keepsRoom whether it keeps its height when empty, to avoid layout shifts.
 */

/** Buttons that confirm a move, choose a rod's diagonal, or step back. */
export class Bar {
  /** @param {{play: () => void, turn: (diagonal: number) => void, back: () => void}} actions */
  constructor(actions) {
    this.root = make("div", "board-bar");
    this.text = make("span", "board-bar-text");
    this.play = button(t("Confirm"), "confirm", actions.play);
    this.rising = button("╱", "", () => actions.turn(0), t("rising rod"));
    this.falling = button("╲", "", () => actions.turn(1), t("falling rod"));
    this.back = button(t("Back"), "", actions.back);
    this.root.append(this.text, this.rising, this.falling, this.back, this.play);
  }

  /** @param {BarState} state */
  show({ text, canPlay, canTurn, canGoBack, keepsRoom }) {
    const hadFocus = this.root.contains(document.activeElement);
    const wasOpen = !this.back.hidden;
    this.text.textContent = text;
    this.play.hidden = !canPlay;
    this.rising.hidden = this.falling.hidden = !canTurn;
    this.back.hidden = !canGoBack;
    this.root.classList.toggle("empty", !canGoBack);
    this.root.hidden = !canGoBack && !keepsRoom;
    // The bar never covers the board, so scroll it into view when it opens.
    if (canGoBack && !wasOpen) this.root.scrollIntoView({ block: "nearest" });
    return hadFocus && !this.root.contains(document.activeElement);
  }
}

/** A form to type a move, or a question. */
export class MoveInput {
  /** @param {(text: string) => void} submit */
  constructor(submit) {
    this.root = make("form", "board-move-input");
    const label = make("label", "");
    const text = make("span", "");
    text.textContent = t("Move");
    this.input = make("input", "");
    for (const [name, value] of Object.entries(INPUT)) this.input.setAttribute(name, value);
    label.append(text, this.input);
    this.error = make("p", "board-error");
    this.error.setAttribute("role", "alert");
    const send = make("button", "");
    send.textContent = tc("button", "Enter");
    this.answer = make("p", "board-answer");
    this.answer.setAttribute("role", "status");
    this.root.append(label, send, this.error, this.answer);
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.error.textContent = this.answer.textContent = "";
      if (this.input.value.trim()) submit(this.input.value.trim());
    });
  }

  /** @param {boolean} isOpen */
  show(isOpen) {
    this.root.hidden = !isOpen;
  }

  clear() {
    this.input.value = this.error.textContent = "";
  }

  /**
   * Show the answer to a typed question, and make room for the next one.
   * @param {string} text
   */
  showAnswer(text) {
    this.answer.textContent = text;
    this.input.value = "";
  }

  /** @param {string} message */
  showError(message) {
    this.error.textContent = message;
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

/** The pieces of each colour that are left, with a picture of one. */
export class Supply {
  constructor() {
    this.root = make("ul", "board-supply");
    this.drawn = "";
  }

  /** @param {[string, number][]} left colours and how many of their rods are left. */
  show(left) {
    this.root.hidden = !left.length;
    // It keeps its place, so that the board stays where it is.
    this.root.classList.toggle(
      "used-up",
      left.every(([, count]) => count <= 0),
    );
    if (this.drawn === String(left)) return;
    this.drawn = String(left);
    this.root.replaceChildren(
      ...left.map(([color, count]) => {
        const item = make("li", "");
        const icon = svg("svg", { viewBox: "-.55 -.55 1.1 1.1", "aria-hidden": "true" });
        icon.append(piece(`${color}/`));
        const text = make("span", "");
        text.textContent = t("{color} {count} left", { color: colorText(color), count });
        item.append(icon, text);
        return item;
      }),
    );
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @returns {HTMLElementTagNameMap[Name]}
 */
function make(name, className) {
  const created = document.createElement(name);
  if (className) created.className = className;
  return created;
}

/**
 * @param {string} text
 * @param {string} className
 * @param {() => void} act
 * @param {string} [label] for screen readers, where the text is a symbol
 */
function button(text, className, act, label) {
  const created = make("button", className);
  created.type = "button";
  created.textContent = text;
  if (label) created.setAttribute("aria-label", label);
  created.addEventListener("click", (event) => {
    event.stopPropagation();
    act();
  });
  return created;
}
