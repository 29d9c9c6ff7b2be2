// Private notes on a match; they are kept while one writes.

import { t } from "../i18n.js";
import { fetchJson, messageOf, send } from "../study/source.js";
import { element, setText } from "./dom.js";

const LONGEST = 10_000; // characters
const CALM = 800; // milliseconds after the last key before the notes are kept

export class NotesPanel {
  #timer = 0;
  #isLoaded = false;
  #kept = ""; // what the site has
  #state = element("p", { class: "hint", role: "status" });

  constructor() {
    this.text = element("textarea", { id: "notes-text", rows: "8", maxlength: String(LONGEST) });
    this.text.disabled = true;
    this.text.addEventListener("input", () => this.#later());
    this.text.addEventListener("blur", () => this.#keep());
    addEventListener("pagehide", () => this.#keep({ keepalive: true }));
    const label = element("label", { for: "notes-text" }, t("Your notes. Nobody else reads them."));
    this.root = element("div", { class: "notes" }, label, this.text, this.#state);
  }

  /** Fetch the notes when they are looked at for the first time. */
  async open() {
    if (this.#isLoaded) return;
    try {
      const { text } = await fetchJson("notes");
      this.text.value = this.#kept = text;
      this.text.disabled = false;
      this.#isLoaded = true;
      setText(this.#state, "");
    } catch (error) {
      setText(this.#state, messageOf(error));
    }
  }

  #later() {
    clearTimeout(this.#timer);
    setText(this.#state, t("Not kept yet …"));
    this.#timer = setTimeout(() => this.#keep(), CALM);
  }

  async #keep(request = {}) {
    clearTimeout(this.#timer);
    const { value } = this.text;
    if (!this.#isLoaded || value === this.#kept) return;
    try {
      await send("POST", "notes", { text: value }, request);
      this.#kept = value;
      setText(this.#state, this.text.value === value ? t("Kept.") : t("Not kept yet …"));
    } catch (error) {
      setText(this.#state, messageOf(error));
    }
  }
}
