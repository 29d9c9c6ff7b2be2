// Elements of the site and the events that they fire, for TypeScript's checks of JavaScript.

import type { BoardElement } from "../src/antipodes/web/static/antipodes/board/element.js";
import type { ReviewElement } from "../src/antipodes/web/static/antipodes/review.js";
import type { AnalysisBoardElement } from "../src/antipodes/web/static/antipodes/analysis_board.js";

interface Composed {
  steps: number[];
  move: number | null;
  isHover: boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    "antipodes-board": BoardElement;
    "antipodes-review": ReviewElement;
    "antipodes-analysis-board": AnalysisBoardElement;
  }

  interface HTMLElementEventMap {
    compose: CustomEvent<Composed>;
    go: CustomEvent<number>;
    movetext: CustomEvent<string>;
  }
}
