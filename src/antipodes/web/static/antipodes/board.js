// The board element, `<antipodes-board>`; its parts are in board/.

import "./board/element.js";
import { isForPage } from "./board/keyboard.js";

document.addEventListener("keydown", async (event) => {
  if (event.key !== "?" || !isForPage(event)) return;
  event.preventDefault();
  const { showKeys } = await import("./board/keys.js");
  showKeys();
});
