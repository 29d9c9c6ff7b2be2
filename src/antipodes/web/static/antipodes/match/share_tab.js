// The tab of links to the match; its contents are loaded when it is first opened.

import { t } from "../i18n.js";
import { element } from "./dom.js";

/** @import { MatchPage } from "./page.js" */
/** @import { SharePanel } from "./share.js" */
/** @import { MatchState } from "./state.js" */

/** The tab "Share". */
export class ShareTab {
  #root = element("div", { class: "share" });
  /** @type {SharePanel | null} */
  #panel = null;

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.tabs.add("share", t("Share"), this.#root, () => this.#open());
  }

  async #open() {
    const { SharePanel } = await import("./share.js");
    if (this.#panel) return;
    this.#panel = new SharePanel(this.page.hasAttribute("hexworld"));
    this.#root.append(this.#panel.root);
    this.#panel.draw(this.page.state);
  }

  /** @param {MatchState} state */
  draw(state) {
    this.#panel?.draw(state);
  }
}
