// The board of the first page: the first move on it begins a match.

import { t } from "../i18n.js";
import "../board.js";
import { fetchBoard, fetchPosition } from "../study/source.js";

const board = document.querySelector("#first-board");
const form = document.querySelector("#first");
const note = document.querySelector("#first-note");

async function show() {
  const options = Object.fromEntries(new URLSearchParams(board.dataset.options));
  const position = await fetchPosition({ game: board.dataset.game, options, moves: [] });
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
  form.elements.move.value = event.detail;
  note.textContent = t("Setting up the board …");
  form.requestSubmit();
});

// Coming back to this page, the browser may show it as it was left.
addEventListener("pageshow", () => {
  note.textContent = "";
});

show().catch((error) => {
  note.textContent = error.message;
});
