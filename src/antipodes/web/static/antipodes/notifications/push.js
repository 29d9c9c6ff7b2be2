// Turn push notifications in this browser on and off.

import { csrfToken } from "../csrf.js";
import { t } from "../i18n.js";

const section = /** @type {HTMLElement | null} */ (document.querySelector("#push"));
const isSupported =
  section && "serviceWorker" in navigator && "PushManager" in window && isSecureContext;

if (isSupported) {
  const part = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (section.querySelector(`[${name}]`));
  const on = part("data-push-on");
  const off = part("data-push-off");
  const status = part("data-push-status");
  const { worker = "", key: ourKey = "" } = section.dataset;

  const send = (/** @type {string} */ url, /** @type {BodyInit} */ body) =>
    fetch(url, {
      method: "POST",
      headers: { "X-CSRFToken": csrfToken() },
      body,
      redirect: "manual",
    });

  async function registration() {
    const found = await navigator.serviceWorker.register(worker);
    const installing = found.installing ?? found.waiting;
    if (!found.active && installing) {
      await new Promise((ready) => {
        installing.addEventListener(
          "statechange",
          () => installing.state === "activated" && ready(null),
        );
      });
    }
    return found;
  }

  async function subscription() {
    const found = await navigator.serviceWorker.getRegistration(worker);
    return (await found?.pushManager.getSubscription()) ?? null;
  }

  /**
   * Return whether a subscription has the site's current key; with another key, no push arrives.
   * @param {PushSubscription} found
   */
  function hasOurKey(found) {
    const key = found.options?.applicationServerKey;
    if (!key) return true;
    const text = btoa(String.fromCharCode(...new Uint8Array(key)));
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === ourKey;
  }

  async function show() {
    const found = await subscription();
    const isOn = found !== null && hasOurKey(found);
    on.hidden = isOn;
    off.hidden = !isOn;
  }

  on.addEventListener("click", async () => {
    status.textContent = "";
    if ((await Notification.requestPermission()) !== "granted") {
      status.textContent = t(
        "This browser blocks notifications of this site. You can allow them in its settings.",
      );
      return;
    }
    try {
      const { pushManager } = await registration();
      await (await pushManager.getSubscription())?.unsubscribe();
      const options = { userVisibleOnly: true, applicationServerKey: ourKey };
      const subscribed = await pushManager.subscribe(options);
      const response = await send("/notices/push", JSON.stringify(subscribed));
      if (!response.ok) {
        await subscribed.unsubscribe();
        status.textContent = (await response.json()).message;
      } else status.textContent = t("Notifications are turned on in this browser.");
    } catch {
      status.textContent = t("The browser’s push service could not be reached. Try again later.");
    }
    await show();
  });

  off.addEventListener("click", async () => {
    const found = await subscription();
    if (found) {
      await send("/notices/push/end", new URLSearchParams({ endpoint: found.endpoint }));
      await found.unsubscribe();
    }
    status.textContent = t("Notifications are turned off in this browser.");
    await show();
  });

  part("data-push").hidden = false;
  part("data-push-none").hidden = true;
  show();
}
