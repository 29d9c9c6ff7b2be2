// Service worker: shows push notifications and opens their pages, and a page of its own without a
// network. It keeps nothing else: games are only as good as their last move.

/** @import { PushOut } from "wire" */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE = "offline-1";
const PAGE = "/offline/";
const FILES = ["tokens.css", "themes.css", "site.css", "board.css", "views.css", "icon.svg"].map(
  (name) => `/static/antipodes/${name}`,
);

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(keep());
});

/** Keep the page without a network, as visitors without an account see it. */
async function keep() {
  const cache = await caches.open(CACHE);
  const fresh = (/** @type {string} */ url, /** @type {RequestCredentials} */ credentials) =>
    new Request(url, { credentials, cache: "reload" });
  await cache.addAll([fresh(PAGE, "omit"), ...FILES.map((url) => fresh(url, "same-origin"))]);
}

worker.addEventListener("activate", (event) => {
  const outdated = async () =>
    (await caches.keys()).filter((name) => name !== CACHE).map((name) => caches.delete(name));
  event.waitUntil(outdated().then((all) => Promise.all(all)));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const isFile = FILES.includes(new URL(request.url).pathname);
  if (request.mode !== "navigate" && !isFile) return;
  event.respondWith(fetch(request).catch(() => kept(isFile ? request.url : PAGE)));
});

/**
 * Return what was kept of a URL.
 * @param {string} url
 */
async function kept(url) {
  return (await caches.match(url)) ?? Response.error();
}

worker.addEventListener("push", (event) => {
  const { title = "Antipodes", body = "", url = "/notices/", tag } = read(event.data);
  event.waitUntil(
    worker.registration.showNotification(title, {
      body,
      tag,
      data: { url },
      icon: "/static/antipodes/icon-192.png",
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
