// The position editor: pieces are set on the board, and the server says which rules they break.

import { listed, t } from "./i18n.js";
import "./board.js";
import "./current_options.js";
import { piece, svg } from "./board/shapes.js";
import { pieceText } from "./board/texts.js";
import {
  analysisUrl,
  editorUrl,
  fetchBoard,
  fetchJson,
  messageOf,
  practiceUrl,
} from "./analysis/server.js";
import { copyThrough } from "./clipboard.js";
import { defined } from "./defined.js";
import { ERASER, offered, piecesText, readTyped, toolMove, used } from "./editor/pieces.js";
import { element } from "./match/dom.js";
import { QrCode } from "./qr.js";

/** @import { Pieces } from "./board/state.js" */
/** @import { BoardOut, EditorOut, JudgementOut } from "wire" */

const PAUSE = 150; // milliseconds after a change until the server is asked

/** `<antipodes-editor>`; its elements are in the page, see analysis/editor.html. */
class Editor extends HTMLElement {
  /** @type {BoardOut | null} */
  #board = null;
  /** @type {Pieces} */
  #pieces = {};
  /** @type {Pieces[]} */
  #undone = [];
  /** @type {Pieces[]} */
  #done = [];
  #tool = ERASER;
  #said = "";
  /** @type {JudgementOut | null} */
  #judged = null;
  #requests = 0;
  #code = new QrCode(() => editorUrl(this.#line));
  #timer = 0;
  /** @type {EditorOut} */
  #start = JSON.parse(defined(document.getElementById("editor-start")?.textContent));
  #fields = /** @type {NodeListOf<HTMLSelectElement>} */ (
    this.querySelectorAll(".editor-turn select")
  );

  async connectedCallback() {
    this.#pieces = this.#start.pieces;
    this.#tool = this.#start.kinds[0];
    this.#buildTools();
    this.#listen();
    for (const field of this.#fields) {
      if (field.name === "phase") field.value = String(this.#start.phase);
      if (field.name === "swapped") field.value = this.#start.swapped ? "yes" : "";
      if (field.name === "turn") field.value = this.#start.turn;
    }
    this.#board = await fetchBoard(this.#start.board);
    this.#draw();
    this.#judge();
  }

  #find(/** @type {string} */ selector) {
    return /** @type {HTMLElement} */ (defined(this.querySelector(selector)));
  }

  get #boardElement() {
    return defined(this.querySelector("antipodes-board"));
  }

  get #isRods() {
    return this.#board?.kind === "grid";
  }

  #buildTools() {
    const tools = [...this.#start.kinds, ERASER];
    const choices = tools.map((tool) => {
      const radio = element("input", {
        type: "radio",
        name: "piece",
        value: tool,
        checked: tool === this.#tool,
      });
      radio.addEventListener("change", () => {
        this.#tool = tool;
        this.#draw();
      });
      return element(
        "label",
        {},
        radio,
        picture(tool, this.#start.board.includes("antipalos")),
        toolText(tool),
      );
    });
    this.#find(".editor-pieces > div").replaceChildren(...choices);
  }

  #listen() {
    const board = this.#boardElement;
    board.addEventListener("play", (event) => {
      event.stopPropagation();
      this.#use(/** @type {CustomEvent<number>} */ (event).detail);
    });
    board.addEventListener("contextmenu", (event) => this.#erase(event));
    board.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.#erase(event);
    });
    this.#find(".editor-typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#placeTyped();
    });
    this.#on("undo", () => this.#step(this.#done, this.#undone));
    this.#on("redo", () => this.#step(this.#undone, this.#done));
    this.#on("clear", () => this.#change(this.#start.start, t("Start position")));
    this.#on("copy", () => this.#copyLink());
    this.#find(".editor-link").after(this.#code.root);
    for (const field of this.#fields) field.addEventListener("change", () => this.#judge());
  }

  #on(/** @type {string} */ name, /** @type {() => void} */ act) {
    this.#find(`button[name="${name}"]`).addEventListener("click", act);
  }

  // Changes.

  #use(/** @type {number} */ move) {
    const { cell, diagonal } = toolMove(move);
    const after = used(this.#pieces, this.#tool, cell, diagonal, this.#isRods);
    this.#change(after, `${defined(this.#board).names[cell][0]}, ${pieceText(after[cell])}`);
  }

  /** Remove the piece under the pointer or the focus. */
  #erase(/** @type {Event} */ event) {
    const spot = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    if (!(spot instanceof SVGElement || spot instanceof HTMLElement)) return;
    event.preventDefault();
    const cell = Number(spot.dataset.cell);
    if (!this.#pieces[cell]) return;
    this.#change(
      used(this.#pieces, ERASER, cell, 0, this.#isRods),
      `${defined(this.#board).names[cell][0]}, ${pieceText("")}`,
    );
  }

  #placeTyped() {
    const field = /** @type {HTMLInputElement} */ (this.#find("#typed-points"));
    const names = new Map(
      [...this.#start.kinds, ERASER].flatMap((tool) =>
        [tool, toolText(tool)].map((name) => [name.toLowerCase(), tool]),
      ),
    );
    const { uses, unknown, tool } = readTyped(
      defined(this.#board),
      field.value,
      this.#tool,
      (word) => names.get(word),
    );
    if (unknown.length) {
      field.setAttribute("aria-invalid", "true");
      return this.#boardElement.say(t("Not on this board: {words}", { words: listed(unknown) }));
    }
    field.removeAttribute("aria-invalid");
    const radio = this.querySelector(`input[name="piece"][value="${tool}"]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
    this.#tool = tool;
    let after = this.#pieces;
    for (const one of uses) after = used(after, one.tool, one.cell, one.diagonal, this.#isRods);
    field.value = "";
    this.#change(after, t("Placed: {count}", { count: uses.length }));
  }

  #change(/** @type {Pieces} */ pieces, /** @type {string} */ said) {
    this.#done.push(this.#pieces);
    this.#undone = [];
    this.#pieces = pieces;
    this.#said = said;
    this.#draw();
    this.#judge();
  }

  #step(/** @type {Pieces[]} */ from, /** @type {Pieces[]} */ to) {
    const pieces = from.pop();
    if (!pieces) return;
    to.push(this.#pieces);
    this.#pieces = pieces;
    this.#said = t("{count} pieces", { count: Object.keys(pieces).length });
    this.#draw();
    this.#judge();
  }

  // The server's judgement.

  #judge() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#request(), PAUSE);
  }

  async #request() {
    const number = ++this.#requests;
    const query = new URLSearchParams(this.getAttribute("options") ?? "");
    query.set("pieces", piecesText(this.#pieces));
    for (const { name, value } of this.#fields) if (value) query.set(name, value);
    if (query.get("phase") === "2") query.set("plies", String(this.#start.plies));
    let judged = /** @type {JudgementOut} */ ({ verdict: "refused", faults: [], cells: [] });
    try {
      judged = await fetchJson(`/editor/${this.getAttribute("game")}/position.json?${query}`);
    } catch (error) {
      judged.faults = [{ code: "", message: messageOf(error) }];
    }
    if (number !== this.#requests) return;
    this.#judged = judged;
    if (judged.setup) history.replaceState(null, "", editorUrl(this.#line));
    this.#showVerdict(judged);
    this.#draw();
  }

  get #line() {
    const options = Object.fromEntries(new URLSearchParams(this.getAttribute("options") ?? ""));
    return {
      game: defined(this.getAttribute("game")),
      options,
      setup: this.#judged?.setup ?? "",
      moves: [],
    };
  }

  #showVerdict(/** @type {JudgementOut} */ { verdict, faults, caption = "", isOver = false }) {
    const box = this.#find(".editor-verdict");
    box.dataset.verdict = verdict;
    defined(box.querySelector("h2")).textContent = TITLES[verdict];
    defined(box.querySelector("p")).textContent = caption;
    defined(box.querySelector("ul")).replaceChildren(
      ...faults.map(({ message }) => element("li", {}, message)),
    );
    this.#link("analyse", verdict === "refused" ? null : analysisUrl(this.#line));
    this.#link("play", verdict === "refused" || isOver ? null : practiceUrl(this.#line));
    this.#find('button[name="copy"]').setAttribute("aria-disabled", String(verdict === "refused"));
    this.#code.root.hidden = verdict === "refused";
    this.#code.refresh();
  }

  #link(/** @type {string} */ name, /** @type {string | null} */ url) {
    const link = this.#find(`[data-to="${name}"]`);
    link.setAttribute("aria-disabled", String(url === null));
    if (url === null) link.removeAttribute("href");
    else link.setAttribute("href", url);
  }

  async #copyLink() {
    const field = /** @type {HTMLInputElement} */ (this.#find(".editor-link"));
    if (this.#judged?.verdict === "refused") return;
    const isCopied = await copyThrough(field, location.origin + editorUrl(this.#line));
    if (isCopied) this.#boardElement.say(t("Link copied."));
  }

  // Display.

  #draw() {
    if (!this.#board) return;
    const refused = this.#judged?.verdict === "refused";
    this.#boardElement.show({
      board: this.#board,
      pieces: this.#pieces,
      legal: offered(this.#board, this.#pieces, this.#tool),
      turn: this.#tool || undefined,
      confirm: false,
      chain: refused ? [] : (this.#judged?.chain ?? []),
      pointed: this.#judged?.cells ?? [],
      announcement: this.#said,
    });
    this.#said = "";
    this.#find('button[name="undo"]').toggleAttribute("disabled", !this.#done.length);
    this.#find('button[name="redo"]').toggleAttribute("disabled", !this.#undone.length);
  }
}

const TITLES = {
  regular: t("A position of the game"),
  composed: t("Playable, but no game leads to it"),
  refused: t("Not a position of the game"),
};

/** @param {string} tool */
function toolText(tool) {
  return tool ? pieceText(tool) : t("Eraser");
}

/**
 * @param {string} tool
 * @param {boolean} isRods
 */
function picture(tool, isRods) {
  const icon = svg("svg", { viewBox: "-.55 -.55 1.1 1.1", "aria-hidden": "true" });
  if (tool) icon.append(piece(isRods ? `${tool}/` : tool));
  else
    icon.append(
      svg("path", {
        d: "M-.3-.3L.3.3M.3-.3L-.3.3",
        stroke: "currentColor",
        "stroke-width": 0.1,
        fill: "none",
      }),
    );
  return icon;
}

customElements.define("antipodes-editor", Editor);
