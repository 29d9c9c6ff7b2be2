// The page of a first game: a coached game against the lowest level.

import { t } from "../i18n.js";
import { messageOf, sendPatiently } from "../analysis/server.js";
import { defined } from "../defined.js";
import { element, find } from "../match/dom.js";
import { Stage } from "./stage.js";

/** @import { BoardElement } from "../board/element.js" */
/** @import { FirstGameOut } from "wire" */

/** The page. */
class FirstGamePage {
  #isSending = false;

  /**
   * @param {HTMLElement} root
   * @param {FirstGameOut} game
   */
  constructor(root, game) {
    this.root = root;
    this.game = game;
    this.stage = new Stage(/** @type {BoardElement} */ (find("#lesson-board")));
    this.form = /** @type {HTMLFormElement} */ (find("#answer"));
    this.typed = /** @type {HTMLInputElement} */ (find("#typed"));
  }

  async open() {
    await this.stage.open(this.game.board, () => null);
    this.stage.board.addEventListener("play", (event) =>
      this.#send({ answer: String(/** @type {CustomEvent<number>} */ (event).detail) }),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const isHint = event.submitter?.getAttribute("name") === "ask";
      if (isHint) this.#send({ ask: "hint" });
      else if (this.typed.value.trim()) this.#send({ answer: this.typed.value.trim() });
    });
    this.#describe();
    this.#draw();
  }

  /** @param {Record<string, string>} fields */
  async #send(fields) {
    if (this.#isSending) return;
    this.#isSending = true;
    const start = this.game.position.pieces;
    try {
      const address = defined(this.root.dataset.answer);
      this.game = await sendPatiently(
        "POST",
        address,
        { state: this.game.state, ...fields },
        (text) => this.#tell([text]),
      );
      this.typed.value = "";
    } catch (error) {
      this.#tell([messageOf(error)], "wrong");
      this.#draw();
      return;
    } finally {
      this.#isSending = false;
    }
    this.#describe();
    if (await this.stage.play(start, this.game.moves)) this.#draw();
  }

  /** Show the position with the coach's advice. */
  #draw() {
    const { position, cells, isOver } = this.game;
    /** @type {Record<number, string>} */
    const marks = {};
    for (const one of cells) {
      for (const [index, cell] of one.entries())
        marks[cell] = one.length > 1 ? String(index + 1) : cells.length > 1 ? "?" : "!";
    }
    this.stage.show(position, { marks });
    if (isOver) this.#end();
  }

  #describe() {
    const { words, adviceWords, isOver, result } = this.game;
    const reply = words.length > 1 ? words[1] : "";
    if (isOver) this.#tell([reply, result]);
    else if (adviceWords.length > 1)
      this.#tell([reply, t("One of these is good:")], null, adviceWords);
    else this.#tell([reply, adviceWords[0] ?? t("Your turn.")]);
  }

  #end() {
    this.form.hidden = true;
    const after = find("#after");
    after.hidden = false;
    after.querySelector("a")?.focus({ preventScroll: true });
  }

  /**
   * Tell the learner something, also to screen readers.
   * @param {string[]} texts paragraphs
   * @param {string | null} [kind]
   * @param {string[]} [choices]
   */
  #tell(texts, kind = null, choices = []) {
    const paragraphs = texts.filter(Boolean).map((text) => element("p", { class: kind }, text));
    const items = choices.map((text) => element("li", {}, text));
    const list = items.length ? [element("ul", {}, ...items)] : [];
    find("#verdict").replaceChildren(...paragraphs, ...list);
  }
}

const data = JSON.parse(find("#lesson-data").textContent ?? "");
new FirstGamePage(find("#first-game"), data).open().catch((error) => {
  find("#verdict").replaceChildren(element("p", { class: "wrong" }, messageOf(error)));
});
