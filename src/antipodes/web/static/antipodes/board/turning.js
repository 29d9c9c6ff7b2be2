// What views that turn share: motion that respects the reader's wishes, and buttons.

const LONG = 320; // milliseconds for a motion

/** Whether somebody has asked for less motion. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Call a function with parts of a motion that rise from 0 to 1, one for each picture of the screen.
 * @param {Element} element whose motion this is; the motion ends if it leaves the page.
 * @param {(part: number) => void} draw
 * @returns {() => void} stops the motion where it is.
 */
export function animate(element, draw) {
  if (isStill()) {
    draw(1);
    return () => {};
  }
  let begun = null;
  let asked = requestAnimationFrame(function step(time) {
    begun ??= time;
    const part = Math.min(1, (time - begun) / LONG);
    draw(1 - (1 - part) ** 3);
    if (part < 1 && element.isConnected) asked = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(asked);
}

/**
 * Put pictures into a frame of their own with buttons below them.
 * @param {SVGElement[]} pictures that stand on the page, one beside the other.
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
