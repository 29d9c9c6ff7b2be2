// The winning chances as a bar beside a board.

import { number, t } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { element } from "../match/dom.js";
import { loadStyles } from "./styles.js";

loadStyles(new URL("../evaluation_bar.css", import.meta.url));

/**
 * Format a chance from 0 to 1 as a percentage.
 * @param {number} value
 */
export function percent(value) {
  return number(Math.round(100 * value) / 100, { style: "percent" });
}

/** A bar with a part for each colour; the first one is at the bottom, as on the board. */
export class EvaluationBar {
  root = element("div", { class: "evaluation-bar", role: "img", hidden: true });

  /**
   * Show the chances of the colours; without any, an empty bar keeps its place.
   * @param {Record<string, number | null>} chances
   * @param {string} [own] colour at the bottom of the board
   */
  show(chances, own) {
    const parts = Object.entries(chances)
      .flatMap(([color, chance]) => (chance === null ? [] : [{ color, chance }]))
      .sort((a, b) => Number(b.color === own) - Number(a.color === own));
    const best = Math.max(...parts.map(({ chance }) => chance));
    const texts = parts.map(({ color, chance }) => `${colorText(color)} ${percent(chance)}`);
    this.root.hidden = false;
    this.root.setAttribute("aria-label", [t("Winning chances"), ...texts].join(", "));
    this.root.replaceChildren(
      ...parts.map(({ color, chance }) => {
        const text = chance === best ? [element("span", {}, String(Math.round(100 * chance)))] : [];
        const part = element("div", { class: `part ${color}` }, ...text);
        part.style.flexGrow = String(chance);
        return part;
      }),
    );
  }

  hide() {
    this.root.hidden = true;
  }
}
