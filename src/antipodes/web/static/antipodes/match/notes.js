// Private notes on a match, saved automatically.

import { t } from "../i18n.js";
import { fetchJson, messageOf, send } from "../analysis/server.js";
import { element, setText } from "./dom.js";

/** @import { MatchPage } from "./page.js" */

const MAX_LENGTH = 10_000; // characters
const SAVE_DELAY = 800; // milliseconds after the last key

/** The text field for notes. */
export class NotesPanel {
  #timer = 0;
  #isLoaded = false;
  #saved = ""; // the text that the server has
  #status = element("p", { class: "hint", role: "status" });

  /** @param {MatchPage} page */
  constructor(page) {
    this.isHidden = !page.hasAttribute("named");
    this.tabs = page.tabs;
    this.text = element("textarea", { id: "notes-text", rows: "8", maxlength: String(MAX_LENGTH) });
    this.text.disabled = true;
    this.text.addEventListener("input", () => this.#scheduleSave());
    this.text.addEventListener("blur", () => this.#save());
    addEventListener("pagehide", () => this.#save({ keepalive: true }));
    const label = element("label", { for: "notes-text" }, t("Private notes, visible only to you"));
    const root = element("div", { class: "notes" }, label, this.text, this.#status);
    page.tabs.add("notes", t("Notes"), root, () => this.open());
  }

  draw() {
    this.tabs.setHidden("notes", this.isHidden);
  }

  /** Fetch the notes when the panel is opened for the first time. */
  async open() {
    if (this.#isLoaded) return;
    try {
      const { text } = await fetchJson("notes");
      this.text.value = this.#saved = text;
      this.text.disabled = false;
      this.#isLoaded = true;
      setText(this.#status, "");
    } catch (error) {
      setText(this.#status, messageOf(error));
    }
  }

  #scheduleSave() {
    clearTimeout(this.#timer);
    setText(this.#status, t("Not saved yet …"));
    this.#timer = setTimeout(() => this.#save(), SAVE_DELAY);
  }

  async #save(request = {}) {
    clearTimeout(this.#timer);
    const { value } = this.text;
    if (!this.#isLoaded || value === this.#saved) return;
    try {
      await send("POST", "notes", { text: value }, request);
      this.#saved = value;
      setText(this.#status, this.text.value === value ? t("Saved.") : t("Not saved yet …"));
    } catch (error) {
      setText(this.#status, messageOf(error));
    }
  }
}
