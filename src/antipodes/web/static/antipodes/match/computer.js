// The computer's moves in casual games against it alone, found by the engine in this page.

import { preferences } from "../board/settings.js";
import { defined } from "../defined.js";
import { PageEngine } from "../engine/page_engine.js";
import { t } from "../i18n.js";
import { element, load, setText } from "./dom.js";

const PATIENCE = 8_000; // milliseconds for a move; after ten seconds the server makes it

/** @import { MatchPage } from "./page.js" */
/** @import { MatchState } from "./state.js" */
/** @import { MatchEngineOut } from "wire" */

/** Makes the computer's moves, until it fails or the player prefers the server. */
export class Computer {
  /** @type {PageEngine | null} */
  #engine = null;
  #isAsked = false; // whether the server was asked for the engine
  #isOurs = false; // whether the server waits for the moves of this page
  #thinkingAt = -1; // version of the match in which a move is being found
  #text = element("p", { class: "caption", role: "status" });

  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    page.place("now", "computer", this.#text);
  }

  /** @param {MatchState} state */
  draw(state) {
    if (!this.#isWanted(state)) {
      if (this.#isOurs) this.#leave("");
    } else if (!this.#isAsked) {
      this.#begin(state);
    } else if (this.#isOurs) {
      this.#think(state);
    }
  }

  /**
   * Whether the page should find the computer's moves.
   * @param {MatchState} state
   */
  #isWanted(state) {
    const { view, others, isSeated, isOver } = state;
    if (!isSeated || isOver || view.rated || !PageEngine.isPossible) return false;
    const isDevice = preferences.value("engine", defined(state.board)) === "device";
    return isDevice && others.length > 0 && others.every((seat) => seat.level !== null);
  }

  /** @param {MatchState} state */
  async #begin(state) {
    this.#isAsked = true;
    try {
      const { engine } = /** @type {MatchEngineOut} */ (
        await load(`/m/${this.page.slug}/engine.json`)
      );
      if (engine === null) return; // the server says why not, and plays
      this.#engine = new PageEngine(engine);
      await this.#engine.prepare();
    } catch {
      return this.#tellOfFailure();
    }
    await this.#send(true);
    this.#isOurs = true;
    setText(this.#text, t("The computer thinks on this device, which costs the site nothing."));
    this.draw(state);
  }

  /** @param {MatchState} state */
  async #think(state) {
    const { view } = state;
    const seat = state.seat(view.toMove);
    if (!seat?.computer || view.clock.paused || this.#thinkingAt === view.version) return;
    this.#thinkingAt = view.version;
    try {
      const moves = view.moves.map((made) => made.move);
      const move = await defined(this.#engine).choose(defined(seat.level), moves, PATIENCE);
      if (move < 0) return this.#tellOfSlowness();
      const key = `device ${view.slug} ${view.version}`; // the same for all tabs of the match
      // A refusal means that the match has changed meanwhile; its news come anyway.
      await this.page.connection.send({
        command: "computer-move",
        seat: seat.seat,
        ply: view.moves.length,
        key,
        move,
      });
    } catch {
      this.#tellOfFailure();
    }
  }

  #tellOfSlowness() {
    this.#leave(t("This device is too slow for this level; the computer thinks on the server."));
  }

  #tellOfFailure() {
    this.#leave(t("The engine in this page has failed; the computer thinks on the server."));
  }

  /**
   * Leave the moves to the server.
   * @param {string} text
   */
  #leave(text) {
    this.#engine?.close();
    this.#engine = null;
    if (this.#isOurs) this.#send(false);
    this.#isOurs = false;
    this.#isAsked = text !== ""; // after a failure the page does not try again
    setText(this.#text, text);
  }

  /** @param {boolean} on */
  #send(on) {
    const { connection, state } = this.page;
    const { moves } = state.view;
    const command = { command: "page-engine", seat: state.mySeat, ply: moves.length, on };
    return connection.send(command);
  }
}
