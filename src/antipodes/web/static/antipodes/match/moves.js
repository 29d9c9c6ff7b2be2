// The list of moves, and buttons to step through them.

import { t, tc, tn } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { defined } from "../defined.js";
import { button, element, labelled, setText } from "./dom.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { MoveOut } from "wire" */

/** @typedef {ReturnType<typeof makeItem>} Item */

/** The moves of a match. */
export class MovesPanel {
  /** @type {Item[]} */
  #items = [];
  #list = element("ol", { class: "moves" });
  #position = element("span", { class: "place" });
  since = element("p", { class: "since", hidden: true });
  #sinceCount = 0; // number of moves when it was shown

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    const step = (
      /** @type {string} */ text,
      /** @type {string} */ label,
      /** @type {() => void} */ act,
    ) => button(text, act, labelled(label));
    const stepper = element(
      "div",
      { class: "stepper", role: "group", "aria-label": t("Move navigation") },
      step("«", t("Start position (Home)"), () => page.go(0)),
      step("‹", t("Previous move (left arrow)"), () => page.step(-1)),
      this.#position,
      step("›", t("Next move (right arrow)"), () => page.step(1)),
      step("»", t("Current position (End)"), () => page.go(Infinity)),
    );
    page.place("page", "stepper", stepper);
    page.place("now", "since", this.since);
    const record = element("div", { class: "record" }, this.#list);
    page.tabs.add("moves", t("Moves"), record, () => this.reveal());
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    const { moves, own } = state.view;
    const last = moves.at(-1);
    if (moves.length > this.#sinceCount && last && own.includes(last.seat))
      this.since.hidden = true;
    while (this.#items.length > moves.length) this.#items.pop()?.item.remove();
    for (const [index, move] of moves.entries()) {
      if (!this.#items[index]) {
        this.#items[index] = makeItem(() => this.page.go(index + 1));
        this.#list.append(this.#items[index].item);
      }
      drawItem(this.#items[index], { ...move, text: state.textOf(move.text) }, index + 1);
      if (index + 1 === state.ply) this.#items[index].link.setAttribute("aria-current", "step");
      else this.#items[index].link.removeAttribute("aria-current");
    }
    setText(this.#position, `${state.ply} / ${moves.length}`);
    this.reveal();
  }

  /** Scroll the list, but not the page, to the shown move. */
  reveal() {
    const shown = this.#items[(this.state?.ply ?? 0) - 1]?.item;
    const list = this.#list;
    if (!shown) {
      list.scrollTo(0, 0);
      return;
    }
    // The list is positioned, so offsets are from its own corner.
    const { offsetLeft, offsetTop, offsetHeight } = shown;
    list.scrollTo(
      offsetLeft - list.clientWidth / 2,
      Math.max(0, offsetTop - list.clientHeight + 2 * offsetHeight),
    );
  }

  /**
   * Show the moves since the viewer's last visit, with a button to replay them.
   * @param {number} seen number of moves at that visit
   */
  showSince(seen) {
    const { moves, own } = defined(this.state).view;
    const count = moves.length - seen;
    const hasOthers = moves.slice(seen).some((move) => !own.includes(move.seat));
    this.since.hidden = count <= 0 || !hasOthers;
    if (this.since.hidden) return;
    this.#sinceCount = moves.length;
    const texts = moves.slice(seen).map((move) => defined(this.state).textOf(move.text));
    const shown = texts.length > 6 ? [...texts.slice(0, 6), "…"] : texts;
    const text = tn(
      "{count} move since your last visit: {moves}",
      "{count} moves since your last visit: {moves}",
      count,
      { moves: shown.join(", ") },
    );
    this.since.replaceChildren(
      `${text} `,
      button(t("Replay"), () => this.page.go(seen)),
      button("✕", () => (this.since.hidden = true), { class: "plain", "aria-label": t("Close") }),
    );
  }
}

/**
 * Where a move came from, in short and as a sentence.
 * @type {Record<MoveOut["source"], () => [string, string]>}
 */
const SOURCES = {
  hand: () => ["", ""],
  conditional: () => [tc("move", "auto"), t("Conditional move, played automatically")],
  given: () => [tc("move", "given"), t("Given before the game began")],
  device: () => ["", t("Found by the engine on the player’s device")],
};

/** @param {() => void} onClick */
function makeItem(onClick) {
  const item = {
    item: element("li"),
    link: button("", onClick),
    number: element("span", { class: "move-number" }),
    chip: element("span", { "aria-hidden": "true" }),
    color: element("span", { class: "spoken" }),
    text: element("span", { class: "move-text" }),
    source: element("span", { class: "move-source" }),
  };
  item.link.append(item.number, item.chip, item.color, item.text, item.source);
  item.item.append(item.link);
  return item;
}

/**
 * @param {Item} item
 * @param {MoveOut} move
 * @param {number} number
 */
function drawItem(item, move, number) {
  item.chip.className = `chip ${move.color}`;
  setText(item.color, ` ${colorText(move.color)} `);
  setText(item.number, `${number}.`);
  setText(item.text, move.text);
  const [source, title] = SOURCES[move.source]();
  setText(item.source, source);
  item.link.title = title;
}
