// The board of the home page: the first move on it starts a match.

import { t } from "../i18n.js";
import "../board.js";
import { defined } from "../defined.js";

/** @import { BoardElement } from "../board/element.js" */

const board = /** @type {BoardElement} */ (document.querySelector("#first-board"));
const form = /** @type {HTMLFormElement} */ (document.querySelector("#first"));
const note = /** @type {HTMLElement} */ (document.querySelector("#first-note"));

board.addEventListener("play", (event) => {
  // The match page focuses its board after a move with the keyboard.
  if (board.querySelector(":focus-visible")) sessionStorage.setItem("antipodes-keys", "on");
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));
  field.value = String(/** @type {CustomEvent<number>} */ (event).detail);
  note.textContent = t("Starting the game …");
  form.requestSubmit();
});

// On the way back, the browser can restore the page with its last note.
addEventListener("pageshow", () => {
  note.textContent = "";
});

// The position is in the page, so that the board needs no further answer of the server.
board.show({
  ...JSON.parse(defined(defined(document.querySelector("#first-state")).textContent)),
  confirm: false,
});
