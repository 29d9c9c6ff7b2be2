// The review of a finished match: chart and table of the winning chances, and turning points.
//
// Fires `go` with the ply that the viewer selects, `better` with a turning point whose better line is
// wanted, `share` for a link to the shown position, and `exists` with whether there is a review.

import { csrfToken } from "./csrf.js";
import { t, tn } from "./i18n.js";
import { preferences } from "./board/settings.js";
import { colorText } from "./board/texts.js";
import { button, element, setText } from "./match/dom.js";
import { drawChart, placeCursor } from "./analysis/chart.js";
import { chanceOf, chancesOf, valuesOf } from "./analysis/chances.js";
import { percent } from "./analysis/evaluation_bar.js";
import { defined } from "./defined.js";
import { chip } from "./analysis/move_list.js";
import { DeviceJob } from "./analysis/device_job.js";
import { fetchJson, messageOf, send } from "./analysis/server.js";
import { loadStyles } from "./analysis/styles.js";

/** @import { EvaluationBar } from "./analysis/evaluation_bar.js" */
/** @import { DeviceResult } from "./engine/kit.js" */
/** @import { Line } from "./analysis/server.js" */
/** @import { BoardOut, PlyEstimateOut, ReviewOut, TurningPointOut } from "wire" */

loadStyles(new URL("./review.css", import.meta.url));

const POLL_INTERVAL = 1500; // milliseconds
const MAX_MISSING = 20; // requests before giving up on a review that has not begun

/** @typedef {Review} ReviewElement */

/** `<antipodes-review>`. */
class Review extends HTMLElement {
  #slug = /** @type {string | null} */ (null);
  #review = /** @type {ReviewOut | null} */ (null);
  /** @type {{text: string, color: string}[]} */
  #moves = [];
  #ply = 0;
  /** @type {{board: BoardOut, line: Line, texts: string[]} | null} */
  #match = null;
  #device = new DeviceJob();
  #hasFailed = false; // whether the engine in this page has
  #timer = 0;
  #missing = 0;
  #side = 0;
  #bar = /** @type {EvaluationBar | null} */ (null);
  /** @type {Record<string, string>} */
  #names = {};
  #own = /** @type {string | undefined} */ (undefined);
  #textOf = (/** @type {string} */ text) => text;

  status = element("p", { class: "progress-text", role: "status" });
  picture = element("div", { class: "chart" });
  slider = element("input", { type: "range", min: 0, value: 0, "aria-label": t("Move") });
  caption = element("p", { class: "review-caption" });
  turns = element("ol", { class: "turns" });
  rows = element("tbody");
  heads = element("tr");
  #learn = this.#buildLearn();
  counts = element("ul", { class: "mistakes" });
  share = button(t("Share this moment"), () => this.dispatchEvent(new CustomEvent("share")));
  practice = element("a", { class: "button" }, t("Play it out against the computer"));
  drawn = element(
    "div",
    { class: "review", hidden: true },
    this.counts,
    element("h3", {}, t("Turning points")),
    this.turns,
    this.picture,
    this.slider,
    this.caption,
    element("div", { class: "buttons" }, this.#learn, this.share, this.practice),
    this.#buildTable(),
  );

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#device.close();
    this.#slug = null;
  }

  /**
   * Show the review of a finished match, fetched on the first call.
   * @param {{slug: string, board: BoardOut, line: Line, texts: string[], moves: {text: string, color: string}[], ply: number,
   *   bar: EvaluationBar, practiceUrlAt: (ply: number) => string, names: Record<string, string>,
   *   textOf?: (text: string) => string, side?: number, own?: string}} match
   *   `texts` are the moves as records write them, `practiceUrlAt` returns where one plays a position out against the computer, `textOf`
   *   converts the server's moves to the viewer's coordinates, those of seat `side`; `own` is
   *   the viewer's colour, and `names` are the players by colour
   */
  show({ slug, moves, ply, bar, names, practiceUrlAt, ...match }) {
    const { textOf = (text) => text, side = 0, own } = match;
    this.#match = match;
    this.#own = own;
    this.#bar = bar;
    this.#names = names;
    this.#learn.hidden = own === undefined;
    this.#moves = moves;
    this.#ply = ply;
    this.#textOf = textOf;
    if (side !== this.#side) {
      this.#side = side;
      if (this.#review) this.#draw(this.#review);
    }
    if (this.#slug !== slug) {
      this.#slug = slug;
      this.#build();
      this.#load();
    }
    this.practice.href = practiceUrlAt(ply);
    this.practice.hidden = ply === moves.length; // usually the end of the game
    this.#showPly();
  }

  #build() {
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    const title = element("h2", { id: "review-title", class: "spoken" }, t("Game review"));
    this.replaceChildren(title, this.status, this.drawn);
    this.setAttribute("role", "region");
    this.setAttribute("aria-labelledby", "review-title");
  }

