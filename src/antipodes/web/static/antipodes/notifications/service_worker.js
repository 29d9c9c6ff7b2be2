// Service worker: shows push notifications and opens their pages. It caches nothing.

/**
 * The data of a push message.
 * @typedef {{title?: string, body?: string, url?: string, tag?: string}} Pushed
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("push", (event) => {
  const { title = "Antipodes", body = "", url = "/notices/", tag } = read(event.data);
  event.waitUntil(
    worker.registration.showNotification(title, { body, tag, data: { url }, icon: "/static/antipodes/icon.svg" }),
  );
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(new URL(event.notification.data.url, worker.location.origin).href));
});

/**
 * @param {PushMessageData | null} data
 * @returns {Pushed}
 */
function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}
