// A turn as it happens: a piece is put down, others flip, the pawn slides and flips what it passes.

import { isFlipped, isPawn, pieceParts } from "./texts.js";
import { piece } from "./shapes.js";
import { isEqual, piecesAfter } from "./state.js";
import { reducesMotion } from "./view_tools.js";

/** @import { Changes } from "./appearance.js" */
/** @import { Drawing } from "./drawing.js" */
/** @import { Move, Pieces, State } from "./state.js" */
/** @import { BoardOut } from "wire" */

/** @type {Record<string, number>} */
const PACES = { on: 1, slow: 2, fast: 0.5 }; // factors of all times, by the setting

// Milliseconds.
const SETTLING = 180; // of a new piece, see board.css
const FLIP = 260;
const BETWEEN = 70; // from the start of one neighbour's flip to that of the next
const STEP = 110; // of a sliding pawn

/** @typedef {"left" | "reached" | "flipped"} Trace what the last move did on a cell, besides its piece. */

/**
 * Return what a move did on each cell besides that of its piece.
 * @param {Move | null} move
 * @returns {Record<number, Trace>}
 */
export function tracesOf(move) {
  /** @type {Record<number, Trace>} */
  const traces = {};
  for (const [cell, [before, after]] of Object.entries(move?.changed ?? {})) {
    if (!before || Number(cell) === move?.last) continue;
    if (!after || (isPawn(before) && !isPawn(after))) traces[Number(cell)] = "left";
    else if (isPawn(after) && !isPawn(before)) traces[Number(cell)] = "reached";
    else if (isFlipped(before, after)) traces[Number(cell)] = "flipped";
  }
  return traces;
}

/**
 * The times of a turn in milliseconds from its start.
 * @typedef {object} Times
 * @property {Map<number, number[]>} flips the starts of each cell's flips.
 * @property {{from: number, to: number, start: number, length: number} | null} slide of the pawn.
 */

/**
 * Return when each part of a turn happens.
 * @param {Pick<BoardOut, "places">} board
 * @param {Move} move
 * @param {Set<number>} done cells on which the first step is shown already.
 * @returns {Times}
 */
export function timesOf({ places }, { changed = {}, flips = [], last = null }, done) {
  const [near = [], passed = []] = flips;
  const cells = Object.keys(changed).map(Number);
  const from = cells.find((cell) => isPawn(changed[cell][0]) && !isPawn(changed[cell][1]));
  const to = cells.find((cell) => isPawn(changed[cell][1]) && !isPawn(changed[cell][0]));
  /** @type {Times} */
  const times = { flips: new Map(), slide: null };
  let now = last === null || done.has(last) ? 0 : SETTLING;
  for (const cell of near.filter((one) => !done.has(one))) {
    times.flips.set(cell, [now]);
    now += BETWEEN;
  }
  if (from === undefined || to === undefined) return times;
  const start = now + (times.flips.size ? FLIP - BETWEEN : 0);
  const stepsTo = (/** @type {number} */ cell) => distance(places, from, cell);
  times.slide = { from, to, start, length: STEP * stepsTo(to) };
  for (const cell of passed) {
    times.flips.set(cell, [...(times.flips.get(cell) ?? []), start + STEP * stepsTo(cell)]);
  }
  return times;
}

/** Shows turns in a drawing of the position after them. */
export class Motion {
  #running = /** @type {Animation[]} */ ([]);
  #extras = /** @type {Element[]} */ ([]); // pieces as they were before they flipped

  /**
   * Show the last move as it happens, if it leads from the pieces before to those on the board.
   * @param {Drawing} drawing of the position after the move.
   * @param {Pick<State, "move" | "pieces">} state
   * @param {Pieces} before
   * @param {Changes} sent what is shown already of an own move.
   * @param {string | null} setting
   */
  show(drawing, { move, pieces }, before, sent, setting) {
    this.#stop();
    const pace = PACES[setting ?? ""];
    if (!pace || reducesMotion() || !move?.flips?.length) return;
    const done = new Set(Object.keys(sent).map(Number));
    if (isEqual(piecesAfter(before, [move]), pieces)) this.#play(drawing, move, before, done, pace);
  }

