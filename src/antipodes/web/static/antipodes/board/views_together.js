// Several views side by side: one board, seen in more than one way at once.

import { t } from "../i18n.js";
import "./views_flat.js";
import "./views_discs.js";
import "./views_sphere.js";
import "./views_turned.js";
import { addKind, kindsFor } from "./views.js";

/** A view that shows others; every cell has spots in all of them. */
function together(name, views) {
  const panels = [];
  const spots = [];
  const parts = []; // where each view's panels and spots begin
  for (const view of views) {
    parts.push({ view, panel: panels.length, spot: spots.length });
    for (const spot of view.spots) spot.panel += panels.length;
    panels.push(...view.panels);
    spots.push(...view.spots);
  }
  const ofPanel = (panel) => parts.findLast((part) => part.panel <= panel);
  const ofSpot = (index) => parts.findLast((part) => part.spot <= index);
  return {
    name,
    panels,
    spots,
    labels: parts.flatMap(({ view, panel }) =>
      (view.labels ?? []).map((label) => ({ ...label, panel: label.panel + panel }))
    ),
    partOf: (index) => parts.indexOf(ofSpot(index)),
    decorate: (panel, layers) => {
      const part = ofPanel(panel);
      part.view.decorate?.(panel - part.panel, layers);
    },
    attach: ({ pictures, ...stage }) => {
      for (const { view, panel } of parts) {
        view.attach?.({ ...stage, pictures: pictures.slice(panel, panel + view.panels.length) });
      }
    },
    detach: () => views.forEach((view) => view.detach?.()),
    hold: (index) => {
      const { view, spot } = ofSpot(index);
      view.hold?.(index - spot);
    },
    reveal: (index) => {
      const { view, spot } = ofSpot(index);
      view.reveal?.(index - spot);
    },
    attend: (cell) => views.forEach((view) => view.attend?.(cell)),
    walk: (index, key) => {
      const { view, spot } = ofSpot(index);
      const next = view.walk?.(index - spot, key);
      return typeof next === "number" ? next + spot : next;
    },
  };
}

/** Offer views that were offered already together. */
function addTogether(title, names) {
  const name = names.join("+");
  addKind({
    name,
    title,
    fits: (board) => board.directions.length > 0,
    make: (board, options) => {
      const kinds = names.map((one) => kindsFor(board).find((kind) => kind.name === one));
      return together(name, kinds.map((kind) => kind.make(board, options)));
    },
  });
}

addTogether(t("Flat and sphere"), ["flat", "sphere"]); // the usual ones side by side
addTogether(t("Flat and hemispheres"), ["flat", "discs"]);
addTogether(t("Hemispheres and sphere"), ["discs", "sphere"]);
addTogether(t("All three"), ["flat", "discs", "sphere"]);
