// Buttons that copy what stands in a field beside them.

import { copyField } from "../clipboard.js";
import { sure } from "../sure.js";

for (const found of document.querySelectorAll("[data-copies]")) {
  const button = /** @type {HTMLButtonElement} */ (found);
  const { copies = "", done = "" } = button.dataset;
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(copies));
    if (!(await copyField(field))) return;
    button.textContent = done;
    sure(button.nextElementSibling).textContent = done;
  });
}
