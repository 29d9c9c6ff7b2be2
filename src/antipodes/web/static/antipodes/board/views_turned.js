// A cylinder turned about its axis, so that what lies across the seam is seen whole.

import { t } from "../i18n.js";
import { labelText } from "./shapes.js";
import { toolbar } from "./turning.js";
import { makeFlat } from "./views_flat.js";
import { addKind } from "./views.js";

/** @import { BoardData } from "./state.js" */
/** @import { Layers, Spot, Stage, View, ViewOptions } from "./views.js" */

const AWAY = 1e-3; // places of one row have the same height up to this

/** @typedef {ReturnType<typeof homeIn>} Home */

/**
 * @param {BoardData} board
 * @param {ViewOptions} options
 * @returns {View}
 */
function makeTurned(board, options) {
  const flat = makeFlat(board, options);
  const columns = board.rims.top.length;
  const homes = flat.spots.filter((spot) => !spot.repeated).map((spot) => homeIn(flat.spots, spot));
  const copy = (/** @type {Home} */ home, /** @type {number} */ round) => ({
    ...home,
    home,
    round,
    x: home.start,
    panel: 0,
    visible: true,
    repeated: round !== 0,
  });
  // Each cell can be seen in its place, or once more beyond either end of its row.
  const spots = [0, -1, 1].flatMap((round) => homes.map((home) => copy(home, round)));
  const names = flat.labels.filter(({ text }) => /^[a-z]/.test(text));
  const letters = names.map(({ text, x, y }) => ({ text, mark: labelText(text, { x, y }, flat.labelSize) }));
  let turned = 0; // columns to the right

  const settle = () => {
    for (const spot of spots) {
      const { home, round } = spot;
      const column = ((home.column + turned) % columns) + round * columns;
      spot.x = home.start + column;
      spot.visible = column >= -1 && column <= columns;
    }
    for (const [i, { mark }] of letters.entries()) {
      mark.textContent = letters[(i - turned + columns) % columns].text;
    }
  };

  settle();
  return {
    name: "turned",
    panels: flat.panels,
    spots,
    labelSize: flat.labelSize,
    labels: flat.labels.filter((label) => !names.includes(label)),
    isTurned: false,
    decorate: (/** @type {number} */ panel, /** @type {Layers} */ layers) => {
      flat.decorate(panel, layers);
      layers.under.append(...letters.map(({ mark }) => mark));
    },
    attach: (/** @type {Stage} */ { pictures, refresh }) => {
      const turn = (/** @type {number} */ by) => () => {
        turned = (turned + by + columns) % columns;
        settle();
        refresh();
      };
      const buttons = [
        { text: "←", label: t("Turn the cylinder to the left"), act: turn(-1) },
        { text: "→", label: t("Turn the cylinder to the right"), act: turn(1) },
        { text: "⟲", label: t("Turn back as at first"), act: () => turn(-turned)() },
      ];
      toolbar(pictures, t("Turn the cylinder"), buttons);
    },
  };
}

/**
 * A cell's column and where its row begins.
 * @param {Spot[]} spots
 * @param {Spot} spot
 */
function homeIn(spots, { cell, name, x, y }) {
  const row = spots.filter((other) => !other.repeated && Math.abs(other.y - y) < AWAY);
  const start = Math.min(...row.map((other) => other.x));
  return { cell, name, y, start, column: Math.round(x - start) };
}

addKind({
  name: "turned",
  title: t("Flat, to turn"),
  fits: (/** @type {BoardData} */ board) => board.kind === "cylinder",
  make: makeTurned,
});
