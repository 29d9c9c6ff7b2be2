// Chat of the lobby or an event. Without JavaScript the page has the latest messages to read.

import { Chat } from "./chat.js";
import { t } from "./i18n.js";
import { LiveRegion } from "./live_region.js";
import { Connection } from "./match/connection.js";
import { element, setText } from "./match/dom.js";

/**
 * `<antipodes-open-chat socket="...">` with the latest messages; `named`, `may-write` and
 * `may-delete` say what its viewer may do.
 */
class OpenChat extends HTMLElement {
  #live = new LiveRegion("unseen");
  #state = element("p", { class: "small faint", role: "status" });
  #connection = new Connection(this.getAttribute("socket") ?? "");

  connectedCallback() {
    const page = {
      send: (/** @type {string} */ text) => this.#connection.send({ command: "chat", text }),
      say: (/** @type {string} */ text) => this.#live.say(text),
    };
    const link = element(
      "a",
      { href: `/accounts/signup/?next=${location.pathname}` },
      t("Sign up to write here."),
    );
    const signUp = element("p", { class: "small" }, link);
    const mayWrite = this.hasAttribute("may-write");
    const chat = new Chat(page, {
      mayReport: this.hasAttribute("named"),
      mayDelete: this.hasAttribute("may-delete"),
      instead: mayWrite ? null : signUp,
    });
    const connection = this.#connection;
    connection.addEventListener("update", (event) => {
      const message = /** @type {CustomEvent} */ (event).detail;
      if (!chat.root.isConnected) this.replaceChildren(chat.root, this.#state, this.#live.root);
      if (message.type === "chat") chat.add(message.lines);
      else if (message.type === "chat-hidden") chat.remove(message.id);
    });
    connection.addEventListener("up", () => setText(this.#state, ""));
    connection.addEventListener("down", () =>
      setText(this.#state, t("Connection lost. Reconnecting …")),
    );
    connection.addEventListener("gone", () => setText(this.#state, t("The chat is closed.")));
    connection.addEventListener("signed-out", () =>
      setText(this.#state, t("You were signed out.")),
    );
    connection.addEventListener("too-many", () =>
      setText(this.#state, t("Too many tabs are open. Return to this tab to reconnect.")),
    );
    connection.open();
  }

  disconnectedCallback() {
    this.#connection.close();
  }
}

customElements.define("antipodes-open-chat", OpenChat);
