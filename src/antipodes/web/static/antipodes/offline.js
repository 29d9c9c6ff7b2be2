// The page without a network: games against the computer, puzzles, and what this device keeps.

import "./board.js";
import { fetchJson, messageOf } from "./analysis/server.js";
import { defined } from "./defined.js";
import { dayAndTime, number, t, tn } from "./i18n.js";
import { button, element, find, setText } from "./match/dom.js";
import { colorText } from "./board/texts.js";
import { OfflineGame } from "./offline/game.js";
import { bringGames, forget, store, storedGame, storedGames } from "./offline/games.js";
import { isKept, keep } from "./offline/keep.js";
import { bringTries, storeTry } from "./offline/tries.js";
import { makePuzzle } from "./puzzle.js";

/** @import { StoredGame } from "./offline/games.js" */
/** @import { Try } from "./offline/tries.js" */
/** @import { KeptOut, KeptPuzzleOut } from "wire" */

/** The page; its address names the game or puzzle that is shown. */
class OfflinePage {
  #game = /** @type {OfflineGame | null} */ (null);
  #place = find("#offline-place");
  #form = /** @type {HTMLFormElement} */ (find("#offline-new"));

  /** @param {KeptOut} data */
  constructor(data) {
    this.data = data;
    this.#form.hidden = false;
    this.#fillForm();
    this.#form.addEventListener("change", (event) => {
      if (event.target === this.#form.elements.namedItem("game")) this.#fillChoices();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.#listPuzzles();
    addEventListener("hashchange", () => this.#show());
    addEventListener("online", () => this.#bring());
    this.#place.addEventListener("puzzle-over", (event) => {
      storeTry(/** @type {CustomEvent<Try>} */ (event).detail);
      this.#bring();
    });
  }

  async open() {
    await this.#drawKeeping();
    await this.#bring();
    this.#show();
  }

  /** @param {string} name */
  #select(name) {
    return /** @type {HTMLSelectElement} */ (this.#form.elements.namedItem(name));
  }

  #fillForm() {
    this.#select("game").replaceChildren(
      ...this.data.games.map(({ game, title }) => element("option", { value: game }, title)),
    );
    this.#fillChoices();
  }

  /** Offer the levels and seats of the chosen game. */
  #fillChoices() {
    const { levels, seats } = defined(this.#facts(this.#select("game").value));
    const chosen = this.#select("level").value;
    this.#select("level").replaceChildren(
      ...Object.entries(levels).map(([level, { name }]) =>
        element("option", { value: level, selected: level === chosen }, `${level} ${name}`),
      ),
    );
    this.#select("seat").replaceChildren(
      ...seats[0].map((color, seat) => element("option", { value: seat }, colorText(color))),
    );
  }

  /** @param {string} game */
  #facts(game) {
    return this.data.games.find((facts) => facts.game === game);
  }

  #begin() {
    const key = crypto.randomUUID();
    store({
      key,
      game: this.#select("game").value,
      level: Number(this.#select("level").value),
      seat: Number(this.#select("seat").value),
      moves: [],
      begun: Date.now(),
    });
    location.hash = key;
  }

  /** Show the game or the puzzle that the address names. */
  #show() {
    this.#game?.close();
    this.#game = null;
    const id = location.hash.slice(1);
    const game = storedGame(id);
    const facts = game && this.#facts(game.game);
    const puzzle = this.data.puzzles.find(({ start }) => start.id === id);
    if (game && facts) {
      this.#game = new OfflineGame(game, facts);
      this.#place.replaceChildren(this.#game.root);
      this.#game.open();
    } else this.#place.replaceChildren(...(puzzle ? puzzlePart(puzzle) : []));
    if (game || puzzle) this.#place.scrollIntoView();
    this.#listGames();
  }

  /** Bring what was played to the site, if it can be reached. */
  async #bring() {
    const brought = await bringGames();
    const links = [...brought.values()].map((url) => element("a", { href: url }, t("Open")));
    const url = this.#game && brought.get(this.#game.game.key);
    if (url) {
      // The match goes on at the site.
      this.#game?.close();
      this.#game = null;
      this.#place.replaceChildren();
    }
    if (links.length) this.#tellOf(gamesText(links.length), links);
    const tries = await bringTries();
    if (tries) this.#tellOf(triesText(tries), []);
    this.#listGames();
  }

  /**
   * @param {string} text
   * @param {HTMLElement[]} links to matches
   */
  #tellOf(text, links) {
    const told = element("p", { class: "messages", role: "status" }, text);
    for (const link of links) told.append(" ", link);
    find("#offline-told").append(told);
  }

  #listGames() {
    const games = storedGames();
    const list = find("#offline-games");
    defined(list.closest("section")).hidden = games.length === 0;
    list.replaceChildren(...games.map((game) => this.#item(game)));
  }

  /** @param {StoredGame} game */
  #item({ key, game, level, moves, begun, result, told = "" }) {
    const title = this.#facts(game)?.title ?? game;
    const name = `${title}, ${t("level {level}", { level })}, ${dayAndTime(begun)}`;
    const count = tn("{count} move", "{count} moves", moves.length);
    const waiting = told || t("It comes to the site when the network returns.");
    return element(
      "li",
      {},
      element("a", { href: `#${key}` }, name),
      ` · ${result ?? count} · ${waiting} `,
      button(t("Delete"), () => this.#delete(key), { class: "plain" }),
    );
  }

  /** @param {string} key */
  #delete(key) {
    if (this.#game?.game.key === key) {
      this.#game.close();
      this.#game = null;
      this.#place.replaceChildren();
    }
    forget(key);
    this.#listGames();
  }

  #listPuzzles() {
    const { puzzles } = this.data;
    const list = find("#offline-puzzles");
    defined(list.closest("section")).hidden = puzzles.length === 0;
    list.replaceChildren(
      ...puzzles.map(({ title, task, start }) =>
        element("li", {}, element("a", { href: `#${start.id}` }, `${title}: ${task}`)),
      ),
    );
  }

  /** Show the button that keeps everything on this device, or that it is kept. */
  async #drawKeeping() {
    const place = find("#offline-keep");
    if (!("serviceWorker" in navigator) || !("caches" in window)) return;
    const told = element("span", { role: "status" });
    const megabytes = number(this.data.size / 1e6, { maximumFractionDigits: 1 });
    const text = t("Keep for offline play ({size} MB)", { size: megabytes });
    const asked = button(text, async () => {
      asked.disabled = true;
      setText(told, t("Loading …"));
      try {
        await keep();
        place.replaceChildren(element("span", { role: "status" }, keptText()));
      } catch (error) {
        asked.disabled = false;
        setText(told, messageOf(error));
      }
    });
    place.replaceChildren(...((await isKept()) ? [keptText()] : [asked, " ", told]));
  }
}

/** @param {number} count */
function gamesText(count) {
  return tn("{count} game has come to the site.", "{count} games have come to the site.", count);
}

/** @param {number} count */
function triesText(count) {
  return tn(
    "The site has recorded {count} try of a puzzle.",
    "The site has recorded {count} tries of puzzles.",
    count,
  );
}

function keptText() {
  return t("This device keeps everything for offline play.");
}

/**
 * Return the heading and the element of a puzzle.
 * @param {KeptPuzzleOut} puzzle
 */
function puzzlePart(puzzle) {
  return [element("h2", {}, `${puzzle.title}: ${puzzle.task}`), makePuzzle(puzzle)];
}

// The service worker answers with this page for others that cannot be loaded.
find("#no-connection").hidden = navigator.onLine && location.pathname === "/offline/";
fetchJson("/offline/kept.json")
  .then((data) => new OfflinePage(data).open())
  .catch(() => {}); // nothing is kept: the page says that there is no connection
