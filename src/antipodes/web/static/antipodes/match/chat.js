// Chat of a match. Players and spectators have separate rooms until the game is over.

import { t, tn } from "../i18n.js";
import { element, setText } from "./dom.js";
import { timeText } from "./times.js";

/** @import { PageMethods } from "./actions.js" */
/** @import { MatchState } from "./state.js" */

const MAX_LENGTH = 500; // characters of a message
/** @type {Record<string, string>} */
const ROOMS = { seated: t("player"), spectators: t("spectator") };
const MAX_LINES = 300; // messages on the page
const MAX_SPOKEN = 3; // new messages read by screen readers; of more only the number

/**
 * One message of the chat.
 * @typedef {{id: number, room: string, name: string, text: string, at: number, own: boolean}} Line
 */

/** The messages of the chat, and a form to write one. */
export class ChatPanel {
  /** @type {Set<number>} */
  #known = new Set();
  #hasHistory = false;
  #lines = element("ol", { class: "chat-lines", tabindex: "0", "aria-label": t("Messages") });
  #room = element("p", { class: "hint" });
  #refusal = element("p", { class: "refusal", role: "alert" });
  unread = 0;

  /**
   * @param {PageMethods} page
   * @param {boolean} hasName whether the viewer is signed in or a guest
   * @param {() => boolean} isVisible whether the panel is in view
   * @param {() => void} onUnread called when the number of unread messages changes
   */
  constructor(page, hasName, isVisible, onUnread) {
    this.page = page;
    this.hasName = hasName;
    this.isVisible = isVisible;
    this.onUnread = onUnread;
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
      element("label", { for: "chat-text", class: "spoken" }, t("Message")),
      this.input,
      element("button", { type: "submit" }, t("Send"))
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    const link = element("a", { href: `/accounts/login/?next=${location.pathname}` }, t("Sign in"));
    const signIn = element("p", { class: "hint" }, link, ` ${t("or play a game to chat.")}`);
    const below = hasName ? form : signIn;
    this.root = element("div", { class: "chat" }, this.#room, this.#lines, this.#refusal, below);
  }

  async #send() {
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = "";
    const answer = await this.page.command({ command: "chat", room: this.room, text });
    const isRefused = answer.type === "refused";
    setText(this.#refusal, isRefused ? (answer.message ?? "") : "");
    // Restore a refused message unless a new one has been typed.
    if (isRefused && !this.input.value) this.input.value = text;
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    this.room = state.isSeated ? "seated" : "spectators";
    const readers = state.isSeated ? t("Only players can read this.") : t("Only spectators can read this.");
    setText(this.#room, state.isOver ? t("Players and spectators can read each other’s messages now.") : readers);
  }

  /**
   * Add messages that are not shown yet. The first call adds the history.
   * @param {Line[]} lines
   */
  add(lines) {
    const isUpdate = this.#hasHistory;
    this.#hasHistory = true;
    const fresh = lines.filter((line) => !this.#known.has(line.id));
    if (!fresh.length) return;
    for (const line of fresh) {
      this.#known.add(line.id);
      this.#lines.append(makeLine(line, this.room, this.hasName));
    }
    while (this.#lines.childElementCount > MAX_LINES) this.#lines.firstElementChild?.remove();
    this.#lines.scrollTop = this.#lines.scrollHeight;
    const others = fresh.filter((line) => !line.own);
    if (isUpdate && others.length) this.#announce(others);
  }

  /**
   * Remove a message that moderators have deleted.
   * @param {number} id
   */
  remove(id) {
    this.#lines.querySelector(`[data-line="${Number(id)}"]`)?.remove();
  }

  /** @param {Line[]} lines */
  #announce(lines) {
    const texts = lines.map((line) => t("{player} says: {text}", { player: line.name, text: line.text })).join(" ");
    const count = tn("{count} new chat message.", "{count} new chat messages.", lines.length);
    this.page.say(lines.length <= MAX_SPOKEN ? texts : count);
    if (this.isVisible()) return;
    this.unread += lines.length;
    this.onUnread();
  }

  /** Mark all messages as read when the panel comes into view. */
  markRead() {
    this.#lines.scrollTop = this.#lines.scrollHeight;
    if (!this.unread) return;
    this.unread = 0;
    this.onUnread();
  }
}

/**
 * @param {Line} line
 * @param {string | undefined} room
 * @param {boolean} hasName
 */
function makeLine(line, room, hasName) {
  const at = element("time", { datetime: new Date(line.at).toISOString() }, timeText(line.at));
  const name = element("b", {}, line.name);
  const otherRoom = line.room === room ? [] : [element("i", {}, ` (${ROOMS[line.room]})`)];
  const report = line.own || !hasName ? [] : [" ", reportLink(line)];
  const attributes = { class: line.own ? "own" : null, "data-line": line.id };
  return element("li", attributes, name, ...otherRoom, " ", line.text, " ", at, ...report);
}

/** @param {Line} line */
function reportLink(line) {
  const label = t("Report message by {player}: {text}", { player: line.name, text: line.text });
  return element("a", { class: "report", href: `/chat/${line.id}/report/`, "aria-label": label }, t("Report"));
}
