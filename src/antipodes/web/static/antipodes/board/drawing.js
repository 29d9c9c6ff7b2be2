// The board as SVG: one picture for each panel of a view, in layers from bottom to top.

import { t } from "../i18n.js";
import * as marks from "./marks.js";
import { signsBehind } from "./signs_behind.js";
import { addShading, labelText, outline, pathOf, piece, svg } from "./shapes.js";

/** @import { Appearance } from "./appearance.js" */
/** @import { Stroke } from "./overlays.js" */
/** @import { Layers, Panel, Spot, View } from "./views.js" */
/** @import { BoardOut } from "wire" */

const LAYERS = ["under", "cells", "veil", "links", "between", "pieces", "over", "notes"];
const REACH = 1.1; // neighbours farther apart are not connected by lines
let clips = 0; // gives the outline of each picture's cells its own id

/**
 * The SVG elements of a spot, and their last state.
 * @typedef {object} Cell
 * @property {SVGElement} group
 * @property {SVGElement} ground
 * @property {SVGElement} inset
 * @property {SVGElement} top the piece and the marks on the cell.
 * @property {SVGElement} rings marks along the cell's edge, in its shape.
 * @property {string} drawn
 * @property {boolean} [hidden]
 * @property {string} [transform]
 * @property {string} [points]
 */

/** SVG pictures of a view; holds no state but what is drawn already. */
export class Drawing {
  /** @type {Cell[]} */
  #cells = [];
  /** @type {Layers[]} */
  #layers = []; // the layers of each panel, by name
  /** @type {SVGElement[]} */
  #areas = []; // the outlines of all cells of each panel, which the halo of a chain stays within
  /** @type {Map<number, number>} */
  #tabStops = new Map(); // part of the view -> index of the spot where the Tab key stops
  /** @type {(panel: number) => Stroke[]} */
  #overlay = () => [];
  /** @type {(panel: number) => Stroke[]} */
  #notes = () => [];
  /** @type {Record<number, string | number>} */
  #signs = {};
  /** @type {{cells: number[], isRising: ((cell: number) => boolean) | null}} */
  #chain = { cells: [], isRising: null };
  #animatedChain = "";

