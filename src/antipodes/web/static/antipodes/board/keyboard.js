// Keyboard navigation between cells.

/** @import { Point, Spot, View } from "./views.js" */
/** @import { BoardOut } from "wire" */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const SIDEWAYS_COST = 1.5; // cost of a step away from the course, relative to one ahead
const CONE = 1.2; // greatest distance sideways for each step ahead
const LEAST = 0.1; // steps; smaller differences count as the same row
const TYPING_TIMEOUT = 1200; // milliseconds between two letters of a cell's name
const GAP = 1000; // between two panels; longer than any step inside one

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
// These work on the board too, where arrow keys move between cells.
/** @type {Record<string, number>} */
const STEPS_ANYWHERE = { ",": -1, "[": -1, ".": 1, "]": 1 };

/**
 * Return whether a key was pressed inside an element that a selector matches.
 * @param {KeyboardEvent} event
 * @param {string} selector
 */
function isWithin(event, selector) {
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(selector) !== null;
}

/**
 * Return whether a key is for the page: not for a field, a dialog or the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return !isWithin(event, "input, textarea, select, dialog, [role=dialog]");
}

/**
 * Return by how many moves a key of the page steps through a game, or null.
 * @param {KeyboardEvent} event
 */
export function stepOf(event) {
  if (!isForPage(event)) return null;
  const hasOwnArrows = isWithin(event, "antipodes-board, [role=tablist], [role=toolbar]");
  return STEPS_ANYWHERE[event.key] ?? (hasOwnArrows ? null : (STEPS[event.key] ?? null));
}

/**
 * Return whether a key moves between cells.
 * @param {string} key
 */
export function isNavigationKey(key) {
  return key in ARROWS || key === "Home" || key === "End";
}

/**
 * The line that arrow keys follow. Rows of hexagons are offset, so without it two steps down and
 * two steps up would not lead back to the same cell.
 * @typedef {{x: number, y: number}} Course
 */

/**
 * Return the course from a spot that was reached by a click or by name.
 * @param {View} view
 * @param {number} index
 */
export function courseAt(view, index) {
  const { x, y } = across(view, index);
  return { x, y };
}

/**
 * Return the spot that a key leads to, and the course from there.
 * @param {View} view
 * @param {number} index
 * @param {Course} course
 * @param {string} key
 * @returns {{index: number, course: Course}}
 */
export function navigate(view, index, course, key) {
  const target = view.navigate?.(index, key);
  if (target !== undefined) return target === null ? { index, course } : reached(view, target);
  if (key === "Home" || key === "End") return reached(view, endOfRow(view, index, key === "End"));
  const [dx, dy] = ARROWS[key];
  const here = across(view, index);
  const next = nearest(view, index, [dx, dy], course, here);
  if (next === null) return { index, course };
  const there = across(view, next);
  return { index: next, course: dx ? { x: there.x, y: course.y } : { x: course.x, y: there.y } };
}

/**
 * @param {View} view
 * @param {number} index
 */
function reached(view, index) {
  return { index, course: courseAt(view, index) };
}

/**
 * Return the spots that keys can reach from one.
 * @param {View} view
 * @param {number} from
 */
function open(view, from) {
  const isOpen = (/** @type {Spot} */ spot, /** @type {number} */ index) =>
    spot.visible !== false && !spot.repeated && view.partOf?.(index) === view.partOf?.(from);
  return view.spots.flatMap((spot, index) =>
    isOpen(spot, index) ? [{ index, ...across(view, index) }] : [],
  );
}

/**
 * Return a spot's position with all panels in one row.
 * @param {View} view
 * @param {number} index
 */
function across(view, index) {
  const { panel, x, y } = view.spots[index];
  const [left, top, , height] = view.panels[panel].box;
  return { x: x - left + panel * GAP, y: y - top - height / 2 };
}

/**
 * Return the nearest spot ahead, preferring those close to the course.
 * @param {View} view
 * @param {number} index
 * @param {[number, number]} way
 * @param {Course} course
 * @param {Point} here
 */
function nearest(view, index, [dx, dy], course, here) {
  let best = null;
  let least = Infinity;
  for (const spot of open(view, index)) {
    if (spot.index === index) continue;
    const ahead = (spot.x - here.x) * dx + (spot.y - here.y) * dy;
    const aside = Math.abs(dx ? spot.y - here.y : spot.x - here.x);
    if (ahead < LEAST || aside > CONE * ahead) continue;
    const cost = ahead + SIDEWAYS_COST * Math.abs(dx ? spot.y - course.y : spot.x - course.x);
    if (cost < least) [least, best] = [cost, spot.index];
  }
  return best;
}

/**
 * @param {View} view
 * @param {number} index
 * @param {boolean} isEnd
 */
function endOfRow(view, index, isEnd) {
  const here = across(view, index);
  const row = open(view, index).filter((spot) => Math.abs(spot.y - here.y) < LEAST);
  row.sort((a, b) => a.x - b.x);
  return row.at(isEnd ? -1 : 0)?.index ?? index;
}

/**
 * Return the spot of the cell with this name, or null; case and spaces do not matter.
 * @param {View} view
 * @param {BoardOut} board
 * @param {string} text
 */
export function spotNamed(view, board, text) {
  const wanted = text.trim().toLowerCase();
  const exact = view.spots.findIndex((spot) => spot.name.toLowerCase() === wanted);
  if (exact >= 0) return exact;
  const cell = board.names.findIndex((names) => names.some((n) => n.toLowerCase() === wanted));
  const found = view.spots.findIndex((spot) => spot.cell === cell && spot.visible !== false);
  return found < 0 ? null : found;
}

/** A cell's name that is typed letter by letter. */
export class Typing {
  #text = "";
  #at = 0;

  /**
   * Add a letter, and return the name so far; after a pause a new one begins.
   * @param {string} letter
   */
  add(letter) {
    const now = performance.now();
    this.#text = (now - this.#at > TYPING_TIMEOUT ? "" : this.#text) + letter;
    this.#at = now;
    return this.#text;
  }
}
