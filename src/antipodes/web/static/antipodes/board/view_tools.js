// Shared parts of views that move: animation that respects reduced motion, and toolbars.

const DURATION = 320; // milliseconds of an animation

/** Return whether the user prefers reduced motion. */
export function reducesMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Call a function with the progress of an animation, from 0 to 1, once for each frame.
 * @param {Element} element that is animated; the animation ends if it leaves the page.
 * @param {(part: number) => void} draw
 * @returns {() => void} stops the animation.
 */
export function animate(element, draw) {
  if (reducesMotion()) {
    draw(1);
    return () => {};
  }
  let started = null;
  let frame = requestAnimationFrame(function step(time) {
    started ??= time;
    const part = Math.min(1, (time - started) / DURATION);
    draw(1 - (1 - part) ** 3);
    if (part < 1 && element.isConnected) frame = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(frame);
}

/**
 * Wrap pictures in a frame with buttons below them.
 * @param {SVGElement[]} pictures adjacent ones on the page.
 * @param {string} label of the group of buttons.
 * @param {{text: string, label: string, act: () => void}[]} buttons
 */
export function toolbar(pictures, label, buttons) {
  const bar = document.createElement("div");
  bar.className = "view-tools";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", label);
  for (const { text, label: name, act } of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = name;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    bar.append(button);
  }
  const frame = document.createElement("div");
  frame.className = "view-frame";
  const row = document.createElement("div");
  row.className = "view-row";
  pictures[0].before(frame);
  row.append(...pictures);
  frame.append(row, bar);
}
