// Switching pushes on and off in this browser.

import { t } from "../i18n.js";

const section = /** @type {HTMLElement | null} */ (document.querySelector("#push"));
const can = section && "serviceWorker" in navigator && "PushManager" in window && isSecureContext;

if (can) {
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (section.querySelector(`[${name}]`));
  const on = part("data-push-on");
  const off = part("data-push-off");
  const said = part("data-push-said");
  const { worker = "", key: ourKey = "" } = section.dataset;
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.getAttribute("value") ?? "";

  const send = (/** @type {string} */ address, /** @type {BodyInit} */ body) =>
    fetch(address, { method: "POST", headers: { "X-CSRFToken": token }, body, redirect: "manual" });

  async function registration() {
    const found = await navigator.serviceWorker.register(worker);
    const coming = found.installing ?? found.waiting;
    if (!found.active && coming) {
      await new Promise((ready) => {
        coming.addEventListener("statechange", () => coming.state === "activated" && ready(null));
      });
    }
    return found;
  }

  async function subscription() {
    const found = await navigator.serviceWorker.getRegistration(worker);
    return (await found?.pushManager.getSubscription()) ?? null;
  }

  /**
   * A subscription is bound to the key that the site had then; with another key nothing arrives.
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
    said.textContent = "";
    if ((await Notification.requestPermission()) !== "granted") {
      said.textContent = t("This browser does not let the site show notices. You can change that in its settings.");
      return;
    }
    try {
      const { pushManager } = await registration();
      await (await pushManager.getSubscription())?.unsubscribe();
      const options = { userVisibleOnly: true, applicationServerKey: ourKey };
      const made = await pushManager.subscribe(options);
      const answer = await send("/notices/push", JSON.stringify(made));
      if (!answer.ok) {
        await made.unsubscribe();
        said.textContent = (await answer.json()).message;
      } else said.textContent = t("This browser shows notices now.");
    } catch {
      said.textContent = t("This browser could not reach the service that brings it notices.");
    }
    await show();
  });

  off.addEventListener("click", async () => {
    const found = await subscription();
    if (found) {
      await send("/notices/push/end", new URLSearchParams({ endpoint: found.endpoint }));
      await found.unsubscribe();
    }
    said.textContent = t("This browser shows no more notices.");
    await show();
  });

  part("data-push").hidden = false;
  part("data-push-none").hidden = true;
  show();
}
