// The computer's review of a match that is over; its module is loaded when it is needed.

import { practiceUrl } from "../analysis/server.js";
import { defined } from "../defined.js";
import { detailOf, element } from "./dom.js";

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */

/** The review below the match. */
export class Review {
  #review = element("antipodes-review", { hidden: true, id: "review" });

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.place("page", "review", this.#review);
    this.#review.addEventListener("go", (event) => page.go(detailOf(event)));
  }

  /** @param {MatchState} state */
  async draw(state) {
    if (!state.isOver) return;
    await import("../review.js");
    const { analysisUrl, board, ply, view } = state;
    this.#review.show({
      slug: this.page.slug,
      board: defined(board),
      line: state.lineAt(view.moves.length),
      texts: view.moves.map(({ text }) => text),
      moves: view.moves.map((move) => ({ ...move, text: state.textOf(move.text) })),
      ply,
      analysisUrl,
      practiceUrlAt: (at) => practiceUrl(state.lineAt(at)),
      textOf: (text) => state.textOf(text),
      side: state.side,
      own: state.seat(state.mySeat)?.color,
    });
  }
}
