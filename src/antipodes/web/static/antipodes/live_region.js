// Texts for screen readers.

const TOLD_AFTER = 2000; // milliseconds

/**
 * Live region: screen readers tell each text that is said. A text stays a while beside the next,
 * as one that is replaced before a screen reader has come to it is never told.
 */
export class LiveRegion {
  /** @param {string} className */
  constructor(className) {
    this.root = document.createElement("p");
    this.root.className = className;
    this.root.setAttribute("role", "status");
    this.root.setAttribute("aria-atomic", "false");
  }

  /**
   * Have screen readers tell a text, after those that they are telling.
   * @param {string} text
   */
  say(text) {
    for (const earlier of this.root.children) setTimeout(() => earlier.remove(), TOLD_AFTER);
    const said = document.createElement("span");
    said.textContent = `${text} `;
    this.root.append(said);
  }
}
