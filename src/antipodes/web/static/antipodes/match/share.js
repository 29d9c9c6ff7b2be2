// Links to the shown move, downloads, and a link to the analysis.

import { copyField } from "../clipboard.js";
import { preferences } from "../board/settings.js";
import { defined } from "../defined.js";
import { t } from "../i18n.js";
import { QrCode } from "../qr.js";
import { button, element, setText } from "./dom.js";

/** @import { MatchState } from "./state.js" */

const DOWNLOADS = [
  ["record.json", t("Record (JSON)")],
  ["record.sgf", t("Record (SGF)")],
  ["board.svg", t("Picture (SVG)")],
  ["board.png", t("Picture (PNG)")],
];

/** Return the HTML of a frame with this match. */
function frameHtml() {
  return `<iframe src="${new URL("./embed/", location.href).href}" width="480" height="640" title="Antipodes"></iframe>`;
}

/** The links of a match. */
export class SharePanel {
  #link = element("input", { id: "share-link", readonly: true });
  #copied = element("span", { role: "status", class: "hint" });
  #code = new QrCode(() => this.#link.value);
  #label = element("label", { for: "share-link" });
  #downloads = DOWNLOADS.map(([name, text]) => ({
    name,
    a: element("a", { download: true }, text),
  }));
  #frame = element("input", { id: "share-frame", readonly: true, value: frameHtml() });
  #picture = element("img", { class: "share-picture", loading: "lazy" });

  /** @param {boolean} isOnHexWorld whether hexworld.org has the game */
  constructor(isOnHexWorld) {
    for (const field of [this.#link, this.#frame])
      field.addEventListener("focus", () => field.select());
    const row = element("div", { class: "share-row" }, this.#link);
    row.append(button(t("Copy"), () => this.#copy(this.#link)));
    // Closing the sheet without sharing is no error.
    const share = () =>
      navigator.share({ title: document.title, url: this.#link.value }).catch(() => {});
    if ("share" in navigator) row.append(button(t("Share …"), share));
    const items = this.#downloads.map(({ a }) => element("li", {}, a));
    if (isOnHexWorld)
      items.push(element("li", {}, element("a", { href: "hexworld" }, t("Open in HexWorld"))));
    this.root = element("div");
    this.root.append(this.#label, row, this.#copied, this.#picture, this.#code.root);
    this.root.append(
      element("label", { for: "share-frame" }, t("HTML to show it on another site")),
    );
    const copyFrame = button(t("Copy"), () => this.#copy(this.#frame), {
      "aria-describedby": "share-frame",
    });
    this.root.append(element("div", { class: "share-row" }, this.#frame, copyFrame));
    this.root.append(element("h3", {}, t("Download")), element("ul", { class: "links" }, ...items));
  }

  /** @param {MatchState} state */
  draw(state) {
    const theme = preferences.value("board", defined(state.board));
    for (const { name, a } of this.#downloads) {
      a.href = name.startsWith("board") ? `${name}?ply=${state.ply}&theme=${theme}` : name;
    }
    this.#picture.src = `board.svg?ply=${state.ply}&theme=${theme}`;
    this.#picture.alt = t("Picture of the position after {ply} moves", { ply: state.ply });
    const at = state.isPresent ? "" : `?ply=${state.ply}`;
    const url = new URL(`./${at}`, location.href).href;
    if (this.#link.value === url && this.#label.textContent) return;
    this.#link.value = url;
    this.#code.refresh();
    setText(
      this.#label,
      state.isPresent ? t("Link to this game") : t("Link to move {ply}", { ply: state.ply }),
    );
    setText(this.#copied, "");
  }

  /** @param {HTMLInputElement} field */
  async #copy(field) {
    const isCopied = await copyField(field);
    setText(this.#copied, isCopied ? t("Copied.") : t("Press Ctrl+C to copy the link."));
  }
}
