// The settings of a board, as a panel: themes as pictures, few choices in a row, switches.

import { keysButton } from "./keys.js";
import { t } from "../i18n.js";
import { preferences } from "./settings.js";
import { outline, piece, svg } from "./shapes.js";

/** @import { BoardElement } from "./element.js" */

/** @typedef {ReturnType<BoardElement["settings"]>[number]} Described a setting with its value */
/** @typedef {{root: HTMLElement, show: (value: string) => void}} Control */

const MOST_IN_A_ROW = 4; // more choices become a list
const PICTURED = ["board", "stones"]; // settings whose choices are shown by a small board

/** @type {[title: string, names: string[]][]} */
const GROUPS = [
  [t("Looks"), ["board", "stones", "theme", "motion"]],
  [t("Board"), ["view", "lines", "coordinates", "side", "numbers", "graph"]],
  [t("Moves"), ["confirm", "engine", "premove", "input"]],
];

let controls = 0; // gives each control its own names

/**
 * Add the panel to the options of a board, and keep it up to date.
 * @param {HTMLElement} options
 * @param {BoardElement} board
 */
export function addMenu(options, board) {
  const menu = document.createElement("div");
  menu.className = "board-menu";
  /** @type {Map<string, Control>} */
  let shown = new Map();
  const show = () => {
    const settings = board.settings();
    const names = settings.map(({ name }) => name);
    if (names.join() !== [...shown.keys()].join()) {
      shown = new Map(settings.map((setting) => [setting.name, controlOf(setting)]));
      menu.replaceChildren(...GROUPS.flatMap(([title, members]) => group(title, members, shown)));
    }
    for (const { name, value } of settings) shown.get(name)?.show(value);
  };
  preferences.addEventListener("change", show);
  board.addEventListener("ready", show);
  options.append(menu, keysButton());
  show();
}

/**
 * @param {string} title
 * @param {string[]} names
 * @param {Map<string, Control>} shown
 */
function group(title, names, shown) {
  const members = names.flatMap((name) => shown.get(name)?.root ?? []);
  if (!members.length) return [];
  const heading = make("p", "board-menu-title", title);
  heading.id = `board-menu-${++controls}`;
  const section = make("div", "board-menu-group");
  section.setAttribute("role", "group");
  section.setAttribute("aria-labelledby", heading.id);
  section.append(heading, ...members);
  return [section];
}

/**
 * @param {Described} setting
 * @returns {Control}
 */
function controlOf(setting) {
  const values = setting.choices.map(([value]) => value);
  if (values.length === 2 && values.includes("on") && values.includes("off"))
    return switchOf(setting);
  return values.length > MOST_IN_A_ROW && !PICTURED.includes(setting.name)
    ? listOf(setting)
    : rowOf(setting);
}

/**
 * @param {Described} setting
 * @returns {Control}
 */
function switchOf({ label, choices, choose }) {
  const root = make("label", "board-menu-switch");
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  box.addEventListener("change", () => choose(box.checked ? "on" : "off"));
  const when = choices.find(([value]) => value === "on")?.[1] ?? "";
  root.append(box, make("span", "", label), " ", make("span", "faint", when));
  return { root, show: (value) => void (box.checked = value === "on") };
}

/**
 * @param {Described} setting
 * @returns {Control}
 */
function listOf({ label, choices, choose }) {
  const root = make("label", "board-menu-list");
  const select = document.createElement("select");
  select.append(...choices.map(([value, title]) => new Option(title, value)));
  select.addEventListener("change", () => choose(select.value));
  root.append(make("span", "", label), select);
  return { root, show: (value) => void (select.value = value) };
}

/**
 * @param {Described} setting
 * @returns {Control}
 */
function rowOf({ name, label, choices, choose }) {
  const root = make("fieldset", PICTURED.includes(name) ? "board-menu-pictures" : "board-menu-row");
  const ownName = `board-setting-${++controls}`;
  /** @type {Map<string, HTMLInputElement>} */
  const radios = new Map();
  const labels = choices.map(([value, title]) => {
    const radio = Object.assign(document.createElement("input"), {
      type: "radio",
      name: ownName,
      value,
    });
    radio.addEventListener("change", () => choose(value));
    radios.set(value, radio);
    const choice = make("label", "");
    const segment = make("span", "segment");
    if (PICTURED.includes(name)) segment.append(smallBoard(name, value));
    segment.append(title);
    choice.append(radio, segment);
    return choice;
  });
  const row = make("div", "board-menu-choices");
  row.append(...labels);
  root.append(make("legend", "", label), row);
  return {
    root,
    show: (value) => {
      const radio = radios.get(value);
      if (radio) radio.checked = true;
    },
  };
}

/**
 * Draw three cells with two stones, one of them the last move, in a theme or with a set of stones.
 * @param {string} setting
 * @param {string} value
 */
function smallBoard(setting, value) {
  const cell = (/** @type {number} */ x, /** @type {number} */ y, /** @type {Node[]} */ content) =>
    svg(
      "g",
      { class: "cell", transform: `translate(${x} ${y})` },
      svg("polygon", { class: "ground", points: outline("pointy") }),
      ...content,
    );
  const last = svg("polygon", { class: "last-ring", points: outline("pointy", 0.86) });
  return svg(
    "svg",
    {
      class: "board-preview",
      [`data-${setting}`]: value,
      viewBox: "-.6 -.65 2.2 2.2",
      "aria-hidden": "true",
    },
    cell(0, 0, [piece("black")]),
    cell(1, 0, [last, piece("white")]),
    cell(0.5, 0.866, []),
  );
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @param {string} [text]
 */
function make(name, className, text = "") {
  return Object.assign(document.createElement(name), { className, textContent: text });
}
