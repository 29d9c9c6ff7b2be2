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
  link: "M10 14a4 4 0 0 1 0-6l3-3a4 4 0 0 1 6 6l-1.5 1.5M14 10a4 4 0 0 1 0 6l-3 3a4 4 0 0 1-6-6l1.5-1.5",
  raise: "M12 20V5M6 11l6-6 6 6",
  bin: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  play: "M8 5v14l11-7z",
  pen: "M5 19l1-4L16 5l3 3L9 18z",
  book: "M5 5h6a2 2 0 0 1 2 2v13a2 2 0 0 0-2-2H5zM13 7a2 2 0 0 1 2-2h4v13h-4a2 2 0 0 0-2 2",
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
 * Make a link with an icon above its text.
 * @param {Icon} name
 * @param {string} text
 * @param {Attributes} [attributes]
 */
export function iconLink(name, text, attributes = {}) {
  return element("a", { class: "button icon-button", ...attributes }, icon(name), text);
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
