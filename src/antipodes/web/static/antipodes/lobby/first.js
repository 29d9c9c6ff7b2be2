// The board of the first page: the first move on it begins a match.

import { t } from "../i18n.js";
import "../board.js";
import { fetchBoard, fetchPosition, messageOf } from "../study/source.js";

/** @import { BoardElement } from "../board/element.js" */

const board = /** @type {BoardElement} */ (document.querySelector("#first-board"));
const form = /** @type {HTMLFormElement} */ (document.querySelector("#first"));
const note = /** @type {HTMLElement} */ (document.querySelector("#first-note"));

async function show() {
  const { game = "" } = board.dataset;
  const options = Object.fromEntries(new URLSearchParams(board.dataset.options));
  const position = await fetchPosition({ game, options, moves: [] });
  board.show({
    board: await fetchBoard(position.board),
    pieces: position.pieces,
    legal: position.legal,
    confirm: false,
  });
}

board.addEventListener("play", (event) => {
  // Whoever plays by keys goes on with them on the page of the match.
  if (board.querySelector(":focus-visible")) sessionStorage.setItem("antipodes-keys", "on");
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));
  field.value = String(/** @type {CustomEvent<number>} */ (event).detail);
  note.textContent = t("Setting up the board …");
  form.requestSubmit();
});

// Coming back to this page, the browser may show it as it was left.
addEventListener("pageshow", () => {
  note.textContent = "";
});

show().catch((error) => {
  note.textContent = messageOf(error);
});