  /**
   * @param {View} view
   * @param {BoardOut} board
   */
  constructor(view, board) {
    this.view = view;
    this.board = board;
    addShading();
    this.pictures = view.panels.map((panel, index) => this.#picture(panel, index));
    for (const [index, spot] of view.spots.entries()) this.#addSpot(spot, index);
    this.place();
    this.#setTabStops();
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
    const role = {
      role: "application",
      "aria-label": t("{board}: arrow keys move between cells, Enter chooses, Escape steps back", {
        board: label,
      }),
    };
    const id = `board-area-${++clips}`;
    this.#areas[index] = svg("path");
    layers.between.setAttribute("clip-path", `url(#${id})`);
    const picture = svg(
      "svg",
      { viewBox: box.join(" "), ...role },
      svg("clipPath", { id }, this.#areas[index]),
      ...Object.values(layers),
    );
    if (this.view.panels[index].isRound) picture.classList.add("round");
    return picture;
  }

  /**
   * @param {Spot} spot
   * @param {number} index
   */
  #addSpot(spot, index) {
    const ground = svg("polygon", { class: "ground" });
    // Neighbouring cells cover half of an outline around the ground, but not one inside it.
    const inset = svg("polygon", { class: "inset" });
    const group = svg("g", {}, ground, inset);
    if (spot.repeated) group.setAttribute("aria-hidden", "true");
    else {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
    }
    group.dataset.spot = String(index);
    const [top, rings] = [0, 1].map(() => svg("g", spot.repeated ? { class: "repeated" } : {}));
    group.dataset.cell = String(spot.cell);
    this.#cells[index] = { group, ground, inset, top, rings, drawn: "" };
    this.#layers[spot.panel].cells.append(group);
    this.#layers[spot.panel].pieces.append(top, rings);
  }

  /** Move everything to the view's current spots. */
  place() {
    const defaultOutline = outline(this.board.shape);
    for (const [index, spot] of this.view.spots.entries()) {
      const cell = this.#cells[index];
      const { group, ground, inset, top, rings } = cell;
      const hidden = spot.visible === false;
      if (hidden !== cell.hidden) {
        for (const element of [group, top]) element.toggleAttribute("hidden", hidden);
        cell.hidden = hidden;
      }
      rings.toggleAttribute("hidden", hidden || Boolean(spot.isBehind));
      if (hidden) continue;
      const { x, y, scale = 1 } = spot;
      const transform =
        spot.transform ?? `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}`;
      const points = spot.outline ?? defaultOutline;
      if (transform === cell.transform && points === cell.points) continue;
      [cell.transform, cell.points] = [transform, points];
      top.setAttribute("transform", transform);
      for (const part of [group, rings])
        part.setAttribute("transform", spot.outline ? `translate(${x} ${y})` : transform);
      for (const shape of [ground, inset, ...rings.children]) shape.setAttribute("points", points);
    }
    this.#drawChain();
    this.#drawOverlay();
  }

  /**
   * Update the appearance of all cells.
   * @param {(index: number) => Appearance} appearanceAt by the index of a spot
   */
  paint(appearanceAt) {
    for (const [index, cell] of this.#cells.entries()) {
      const appearance = appearanceAt(index);
      const { repeated } = this.view.spots[index];
      const classes = ["cell", ...(repeated ? ["repeated"] : []), ...appearance.classes];
      cell.group.setAttribute("class", classes.join(" "));
      if (!repeated) {
        cell.group.setAttribute("aria-label", appearance.spoken);
        cell.group.setAttribute("aria-disabled", String(!appearance.isOpen));
      }
      const drawn = JSON.stringify({ ...appearance, classes: 0, spoken: 0, isOpen: 0 });
      if (drawn === cell.drawn) continue;
      cell.drawn = drawn;
      cell.top.replaceChildren(...contents(appearance, this.board.shape));
      cell.rings.replaceChildren(...ringsOf(appearance));
      for (const ring of cell.rings.children) ring.setAttribute("points", cell.points ?? "");
    }
  }

  /**
   * Draw the halo under the pieces of a winning chain; a new one is animated once.
   * @param {number[]} cells in the chain's order
   * @param {((cell: number) => boolean) | null} isRising whether the rod of a cell rises to the
   *   right as it is shown; null for stones
   */
  markChain(cells, isRising) {
    if (String(cells) === String(this.#chain.cells)) return;
    this.#chain = { cells, isRising };
    this.#drawChain();
    if (!cells.length || String(cells) === this.#animatedChain) return;
    this.#animatedChain = String(cells);
    for (const { between } of this.#layers) between.querySelector(".band")?.classList.add("fresh");
  }

  /**
   * Lines between cells and pieces, drawn again whenever spots move.
   * @param {(panel: number) => Stroke[]} strokesIn
   */
  set overlay(strokesIn) {
    this.#overlay = strokesIn;
    this.#drawOverlay();
  }

  /**
   * Marks and arrows over everything, drawn again whenever spots move.
   * @param {(panel: number) => Stroke[]} strokesIn
   */
  set notes(strokesIn) {
    this.#notes = strokesIn;
    this.#drawOverlay();
  }

  /**
   * Signs by cell; those of cells behind a sphere are drawn at its edge.
   * @param {Record<number, string | number>} signs
   */
  set signs(signs) {
    this.#signs = signs;
    this.#drawOverlay();
  }

  #drawOverlay() {
    for (const [panel, { links, notes }] of this.#layers.entries()) {
      links.replaceChildren(...paths(this.#overlay(panel)));
      const behind = signsBehind(this.#signs, this.view, panel);
      notes.replaceChildren(...paths(this.#notes(panel)), ...behind);
    }
  }

  #drawChain() {
    const { cells, isRising } = this.#chain;
    for (const [panel, { between }] of this.#layers.entries()) {
      if (this.view.panels[panel].isRound) continue; // its cells are coloured
      if (cells.length) this.#areas[panel].setAttribute("d", this.#area(panel));
      const links = isRising ? this.#rods(panel, cells, isRising) : this.#links(panel, cells);
      const d = links.map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join("");
      between.replaceChildren(...(d ? [svg("path", { d, class: "band" })] : []));
    }
  }

  /**
   * Return the outlines of all cells of a panel.
   * @param {number} panel
   */
  #area(panel) {
    const whole = outline(this.board.shape);
    const spots = this.view.spots.filter((spot) => spot.panel === panel && spot.visible !== false);
    return spots.map(({ x, y, outline: own = whole }) => pathOf(own, x, y)).join("");
  }

  /**
   * Return the ends of the rods of a chain in a panel: corners of their squares.
   * @param {number} panel
   * @param {number[]} cells
   * @param {(cell: number) => boolean} isRising
   */
  #rods(panel, cells, isRising) {
    const spots = this.view.spots.filter(
      (spot) => spot.panel === panel && cells.includes(spot.cell),
    );
    return spots.map(({ x, y, cell }) => {
      const end = isRising(cell) ? 0.5 : -0.5;
      return [
        { x: x - 0.5, y: y + end },
        { x: x + 0.5, y: y - end },
      ];
    });
  }

  /**
   * Return pairs of adjacent spots in a panel whose cells follow each other in the chain.
   * @param {number} panel
   * @param {number[]} cells
   */
  #links(panel, cells) {
    const { view, board } = this;
    const reach = view.panels[panel].reach ?? REACH;
    const isHere = (/** @type {Spot} */ spot) => spot.panel === panel && spot.visible !== false;
    const spotsOf = (/** @type {number} */ cell) =>
      view.spots.filter((spot) => spot.cell === cell && isHere(spot));
    const pairs = cells.slice(1).map((cell, i) => [cells[i], cell]);
    const [first, last] = [cells[0], cells[cells.length - 1]];
    if (cells.length > 2 && board.neighbours[first].includes(last)) pairs.push([last, first]);
    // A line of length zero is a dot: a stone whose neighbours in the chain are on the other board.
    const dots = cells.flatMap((cell) => spotsOf(cell).map((spot) => [spot, spot]));
    const links = pairs.flatMap(([from, to]) =>
      spotsOf(from).flatMap((a) =>
        spotsOf(to).flatMap((b) => (Math.hypot(a.x - b.x, a.y - b.y) <= reach ? [[a, b]] : [])),
      ),
    );
    return [...dots, ...links];
  }

  /**
   * Return the elements with the piece and the marks of a cell, with its rings and their spots.
   * @param {number} cell
   */
  tops(cell) {
    const found = this.view.spots.flatMap((spot, index) =>
      spot.cell === cell ? [{ spot, ...this.#cells[index] }] : [],
    );
    return found.filter(({ spot }) => spot.visible !== false);
  }

  /** Return the index of the spot of an event's target, or null. */
  spotOf(/** @type {Event} */ event) {
    const group = event.target instanceof Element ? event.target.closest("[data-spot]") : null;
    return group ? Number(group.getAttribute("data-spot")) : null;
  }

  /**
   * Make a spot the only tab stop of its part of the view.
   * @param {number} index
   */
  setTabStop(index) {
    const part = this.view.partOf?.(index) ?? 0;
    const before = this.#tabStops.get(part);
    if (before !== undefined) this.#cells[before].group.setAttribute("tabindex", "-1");
    this.#cells[index].group.setAttribute("tabindex", "0");
    this.#tabStops.set(part, index);
    this.view.keepVisible?.(index);
    this.place();
  }

  /** Give each of several views shown side by side its own tab stop. */
  #setTabStops() {
    const { partOf, spots } = this.view;
    if (!partOf) return;
    for (const index of spots.keys())
      if (!this.#tabStops.has(partOf(index))) this.setTabStop(index);
  }

  /** @param {number} index */
  focus(index) {
    this.#cells[index].group.focus({ preventScroll: false });
  }

  /**
   * Set or clear a class on all spots of a cell.
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
   * Return the diagonal for a click in a square: the one that meets the nearest corner.
   * @param {number} index
   * @param {MouseEvent} event
   */
  diagonalAt(index, event) {
    const box = this.#cells[index].ground.getBoundingClientRect();
    const right = event.clientX > box.left + box.width / 2;
    const lower = event.clientY > box.top + box.height / 2;
    return right === lower ? 1 : 0;
  }
}

/** @param {Stroke[]} strokes */
function paths(strokes) {
  return strokes.filter(({ d }) => d).map(({ name, d }) => svg("path", { d, class: name }));
}

/**
 * Make the piece and the marks of a cell, from bottom to top.
 * @param {Appearance} appearance
 * @param {string} shape
 */
function contents(appearance, shape) {
  const { heat, name, number, mark } = appearance;
  /** @type {SVGElement[]} */
  const parts = heat === undefined ? [] : marks.shade(heat, shape);
  if (name && !appearance.piece) parts.push(marks.cellName(name));
  if (appearance.piece) {
    const shown = piece(appearance.piece);
    if (appearance.state) shown.classList.add(appearance.state);
    if (appearance.isLast) shown.classList.add("fresh");
    parts.push(shown);
  }
  if (appearance.isPole) parts.push(marks.star(appearance.piece));
  if (appearance.isLocked) parts.push(marks.lock());
  if (number !== undefined && appearance.piece)
    parts.push(marks.moveNumber(number, appearance.piece));
  if (appearance.isPremove) parts.push(marks.premove());
  if (appearance.isTarget) parts.push(marks.target());
  if (mark) parts.push(marks.proposal(mark));
  if (appearance.isPicked) parts.push(marks.check());
  return parts;
}

/**
 * Make the rings of a cell, which take its shape.
 * @param {Appearance} appearance
 */
function ringsOf({ isLast, trace, isPremove, isChanging }) {
  const parts = [];
  if (isLast) parts.push(marks.ring("last"));
  else if (trace) parts.push(marks.ring(trace));
  if (isPremove) parts.push(marks.ring("premove", 0.84));
  if (isChanging) parts.push(marks.ring("change", 0.84));
  return parts;
}
