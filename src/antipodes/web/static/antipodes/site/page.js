// Parts of every page: menus close, links are copied and shared, times are those of the browser's
// zone, and the service worker is registered.

import { copyField } from "../clipboard.js";
import { defined } from "../defined.js";

const FONTS = ["literata", "atkinson-hyperlegible-next"];
const YEAR = 365 * 24 * 3600; // seconds
const IDLE = 1500; // milliseconds after loading, when boards are drawn too

/** @param {Element | null} [but] a menu that stays open */
function closeMenus(but = null) {
  for (const menu of document.querySelectorAll("details.menu-part[open]"))
    if (menu !== but) menu.removeAttribute("open");
}

addEventListener("click", (event) =>
  closeMenus(event.target instanceof Element ? event.target.closest("details.menu-part") : null),
);
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu =
    event.target instanceof Element ? event.target.closest("details.menu-part[open]") : null;
  menu?.querySelector("summary")?.focus();
  closeMenus();
});

for (const element of document.querySelectorAll("[data-copies]")) {
  const button = /** @type {HTMLButtonElement} */ (element);
  const { copies = "", done = "" } = button.dataset;
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(copies));
    if (!(await copyField(field))) return;
    button.textContent = done;
    defined(button.parentElement?.querySelector("[role=status]")).textContent = done;
  });
}

for (const element of document.querySelectorAll("[data-shares]")) {
  const button = /** @type {HTMLButtonElement} */ (element);
  button.hidden = !("share" in navigator);
  button.addEventListener("click", () => {
    const field = /** @type {HTMLInputElement} */ (
      document.getElementById(button.dataset.shares ?? "")
    );
    // Closing the sheet without sharing is no error.
    navigator.share({ title: document.title, url: field.value }).catch(() => {});
  });
}

/** Write the times of events and messages in the browser's zone, if there are any. */
async function localiseTimes() {
  if (document.querySelector("time[data-local]"))
    (await import("./local_times.js")).localise(document);
}
localiseTimes();
addEventListener("htmx:afterSwap", localiseTimes);

/** Load the fonts; a cookie tells the server that later pages can begin with them. */
async function loadFonts() {
  if (/(^|; )fonts=/.test(document.cookie)) return;
  const all = await Promise.all(
    FONTS.map((name) => fetch(new URL(`../fonts/${name}.woff2`, import.meta.url))),
  );
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (all.every(({ ok }) => ok))
    document.cookie = `fonts=on; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

// After everything that the page needs.
addEventListener("load", () => {
  setTimeout(() => loadFonts().catch(() => {}), IDLE); // fonts of the system do without
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  // Without a service worker, the site works as long as there is a network.
  navigator.serviceWorker.register("/service_worker.js").catch(() => {});
  if (matchMedia("(display-mode: standalone)").matches) keepOnce();
  if (location.pathname !== "/offline/") bringStored();
});
addEventListener("appinstalled", () => keepOnce());

/** Bring what was played without a network, if there is anything. */
async function bringStored() {
  const keys = Object.keys(localStorage);
  if (keys.some((key) => key.startsWith("antipodes-offline-")))
    await (await import("../offline/games.js")).bringGames();
  if (keys.includes("antipodes-tries")) await (await import("../offline/tries.js")).bringTries();
}

/** Keep what the installed app needs without a network, unless that was done. */
async function keepOnce() {
  const { isKept, keep } = await import("../offline/keep.js");
  if (!(await isKept())) await keep();
}
