// Several views side by side: one board, seen in more than one way at once.

import { t } from "../i18n.js";
import { sure } from "../sure.js";
import "./views_flat.js";
import "./views_discs.js";
import "./views_sphere.js";
import "./views_turned.js";
import { addKind, kindsFor } from "./views.js";

/** @import { BoardData } from "./state.js" */
/** @import { Layers, Panel, Spot, Stage, View, ViewOptions } from "./views.js" */

/**
 * A view that shows others; every cell has spots in all of them.
 * @param {string} name
 * @param {View[]} views
 */
function together(name, views) {
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
  const ofPanel = (/** @type {number} */ panel) => sure(parts.findLast((part) => part.panel <= panel));
  const ofSpot = (/** @type {number} */ index) => sure(parts.findLast((part) => part.spot <= index));
  return {
    name,
    panels,
    spots,
    labels: parts.flatMap(({ view, panel }) =>
      (view.labels ?? []).map((label) => ({ ...label, panel: label.panel + panel }))
    ),
    partOf: (/** @type {number} */ index) => parts.indexOf(ofSpot(index)),
    decorate: (/** @type {number} */ panel, /** @type {Layers} */ layers) => {
      const part = ofPanel(panel);
      part.view.decorate?.(panel - part.panel, layers);
    },
    attach: (/** @type {Stage} */ { pictures, ...stage }) => {
      for (const { view, panel } of parts) {
        view.attach?.({ ...stage, pictures: pictures.slice(panel, panel + view.panels.length) });
      }
    },
    detach: () => views.forEach((view) => view.detach?.()),
    hold: (/** @type {number} */ index) => {
      const { view, spot } = ofSpot(index);
      view.hold?.(index - spot);
    },
    reveal: (/** @type {number} */ index) => {
      const { view, spot } = ofSpot(index);
      view.reveal?.(index - spot);
    },
    attend: (/** @type {number} */ cell) => views.forEach((view) => view.attend?.(cell)),
    walk: (/** @type {number} */ index, /** @type {string} */ key) => {
      const { view, spot } = ofSpot(index);
      const next = view.walk?.(index - spot, key);
      return typeof next === "number" ? next + spot : next;
    },
  };
}

/**
 * Offer views that were offered already together.
 * @param {string} title
 * @param {string[]} names
 */
function addTogether(title, names) {
  const name = names.join("+");
  addKind({
    name,
    title,
    fits: (/** @type {BoardData} */ board) => board.directions.length > 0,
    make: (/** @type {BoardData} */ board, /** @type {ViewOptions} */ options) => {
      const kinds = names.map((one) => sure(kindsFor(board).find((kind) => kind.name === one)));
      return together(name, kinds.map((kind) => kind.make(board, options)));
    },
  });
}

addTogether(t("Flat and sphere"), ["flat", "sphere"]); // the usual ones side by side
addTogether(t("Flat and hemispheres"), ["flat", "discs"]);
addTogether(t("Hemispheres and sphere"), ["discs", "sphere"]);
addTogether(t("All three"), ["flat", "discs", "sphere"]);