  /** Show the position as it is. */
  #stop() {
    for (const animation of this.#running) animation.cancel();
    for (const extra of this.#extras) extra.remove();
    this.#running = [];
    this.#extras = [];
  }

  /**
   * Start a turn.
   * @param {Drawing} drawing
   * @param {Move} move
   * @param {Pieces} before
   * @param {Set<number>} done cells on which the first step is shown already.
   * @param {number} pace factor of all times.
   */
  #play(drawing, move, before, done, pace) {
    const { flips, slide } = timesOf(drawing.board, move, done);
    if (slide) this.#slide(drawing, slide, pace, flips.has(slide.to) ? null : move.color);
    for (const [cell, starts] of flips) {
      const after = pieceParts(move.changed?.[cell]?.[1] ?? before[cell]).color;
      const other = drawing.board.colors.find((color) => color !== after) ?? after;
      for (const place of drawing.tops(cell))
        this.#flip(
          place,
          starts.map((start) => pace * start),
          [after, other],
          pace,
        );
    }
  }

  /**
   * @param {{top: Element, rings: Element}} place of the cell, with its piece after the turn.
   * @param {number[]} starts
   * @param {string[]} colors after the turn, and the other one.
   * @param {number} pace
   */
  #flip({ top, rings }, starts, colors, pace) {
    const token = top.querySelector(".token");
    const shown = token?.closest(".piece");
    if (!token || !shown) return;
    const half = (FLIP * pace) / 2;
    const sides = [token];
    for (const index of starts.keys()) {
      const earlier = piece(colors[(index + 1) % 2]);
      shown.before(earlier);
      this.#extras.push(earlier);
      sides.unshift(earlier);
    }
    for (const [index, start] of starts.entries()) {
      const turning = this.#animate(
        sides[index],
        { transform: ["none", "scaleX(0)"] },
        { delay: start, duration: half, fill: "forwards", easing: "ease-in" },
      );
      turning.onfinish = () => sides[index].remove();
      this.#animate(
        sides[index + 1],
        { transform: ["scaleX(0)", "none"] },
        { delay: start + half, duration: half, fill: "backwards", easing: "ease-out" },
      );
    }
    this.#reveal(rings, ".flipped-ring", starts[starts.length - 1] + 2 * half);
  }

  /**
   * @param {Drawing} drawing
   * @param {{from: number, to: number, start: number, length: number}} slide
   * @param {number} pace
   * @param {string | null | undefined} color of the token where it comes to rest, which shows its
   *   mark until then.
   */
  #slide(drawing, { from, to, start, length }, pace, color) {
    for (const { top, rings, spot } of drawing.tops(to)) {
      const figure = top.querySelector(".figure");
      const origin = drawing.tops(from).find((other) => other.spot.panel === spot.panel)?.spot;
      if (!figure || !origin) continue;
      const [dx, dy] = [origin.x - spot.x, origin.y - spot.y].map((way) => way / (spot.scale ?? 1));
      top.parentNode?.append(top); // over the pieces that it passes
      if (color) this.#cover(figure, color, (start + length) * pace);
      this.#animate(
        figure,
        { transform: [`translate(${dx}px, ${dy}px)`, "none"] },
        { delay: start * pace, duration: length * pace, fill: "backwards" },
      );
      this.#reveal(rings, ".reached-ring", (start + length) * pace);
    }
  }

  /**
   * @param {Element} figure
   * @param {string} color
   * @param {number} duration
   */
  #cover(figure, color, duration) {
    const cover = piece(color);
    figure.before(cover);
    this.#extras.push(cover);
    this.#animate(cover, { opacity: [1, 1] }, { duration }).onfinish = () => cover.remove();
  }

  /**
   * @param {Element} rings
   * @param {string} ring
   * @param {number} delay
   */
  #reveal(rings, ring, delay) {
    const mark = rings.querySelector(ring);
    if (mark) this.#animate(mark, { opacity: [0, 1] }, { delay, duration: 120, fill: "backwards" });
  }

  /**
   * @param {Element} element
   * @param {PropertyIndexedKeyframes} frames
   * @param {KeyframeAnimationOptions} options
   */
  #animate(element, frames, options) {
    const animation = element.animate(frames, options);
    this.#running.push(animation);
    return animation;
  }
}

/**
 * Return the steps between the centres of two cells of a flat board.
 * @param {BoardOut["places"]} places
 * @param {number} a
 * @param {number} b
 */
function distance(places, a, b) {
  const [from, to] = [a, b].map((cell) => places.find(([one]) => one === cell) ?? places[0]);
  return Math.hypot(from[2] - to[2], from[3] - to[3]);
}
