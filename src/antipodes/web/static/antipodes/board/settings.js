// How somebody likes boards to look and to behave, kept in this browser.

import { t, tc } from "../i18n.js";
import { sure } from "../sure.js";
import { joiner } from "./chains.js";
import { overlaysFor } from "./overlays.js";
import { isTogether, kindsFor } from "./views.js";

/** @import { BoardData } from "./state.js" */

const KEY = "antipodes-board";

/**
 * One thing to choose.
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} [label] for people; one that is implied has none.
 * @property {(board: BoardData) => string[][]} choices values and what they are called; the
 *   first one is the usual one. A setting with fewer than two choices is not offered.
 * @property {boolean} [isPerGame] whether each game has a choice of its own.
 * @property {boolean} [isImplied] whether it is chosen along with another one, and never by itself.
 */

/** @type {Setting[]} */
const known = [
  {
    name: "view",
    label: t("View"),
    choices: (board) => kindsFor(board).map(({ name, title }) => [name, title]),
    isPerGame: true,
  },
  {
    name: "together", // the views that were shown side by side last
    choices: (board) => kindsFor(board).filter(({ name }) => isTogether(name)).map(({ name, title }) => [name, title]),
    isPerGame: true,
    isImplied: true,
  },
  { name: "lines", label: t("Lines"), choices: overlaysFor },
  {
    name: "graph",
    label: t("Game graph"),
    choices: (board) =>
      joiner(board)
        ? [
            ["off", t("not shown")],
            ["on", t("below the board")],
          ]
        : [],
  },
  {
    name: "coordinates",
    label: t("Coordinates"),
    choices: () => [
      ["edges", t("at the edges")],
      ["cells", t("in each cell")],
      ["none", tc("choice", "none")],
    ],
  },
  {
    name: "numbers",
    label: t("Move numbers"),
    choices: () => [
      ["off", t("not shown")],
      ["on", t("on the pieces")],
    ],
  },
  {
    name: "confirm",
    label: t("Confirm moves"),
    choices: () => [
      ["auto", t("on touch screens")],
      ["on", t("always")],
      ["off", t("never")],
    ],
  },
  {
    name: "writing",
    label: t("Write moves"),
    choices: () => [
      ["off", t("no")],
      ["on", t("below the board")],
    ],
  },
  {
    name: "side",
    label: t("Seen from"),
    choices: (board) =>
      board.turns.some(Boolean)
        ? [
            ["own", t("my side")],
            ["first", t("the first player’s side")],
          ]
        : [],
  },
  {
    name: "theme",
    label: t("Colours"),
    choices: () => [
      ["page", t("as the page")],
      ["light", t("light")],
      ["dark", t("dark")],
      ["contrast", t("high contrast")],
    ],
  },
];

/**
 * Offer one more setting.
 * @param {Setting} setting
 */
export function addSetting(setting) {
  known.push(setting);
}

/**
 * The settings that a board offers.
 * @param {BoardData} board
 */
export function settingsFor(board) {
  return known.filter((setting) => !setting.isImplied && setting.choices(board).length > 1);
}

/** The values that were chosen; tells `change` when one is chosen, here or in another tab. */
class Chosen extends EventTarget {
  #values = read();
  /**
   * What holds where nothing was chosen in this browser: name of a setting -> value.
   * @type {Record<string, string>}
   */
  usual = {};

  constructor() {
    super();
    window.addEventListener("storage", (event) => {
      if (event.key !== KEY) return;
      this.#values = read();
      this.dispatchEvent(new Event("change"));
    });
  }

  /**
   * What was chosen for a setting on a board, or what is usual there.
   * @param {string} name
   * @param {BoardData} board
   */
  value(name, board) {
    const choices = settingNamed(name).choices(board);
    const wanted = this.#values[keyOf(name, board)] ?? this.#values[name] ?? this.usual[name];
    return choices.some(([value]) => value === wanted) ? wanted : choices[0]?.[0];
  }

  /**
   * Choose a value for a setting, where it is per game for the game of this board alone.
   * @param {string} name
   * @param {string} value
   * @param {BoardData} board
   */
  choose(name, value, board) {
    const together = name === "view" && isTogether(value) ? { [keyOf("together", board)]: value } : {};
    this.#values = { ...this.#values, ...together, [keyOf(name, board)]: value };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // Where nothing may be kept, the choice holds as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }
}

function settingNamed(/** @type {string} */ name) {
  return sure(known.find((setting) => setting.name === name));
}

/**
 * The name that a choice is kept by.
 * @param {string} name
 * @param {BoardData} board
 */
function keyOf(name, { game }) {
  return settingNamed(name).isPerGame ? `${name} of ${game}` : name;
}

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export const chosen = new Chosen();
