// What the viewer is told about the connection of the match page.

import { t } from "../i18n.js";
import { detailOf, element, load, setText } from "./dom.js";

/** @import { MatchPage } from "./page.js" */

/** The status of the connection. */
export class ConnectionStatus {
  #text = element("p", { class: "connection", role: "status" });

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.place("now", "connection", this.#text);
    /** @type {Record<string, string>} */
    const texts = {
      up: "",
      down: t("Connection lost. Reconnecting …"),
      gone: t("This game no longer exists."),
      "too-many": t("Too many tabs are open. Return to this tab to reconnect."),
    };
    const { connection } = page;
    for (const [type, text] of Object.entries(texts))
      connection.addEventListener(type, () => setText(this.#text, text));
    connection.addEventListener("later", (event) => page.refuse(detailOf(event).message));
    connection.addEventListener("signed-out", () => this.#onSignedOut());
  }

  /** Reconnect with the browser's new session, or as a spectator; ask a player to sign in. */
  async #onSignedOut() {
    const own = String(this.page.state.view.own);
    const view = await load("match.json").catch(() => null);
    if (view && String(view.own) === own) {
      this.page.connection.open();
      return;
    }
    const address = `/accounts/login/?next=${encodeURIComponent(location.pathname)}`;
    const link = element("a", { href: address }, t("Sign in again"));
    this.#text.replaceChildren(t("You were signed out."), " ", link);
  }
}
