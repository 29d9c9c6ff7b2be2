// Zoom of boards whose cells are too small for fingers: pinch, double tap, and a lens while a finger rests.

import { t } from "../i18n.js";
import { svg } from "./shapes.js";

const SMALL = 24; // pixels; larger cells need no zoom
const LARGEST = 48; // pixels of a cell at the greatest zoom, at least
const MOST = 6; // times, at most
const DOUBLE_TAP = 300; // milliseconds between two taps
const NEAR = 24; // pixels between two taps at one place
const DRAG_THRESHOLD = 8; // pixels that a finger may move without dragging
const HOLD = 350; // milliseconds until the lens opens
const LENS_CELLS = 5; // cells that the lens shows from side to side

/** @typedef {{x: number, y: number}} Point */
/** @typedef {[left: number, top: number, width: number, height: number]} Box */

let pictures = 0; // gives the layers of each picture their own ids

/**
 * Return the part of a picture that is shown: inside the whole, and as wide as the zoom says.
 * @param {Box} whole
 * @param {number} zoom
 * @param {Point} center of the part, if that is possible.
 * @returns {Box}
 */
export function zoomedBox([left, top, width, height], zoom, center) {
  const [w, h] = [width / zoom, height / zoom];
  const within = (
    /** @type {number} */ value,
    /** @type {number} */ least,
    /** @type {number} */ most,
  ) => Math.max(least, Math.min(most, value));
  return [
    within(center.x - w / 2, left, left + width - w),
    within(center.y - h / 2, top, top + height - h),
    w,
    h,
  ];
}

/** Zooms one picture of a board by touch. */
class Zoom {
  #zoom = 1;
  /** @type {Map<number, Point>} */
  #fingers = new Map();
  /** @type {{zoom: number, distance: number, at: Point} | null} */
  #pinch = null;
  #start = /** @type {(Point & {center: Point}) | null} */ (null); // of a touch with one finger
  #isDragging = false;
  #touches = new AbortController();
  #lastTap = { x: 0, y: 0, at: -Infinity };
  #holdTimer = 0;
  #lens = /** @type {Lens | null} */ (null);

  /**
   * @param {SVGSVGElement} picture
   * @param {() => void} onZoom called when another part is shown
   */
  constructor(picture, onZoom) {
    this.picture = picture;
    this.onZoom = onZoom;
    this.whole = /** @type {Box} */ (
      (picture.getAttribute("viewBox") ?? "").split(" ").map(Number)
    );
    picture.addEventListener("pointerdown", (event) => this.#down(event));
    picture.addEventListener("contextmenu", (event) => this.#lens && event.preventDefault());
    // The page must not scroll under the lens.
    picture.addEventListener("touchmove", (event) => this.#lens && event.preventDefault(), {
      passive: false,
    });
    new ResizeObserver(() => this.#measure()).observe(picture);
  }

  /** Pixels from cell to cell, without zoom. */
  get #cellSize() {
    return (this.picture.getScreenCTM()?.a ?? 0) / this.#zoom;
  }

  get #isNeeded() {
    return this.#cellSize > 0 && this.#cellSize < SMALL;
  }

  #measure() {
    this.picture.classList.toggle("zoomable", this.#isNeeded);
    if (!this.#isNeeded) this.reset();
  }

  /** Show the whole board. */
  reset() {
    if (this.isZoomed) this.#show(1, { x: 0, y: 0 });
  }

  /** Whether only a part of the board is shown. */
  get isZoomed() {
    return this.#zoom > 1;
  }

  /**
   * Show a part of the board.
   * @param {number} zoom
   * @param {Point} center
   */
  #show(zoom, center) {
    this.#zoom = Math.max(1, Math.min(MOST, zoom));
    this.picture.setAttribute("viewBox", zoomedBox(this.whole, this.#zoom, center).join(" "));
    this.picture.classList.toggle("zoomed", this.isZoomed);
    this.onZoom();
  }

  /** The centre of the part that is shown. */
  get #center() {
    const { x, y, width, height } = this.picture.viewBox.baseVal;
    return { x: x + width / 2, y: y + height / 2 };
  }

  /**
   * Convert a point of the screen to one of the board.
   * @param {Point} point
   * @returns {Point}
   */
  #boardPoint({ x, y }) {
    const inverse = this.picture.getScreenCTM()?.inverse();
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(inverse);
    return { x: left, y: top };
  }

