// The page that imports games: files can be dropped, and text pasted anywhere on the page.

import { defined } from "./defined.js";

const form = /** @type {HTMLFormElement} */ (defined(document.getElementById("import")));
const file = /** @type {HTMLInputElement} */ (defined(document.getElementById("import-file")));
const text = /** @type {HTMLTextAreaElement} */ (defined(document.getElementById("import-text")));

for (const name of ["dragenter", "dragover"]) {
  addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.add("dropping");
  });
}
addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) form.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("dropping");
  const { files } = defined(event.dataTransfer);
  if (files.length) {
    file.files = files;
    form.requestSubmit();
  } else {
    importText(defined(event.dataTransfer).getData("text"));
  }
});

addEventListener("paste", (event) => {
  if (event.target instanceof Element && event.target.closest("input, textarea")) return;
  const data = defined(event.clipboardData);
  if (data.files.length) {
    file.files = data.files;
    form.requestSubmit();
  } else {
    importText(data.getData("text"));
  }
});

/** @param {string} pasted */
function importText(pasted) {
  if (!pasted.trim()) return;
  file.value = "";
  text.value = pasted;
  form.requestSubmit();
}
