// The board as SVG: one picture for each panel of a view, in layers from the ground upwards.

import { t } from "../i18n.js";
import * as marks from "./marks.js";
import { addShading, labelText, outline, piece, svg } from "./shapes.js";

/** @import { Look } from "./looks.js" */
/** @import { Stroke } from "./overlays.js" */
/** @import { BoardData } from "./state.js" */
/** @import { Layers, Panel, Spot, View } from "./views.js" */

const LAYERS = ["under", "cells", "veil", "links", "between", "pieces", "over"];
const REACH = 1.1; // neighbours that are farther apart are not joined by lines

/**
 * What a spot is drawn with, and what was drawn last.
 * @typedef {object} Cell
 * @property {SVGElement} group
 * @property {SVGElement} ground
 * @property {SVGElement} inset
 * @property {SVGElement} top what lies on the cell.
 * @property {string} drawn
 * @property {boolean} [hidden]
 * @property {string} [own] transform.
 * @property {string} [points]
 */

/** Draws a view's spots; knows no state but what is drawn already. */
export class Drawing {
  /** @type {Cell[]} */
  #cells = [];
  /** @type {Layers[]} */
  #layers = []; // for each panel its layers by name
  /** @type {Map<number, number>} */
  #stops = new Map(); // part of the view -> index of the spot where the tab key stops
  /** @type {(panel: number) => Stroke[]} */
  #overlay = () => [];
  /** @type {{cells: number[], isRods: boolean}} */
  #chain = { cells: [], isRods: false };

  /**
   * @param {View} view
   * @param {BoardData} board
   */
  constructor(view, board) {
    this.view = view;
    this.board = board;
    addShading();
    this.pictures = view.panels.map((panel, index) => this.#picture(panel, index));
    for (const [index, spot] of view.spots.entries()) this.#addSpot(spot, index);
    this.place();
    this.#stopEverywhere();
  }

  /**
   * @param {Panel} panel
   * @param {number} index
   */
  #picture({ label, box }, index) {
    const layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    for (const name of LAYERS) {
      if (name !== "cells") layers[name].setAttribute("aria-hidden", "true");
    }
    this.#layers[index] = layers;
    this.view.decorate?.(index, layers);
    for (const { text, panel, x, y } of this.view.labels ?? []) {
      if (panel !== index) continue;
      layers.under.append(labelText(text, { x, y }, this.view.labelSize));
    }
    const role = { role: "application", "aria-label": t("{board}: arrows walk the cells, Enter chooses, Escape steps back", { board: label }) };
    const picture = svg("svg", { viewBox: box.join(" "), ...role }, ...Object.values(layers));
    if (this.view.panels[index].isRound) picture.classList.add("round");
    return picture;
  }

