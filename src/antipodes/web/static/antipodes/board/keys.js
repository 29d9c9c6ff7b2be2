// The list of keys, a part of the page "Playing without sight".

import { t } from "../i18n.js";

const PAGE = "/playing-without-sight/";

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Show the list of keys in a dialog, loaded when it is first shown. */
export async function showKeys() {
  dialog ??= makeDialog();
  document.body.append(dialog);
  dialog.showModal();
  const content = dialog.querySelector("div");
  if (!content || content.querySelector("table")) return;
  try {
    const page = await (await fetch(PAGE)).text();
    const keys = new DOMParser().parseFromString(page, "text/html").querySelector("#keys");
    if (!keys) throw new Error(PAGE);
    content.replaceChildren(...keys.children);
  } catch {
    content.textContent = t("The site cannot be reached. Try again soon.");
  }
}

/** Make a button that shows the list. */
export function keysButton() {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = t("Keys (?)");
  made.addEventListener("click", showKeys);
  return made;
}

function makeDialog() {
  const made = document.createElement("dialog");
  made.className = "keys-list";
  made.setAttribute("aria-label", t("Keys"));
  const form = document.createElement("form");
  form.method = "dialog";
  const close = document.createElement("button");
  close.textContent = t("Close");
  form.append(close);
  made.append(document.createElement("div"), form);
  return made;
}
