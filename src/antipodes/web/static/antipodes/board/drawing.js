// The board as SVG: one picture for each panel of a view, in layers from the ground upwards.

import { addShading, outline, piece, svg } from "./shapes.js";

/** @typedef {import("./views.js").View} View */

/**
 * How one cell looks.
 * @typedef {object} Look
 * @property {string[]} classes of the cell's ground.
 * @property {string} [piece] what lies on it.
 * @property {string[]} marks drawn over the piece: "last".
 * @property {string} spoken name for screen readers.
 * @property {boolean} isOpen whether it may be chosen.
 */

const LAYERS = ["under", "cells", "between", "pieces", "over"];

/** Draws a view's spots; knows no state but what is drawn already. */
export class Drawing {
  /** @type {{group: SVGElement, ground: SVGElement, top: SVGElement, drawn: string}[]} */
  #cells = [];
  #layers = []; // for each panel its layers by name

  /**
   * @param {View} view
   * @param {object} board
   */
  constructor(view, board) {
    this.view = view;
    this.board = board;
    addShading();
    this.pictures = view.panels.map((panel, index) => this.#picture(panel, index));
    for (const [index, spot] of view.spots.entries()) this.#addSpot(spot, index);
    this.place();
  }

  #picture({ label, box }, index) {
    const layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    for (const name of LAYERS) {
      if (name !== "cells") layers[name].setAttribute("aria-hidden", "true");
    }
    this.#layers[index] = layers;
    this.view.decorate?.(index, layers);
    for (const { text, panel, x, y } of this.view.labels ?? []) {
      if (panel !== index) continue;
      const shown = svg("text", { x, y, class: "label" });
      shown.textContent = text;
      layers.under.append(shown);
    }
    const attributes = { viewBox: box.join(" "), role: "group", "aria-label": label };
    return svg("svg", attributes, ...Object.values(layers));
  }

  #addSpot(spot, index) {
    const ground = svg("polygon", { class: "ground" });
    const group = svg("g", { role: "button", tabindex: "-1" }, ground);
    if (spot.repeated) group.setAttribute("aria-hidden", "true");
    group.dataset.spot = index;
    const top = svg("g");
    group.dataset.cell = spot.cell;
    this.#cells[index] = { group, ground, top, drawn: "" };
    this.#layers[spot.panel].cells.append(group);
    this.#layers[spot.panel].pieces.append(top);
  }

  /** Put everything where the view's spots are now. */
  place() {
    const usual = outline(this.board.shape);
    for (const [index, spot] of this.view.spots.entries()) {
      const { group, ground, top } = this.#cells[index];
      const hidden = spot.visible === false;
      for (const element of [group, top]) element.toggleAttribute("hidden", hidden);
      if (hidden) continue;
      const { x, y, scale = 1 } = spot;
      const own = spot.transform ?? `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}`;
      top.setAttribute("transform", own);
      group.setAttribute("transform", spot.outline ? `translate(${x} ${y})` : own);
      ground.setAttribute("points", spot.outline ?? usual);
    }
  }

  /**
   * Show how the cells look.
   * @param {(index: number) => Look} lookOf
   */
  paint(lookOf) {
    for (const [index, cell] of this.#cells.entries()) {
      const look = lookOf(index);
      const repeated = this.view.spots[index].repeated ? ["repeated"] : [];
      cell.group.setAttribute("class", ["cell", ...repeated, ...look.classes].join(" "));
      cell.group.setAttribute("aria-label", look.spoken);
      cell.group.setAttribute("aria-disabled", String(!look.isOpen));
      const drawn = JSON.stringify([look.piece, look.marks]);
      if (drawn === cell.drawn) continue;
      cell.drawn = drawn;
      cell.top.replaceChildren(...contents(look));
    }
  }

  /** The cell of an event's target, as the index of its spot, or null. */
  spotOf(event) {
    const group = event.target.closest?.("[data-spot]");
    return group ? Number(group.dataset.spot) : null;
  }

  /** Let the tab key stop at a spot, and no other one. */
  stopAt(index, previous) {
    this.#cells[previous]?.group.setAttribute("tabindex", "-1");
    this.#cells[index]?.group.setAttribute("tabindex", "0");
  }

  focus(index) {
    this.#cells[index].group.focus();
  }

  /** Set or clear a class of all spots of a cell. */
  toggle(cell, name, on) {
    for (const [index, spot] of this.view.spots.entries()) {
      if (spot.cell === cell) this.#cells[index].group.classList.toggle(name, on);
    }
  }

  /** A cell's box on the screen, in pixels. */
  boxOf(index) {
    return this.#cells[index].ground.getBoundingClientRect();
  }
}

function contents({ piece: shown, marks }) {
  const parts = shown ? [piece(shown)] : [];
  if (marks.includes("last")) parts.push(svg("circle", { r: 0.1, class: "dot" }));
  return parts;
}
