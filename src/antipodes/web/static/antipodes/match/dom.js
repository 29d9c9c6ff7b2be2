// Helpers for elements. Text always becomes text nodes, never markup: names and chat are untrusted.

import { defined } from "../defined.js";

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes] `true` sets an empty attribute; `false` and `null` set none.
 * @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) created.setAttribute(key, "");
    else if (value !== false && value !== null) created.setAttribute(key, String(value));
  }
  created.append(...children);
  return created;
}

/**
 * Make a button.
 * @param {string} text
 * @param {() => void} onClick
 * @param {Attributes} [attributes]
 * @returns {HTMLButtonElement}
 */
export function button(text, onClick, attributes = {}) {
  const created = element("button", { type: "button", ...attributes }, text);
  created.addEventListener("click", onClick);
  return created;
}

/**
 * Return the attributes of a button with a symbol.
 * @param {string} label
 */
export function labelled(label) {
  return { "aria-label": label, title: label };
}

/**
 * Make a heading for screen readers only.
 * @param {string} text
 */
export function spokenHeading(text) {
  return element("h2", { class: "spoken" }, text);
}

/**
 * Set an element's text if it differs, so that live regions do not repeat it.
 * @param {HTMLElement} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Fetch JSON from a URL relative to the page.
 * @param {string} url
 */
export async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

/**
 * Return the first element of the page that a selector matches; there must be one.
 * @param {string} selector
 */
export function find(selector) {
  return /** @type {HTMLElement} */ (defined(document.querySelector(selector)));
}

/**
 * Return the detail of a custom event.
 * @param {Event} event
 * @returns {any} depends on the event
 */
export function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
