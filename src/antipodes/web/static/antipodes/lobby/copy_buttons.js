// Buttons that copy the text of a field.

import { copyField } from "../clipboard.js";
import { defined } from "../defined.js";

for (const element of document.querySelectorAll("[data-copies]")) {
  const button = /** @type {HTMLButtonElement} */ (element);
  const { copies = "", done = "" } = button.dataset;
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(copies));
    if (!(await copyField(field))) return;
    button.textContent = done;
    defined(button.nextElementSibling).textContent = done;
  });
}
