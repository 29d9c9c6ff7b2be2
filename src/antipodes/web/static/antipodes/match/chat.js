// Chat of a match. Players and spectators have separate rooms until the game is over.

import { Chat } from "../chat.js";
import { t, tn } from "../i18n.js";
import { element, setText } from "./dom.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { ChatMessage, HiddenMessage, SayMessage } from "wire" */

/** @type {Record<string, string>} */
const ROOMS = { seated: t("player"), spectators: t("spectator") };

/** The chat of the viewer's room, with the number of unread messages. */
export class ChatPanel {
  room = /** @type {SayMessage["room"]} */ (null);
  #room = element("p", { class: "hint" });
  #chat;
  #unread = 0;

  messages = {
    chat: (/** @type {ChatMessage} */ { lines }) => this.#chat.add(lines),
    "chat-hidden": (/** @type {HiddenMessage} */ { id }) => this.#chat.remove(id),
  };

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    const hasName = page.hasAttribute("named");
    const link = element("a", { href: `/accounts/login/?next=${location.pathname}` }, t("Sign in"));
    const signIn = element("p", { class: "hint" }, link, ` ${t("or play a game to chat.")}`);
    this.#chat = new Chat(
      {
        send: (text) => page.command({ command: "chat", room: this.room, text }),
        say: (text) => page.say(text),
        remark: (line) => (line.room === this.room ? "" : ROOMS[line.room]),
        onNew: (count) => this.#countUnread(this.#isVisible ? 0 : this.#unread + count),
      },
      { mayReport: hasName, instead: hasName ? null : signIn },
    );
    const root = element("div", {}, this.#room, this.#chat.root);
    page.tabs.add("chat", t("Chat"), root, () => this.#markRead());
    page.listen(document, "visibilitychange", () => this.#isVisible && this.#countUnread(0));
  }

  /** Whether the messages are in view. */
  get #isVisible() {
    return this.page.tabs.current === "chat" && !document.hidden;
  }

  /** @param {number} count */
  #countUnread(count) {
    this.#unread = count;
    this.page.tabs.setCount("chat", count, tn("{count} unread", "{count} unread", count));
  }

  /** @param {MatchState} state */
  draw(state) {
    this.room = state.isSeated ? "seated" : "spectators";
    const readers = state.isSeated
      ? t("Only players can read this.")
      : t("Only spectators can read this.");
    setText(
      this.#room,
      state.isOver ? t("Players and spectators can read each other’s messages now.") : readers,
    );
  }

  /** Mark all messages as read when the panel comes into view. */
  #markRead() {
    this.#chat.scrollToEnd();
    this.#countUnread(0);
  }
}