  /**
   * @param {Spot} spot
   * @param {number} index
   */
  #addSpot(spot, index) {
    const ground = svg("polygon", { class: "ground" });
    // Neighbours cover half of a line round the ground, but not one inside it.
    const inset = svg("polygon", { class: "inset" });
    const group = svg("g", {}, ground, inset);
    if (spot.repeated) group.setAttribute("aria-hidden", "true");
    else {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
    }
    group.dataset.spot = String(index);
    const top = svg("g", spot.repeated ? { class: "repeated" } : {});
    group.dataset.cell = String(spot.cell);
    this.#cells[index] = { group, ground, inset, top, drawn: "" };
    this.#layers[spot.panel].cells.append(group);
    this.#layers[spot.panel].pieces.append(top);
  }

  /** Put everything where the view's spots are now. */
  place() {
    const usual = outline(this.board.shape);
    for (const [index, spot] of this.view.spots.entries()) {
      const cell = this.#cells[index];
      const { group, ground, inset, top } = cell;
      const hidden = spot.visible === false;
      if (hidden !== cell.hidden) {
        for (const element of [group, top]) element.toggleAttribute("hidden", hidden);
        cell.hidden = hidden;
      }
      if (hidden) continue;
      const { x, y, scale = 1 } = spot;
      const own = spot.transform ?? `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}`;
      const points = spot.outline ?? usual;
      if (own === cell.own && points === cell.points) continue;
      [cell.own, cell.points] = [own, points];
      top.setAttribute("transform", own);
      group.setAttribute("transform", spot.outline ? `translate(${x} ${y})` : own);
      for (const shape of [ground, inset]) shape.setAttribute("points", points);
    }
    this.#drawChain();
    this.#drawOverlay();
  }

  /**
   * Show how the cells look.
   * @param {(index: number) => Look} lookAt
   */
  paint(lookAt) {
    for (const [index, cell] of this.#cells.entries()) {
      const look = lookAt(index);
      const { repeated } = this.view.spots[index];
      const classes = ["cell", ...(repeated ? ["repeated"] : []), ...look.classes];
      cell.group.setAttribute("class", classes.join(" "));
      if (!repeated) {
        cell.group.setAttribute("aria-label", look.spoken);
        cell.group.setAttribute("aria-disabled", String(!look.isOpen));
      }
      const drawn = JSON.stringify({ ...look, classes: 0, spoken: 0, isOpen: 0 });
      if (drawn === cell.drawn) continue;
      cell.drawn = drawn;
      cell.top.replaceChildren(...contents(look, this.board.shape));
    }
  }

  /**
   * Join the pieces of a winning chain, given in its order.
   * @param {number[]} cells
   * @param {boolean} isRods
   */
  join(cells, isRods) {
    this.#chain = { cells, isRods };
    this.#drawChain();
  }

  /**
   * Lines between cells and pieces, drawn anew whenever something moves.
   * @param {(panel: number) => Stroke[]} strokesIn
   */
  set overlay(strokesIn) {
    this.#overlay = strokesIn;
    this.#drawOverlay();
  }

  #drawOverlay() {
    for (const [panel, { links }] of this.#layers.entries()) {
      const strokes = this.#overlay(panel).filter(({ d }) => d);
      links.replaceChildren(...strokes.map(({ name, d }) => svg("path", { d, class: name })));
    }
  }

  #drawChain() {
    const { cells, isRods } = this.#chain;
    for (const [panel, { between, over }] of this.#layers.entries()) {
      const links = isRods ? [] : this.#links(panel, cells);
      const d = links.map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join("");
      const names = d && !this.view.panels[panel].isRound ? ["band-edge", "band"] : [];
      between.replaceChildren(...names.map((name) => svg("path", { d, class: name })));
      over.querySelector(".thread")?.remove();
      if (d) over.append(svg("path", { d, class: "thread" }));
    }
  }

  /**
   * Pairs of spots of one panel where cells that follow each other lie side by side.
   * @param {number} panel
   * @param {number[]} cells
   */
  #links(panel, cells) {
    const { view, board } = this;
    const reach = view.panels[panel].reach ?? REACH;
    const isHere = (/** @type {Spot} */ spot) => spot.panel === panel && spot.visible !== false && !spot.isBehind;
    const spotsOf = (/** @type {number} */ cell) => view.spots.filter((spot) => spot.cell === cell && isHere(spot));
    const pairs = cells.slice(1).map((cell, i) => [cells[i], cell]);
    const [first, last] = [cells[0], cells[cells.length - 1]];
    if (cells.length > 2 && board.neighbours[first].includes(last)) pairs.push([last, first]);
    // A line of no length is a dot: a stone whose neighbours in the chain are on the other board.
    const dots = cells.flatMap((cell) => spotsOf(cell).map((spot) => [spot, spot]));
    const links = pairs.flatMap(([from, to]) =>
      spotsOf(from).flatMap((a) =>
        spotsOf(to).flatMap((b) => (Math.hypot(a.x - b.x, a.y - b.y) <= reach ? [[a, b]] : []))
      )
    );
    return [...dots, ...links];
  }

  /** The cell of an event's target, as the index of its spot, or null. */
  spotOf(/** @type {Event} */ event) {
    const group = event.target instanceof Element ? event.target.closest("[data-spot]") : null;
    return group ? Number(group.getAttribute("data-spot")) : null;
  }

  /**
   * Let the tab key stop at a spot, and no other one of its view.
   * @param {number} index
   */
  stopAt(index) {
    const part = this.view.partOf?.(index) ?? 0;
    const before = this.#stops.get(part);
    if (before !== undefined) this.#cells[before].group.setAttribute("tabindex", "-1");
    this.#cells[index].group.setAttribute("tabindex", "0");
    this.#stops.set(part, index);
    this.view.hold?.(index);
    this.place();
  }

  /** Let the tab key stop once in each of several views shown together. */
  #stopEverywhere() {
    const { partOf, spots } = this.view;
    if (!partOf) return;
    for (const index of spots.keys()) if (!this.#stops.has(partOf(index))) this.stopAt(index);
  }

  /** @param {number} index */
  focus(index) {
    this.#cells[index].group.focus({ preventScroll: false });
  }

  /**
   * Set or clear a class of all spots of a cell.
   * @param {number} cell
   * @param {string} name
   * @param {boolean} on
   */
  toggle(cell, name, on) {
    for (const [index, spot] of this.view.spots.entries()) {
      if (spot.cell === cell) this.#cells[index].group.classList.toggle(name, on);
    }
  }

  /**
   * A cell's box on the screen, in pixels.
   * @param {number} index
   */
  boxOf(index) {
    return this.#cells[index].ground.getBoundingClientRect();
  }
}

/**
 * What lies on a cell, from the bottom to the top.
 * @param {Look} look
 * @param {string} shape
 */
function contents(look, shape) {
  /** @type {SVGElement[]} */
  const parts = look.heat === undefined ? [] : marks.shade(look.heat, shape);
  if (look.name && !look.piece) parts.push(marks.cellName(look.name));
  if (look.piece) {
    const shown = piece(look.piece);
    if (look.state) shown.classList.add(look.state);
    if (look.isLast) shown.classList.add("fresh");
    parts.push(shown);
  }
  if (look.isPole) parts.push(marks.star(look.piece));
  if (look.isLocked) parts.push(marks.lock());
  if (look.number !== undefined && look.piece) parts.push(marks.moveNumber(look.number, look.piece));
  if (look.isLast) parts.push(marks.lastRing(shape));
  if (look.isChanging) parts.push(marks.changeRing(shape));
  if (look.isTarget) parts.push(marks.target());
  if (look.mark) parts.push(marks.proposal(look.mark));
  return parts;
}