  /** Search the viewer's games, this one first, for moves to find again. */
  #buildLearn() {
    const token = element("input", { type: "hidden", name: "csrfmiddlewaretoken" });
    const first = element("input", { type: "hidden", name: "match" });
    const form = element(
      "form",
      { method: "post", action: "/puzzles/mistakes/", hidden: true },
      token,
      first,
      element("button", {}, t("Learn from your mistakes")),
    );
    form.addEventListener("submit", () => {
      token.value = csrfToken();
      first.value = this.#slug ?? "";
    });
    return form;
  }

  #buildTable() {
    const table = element("table", {}, element("thead", {}, this.heads), this.rows);
    return element("details", {}, element("summary", {}, t("Table of all moves")), table);
  }

  async #load() {
    const slug = this.#slug;
    try {
      const review = /** @type {ReviewOut} */ (await fetchJson(`/m/${slug}/review.json`));
      this.#review = withChances(defined(this.#match).board, review);
    } catch (error) {
      setText(this.status, messageOf(error));
      return;
    }
    if (slug !== this.#slug) return;
    this.#draw(this.#review);
    if (this.#review.isLeft) return this.#make(this.#review);
    const isMissing = this.#review.state === null && ++this.#missing > MAX_MISSING;
    if (this.#review.state === "done" || isMissing) return;
    this.#timer = setTimeout(() => this.#load(), POLL_INTERVAL);
  }

  /**
   * Make the review that the server leaves to pages; if that is not possible, ask the server.
   * @param {ReviewOut} left
   */
  async #make({ seconds }) {
    const slug = this.#slug;
    const { board, line } = defined(this.#match);
    try {
      const isHere = preferences.value("engine", board) === "device";
      if (isHere && (await this.#device.prepare(line))) {
        await this.#makeHere(line, seconds);
        return;
      }
    } catch {
      this.#hasFailed = true;
    }
    if (slug !== this.#slug) return;
    try {
      await send("POST", `/m/${slug}/review.json`);
    } catch {
      return; // only the players ask for a review
    }
    this.#load();
  }

  /**
   * @param {Line} line
   * @param {number} seconds for each position
   */
  async #makeHere(line, seconds) {
    /** @type {DeviceResult[]} */
    const results = [];
    const shared = { seconds, isLeft: true };
    const told = (/** @type {string} */ state, /** @type {TurningPointOut[]} */ turns) => {
      const review = { ...shared, state, estimates: results.map(estimateOf), turns };
      this.#review = withChances(defined(this.#match).board, review);
      this.#draw(this.#review);
    };
    told("working", []);
    const turns = await this.#device.review(line, seconds, (result) => {
      results.push(result);
      told("working", []);
    });
    const points = turns.map(({ ply, left, decides }) => {
      const before = results[ply - 1];
      return {
        ply,
        color: defined(before.rootInfo.currentPlayer),
        move: defined(this.#match).texts[ply - 1],
        better: before.moveInfos[0].move,
        line: before.moveInfos[0].pv,
        before: before.rootInfo.winrate,
        after: left,
        decides,
      };
    });
    if (results.length > line.moves.length) told("done", points);
  }

  /** @param {ReviewOut} review */
  #draw(review) {
    const { state, estimates, turns, isLeft } = review;
    this.hidden = state === null;
    const all = this.#moves.length + 1;
    const isDone = state === "done";
    const progress = t("The computer is reviewing the game: {done} of {all} positions …", {
      done: estimates.length,
      all,
    });
    const here = isLeft
      ? t("The computer thinks on this device, which costs the site nothing.")
      : "";
    const where = this.#hasFailed
      ? t("The engine in this page has failed; the computer thinks on the server.")
      : here;
    setText(this.status, isDone ? "" : `${where} ${progress}`.trim());
    this.dispatchEvent(new CustomEvent("exists", { detail: state !== null || isLeft }));
    this.drawn.hidden = estimates.length < 2;
    if (this.drawn.hidden) return;
    this.slider.max = String(all - 1);
    drawChart(this.picture, review, all, (ply) => this.#go(ply), this.#own);
    this.#drawCounts(Object.keys(estimates[0].values), turns, isDone);
    this.#drawTurns(turns, isDone);
    this.#drawTable(estimates);
    this.#showPly();
  }

  /**
   * Tell each player's mistakes; the list is the legend of the chart too.
   * @param {string[]} colors
   * @param {TurningPointOut[]} turns
   * @param {boolean} isDone
   */
  #drawCounts(colors, turns, isDone) {
    const items = colors.map((color) => {
      const own = turns.filter((turn) => turn.color === color);
      const blunders = own.filter(({ decides }) => decides).length;
      const mistakes = own.length - blunders;
      const name = color === this.#own ? t("{color} (you)", { color: colorText(color) }) : "";
      const texts = [
        tn("{count} mistake", "{count} mistakes", mistakes),
        tn("{count} blunder", "{count} blunders", blunders),
      ];
      return element(
        "li",
        {},
        chip(color),
        element("b", {}, name || `${colorText(color)}, ${this.#names[color] ?? ""}`),
        ...(isDone ? [element("span", {}, texts.join(" · "))] : []),
      );
    });
    this.counts.replaceChildren(...items);
  }

  /**
   * @param {TurningPointOut[]} turns
   * @param {boolean} isDone
   */
  #drawTurns(turns, isDone) {
    const items = turns.map((turn) => {
      const details = element("span", {}, `${percent(turn.before)} → ${percent(turn.after)}, `);
      details.append(`${t("better")} `, element("b", {}, this.#textOf(turn.better)));
      const moveButton = button("", () =>
        this.dispatchEvent(new CustomEvent("better", { detail: turn })),
      );
      const move = this.#textOf(turn.move);
      const sign = element("strong", {}, turn.decides ? "??" : "?");
      moveButton.append(`${turn.ply} `, chip(turn.color), ` ${move}`, sign);
      const name = t("Move {ply}, {color} {move}", {
        ply: turn.ply,
        color: colorText(turn.color),
        move,
      });
      const kind = turn.decides ? t("gave away a proven win") : t("mistake");
      moveButton.setAttribute("aria-label", `${name}, ${kind}`);
      moveButton.title = kind;
      return element("li", { "data-ply": turn.ply }, moveButton, details);
    });
    const none = isDone ? t("No turning points.") : t("Shown when the review is complete.");
    this.turns.replaceChildren(...(items.length ? items : [element("li", {}, none)]));
  }

  /**
   * Put the buttons of a better line below its turning point.
   * @param {number} ply
   * @param {HTMLElement} steps
   */
  placeSteps(ply, steps) {
    this.turns.querySelector(`[data-ply="${ply}"]`)?.append(steps);
  }

  #drawTable(/** @type {PlyEstimateOut[]} */ estimates) {
    const colors = Object.keys(estimates[0].values);
    const heads = [t("Move"), ...colors.map(colorText), t("Best move")];
    this.heads.replaceChildren(...heads.map((text) => element("th", { scope: "col" }, text)));
    this.rows.replaceChildren(
      ...estimates.map((estimate, ply) => {
        const move = this.#moves[ply - 1];
        const name = move ? `${ply} ${move.text}` : t("Start");
        const values = colors.map((color) => element("td", {}, chanceText(estimate, color)));
        return element(
          "tr",
          {},
          element(
            "th",
            { scope: "row" },
            button(name, () => this.#go(ply)),
          ),
          ...values,
          element("td", {}, this.#textOf(estimate.best ?? "")),
        );
      }),
    );
  }

  /** @param {number} ply */
  #go(ply) {
    this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: ply }));
  }

  /** Mark the shown position in chart and slider. */
  #showPly() {
    const estimate = this.#review?.estimates[this.#ply];
    if (estimate) this.#bar?.show(estimate.values, this.#own);
    if (this.drawn.hidden) return;
    this.slider.value = String(this.#ply);
    placeCursor(this.picture, this.#ply, this.#moves.length + 1);
    const move = this.#moves[this.#ply - 1];
    const where = move
      ? t("After {ply}, {color} {move}", {
          ply: this.#ply,
          color: colorText(move.color),
          move: move.text,
        })
      : t("At the start");
    setText(
      this.caption,
      estimate ? t("{where}: {chances}.", { where, chances: chancesText(estimate) }) : `${where}.`,
    );
    this.slider.setAttribute("aria-valuetext", this.caption.textContent ?? "");
  }
}

