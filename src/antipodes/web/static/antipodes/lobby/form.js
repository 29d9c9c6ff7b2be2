// The form for a new game: fields that do not matter for what was chosen are out of sight.

import "../current_options.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.wish"));

/**
 * Show the parts that have the chosen value among those of a data attribute.
 * @param {string} name
 * @param {FormDataEntryValue | null} chosen
 */
function showOnly(name, chosen) {
  for (const part of form.querySelectorAll(`[data-${name}]`)) {
    const words = part.getAttribute(`data-${name}`)?.split(" ") ?? [];
    part.toggleAttribute("hidden", !words.includes(String(chosen)));
  }
}

function arrange() {
  const data = new FormData(form);
  showOnly("for", data.get("opponent"));
  showOnly("control", data.get("control"));
  showOnly("seats", (data.get("option-seats") ?? "two") === "two" ? "2" : "more");
}

form.addEventListener("change", arrange);
addEventListener("pageshow", arrange);
// After another choice of rules the server sends the options that go with it.
form.addEventListener("htmx:afterSettle", arrange);
arrange();
