// Keep what the device needs without a network; the service worker does it.

import { t } from "../i18n.js";

const NOTE = "/offline/language"; // which the service worker writes last

/** Whether this device can play without a network. */
export async function isKept() {
  return (await caches.match(NOTE)) !== undefined;
}

/** Keep everything in the language of the page; throw if that fails. */
export async function keep() {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const done = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  active?.postMessage({ keep: document.documentElement.lang }, [port2]);
  if (!(await done)) throw new Error(t("Not everything could be loaded. Try again."));
}
