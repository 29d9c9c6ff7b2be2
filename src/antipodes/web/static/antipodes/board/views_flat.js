// The flat view: every board as the rules draw it, side by side.

import { addKind } from "./views.js";

const MARGIN = 1.1; // round the cells, in steps; coordinates stand there

function makeFlat(board) {
  const spots = board.places.map(([cell, panel, x, y, name]) => ({ cell, panel, x, y, name }));
  const count = 1 + Math.max(...spots.map((spot) => spot.panel));
  const panels = Array.from({ length: count }, (_, number) => ({
    label: count > 1 ? `board ${number + 1} of ${count}` : "board",
    box: boxAround(spots.filter((spot) => spot.panel === number)),
  }));
  const labels = board.labels.flatMap(([text, x, y]) => {
    const panel = panels.findIndex(({ box }) => holds(box, x, y));
    return panel < 0 ? [] : [{ text, panel, x, y }];
  });
  return { name: "flat", panels, spots, labels };
}

function boxAround(spots) {
  const [xs, ys] = [spots.map((spot) => spot.x), spots.map((spot) => spot.y)];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return [left, top, Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN - top];
}

function holds([left, top, width, height], x, y) {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

addKind({ name: "flat", title: "Flat", fits: () => true, make: makeFlat });
