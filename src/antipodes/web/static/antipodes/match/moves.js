// The list of moves, and stepping through them while the game goes on.

import { t, tc, tn } from "../i18n.js";
import { colorWord, sideWords } from "../board/words.js";
import { sure } from "../sure.js";
import { button, element, setText, spokenHeading } from "./dom.js";

/** @import { Made, MatchState } from "./state.js" */

/** @typedef {ReturnType<typeof makeItem>} Item */

export class MovesPanel {
  /** @type {Item[]} */
  #items = [];
  #list = element("ol", { class: "moves" });
  #place = element("span", { class: "place" });
  #news = element("p", { class: "since", hidden: true });
  #side = element("p", { class: "hint" });

  /** @param {{go: (ply: number) => void}} host */
  constructor(host) {
    this.host = host;
    const step = (/** @type {string} */ text, /** @type {string} */ label, /** @type {(state: MatchState) => number} */ ply) =>
      button(text, () => host.go(ply(sure(this.state))), { "aria-label": label, title: label });
    this.stepper = element("div", { class: "stepper", role: "group", "aria-label": t("Step through") });
    this.stepper.append(
      step("«", t("First position (Home)"), () => 0),
      step("‹", t("One move back (left arrow)"), (state) => state.ply - 1),
      this.#place,
      step("›", t("One move on (right arrow)"), (state) => state.ply + 1),
      step("»", t("Present position (End)"), () => Infinity)
    );
    this.root = element("section", { class: "record" }, spokenHeading(t("Moves")));
    this.root.append(this.#side, this.#news, this.#list);
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    const { moves } = state.view;
    while (this.#items.length > moves.length) this.#items.pop()?.item.remove();
    for (const [index, move] of moves.entries()) {
      if (!this.#items[index]) {
        this.#items[index] = makeItem(() => this.host.go(index + 1));
        this.#list.append(this.#items[index].item);
      }
      drawItem(this.#items[index], { ...move, text: state.textOf(move.text) }, index + 1);
      if (index + 1 === state.ply) this.#items[index].link.setAttribute("aria-current", "step");
      else this.#items[index].link.removeAttribute("aria-current");
    }
    const side = state.board ? sideWords(state.board, state.side) : "";
    setText(this.#side, side);
    this.#side.hidden = !side;
    setText(this.#place, `${state.ply} / ${moves.length}`);
    this.#reveal(state.ply);
  }

  /**
   * Scroll the list, and nothing else, to the move that is shown.
   * @param {number} ply
   */
  #reveal(ply) {
    const shown = this.#items[ply - 1]?.item;
    const list = this.#list;
    if (!shown) {
      list.scrollTo(0, 0);
      return;
    }
    const above = shown.offsetTop - list.offsetTop;
    const before = shown.offsetLeft - list.offsetLeft;
    list.scrollTo(
      before - list.clientWidth / 2,
      Math.max(0, above - list.clientHeight + 2 * shown.offsetHeight)
    );
  }

  /**
   * Tell what happened since the viewer was here last, with a way to step through it.
   * @param {number} seen how many moves there were then
   */
  tellSince(seen) {
    const { moves, own } = sure(this.state).view;
    const count = moves.length - seen;
    const isNews = moves.slice(seen).some((move) => !own.includes(move.seat));
    this.#news.hidden = count <= 0 || !isNews;
    if (this.#news.hidden) return;
    const texts = moves.slice(seen).map((move) => sure(this.state).textOf(move.text));
    const shown = texts.length > 6 ? [...texts.slice(0, 6), "…"] : texts;
    const words = tn(
      "{count} move since you were here: {moves}",
      "{count} moves since you were here: {moves}",
      count,
      { moves: shown.join(", ") }
    );
    this.#news.replaceChildren(
      `${words} `,
      button(t("Step through"), () => this.host.go(seen)),
      button("✕", () => (this.#news.hidden = true), { class: "plain", "aria-label": t("Close this") })
    );
  }
}

/** @param {() => void} act */
function makeItem(act) {
  const made = {
    item: element("li"),
    link: button("", act),
    number: element("span", { class: "move-number" }),
    chip: element("span", { "aria-hidden": "true" }),
    color: element("span", { class: "spoken" }),
    text: element("span", { class: "move-text" }),
    source: element("span", { class: "move-source" }),
  };
  made.link.append(made.number, made.chip, made.color, made.text, made.source);
  made.item.append(made.link);
  return made;
}

/**
 * @param {Item} item
 * @param {Made} move
 * @param {number} number
 */
function drawItem(item, move, number) {
  item.chip.className = `chip ${move.color}`;
  setText(item.color, ` ${colorWord(move.color)} `);
  setText(item.number, `${number}.`);
  setText(item.text, move.text);
  setText(item.source, move.source === "plan" ? tc("played by", "plan") : "");
  item.link.title = move.source === "plan" ? t("Played by plan") : "";
}
