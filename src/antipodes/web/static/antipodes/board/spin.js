// Rotation of a sphere: by dragging, with inertia, and animated towards a goal.

import { followedBy, rotationBetween, rotationAbout } from "./space.js";
import { animate, reducesMotion } from "./view_tools.js";

/** @import { Rotation, Vector } from "./space.js" */

const DRAG_THRESHOLD = 6; // pixels that a click may move without being a drag
const INERTIA_DECAY = 220; // milliseconds in which the inertia falls to a third
const SLOWEST = 0.00005; // radians per millisecond at which the inertia ends
const STALE = 60; // milliseconds at rest after which a release gives no inertia

/** The rotation of a sphere's picture. */
export class Spin {
  #show;
  #current;
  #stop = () => {};
  /** @type {Rotation | null} */
  #goal = null; // where the animation ends

  /** Whether a pointer is down on the picture. */
  isHeld = false;

  /**
   * @param {SVGSVGElement} picture of the sphere.
   * @param {(rotation: Rotation) => void} show draws the sphere.
   * @param {() => Rotation} current its current rotation.
   */
  constructor(picture, show, current) {
    this.picture = picture;
    this.#show = show;
    this.#current = current;
    picture.classList.add("rotatable");
    picture.addEventListener("pointerdown", (event) => this.#begin(event));
  }

  /** The rotation after the current animation. */
  get goal() {
    return this.#goal ?? this.#current();
  }

  /**
   * Animate to a rotation.
   * @param {Rotation} goal
   */
  to(goal) {
    this.stop();
    const from = this.#current();
    const { axis, angle } = rotationBetween(from, goal);
    this.#goal = goal;
    this.#stop = animate(this.picture, (part) => {
      if (part === 1) this.#goal = null;
      this.#show(part === 1 ? goal : followedBy(from, rotationAbout(axis, angle * part)));
    });
  }

  /** Stop the animation. */
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
      this.#show(followedBy(this.#current(), rotationAbout(axis, length / radius)));
    };
    const ends = new AbortController();
    const listen = (
      /** @type {"pointermove" | "pointerup" | "pointercancel"} */ name,
      /** @type {(event: PointerEvent) => void} */ act,
    ) => window.addEventListener(name, act, { signal: ends.signal });
    listen("pointermove", (move) => {
      if (move.pointerId !== event.pointerId) return;
      if (!isDrag && Math.hypot(move.clientX - start.x, move.clientY - start.y) < DRAG_THRESHOLD)
        return;
      if (!isDrag) {
        isDrag = true;
        last = { x: move.clientX, y: move.clientY, at: move.timeStamp };
        this.picture.classList.add("rotating");
      }
      if (!waiting) requestAnimationFrame(draw);
      waiting = move;
    });
    const end = (/** @type {PointerEvent} */ release) => {
      if (release.pointerId !== event.pointerId) return;
      ends.abort();
      draw();
      setTimeout(() => (this.isHeld = false)); // after the click
      this.picture.classList.remove("rotating");
      if (!isDrag) return;
      this.#swallowClick();
      if (release.type === "pointerup" && speed && release.timeStamp - speed.at < STALE)
        this.#coast(speed);
    };
    listen("pointerup", end);
    listen("pointercancel", end);
  }

  /** Suppress the click event after a drag. */
  #swallowClick() {
    const swallow = (/** @type {Event} */ click) => {
      click.stopPropagation();
      click.preventDefault();
    };
    this.picture.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => this.picture.removeEventListener("click", swallow, { capture: true }));
  }

  /** @param {{axis: Vector, rate: number}} speed */
  #coast({ axis, rate }) {
    if (reducesMotion()) return;
    /** @type {number | null} */
    let before = null;
    const step = (/** @type {number} */ time) => {
      const passed = before === null ? 0 : Math.min(50, time - before);
      before = time;
      this.#show(followedBy(this.#current(), rotationAbout(axis, rate * passed)));
      rate *= Math.exp(-passed / INERTIA_DECAY);
      if (rate > SLOWEST && this.picture.isConnected) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    this.#stop = () => cancelAnimationFrame(frame);
  }
}
