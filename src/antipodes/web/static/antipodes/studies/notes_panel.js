// Comment, mark and shapes of the shown position: fields for writers, text for readers.

import { t } from "../i18n.js";
import { MARKS, SPOKEN, markPath } from "../board/notes.js";
import { svg } from "../board/shapes.js";
import { button, element, setText } from "../match/dom.js";

/** @import { Node } from "../analysis/tree.js" */

const PAUSE = 800; // milliseconds after the last key until a comment is saved
const MOVES = ""; // the tool that plays moves

/** @type {[value: string, label: string][]} */
const MARK_CHOICES = [
  ["", t("none")],
  ["very-good", t("!! very good")],
  ["good", t("! good")],
  ["interesting", t("!? interesting")],
  ["doubtful", t("?! doubtful")],
  ["bad", t("? bad")],
  ["very-bad", t("?? very bad")],
];

/**
 * What the panel does.
 * @typedef {object} NotesActions
 * @property {(node: Node, text: string, before: string) => void} comment
 * @property {(node: Node, mark: string | null) => void} mark
 * @property {(tool: string) => void} tool chosen: a kind of shape, or nothing to play moves
 */

/** The panel; `show` is called with each shown node. */
export class NotesPanel {
  #actions;
  /** @type {Node | null} */
  #node = null;
  #before = ""; // the comment when its writer began
  #timer = 0;
  #canWrite = false;
  #text = element("p", { class: "study-comment" });
  #field = element("textarea", { id: "study-comment", rows: 4, maxlength: 4000 });
  #mark = element("select", { id: "study-mark" });
  #tools = element("div", { class: "study-tools keys" });
  #saved = element("p", { class: "study-saved", role: "status" });
  #conflict = element("div", { role: "alert", hidden: true });
  #writing = element("div", { class: "study-writing", hidden: true });
  root = element("section", { class: "study-notes", "aria-label": t("Notes") });

  /** @param {NotesActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.#mark.append(...MARK_CHOICES.map(([value, label]) => element("option", { value }, label)));
    const markRow = element(
      "div",
      { class: "study-mark" },
      element("label", { for: "study-mark" }, t("The move is")),
      this.#mark,
    );
    const tools = element(
      "fieldset",
      {},
      element("legend", {}, t("A click on the board")),
      this.#tools,
    );
    this.#tools.append(...[MOVES, ...MARKS, "arrow"].map((tool) => this.#tool(tool)));
    this.#writing.append(
      element("label", { for: "study-comment" }, t("Comment")),
      this.#field,
      this.#conflict,
      markRow,
      tools,
      this.#saved,
    );
    this.root.append(this.#text, this.#writing);
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.flush(), PAUSE);
    });
    this.#field.addEventListener("blur", () => this.flush());
    this.#mark.addEventListener(
      "change",
      () => this.#node && actions.mark(this.#node, this.#mark.value || null),
    );
  }

  #tool(/** @type {string} */ tool) {
    const radio = element("input", {
      type: "radio",
      name: "study-tool",
      value: tool,
      checked: tool === MOVES,
      "aria-label": tool ? SPOKEN[tool] : null,
    });
    radio.addEventListener("change", () => this.#actions.tool(tool));
    if (!tool) return element("label", {}, radio, t("plays a move"));
    const icon = svg("svg", { viewBox: "-.55 -.55 1.1 1.1", "aria-hidden": "true" });
    icon.append(
      svg("path", {
        d: markPath(tool),
        fill: "none",
        stroke: "currentColor",
        "stroke-width": 0.1,
        "stroke-linecap": "round",
      }),
    );
    return element("label", { title: SPOKEN[tool] }, radio, icon);
  }

  /**
   * Show the notes of a node; an unsaved comment of another one is saved first.
   * @param {Node} node
   * @param {boolean} canWrite
   */
  show(node, canWrite) {
    const isOther = node !== this.#node;
    if (isOther) {
      this.flush();
      this.#conflict.hidden = true;
    }
    this.#canWrite = canWrite;
    this.#writing.hidden = !canWrite;
    const comment = node.comment ?? "";
    this.#text.hidden = canWrite || !comment;
    this.#text.textContent = comment;
    this.root.hidden = !canWrite && !comment;
    // A comment that is being written is not replaced by another writer's.
    if (isOther || this.#field.value === this.#before) {
      this.#field.value = this.#before = comment;
    }
    this.#node = node;
    this.#mark.value = node.mark ?? "";
    this.#mark.disabled = !node.parent;
  }

  /** Save the comment, if it was changed. */
  flush() {
    clearTimeout(this.#timer);
    const text = this.#field.value.trim();
    if (!this.#node || !this.#canWrite || text === this.#before.trim()) return;
    const before = this.#before;
    this.#before = this.#field.value;
    this.#actions.comment(this.#node, text, before);
  }

  /**
   * Another writer has changed the comment: let the user choose between both.
   * @param {Node} node
   * @param {string} own text that was refused
   */
  showConflict(node, own) {
    const theirs = node.comment ?? "";
    const choose = (/** @type {string} */ text) => {
      this.#conflict.hidden = true;
      this.#field.value = text;
      this.#before = theirs;
      this.flush();
      this.#field.focus();
    };
    if (node === this.#node) this.#field.value = own;
    this.#conflict.replaceChildren(
      element("p", {}, t("Another writer has changed this comment meanwhile:")),
      element("blockquote", { class: "study-comment" }, theirs || t("(deleted)")),
      element(
        "div",
        { class: "buttons" },
        button(t("Keep mine"), () => choose(own)),
        button(t("Take theirs"), () => choose(theirs)),
        button(t("Keep both"), () => choose([theirs, own].filter(Boolean).join("\n\n"))),
      ),
    );
    this.#conflict.hidden = false;
  }

  /**
   * Say whether everything is saved.
   * @param {string} text
   */
  tell(text) {
    setText(this.#saved, text);
  }

  /** Choose the tool that plays moves. */
  reset() {
    const radio = this.#tools.querySelector("input");
    if (radio) radio.checked = true;
    this.#actions.tool(MOVES);
  }
}
