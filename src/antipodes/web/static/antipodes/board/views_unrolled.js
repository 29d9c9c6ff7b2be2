// A cylinder unrolled, and scrolled around its axis to show chains across the seam in one piece.

import { t } from "../i18n.js";
import { labelText } from "./shapes.js";
import { toolbar } from "./view_tools.js";
import { makeFlat } from "./views_flat.js";
import { registerView } from "./views.js";

/** @import { Layers, Spot, View, ViewHost, ViewOptions } from "./views.js" */
/** @import { BoardOut } from "wire" */

const TOLERANCE = 1e-3; // greatest difference of heights within a row

/** @typedef {ReturnType<typeof homeIn>} Home */

/**
 * @param {BoardOut} board
 * @param {ViewOptions} options
 * @returns {View}
 */
function makeUnrolled(board, options) {
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
  // Each cell has a spot in its place and one beyond either end of its row.
  const spots = [0, -1, 1].flatMap((round) => homes.map((home) => copy(home, round)));
  const names = flat.labels.filter(({ text }) => /^[a-z]/.test(text));
  const letters = names.map(({ text, x, y }) => ({
    text,
    mark: labelText(text, { x, y }, flat.labelSize),
  }));
  let scrolled = 0; // columns to the right

  const placeSpots = () => {
    for (const spot of spots) {
      const { home, round } = spot;
      const column = ((home.column + scrolled) % columns) + round * columns;
      spot.x = home.start + column;
      spot.visible = column >= -1 && column <= columns;
    }
    for (const [i, { mark }] of letters.entries()) {
      mark.textContent = letters[(i - scrolled + columns) % columns].text;
    }
  };

  placeSpots();
  return {
    name: "unrolled",
    panels: flat.panels,
    spots,
    labelSize: flat.labelSize,
    labels: flat.labels.filter((label) => !names.includes(label)),
    isTurned: false,
    decorate: (/** @type {number} */ panel, /** @type {Layers} */ layers) => {
      flat.decorate(panel, layers);
      layers.under.append(...letters.map(({ mark }) => mark));
    },
    attach: (/** @type {ViewHost} */ { pictures, refresh }) => {
      const scroll = (/** @type {number} */ by) => () => {
        scrolled = (scrolled + by + columns) % columns;
        placeSpots();
        refresh();
      };
      const buttons = [
        { text: "←", label: t("Scroll left"), act: scroll(-1) },
        { text: "→", label: t("Scroll right"), act: scroll(1) },
        { text: "⟲", label: t("Reset scrolling"), act: () => scroll(-scrolled)() },
      ];
      toolbar(pictures, t("Scroll the cylinder"), buttons);
    },
  };
}

/**
 * Return a cell's column and the start of its row.
 * @param {Spot[]} spots
 * @param {Spot} spot
 */
function homeIn(spots, { cell, name, x, y }) {
  const row = spots.filter((other) => !other.repeated && Math.abs(other.y - y) < TOLERANCE);
  const start = Math.min(...row.map((other) => other.x));
  return { cell, name, y, start, column: Math.round(x - start) };
}

registerView({
  name: "unrolled",
  title: t("Unrolled (scrolls)"),
  fits: (/** @type {BoardOut} */ board) => board.kind === "cylinder",
  make: makeUnrolled,
});
