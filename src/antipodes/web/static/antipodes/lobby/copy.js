// Buttons that copy what stands in a field beside them.

import { copyField } from "../clipboard.js";

for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", async () => {
    if (!(await copyField(document.getElementById(button.dataset.copies)))) return;
    button.textContent = button.dataset.done;
    button.nextElementSibling.textContent = button.dataset.done;
  });
}
