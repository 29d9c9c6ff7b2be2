// Service worker: shows push notifications and opens their pages, and answers without a network: with
// what the browser keeps for that, and else with a page that says so. With a network all comes from
// there, so nothing that is kept can be outdated.

/** @import { KeptOut, PushOut } from "wire" */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const VERSION = "RELEASE"; // which the site fills in
const PAGE_CACHE = `page-${VERSION}`;
const KEPT = "kept-";
const PAGE = "/offline/";
const DATA = "/offline/kept.json";
const LANGUAGE = "/offline/language"; // a note in the cache
const FILES = ["tokens.css", "themes.css", "site.css", "board.css", "views.css", "icon.svg"].map(
  (name) => `/static/${VERSION}/antipodes/${name}`,
);
const ANSWERED = ["/static/", "/rules/", "/offline/", "/boards.json", "/engine.kit"];

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(install());
});

/** Keep the page without a network, and all that an earlier release has kept. */
async function install() {
  const cache = await caches.open(PAGE_CACHE);
  await cache.addAll([fresh(PAGE), ...FILES.map((url) => fresh(url))]);
  const note = await caches.match(LANGUAGE);
  if (note) await keep(await note.text());
}

/**
 * Return a request for a file as visitors without an account get it.
 * @param {string} url
 * @param {string} [language]
 */
function fresh(url, language) {
  const headers = new Headers(language ? { "Accept-Language": language } : {});
  return new Request(url, { credentials: "omit", cache: "reload", headers });
}

/**
 * Keep all that is needed to play, solve puzzles and read the rules.
 * @param {string} language
 */
async function keep(language) {
  const data = await fetch(fresh(DATA, language));
  if (!data.ok) throw new Error(`${DATA}: ${data.status}`);
  const { files } = /** @type {KeptOut} */ (await data.clone().json());
  const cache = await caches.open(KEPT + VERSION);
  await cache.addAll(files.map((url) => fresh(url, language))); // all of them or none
  await cache.put(DATA, data);
  await cache.put(LANGUAGE, new Response(language));
}

worker.addEventListener("activate", (event) => {
  const clean = async () => {
    const outdated = (await caches.keys()).filter((name) => !name.endsWith(VERSION));
    await Promise.all(outdated.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(clean());
});

worker.addEventListener("message", (event) => {
  const answer = (/** @type {boolean} */ isKept) => event.ports[0].postMessage(isKept);
  event.waitUntil(
    keep(event.data.keep).then(
      () => answer(true),
      () => answer(false),
    ),
  );
});

let isCut = false; // whether the last page could not be loaded

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") return event.respondWith(loadPage(request));
  // With a network the browser loads files itself: Firefox logs an error for each that is not
  // loaded because its page was left.
  const isAnswered = ANSWERED.some((start) => pathname.startsWith(start));
  if (isAnswered && (isCut || !worker.navigator.onLine))
    event.respondWith(fetch(request).catch(() => kept(request)));
});

/**
 * Load a page, or return one that was kept.
 * @param {Request} request
 */
async function loadPage(request) {
  try {
    const page = await fetch(request);
    isCut = false;
    return page;
  } catch {
    isCut = true;
    return kept(request);
  }
}

/**
 * Return what was kept for a request; for pages else the page without a network.
 * @param {Request} request
 */
async function kept(request) {
  const options = { ignoreVary: true };
  const match = async (/** @type {RequestInfo} */ wanted) =>
    (await caches.match(wanted, { ...options, cacheName: KEPT + VERSION })) ??
    (await caches.match(wanted, options));
  const page = request.mode === "navigate" ? await match(PAGE) : undefined;
  return (await match(request)) ?? page ?? Response.error();
}

worker.addEventListener("push", (event) => {
  const { title = "Antipodes", body = "", url = "/notices/", tag } = read(event.data);
  event.waitUntil(
    worker.registration.showNotification(title, {
      body,
      tag,
      data: { url },
      icon: `/static/${VERSION}/antipodes/icon-192.png`,
    }),
  );
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    worker.clients.openWindow(new URL(event.notification.data.url, worker.location.origin).href),
  );
});

/**
 * @param {PushMessageData | null} data
 * @returns {Partial<PushOut>}
 */
function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}
