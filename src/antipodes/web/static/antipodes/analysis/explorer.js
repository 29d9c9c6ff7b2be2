// The opening explorer: how games went on from the shown position, and the values of first moves.

import { number, t, tn } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { element, setText } from "../match/dom.js";
import { fetchJson, messageOf, positionQuery } from "./server.js";
import { loadStyles } from "./styles.js";

/** @import { Line } from "./server.js" */
/** @import { ContinuationOut, ExploredOut } from "wire" */

const DEEPEST = 8; // moves of which the server knows games
const DELAY = 200; // milliseconds before the server is asked about a new position
const SWITCH = "antipodes-explorer"; // key in the browser's storage
const PROVEN = { win: t("wins"), loss: t("loses"), draw: t("draws") };

loadStyles(new URL("../explorer.css", import.meta.url));

/**
 * What a row of the table does.
 * @typedef {object} ExplorerActions
 * @property {(move: number) => void} play
 * @property {(cells: number[]) => void} mark cells of a move; none at the end
 */

/** A folded panel; it asks the server only while it is open. */
export class Explorer {
  #actions;
  /** @type {Line | null} */
  #line = null;
  #requests = 0;
  #timer = 0;
  #status = element("p", { class: "progress-text", role: "status" });
  #rows = element("tbody");
  #table = element("table", { hidden: true, "aria-label": t("Next moves") });
  #latest = element("ul", { class: "explorer-games" });
  #more = element("a", {}, t("All these games"));
  root = element("details", { class: "explorer" }, element("summary", {}, t("Openings")));

  /** @param {ExplorerActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.root.open = localStorage.getItem(SWITCH) === "on";
    this.root.append(
      this.#status,
      element("div", { class: "explorer-moves" }, this.#table),
      this.#latest,
      this.#more,
    );
    this.root.addEventListener("toggle", () => {
      localStorage.setItem(SWITCH, this.root.open ? "on" : "off");
      this.#ask();
    });
  }

  /**
   * Show what was played after a line.
   * @param {Line} line
   */
  show(line) {
    this.#line = line;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), DELAY);
  }

  async #ask() {
    const line = this.#line;
    const request = ++this.#requests;
    if (!line || !this.root.open) return;
    if (line.setup)
      return this.#tell(t("The explorer knows games from the start of the game only."));
    if (line.moves.length >= DEEPEST)
      return this.#tell(t("The explorer knows the first {count} moves.", { count: DEEPEST }));
    try {
      const found = await fetchJson(`/explorer.json?${positionQuery(line)}`);
      if (request === this.#requests) this.#draw(found);
    } catch (error) {
      if (request === this.#requests) this.#tell(messageOf(error));
    }
  }

  #tell(/** @type {string} */ text) {
    setText(this.#status, text);
    this.#table.hidden = this.#latest.hidden = this.#more.hidden = true;
  }

  #draw(/** @type {ExploredOut} */ { games, isSample, moves, colors, latest, search }) {
    const told = tn("{count} game", "{count} games", games);
    if (!moves.length) return this.#tell(t("No game on this site has come here yet."));
    const none = t("No game on this site yet. The computer values each first move for its player.");
    this.#tell(!games ? none : isSample ? t("The latest {games}", { games: told }) : told);
    const hasValues = moves.some(({ value }) => value !== null);
    const heads = [t("Move"), t("Games"), t("Results"), ...(hasValues ? [t("Computer")] : [])];
    this.#rows.replaceChildren(...moves.map((one) => this.#row(one, colors, hasValues)));
    this.#table.replaceChildren(
      element(
        "thead",
        {},
        element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text))),
      ),
      this.#rows,
    );
    this.#table.hidden = false;
    this.#latest.replaceChildren(...latest.map(gameItem));
    this.#latest.hidden = !latest.length;
    this.#more.hidden = !search;
    if (search) this.#more.href = search;
  }

  /**
   * @param {ContinuationOut} one
   * @param {string[]} colors
   * @param {boolean} hasValues
   */
  #row(one, colors, hasValues) {
    const { play, mark } = this.#actions;
    const button = element(
      "button",
      { type: "button", "aria-label": t("Play {move}", { move: one.text }) },
      element("b", {}, one.text),
    );
    button.addEventListener("click", () => play(one.move));
    const row = element("tr", {}, element("th", { scope: "row" }, button));
    for (const name of ["pointerenter", "focusin"])
      row.addEventListener(name, () => mark(one.cells));
    for (const name of ["pointerleave", "focusout"]) row.addEventListener(name, () => mark([]));
    row.append(
      element("td", {}, one.games ? number(one.games) : "–"),
      element("td", { class: "results" }, ...results(one, colors)),
    );
    if (hasValues) row.append(element("td", { class: "value" }, valueText(one)));
    return row;
  }
}

/**
 * Make a bar of the results, and the same as text.
 * @param {ContinuationOut} one
 * @param {string[]} colors
 */
function results({ games, wins }, colors) {
  if (!games) return [];
  const shares = colors.map((color) => ({ color, share: (wins[color] ?? 0) / games }));
  const bar = element("span", { class: "track", "aria-hidden": "true" });
  for (const { color, share } of shares) {
    const part = element("span", { class: `bar ${color}` });
    part.style.inlineSize = `${100 * share}%`;
    bar.append(part);
  }
  const texts = shares.map(({ color, share }) =>
    t("{color} won {share}", { color: colorText(color), share: percent(share) }),
  );
  return [bar, element("span", { class: "unseen" }, texts.join(", "))];
}

/** @param {ContinuationOut} one */
function valueText({ value, proven, isFair }) {
  if (proven) return PROVEN[proven];
  if (value === null) return "";
  return isFair ? `${percent(value)} ≈` : percent(value);
}

/** @param {number} share */
function percent(share) {
  return number(share, { style: "percent", maximumFractionDigits: 0 });
}

/** @param {ExploredOut["latest"][number]} game */
function gameItem({ address, players, result, date }) {
  return element(
    "li",
    {},
    element("a", { href: address }, players.join(" – ")),
    ` ${result} `,
    element("span", { class: "faint" }, date),
  );
}
