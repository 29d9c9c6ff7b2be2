// The style guide: boards in every theme, with all marks.

import "../board.js";
import { THEMES } from "../board/settings.js";
import { fetchBoard, fetchPosition } from "../analysis/server.js";
import { icon } from "../match/icons.js";
import { button, element, find } from "../match/dom.js";

/** @import { Icon } from "../match/icons.js" */
/** @import { State } from "../board/state.js" */

const HEX = {
  game: "hex",
  options: { size: 4, swap: "off" },
  moves: ["a1", "d3", "b2", "c3", "c1", "b3", "b1", "a3"],
};
const WON = {
  game: "hex",
  options: { size: 4, swap: "off" },
  moves: ["b1", "a3", "b2", "c2", "b3", "d1", "b4"],
};
const RODS = {
  game: "antipalos",
  options: { size: 12, swap: "off" },
  moves: ["C3*", "*D4", "E5*", "*F4"],
};
/** @type {[Icon, string][]} */
const ICONS = [
  ["bulb", "Hint"],
  ["branch", "Try moves"],
  ["sound", "Sounds"],
  ["undo", "Take back"],
  ["half", "Offer draw"],
  ["flag", "Resign"],
];

/**
 * Show a board with looks and marks.
 * @param {string} where
 * @param {string} caption
 * @param {typeof HEX | typeof RODS} line
 * @param {Record<string, string>} looks
 * @param {Partial<State>} [marks]
 */
async function sample(where, caption, line, looks, marks = {}) {
  const board = document.createElement("antipodes-board");
  board.looks = looks;
  const figure = element("figure", {}, board, element("figcaption", {}, caption));
  find(`[data-samples=${where}]`).append(figure);
  const position = await fetchPosition(line);
  const { pieces, chain, moves } = position;
  board.show({
    board: await fetchBoard(position.board),
    pieces,
    chain,
    move: moves.at(-1) ?? null,
    ...marks,
  });
}

const all = [
  ...THEMES.map(([board]) => sample("themes", board, HEX, { board })),
  ...THEMES.map(([board]) => sample("themes", `${board}, rods`, RODS, { board })),
  sample("themes", "high contrast", HEX, { theme: "contrast" }),
  ...["shaded", "flat", "shell"].map((stones) => sample("stones", stones, HEX, { stones })),
  sample("marks", "winning chain", WON, {}),
  sample("marks", "suggested moves", HEX, {}, { marks: { 12: "1", 13: "2", 15: "3" } }),
  sample("marks", "values of cells", HEX, {}, { heat: { 12: 1, 13: 0.6, 14: 0.3 } }),
  sample("marks", "move numbers", HEX, { numbers: "on" }, { plies: { 0: 1, 5: 2, 1: 3, 6: 4 } }),
  sample("marks", "cell names", HEX, { coordinates: "cells" }),
  sample("marks", "pointed and picked", HEX, {}, { pointed: [12], picked: [13] }),
];
find("#icons").append(...ICONS.map(([name, text]) => iconSample(name, text)));
Promise.all(all).then(() => (document.documentElement.dataset.complete = ""));

/**
 * @param {Icon} name
 * @param {string} text
 */
function iconSample(name, text) {
  const made = button("", () => {}, { class: "icon-button" });
  made.append(icon(name), text);
  return made;
}