  /**
   * Zoom so that a point of the board stays under a point of the screen.
   * @param {number} zoom
   * @param {Point} at of the board
   * @param {Point} under of the screen
   */
  #zoomAround(zoom, at, under) {
    this.#show(zoom, at);
    const moved = this.#boardPoint(under);
    const center = this.#center;
    this.#show(zoom, { x: center.x + at.x - moved.x, y: center.y + at.y - moved.y });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType !== "touch" || !this.#isNeeded) return;
    if (this.#fingers.size === 0) this.#listen();
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    clearTimeout(this.#holdTimer);
    if (this.#fingers.size === 2) {
      const { distance, middle } = this.#span();
      this.#pinch = { zoom: this.#zoom, distance, at: this.#boardPoint(middle) };
      this.#isDragging = true;
    } else if (this.#fingers.size === 1) {
      this.#isDragging = false;
      this.#start = { x: event.clientX, y: event.clientY, center: this.#center };
      this.#holdTimer = setTimeout(() => {
        // From now on the board is told which cell is under the finger, and tints it.
        if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
        this.#openLens();
      }, HOLD);
    }
  }

  /** Follow the fingers until all of them are up. */
  #listen() {
    this.#touches = new AbortController();
    const { signal } = this.#touches;
    window.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      window.addEventListener(name, (event) => this.#up(event), { signal });
    }
  }

  /** The distance between two fingers, and the point in the middle. */
  #span() {
    const [a, b] = [...this.#fingers.values()];
    return {
      distance: Math.hypot(a.x - b.x, a.y - b.y),
      middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
    };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    const finger = { x: event.clientX, y: event.clientY };
    this.#fingers.set(event.pointerId, finger);
    if (this.#lens) this.#lens.show(finger, this.#boardPoint(finger));
    else if (this.#pinch && this.#fingers.size === 2) {
      const { distance, middle } = this.#span();
      this.#zoomAround(
        (this.#pinch.zoom * distance) / this.#pinch.distance,
        this.#pinch.at,
        middle,
      );
    } else if (this.#start && !this.#pinch) this.#drag(finger, this.#start);
  }

  /**
   * Move the part that is shown with the finger.
   * @param {Point} finger
   * @param {Point & {center: Point}} start
   */
  #drag(finger, start) {
    const [dx, dy] = [finger.x - start.x, finger.y - start.y];
    if (!this.#isDragging && Math.hypot(dx, dy) < DRAG_THRESHOLD) return;
    clearTimeout(this.#holdTimer);
    this.#isDragging = true;
    const size = this.#cellSize * this.#zoom;
    if (this.isZoomed)
      this.#show(this.#zoom, { x: start.center.x - dx / size, y: start.center.y - dy / size });
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#fingers.delete(event.pointerId)) return;
    clearTimeout(this.#holdTimer);
    if (this.#lens) this.#closeLens(event);
    else if (this.#isDragging) this.#swallowClick();
    else if (event.type === "pointerup") this.#tap(event);
    if (this.#fingers.size) return;
    this.#pinch = this.#start = null;
    this.#touches.abort();
  }

  /** @param {PointerEvent} event */
  #tap({ clientX: x, clientY: y, timeStamp: at }) {
    const isSecond =
      at - this.#lastTap.at < DOUBLE_TAP &&
      Math.hypot(x - this.#lastTap.x, y - this.#lastTap.y) < NEAR;
    this.#lastTap = { x, y, at: isSecond ? -Infinity : at };
    if (!isSecond) return;
    this.#swallowClick();
    const point = this.#boardPoint({ x, y });
    if (this.isZoomed) this.reset();
    else this.#zoomAround(Math.max(2, LARGEST / this.#cellSize), point, { x, y });
  }

  #openLens() {
    const [finger] = this.#fingers.values();
    const host = this.picture.closest("antipodes-board");
    if (!finger || !host) return;
    this.#lens = new Lens(this.picture, host);
    this.#lens.show(finger, this.#boardPoint(finger));
  }

  /**
   * Close the lens; the cell under it is chosen as by a click.
   * @param {PointerEvent} event
   */
  #closeLens(event) {
    this.#lens?.close();
    this.#lens = null;
    this.#swallowClick();
    if (event.type !== "pointerup") return;
    const { clientX, clientY } = event;
    const cell = document.elementFromPoint(clientX, clientY)?.closest("[data-spot]");
    setTimeout(() =>
      cell?.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true })),
    );
  }

  /** Suppress the click event after a gesture. */
  #swallowClick() {
    const swallow = (/** @type {Event} */ click) => {
      if (!click.isTrusted) return;
      click.stopPropagation();
      click.preventDefault();
    };
    this.picture.addEventListener("click", swallow, { capture: true });
    setTimeout(
      () => this.picture.removeEventListener("click", swallow, { capture: true }),
      DOUBLE_TAP,
    );
  }
}

/** An enlarged part of the board above the finger, with the name of the cell under it. */
class Lens {
  #name = document.createElement("b");

  /**
   * @param {SVGSVGElement} picture
   * @param {Element} host
   */
  constructor(picture, host) {
    this.root = document.createElement("div");
    this.root.className = "board-lens";
    this.root.setAttribute("aria-hidden", "true");
    pictures += 1;
    const layers = [...picture.children].map((layer, index) => {
      layer.id ||= `board-layer-${pictures}-${index}`;
      return svg("use", { href: `#${layer.id}` });
    });
    this.view = svg("svg", {}, ...layers);
    this.root.append(this.view, this.#name);
    host.append(this.root);
  }

  /**
   * Show what is under the finger.
   * @param {Point} finger on the screen
   * @param {Point} at on the board
   */
  show(finger, at) {
    const half = LENS_CELLS / 2;
    this.view.setAttribute("viewBox", `${at.x - half} ${at.y - half} ${LENS_CELLS} ${LENS_CELLS}`);
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const left = Math.max(4, Math.min(innerWidth - width - 4, finger.x - width / 2));
    const above = finger.y - height - 40;
    this.root.style.translate = `${left}px ${above < 4 ? finger.y + 40 : above}px`;
    const cell = document.elementFromPoint(finger.x, finger.y)?.closest("[data-spot]") ?? null;
    this.#name.textContent = cell?.getAttribute("aria-label")?.split(",")[0] ?? "";
  }

  close() {
    this.root.remove();
  }
}

/**
 * Let fingers zoom pictures whose cells are small; those that fingers rotate are left alone.
 * @param {SVGSVGElement[]} all the pictures of a board
 */
export function addZoom(all) {
  const button = document.createElement("button");
  Object.assign(button, {
    type: "button",
    className: "zoom-out",
    hidden: true,
    textContent: t("Whole board"),
  });
  const still = all.filter((picture) => !picture.classList.contains("rotatable"));
  const zooms = still.map(
    (picture) => new Zoom(picture, () => (button.hidden = !zooms.some((one) => one.isZoomed))),
  );
  button.addEventListener("click", () => zooms.forEach((one) => one.reset()));
  still[0]?.parentElement?.append(button);
}
