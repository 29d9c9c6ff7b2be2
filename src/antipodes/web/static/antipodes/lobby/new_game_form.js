// The form for a new game: sliders for a clock, and a picture of the board.

import "../current_options.js";
import { number } from "../i18n.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.new-game"));
const picture = /** @type {HTMLImageElement} */ (document.querySelector("#board-picture"));

/**
 * Show the start position with the chosen options.
 * @param {FormData} data
 */
function showBoard(data) {
  const query = new URLSearchParams({ bare: "", game: picture.dataset.game ?? "" });
  for (const [name, value] of data) {
    if (name.startsWith("option-") && value !== "")
      query.set(name.slice("option-".length), String(value));
  }
  const address = `${picture.dataset.address}?${query}`;
  if (picture.getAttribute("src") === address) return;
  picture.src = address;
  picture.hidden = false;
}

// Sliders for a custom clock, which write its code: 10m+5s, 30s/move.
const sliders = /** @type {HTMLElement} */ (form.querySelector(".sliders"));
const [minutes, seconds] = /** @type {HTMLInputElement[]} */ ([
  ...sliders.querySelectorAll("input"),
]);
const code = /** @type {HTMLInputElement} */ (form.elements.namedItem("control_text"));

/** Return the time control that the sliders show; one of them can be 0. */
function controlOfSliders() {
  if (minutes.value === "0") return `${Math.max(1, Number(seconds.value))}s/move`;
  return seconds.value === "0" ? `${minutes.value}m` : `${minutes.value}m+${seconds.value}s`;
}

function showSliders() {
  for (const one of [minutes, seconds]) {
    const output = one.labels?.[0].querySelector("output");
    if (output) output.textContent = number(Number(one.value));
  }
}

sliders.hidden = false;
showSliders();
sliders.addEventListener("input", () => {
  code.value = controlOfSliders();
  showSliders();
});

function update() {
  const data = new FormData(form);
  if (data.get("control") === "other" && !code.value) code.value = controlOfSliders();
  showBoard(data);
}

// Some values exclude each other; then there is no such board.
picture.addEventListener("error", () => (picture.hidden = true));
form.addEventListener("change", update);
addEventListener("pageshow", update);
// After a change of the rules, the server sends their options.
form.addEventListener("htmx:afterSettle", update);
update();
