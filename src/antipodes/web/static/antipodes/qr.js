// A link as a QR code, drawn by the server when it is opened.

import { t } from "./i18n.js";
import { element } from "./match/dom.js";

/** A disclosure with the code of a link that can change. */
export class QrCode {
  #code = element("img", { alt: t("The link above as a QR code"), width: 288, height: 288 });
  #link;
  root = element("details", { class: "qr" }, element("summary", {}, t("Show QR code")), this.#code);

  /** @param {() => string} link returns the present URL, of this site */
  constructor(link) {
    this.#link = link;
    this.root.addEventListener("toggle", () => this.refresh());
  }

  /** Draw the code again if it is open: the link has changed. */
  refresh() {
    if (!this.root.open) return;
    const { pathname, search } = new URL(this.#link(), location.href);
    const src = `/qr.svg?${new URLSearchParams({ path: pathname + search })}`;
    if (this.#code.getAttribute("src") !== src) this.#code.src = src;
  }
}
