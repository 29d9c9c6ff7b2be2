// The form for a new game: hides fields that do not apply to the chosen values.

import "../current_options.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.new-game"));

/**
 * Show only the parts whose data attribute lists a value.
 * @param {string} name
 * @param {FormDataEntryValue | null} value
 */
function showOnly(name, value) {
  for (const part of form.querySelectorAll(`[data-${name}]`)) {
    const values = part.getAttribute(`data-${name}`)?.split(" ") ?? [];
    part.toggleAttribute("hidden", !values.includes(String(value)));
  }
}

function update() {
  const data = new FormData(form);
  showOnly("for", data.get("opponent"));
  showOnly("control", data.get("control"));
  showOnly("seats", (data.get("option-seats") ?? "two") === "two" ? "2" : "more");
}

form.addEventListener("change", update);
addEventListener("pageshow", update);
// After a change of the rules, the server sends their options.
form.addEventListener("htmx:afterSettle", update);
update();
