// Board settings, stored in this browser.

import { t, tc } from "../i18n.js";
import { defined } from "../defined.js";
import { poleConnector } from "./chains.js";
import { overlaysFor } from "./overlays.js";
import { isSideBySide, viewTypesFor } from "./views.js";

/** @import { BoardOut } from "wire" */

const STORAGE_KEY = "antipodes-board";
const YEAR = 365 * 24 * 3_600; // seconds

/**
 * One setting.
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} [label] in the menu; hidden settings have none.
 * @property {(board: BoardOut) => string[][]} choices values and their labels; the first one is
 *   the default. A setting with fewer than two choices is not offered.
 * @property {boolean} [isPerGame] whether each game has its own value.
 * @property {boolean} [isHidden] whether it is set along with another one and not in the menu.
 */

/** The board themes of themes.css: names and labels; the first one is the default. */
export const THEMES = [
  ["sand", t("Sand")],
  ["slate", t("Slate")],
  ["meadow", t("Meadow")],
  ["walnut", t("Walnut")],
  ["clear", t("Clear (for colour blindness)")],
];

/** @type {Setting[]} */
const SETTINGS = [
  {
    name: "view",
    label: t("View"),
    choices: (board) => viewTypesFor(board).map(({ name, title }) => [name, title]),
    isPerGame: true,
  },
  {
    name: "side-by-side", // the views that were last shown side by side
    choices: (board) =>
      viewTypesFor(board)
        .filter(({ name }) => isSideBySide(name))
        .map(({ name, title }) => [name, title]),
    isPerGame: true,
    isHidden: true,
  },
  { name: "lines", label: t("Lines"), choices: overlaysFor },
  {
    name: "graph",
    label: t("Game graph"),
    choices: (board) =>
      poleConnector(board)
        ? [
            ["off", t("hidden")],
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
      ["off", t("hidden")],
      ["on", t("on the pieces")],
    ],
  },
  {
    name: "confirm",
    label: t("Confirm moves"),
    choices: () => [
      ["auto", t("in correspondence games")],
      ["on", t("always")],
      ["off", t("never")],
    ],
  },
  {
    name: "premove",
    label: t("Premoves"),
    choices: () => [
      ["on", t("in live games")],
      ["off", t("never")],
    ],
  },
  {
    name: "engine",
    label: t("The computer thinks"),
    choices: () => [
      ["device", t("on this device")],
      ["server", t("on the server")],
    ],
  },
  {
    name: "input",
    label: t("Move input"),
    choices: () => [
      ["off", t("hidden")],
      ["on", t("below the board")],
    ],
  },
  {
    name: "side",
    label: t("Orientation"),
    choices: (board) =>
      board.turns.some(Boolean)
        ? [
            ["own", t("my side")],
            ["first", t("the first player’s side")],
          ]
        : [],
  },
  {
    name: "board",
    label: t("Board theme"),
    choices: () => THEMES,
  },
  {
    name: "stones",
    label: t("Stones"),
    choices: () => [
      ["shaded", tc("stones", "shaded")],
      ["flat", tc("stones", "flat")],
      ["shell", tc("stones", "slate and shell")],
    ],
  },
  {
    name: "motion",
    label: t("Animation"),
    choices: () => [
      ["on", tc("animation", "normal")],
      ["slow", tc("animation", "slow")],
      ["fast", tc("animation", "fast")],
      ["off", tc("animation", "off")],
    ],
  },
  {
    name: "theme",
    label: t("Brightness"),
    choices: () => [
      ["page", t("same as page")],
      ["light", t("light")],
      ["dark", t("dark")],
      ["contrast", t("high contrast")],
    ],
  },
];

/**
 * Return the settings that a board offers.
 * @param {BoardOut} board
 */
function settingsFor(board) {
  return SETTINGS.filter((setting) => !setting.isHidden && setting.choices(board).length > 1);
}

/**
 * Describe the settings of a board, each with its value and a function that changes it.
 * @param {BoardOut} board
 * @param {(name: string) => string} valueOf
 */
export function describedSettings(board, valueOf) {
  return settingsFor(board).map(({ name, label, choices }) => ({
    name,
    label,
    choices: choices(board),
    value: valueOf(name),
    choose: (/** @type {string} */ value) => preferences.choose(name, value, board),
  }));
}

/** The stored settings; fires `change` when one changes, here or in another tab. */
class Preferences extends EventTarget {
  #values = read();
  /**
   * Values for settings that this browser does not store: name of a setting -> value.
   * @type {Record<string, string>}
   */
  defaults = {};

  constructor() {
    super();
    window.addEventListener("storage", (event) => {
      if (event.key !== STORAGE_KEY) return;
      this.#values = read();
      this.dispatchEvent(new Event("change"));
    });
  }

  /**
   * Return the value of a setting for a board.
   * @param {string} name
   * @param {BoardOut} board
   */
  value(name, board) {
    const choices = settingNamed(name).choices(board);
    const stored = this.#values[keyOf(name, board)] ?? this.#values[name] ?? this.defaults[name];
    return choices.some(([value]) => value === stored) ? stored : choices[0]?.[0];
  }

  /**
   * Store the value of a setting; for the game of this board only if the setting is per game.
   * @param {string} name
   * @param {string} value
   * @param {BoardOut} board
   */
  choose(name, value, board) {
    const sideBySide =
      name === "view" && isSideBySide(value) ? { [keyOf("side-by-side", board)]: value } : {};
    this.#values = { ...this.#values, ...sideBySide, [keyOf(name, board)]: value };
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(this.#values));
    } catch {
      // Without storage, the value lasts until the page is closed.
    }
    if (name === "board") tellTheme(value);
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Store the board theme in a cookie too: the server draws the pictures of positions.
 * @param {string} theme
 */
function tellTheme(theme) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `board=${theme}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

function settingNamed(/** @type {string} */ name) {
  return defined(SETTINGS.find((setting) => setting.name === name));
}

/**
 * Return the key under which a setting is stored.
 * @param {string} name
 * @param {BoardOut} board
 */
function keyOf(name, { game }) {
  return settingNamed(name).isPerGame ? `${name} of ${game}` : name;
}

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export const preferences = new Preferences();
