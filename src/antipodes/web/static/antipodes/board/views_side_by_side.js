// Views that show several others side by side.

import { t } from "../i18n.js";
import { defined } from "../defined.js";
import "./views_flat.js";
import "./views_discs.js";
import "./views_sphere.js";
import "./views_unrolled.js";
import { registerView, viewTypesFor } from "./views.js";

/** @import { Layers, Panel, Spot, View, ViewHost, ViewOptions } from "./views.js" */
/** @import { BoardOut } from "wire" */

/**
 * Combine views; every cell has spots in all of them.
 * @param {string} name
 * @param {View[]} views
 */
function sideBySide(name, views) {
  /** @type {Panel[]} */
  const panels = [];
  /** @type {Spot[]} */
  const spots = [];
  /** @type {{view: View, panel: number, spot: number}[]} */
  const parts = []; // where each view's panels and spots begin
  for (const view of views) {
    parts.push({ view, panel: panels.length, spot: spots.length });
    for (const spot of view.spots) spot.panel += panels.length;
    panels.push(...view.panels);
    spots.push(...view.spots);
  }
  const ofPanel = (/** @type {number} */ panel) =>
    defined(parts.findLast((part) => part.panel <= panel));
  const ofSpot = (/** @type {number} */ index) =>
    defined(parts.findLast((part) => part.spot <= index));
  return {
    name,
    panels,
    spots,
    labels: parts.flatMap(({ view, panel }) =>
      (view.labels ?? []).map((label) => ({ ...label, panel: label.panel + panel })),
    ),
    partOf: (/** @type {number} */ index) => parts.indexOf(ofSpot(index)),
    decorate: (/** @type {number} */ panel, /** @type {Layers} */ layers) => {
      const part = ofPanel(panel);
      part.view.decorate?.(panel - part.panel, layers);
    },
    attach: (/** @type {ViewHost} */ { pictures, ...host }) => {
      for (const { view, panel } of parts) {
        view.attach?.({ ...host, pictures: pictures.slice(panel, panel + view.panels.length) });
      }
    },
    detach: () => views.forEach((view) => view.detach?.()),
    keepVisible: (/** @type {number} */ index) => {
      const { view, spot } = ofSpot(index);
      view.keepVisible?.(index - spot);
    },
    reveal: (/** @type {number} */ index) => {
      const { view, spot } = ofSpot(index);
      view.reveal?.(index - spot);
    },
    revealCell: (/** @type {number} */ cell) => views.forEach((view) => view.revealCell?.(cell)),
    navigate: (/** @type {number} */ index, /** @type {string} */ key) => {
      const { view, spot } = ofSpot(index);
      const next = view.navigate?.(index - spot, key);
      return typeof next === "number" ? next + spot : next;
    },
  };
}

/**
 * Register a combination of registered views.
 * @param {string} title
 * @param {string[]} names
 */
function registerSideBySide(title, names) {
  const name = names.join("+");
  registerView({
    name,
    title,
    fits: (/** @type {BoardOut} */ board) => board.directions.length > 0,
    make: (/** @type {BoardOut} */ board, /** @type {ViewOptions} */ options) => {
      const types = names.map((one) =>
        defined(viewTypesFor(board).find((viewType) => viewType.name === one)),
      );
      return sideBySide(
        name,
        types.map((viewType) => viewType.make(board, options)),
      );
    },
  });
}

registerSideBySide(t("Flat and sphere"), ["flat", "sphere"]); // the default
registerSideBySide(t("Flat and hemispheres"), ["flat", "discs"]);
registerSideBySide(t("Hemispheres and sphere"), ["discs", "sphere"]);
registerSideBySide(t("All three"), ["flat", "discs", "sphere"]);
