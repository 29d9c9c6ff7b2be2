// Turning a sphere by dragging, with a little swing afterwards, and towards a goal.

import { afterwards, between, turnRound } from "./space.js";
import { animate, isStill } from "./turning.js";

/** @import { Turn, Vector } from "./space.js" */

const SLACK = 6; // pixels that a click may wander without being a drag
const FADE = 220; // milliseconds in which the swing falls to a third
const SLOWEST = 0.00005; // radians per millisecond at which the swing ends
const STALE = 60; // milliseconds of rest after which letting go gives no swing

export class Spin {
  #show;
  #present;
  #stop = () => {};
  /** @type {Turn | null} */
  #goal = null; // where a motion leads to

  /** Whether a pointer is down on it. */
  isHeld = false;

  /**
   * @param {SVGSVGElement} picture of the sphere.
   * @param {(turn: Turn) => void} show draws it.
   * @param {() => Turn} present how it is turned now.
   */
  constructor(picture, show, present) {
    this.picture = picture;
    this.#show = show;
    this.#present = present;
    picture.classList.add("turnable");
    picture.addEventListener("pointerdown", (event) => this.#begin(event));
  }

  /** How it will be turned when it has come to rest. */
  get goal() {
    return this.#goal ?? this.#present();
  }

  /**
   * Turn it to a goal.
   * @param {Turn} goal
   */
  to(goal) {
    this.stop();
    const from = this.#present();
    const { axis, angle } = between(from, goal);
    this.#goal = goal;
    this.#stop = animate(this.picture, (part) => {
      if (part === 1) this.#goal = null;
      this.#show(part === 1 ? goal : afterwards(from, turnRound(axis, angle * part)));
    });
  }

  /** Hold it where it is. */
  stop() {
    this.#stop();
    this.#stop = () => {};
    this.#goal = null;
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    if (!event.isPrimary || event.button) return;
    this.stop();
    this.isHeld = true;
    const start = { x: event.clientX, y: event.clientY };
    const radius = this.picture.getBoundingClientRect().width / 2;
    let last = { ...start, at: event.timeStamp };
    /** @type {{axis: Vector, rate: number, at: number} | null} */
    let speed = null; // of the last motion
    let isDrag = false;
    /** @type {PointerEvent | null} */
    let waiting = null; // the newest event that is not drawn yet
    const draw = () => {
      if (!waiting) return;
      const { clientX: x, clientY: y, timeStamp: at } = waiting;
      waiting = null;
      const [dx, dy] = [x - last.x, y - last.y];
      const length = Math.hypot(dx, dy);
      if (!length) return;
      /** @type {Vector} */
      const axis = [-dy / length, dx / length, 0];
      speed = { axis, rate: length / radius / Math.max(1, at - last.at), at };
      last = { x, y, at };
      this.#show(afterwards(this.#present(), turnRound(axis, length / radius)));
    };
    const ends = new AbortController();
    const listen = (/** @type {"pointermove" | "pointerup" | "pointercancel"} */ name, /** @type {(event: PointerEvent) => void} */ act) => window.addEventListener(name, act, { signal: ends.signal });
    listen("pointermove", (move) => {
      if (move.pointerId !== event.pointerId) return;
      if (!isDrag && Math.hypot(move.clientX - start.x, move.clientY - start.y) < SLACK) return;
      if (!isDrag) {
        isDrag = true;
        last = { x: move.clientX, y: move.clientY, at: move.timeStamp };
        this.picture.classList.add("turning");
      }
      if (!waiting) requestAnimationFrame(draw);
      waiting = move;
    });
    const end = (/** @type {PointerEvent} */ release) => {
      if (release.pointerId !== event.pointerId) return;
      ends.abort();
      draw();
      setTimeout(() => (this.isHeld = false)); // after the click
      this.picture.classList.remove("turning");
      if (!isDrag) return;
      this.#swallowClick();
      if (release.type === "pointerup" && speed && release.timeStamp - speed.at < STALE) this.#swing(speed);
    };
    listen("pointerup", end);
    listen("pointercancel", end);
  }

  /** A drag that ends on a cell is no click on it. */
  #swallowClick() {
    const swallow = (/** @type {Event} */ click) => {
      click.stopPropagation();
      click.preventDefault();
    };
    this.picture.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => this.picture.removeEventListener("click", swallow, { capture: true }));
  }

  /** @param {{axis: Vector, rate: number}} speed */
  #swing({ axis, rate }) {
    if (isStill()) return;
    /** @type {number | null} */
    let before = null;
    const step = (/** @type {number} */ time) => {
      const passed = before === null ? 0 : Math.min(50, time - before);
      before = time;
      this.#show(afterwards(this.#present(), turnRound(axis, rate * passed)));
      rate *= Math.exp(-passed / FADE);
      if (rate > SLOWEST && this.picture.isConnected) asked = requestAnimationFrame(step);
    };
    let asked = requestAnimationFrame(step);
    this.#stop = () => cancelAnimationFrame(asked);
  }
}
