// Days and times in the browser's zone; the server writes them in the site's.

import { dayAndTime } from "../i18n.js";

/**
 * Write the times of a part of the page in the browser's zone.
 * @param {ParentNode} part
 */
export function localise(part) {
  for (const time of part.querySelectorAll("time[data-local]"))
    time.textContent = dayAndTime(new Date(/** @type {HTMLTimeElement} */ (time).dateTime));
}
