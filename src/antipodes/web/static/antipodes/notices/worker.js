// The service worker: it shows pushes, and opens what they are about. It keeps nothing of the site.

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title = "Antipodes", body = "", url = "/notices/", tag } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, data: { url }, icon: "/static/antipodes/icon.svg" }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(new URL(event.notification.data.url, self.location.origin).href));
});

function read(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}
