// A chat: its messages, and a form to write one. Matches, the lobby and events use it.

import { csrfToken } from "./csrf.js";
import { t, tn } from "./i18n.js";
import { element, setText } from "./match/dom.js";
import { timeText } from "./match/times.js";

/** @import { AnswerMessage, ChatMessageOut } from "wire" */

const MAX_LENGTH = 500; // characters of a message
const MAX_LINES = 300; // messages on the page
const MAX_SPOKEN = 3; // new messages read by screen readers; of more only the number

/**
 * What the page around a chat does for it.
 * @typedef {object} ChatPage
 * @property {(text: string) => Promise<AnswerMessage>} send a message
 * @property {(text: string) => void} say announce a text to screen readers
 * @property {(line: ChatMessageOut) => string} [remark] after the name of a message
 * @property {(count: number) => void} [onNew] called with the number of new messages of others
 */

/** The messages of a chat, and a form to write one. */
export class Chat {
  /** @type {Set<number>} */
  #known = new Set();
  #hasHistory = false;
  #lines = element("ol", { class: "chat-lines", tabindex: "0", "aria-label": t("Messages") });
  #empty = element("p", { class: "chat-empty" }, t("No messages yet."));
  #refusal = element("p", { class: "refusal", role: "alert" });
  #page;
  #mayReport;
  #mayDelete;

  /**
   * @param {ChatPage} page
   * @param {object} options
   * @param {boolean} options.mayReport whether the viewer is signed in or a guest
   * @param {boolean} [options.mayDelete] whether the viewer directs the event of the chat
   * @param {Node | null} options.instead shown instead of the form to viewers who may not write
   */
  constructor(page, { mayReport, mayDelete = false, instead }) {
    this.#page = page;
    this.#mayReport = mayReport;
    this.#mayDelete = mayDelete;
    this.input = element("input", {
      id: "chat-text",
      name: "text",
      maxlength: String(MAX_LENGTH),
      autocomplete: "off",
      enterkeyhint: "send",
      required: true,
    });
    const form = element(
      "form",
      { class: "chat-form" },
      element("label", { for: "chat-text", class: "unseen" }, t("Message")),
      this.input,
      element("button", { type: "submit" }, t("Send")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.root = element(
      "div",
      { class: "chat" },
      this.#lines,
      this.#empty,
      this.#refusal,
      instead ?? form,
    );
  }

  async #send() {
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = "";
    const answer = await this.#page.send(text);
    const isRefused = answer.type === "refused";
    setText(this.#refusal, isRefused ? (answer.message ?? "") : "");
    // Restore a refused message unless a new one has been typed.
    if (isRefused && !this.input.value) this.input.value = text;
  }

  /**
   * Add messages that are not shown yet. The first call adds the history.
   * @param {ChatMessageOut[]} lines
   */
  add(lines) {
    const isUpdate = this.#hasHistory;
    this.#hasHistory = true;
    const fresh = lines.filter((line) => !this.#known.has(line.id));
    if (!fresh.length) return;
    for (const line of fresh) {
      this.#known.add(line.id);
      this.#lines.append(this.#makeLine(line));
    }
    while (this.#lines.childElementCount > MAX_LINES) this.#lines.firstElementChild?.remove();
    this.scrollToEnd();
    const others = fresh.filter((line) => !line.own);
    if (isUpdate && others.length) this.#announce(others);
  }

  /** Show the latest message. */
  scrollToEnd() {
    this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  /**
   * Remove a message that was deleted.
   * @param {number} id
   */
  remove(id) {
    const line = this.#lines.querySelector(`[data-line="${Number(id)}"]`);
    if (line?.contains(document.activeElement)) this.#lines.focus();
    line?.remove();
  }

  /**
   * Delete a message; the server then tells all open pages to remove it.
   * @param {number} id
   */
  async #delete(id) {
    const headers = { "X-CSRFToken": csrfToken() };
    const request = { method: "POST", headers, redirect: /** @type {const} */ ("manual") };
    const response = await fetch(`/chat/${id}/delete/`, request).catch(() => null);
    const isDone = response?.type === "opaqueredirect";
    setText(this.#refusal, isDone ? "" : t("The message could not be deleted."));
  }

  /** @param {ChatMessageOut[]} lines */
  #announce(lines) {
    const texts = lines
      .map((line) => t("{player} says: {text}", { player: line.name, text: line.text }))
      .join(" ");
    const count = tn("{count} new chat message.", "{count} new chat messages.", lines.length);
    this.#page.say(lines.length <= MAX_SPOKEN ? texts : count);
    this.#page.onNew?.(lines.length);
  }

  /** @param {ChatMessageOut} line */
  #makeLine(line) {
    const at = element("time", { datetime: new Date(line.at).toISOString() }, timeText(line.at));
    const remark = this.#page.remark?.(line);
    const after = remark ? [element("i", {}, ` (${remark})`)] : [];
    const report = line.own || !this.#mayReport ? [] : [" ", reportLink(line)];
    const remove = this.#mayDelete ? [" ", this.#deleteButton(line)] : [];
    const attributes = { class: line.own ? "own" : null, "data-line": line.id };
    return element(
      "li",
      attributes,
      element("b", {}, line.name),
      ...after,
      " ",
      line.text,
      " ",
      at,
      ...report,
      ...remove,
    );
  }

  /** @param {ChatMessageOut} line */
  #deleteButton(line) {
    const label = t("Delete message by {player}: {text}", { player: line.name, text: line.text });
    const button = element(
      "button",
      { class: "delete", type: "button", "aria-label": label },
      t("Delete"),
    );
    button.addEventListener("click", () => this.#delete(line.id));
    return button;
  }
}

/** @param {ChatMessageOut} line */
function reportLink(line) {
  const label = t("Report message by {player}: {text}", { player: line.name, text: line.text });
  return element(
    "a",
    { class: "report", href: `/chat/${line.id}/report/`, "aria-label": label },
    t("Report"),
  );
}
