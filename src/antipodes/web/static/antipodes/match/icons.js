// Icons of buttons: lines in a square of 24 units, in the colour of the text.

import { svg } from "../board/shapes.js";
import { element } from "./dom.js";

/** @import { Attributes } from "./dom.js" */

const PATHS = {
  undo: "M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9",
  half: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16v16",
  bulb: "M9.5 17.5c0-2-2.5-3-2.5-7a5 5 0 0 1 10 0c0 4-2.5 5-2.5 7zM10 21h4",
  branch: "M7 20V4M7 15c0-5 10-3 10-10M13.5 8 17 4.5 20.5 8",
  lens: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20.5 20.5",
  dots: "M6 12h.01M12 12h.01M18 12h.01",
  flag: "M6 21V4.5M6 5h12l-3 4.2 3 4.3H6",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  cross: "M6 6l12 12M18 6 6 18",
};

/** @typedef {keyof typeof PATHS} Icon */

/**
 * Return an icon; the text beside it says what it means.
 * @param {Icon} name
 */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}

/**
 * Make a button with an icon above its text.
 * @param {Icon} name
 * @param {string} text
 * @param {() => void} onClick
 * @param {Attributes} [attributes]
 */
export function iconButton(name, text, onClick, attributes = {}) {
  const created = element(
    "button",
    { type: "button", class: "icon-button", ...attributes },
    icon(name),
    text,
  );
  created.addEventListener("click", onClick);
  return created;
}