/**
 * Return a review with chances in place of the values of the search.
 * @param {BoardOut} board
 * @param {ReviewOut} review
 * @returns {ReviewOut}
 */
function withChances(board, review) {
  return {
    ...review,
    estimates: review.estimates.map((estimate) => ({
      ...estimate,
      values: chancesOf(board, estimate.values),
    })),
    turns: review.turns.map((turn) => ({
      ...turn,
      before: chanceOf(board, turn.color, turn.before),
      after: chanceOf(board, turn.color, turn.after),
    })),
  };
}

/**
 * Return the estimate of a position that this page has analysed.
 * @param {DeviceResult} result
 * @returns {PlyEstimateOut}
 */
function estimateOf({ estimates, rootInfo, moveInfos }) {
  return {
    values: valuesOf({ estimates }),
    error: rootInfo.error,
    proven: rootInfo.proven !== null,
    best: moveInfos[0]?.move ?? null,
  };
}

/**
 * Format the chance of one colour.
 * @param {PlyEstimateOut} estimate
 * @param {string} color
 */
function chanceText(estimate, color) {
  const value = estimate.values[color];
  return value === null ? "?" : percent(value);
}

/**
 * Format the chances of all colours.
 * @param {PlyEstimateOut} estimate
 */
function chancesText(estimate) {
  const chances = Object.keys(estimate.values).map(
    (color) => `${colorText(color)} ${chanceText(estimate, color)}`,
  );
  const all = chances.join(", ");
  return estimate.proven ? t("{chances} (proven)", { chances: all }) : all;
}

customElements.define("antipodes-review", Review);
