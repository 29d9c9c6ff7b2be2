// A live game of the player begins: one tab goes to its board, or all tell where it is.

import { element } from "../match/dom.js";
import { t } from "../i18n.js";

// Pages on which players wait for games; elsewhere they are busy with something else.
const WAITING = /^\/($|lobby\/|pair\/|c\/|tournaments?\/|simuls?\/)/;
const TAKEN = "antipodes-taken"; // key in the browser's storage: the game to which a tab has gone
const HIDDEN_DELAY = 400; // milliseconds in which visible tabs go first
const OTHERS_DELAY = 900; // milliseconds in which a tab may go, before others tell of the game
const BLINK = 1_000; // milliseconds
const LASTS = 60_000; // milliseconds

/** @import { BeganMessage } from "wire" */

/** @type {Set<string>} */
const known = new Set();
let isLeaving = false;
let endToast = () => {};

/**
 * Go to the board, or show where it is.
 * @param {BeganMessage} game
 */
export async function begin(game) {
  const { slug, after } = game;
  if (known.has(slug) || isLeaving) return;
  known.add(slug);
  if (location.pathname === `/m/${slug}/`) return take(slug);
  const waits = WAITING.test(location.pathname) || location.pathname === `/m/${after}/`;
  if (waits) {
    if (document.hidden) await pause(HIDDEN_DELAY);
    if (!isLeaving && (await mayGo(slug))) {
      isLeaving = true;
      return location.assign(`/m/${slug}/`);
    }
  } else await pause(OTHERS_DELAY);
  if (!isTaken(slug)) showToast(game);
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((done) => void setTimeout(done, milliseconds));
}

/**
 * Return whether this tab is the first of the browser that wants to go to a game.
 * @param {string} slug
 * @returns {Promise<boolean>}
 */
async function mayGo(slug) {
  const first = () => {
    const isFirst = !isTaken(slug);
    if (isFirst) take(slug);
    return isFirst;
  };
  // Only pages on HTTPS have locks.
  return navigator.locks ? navigator.locks.request(`${TAKEN} ${slug}`, first) : first();
}

/** @param {string} slug */
function isTaken(slug) {
  try {
    return localStorage.getItem(TAKEN) === slug;
  } catch {
    return false; // without storage, each tab decides for itself
  }
}

/** @param {string} slug */
function take(slug) {
  try {
    localStorage.setItem(TAKEN, slug);
  } catch {
    // without storage, each tab decides for itself
  }
}

/**
 * Show a toast until the player has gone to the game, in any tab.
 * @param {BeganMessage} game
 */
function showToast({ slug, words }) {
  endToast();
  const go = element("a", { class: "button first", href: `/m/${slug}/` }, t("Go to game"));
  const close = element("button", { type: "button", "aria-label": t("Close") }, "×");
  const toast = element(
    "div",
    { class: "begun-toast", role: "alert" },
    element("span", {}, words),
    go,
    close,
  );
  const stopBlinking = blink(words);
  const end = () => {
    stopBlinking();
    toast.remove();
    removeEventListener("storage", onStorage);
  };
  const onStorage = (/** @type {StorageEvent} */ event) => {
    if (event.key === TAKEN && event.newValue === slug) end();
  };
  endToast = end;
  go.addEventListener("click", () => take(slug));
  close.addEventListener("click", end);
  addEventListener("storage", onStorage);
  document.body.append(toast);
  setTimeout(end, LASTS);
  sound();
}

/**
 * Let the page's title blink; return a function that ends it.
 * @param {string} words
 */
function blink(words) {
  const title = document.title;
  let isOn = false;
  const timer = setInterval(() => {
    isOn = !isOn;
    document.title = isOn ? `▶ ${words}` : title;
  }, BLINK);
  return () => {
    clearInterval(timer);
    document.title = title;
  };
}

async function sound() {
  try {
    if (localStorage.getItem("antipodes-sound") === "off") return;
  } catch {
    // without storage, sounds are as they are at first
  }
  const { Sounds } = await import("../match/sounds.js");
  // Browsers allow sounds after the first click or key on the page.
  if (navigator.userActivation?.hasBeenActive ?? true) await new Sounds().play("began");
}
