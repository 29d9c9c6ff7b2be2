// Chat of a match. Players and spectators have separate rooms until the game is over.

import { Chat } from "../chat.js";
import { t } from "../i18n.js";
import { element, setText } from "./dom.js";

/** @import { Line } from "../chat.js" */
/** @import { PageMethods } from "./actions.js" */
/** @import { MatchState } from "./state.js" */

/** @type {Record<string, string>} */
const ROOMS = { seated: t("player"), spectators: t("spectator") };

/** The chat of the viewer's room, with the number of unread messages. */
export class ChatPanel {
  #room = element("p", { class: "hint" });
  #chat;
  unread = 0;

  /**
   * @param {PageMethods} page
   * @param {boolean} hasName whether the viewer is signed in or a guest
   * @param {() => boolean} isVisible whether the panel is in view
   * @param {() => void} onUnread called when the number of unread messages changes
   */
  constructor(page, hasName, isVisible, onUnread) {
    this.onUnread = onUnread;
    const link = element("a", { href: `/accounts/login/?next=${location.pathname}` }, t("Sign in"));
    const signIn = element("p", { class: "hint" }, link, ` ${t("or play a game to chat.")}`);
    this.#chat = new Chat(
      {
        send: (text) => page.command({ command: "chat", room: this.room, text }),
        say: (text) => page.say(text),
        remark: (line) => (line.room === this.room ? "" : ROOMS[line.room]),
        onNew: (count) => {
          if (isVisible()) return;
          this.unread += count;
          this.onUnread();
        },
      },
      { mayReport: hasName, instead: hasName ? null : signIn },
    );
    this.root = element("div", {}, this.#room, this.#chat.root);
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

  /**
   * Add messages that are not shown yet. The first call adds the history.
   * @param {Line[]} lines
   */
  add(lines) {
    this.#chat.add(lines);
  }

  /**
   * Remove a message that moderators have deleted.
   * @param {number} id
   */
  remove(id) {
    this.#chat.remove(id);
  }

  /** Mark all messages as read when the panel comes into view. */
  markRead() {
    this.#chat.scrollToEnd();
    if (!this.unread) return;
    this.unread = 0;
    this.onUnread();
  }
}
