// A board on which anybody plays freely, back and forth, with variations.
//
//   <antipodes-study game="hex" options="size=7" moves="c3,d4"></antipodes-study>
//
// `plain` makes it small, for pages of text; `keys` lets it hear the keys of the whole page; `seat`
// is the number or colour of the seat from whose side it is seen. Whatever is tried is fired as
// `change`, with the moves up to the position that is shown; `study.tree` has all of it.

import { copyField } from "./clipboard.js";
import { t } from "./i18n.js";
import "./board.js";
import { showPreviews } from "./board/asking.js";
import { chosen } from "./board/settings.js";
import { sideOf, textFrom } from "./board/sides.js";
import { sideWords } from "./board/words.js";
import { button, element, setText } from "./match/dom.js";
import { drawTree } from "./study/list.js";
import { loadStyles } from "./study/styles.js";
import { analysisAddress, fetchBoard, fetchPosition, messageOf } from "./study/source.js";
import { Tree } from "./study/tree.js";
import { sure } from "./sure.js";

/** @import { BoardData, State } from "./board/state.js" */
/** @import { Line, MoveTold, Options, Position } from "./study/source.js" */
/** @import { MadeNode, Node } from "./study/tree.js" */

loadStyles(new URL("./study.css", import.meta.url));

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
/** @type {Record<string, number>} */
const STEPS_ON_BOARD = { ",": -1, ".": 1 }; // arrows walk the cells there

/** @typedef {Study} StudyElement */

class Study extends HTMLElement {
  /** @type {string} */
  #game = "";
  /** @type {Options} */
  #options = {};
  /** @type {BoardData | null} */
  #board = null;
  /** @type {Tree | null} */
  #tree = null;
  /** @type {Node | null} */
  #at = null; // the node that is shown
  /** @type {Node | null} */
  #origin = null; // the node that "restart" returns to
  /** @type {Partial<State>} */
  #overlay = {}; // heat and marks of whoever embeds this
  /** @type {MoveTold[] | null} */
  #line = null; // moves shown after the position, but not made
  #asked = 0; // counts requests, so that a late answer is known as such
  #isBuilt = false;

  /** Where whoever embeds this may add something of its own, above the moves. */
  panel = element("div", { class: "study-panel" });

  #boardElement = document.createElement("antipodes-board");
  #caption = element("p", { class: "caption", role: "status" });
  #trouble = element("p", { class: "note", role: "alert" });
  #restart = button("«", () => this.step(-Infinity), spoken(t("to the beginning")));
  #back = button("‹", () => this.step(-1), spoken(t("one move back")));
  #on = button("›", () => this.step(1), spoken(t("one move on")));
  #end = button("»", () => this.step(Infinity), spoken(t("to the end of the line")));
  #swap = button(t("Swap"), () => this.#playSwap());
  #list = element("ol", { class: "tree", "aria-label": t("Moves and variations") });
  #sideText = element("p", { class: "hint", hidden: "" });
  #link = element("input", { readonly: "", "aria-label": t("Link to this position"), hidden: "" });
  #remove = button(t("Delete from here"), () => this.#removeNode());
  #promote = button(t("Make main line"), () => this.#promoteNode());

  connectedCallback() {
    if (this.#isBuilt) return;
    this.#isBuilt = true;
    this.#build();
    const game = this.getAttribute("game");
    if (game === null) return;
    this.start({
      game,
      options: Object.fromEntries(new URLSearchParams(this.getAttribute("options") ?? "")),
      moves: (this.getAttribute("moves") ?? "").split(",").filter(Boolean),
      ply: this.#plyInAddress(),
    });
  }

  /** How many of the moves an address such as `#ply=3` shows first, on a page of its own. */
  #plyInAddress() {
    const told = this.hasAttribute("keys") ? new URLSearchParams(location.hash.slice(1)).get("ply") : null;
    return told === null ? Infinity : Number(told);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    chosen.removeEventListener("change", this.#onSettings);
  }

  /** The tree and the node that is shown; there are both once a game has begun. */
  get #known() {
    return { tree: sure(this.#tree), at: sure(this.#at) };
  }

  /** All that was tried; see study/tree.js. */
  get tree() {
    return this.#tree;
  }

  /** The node that is shown. */
  get node() {
    return this.#at;
  }

  /** Game, options and the moves up to the position that is shown. */
  get line() {
    const { tree, at } = this.#known;
    return { game: this.#game, options: this.#options, moves: tree.moves(at) };
  }

  /** What may come next at the position that is shown; null until it is known. */
  get view() {
    return this.#at?.view ?? null;
  }

  /** The address of the page that analyses the position that is shown. */
  get link() {
    return location.origin + analysisAddress(this.line);
  }

  /**
   * Begin with a game and moves, as numbers or text; what was tried before is forgotten.
   * @param {Partial<Line> & {game: string, ply?: number}} line
   *   `ply` is how many of the moves are on the board at first
   */
  async start({ game, options = {}, moves = [], ply = Infinity }) {
    const told = await this.#ask(() => fetchPosition({ game, options, moves }));
    if (!told) return;
    this.#board = await fetchBoard(told.board);
    [this.#game, this.#options] = [told.game, told.options];
    const tree = new Tree(told.start);
    let at = tree.root;
    for (const move of told.moves) at = tree.add(at, move);
    at.view = told;
    this.#tree = tree;
    this.#at = this.#origin = at;
    if (ply < moves.length) return this.step(ply - moves.length);
    this.#changed();
  }

  /**
   * Show the position of a node.
   * @param {Node} node
   */
  async go(node) {
    this.#at = node;
    this.#changed();
    if (node.view) return;
    const told = await this.#ask(() => fetchPosition({ ...this.line, since: node.ply }));
    if (!told) return;
    node.view = told;
    if (this.#at === node) this.#draw();
  }

  /**
   * Go so many moves on, or back along the way one came.
   * @param {number} count
   */
  step(count) {
    if (!this.#at) return;
    let to = this.#at;
    for (let left = Math.abs(count); left > 0; left--) {
      const next = count < 0 ? to !== this.#first && to.parent : to.children[0];
      if (!next) break;
      to = next;
    }
    if (to !== this.#at) this.go(to);
  }

  /**
   * Make a move, given as its number.
   * @param {number} move
   */
  play(move) {
    const { tree, at } = this.#known;
    return this.#play({ moves: [...tree.moves(at), move] });
  }

  /**
   * Make a move as a person writes it; tells whether it could be made.
   * @param {string} text
   */
  playText(text) {
    return this.#play({ text, seat: this.#side });
  }

  /**
   * Show what somebody thinks of the position: `{heat, marks}` as the board takes them.
   * @param {Partial<State>} overlay
   */
  set overlay(overlay) {
    this.#overlay = overlay;
    this.#draw();
  }

  /**
   * Show moves after the position without making them, as texts; none with null.
   * @param {string[] | null} texts
   */
  async showLine(texts) {
    this.#line = null;
    if (texts) {
      const { tree, at } = this.#known;
      const moves = [...tree.moves(at), ...texts];
      const told = await this.#ask(() => fetchPosition({ ...this.line, moves, since: at.ply }));
      if (!told || this.#at !== at) return;
      this.#line = told.moves;
    }
    this.#draw();
  }

  /** @param {{moves?: (number | string)[], text?: string, seat?: number}} line */
  async #play(line) {
    const { tree, at: from } = this.#known;
    const known = from.children.find((child) => child.move === line.moves?.at(-1));
    if (known) return this.go(known);
    const told = await this.#ask(() => fetchPosition({ ...this.line, ...line, since: from.ply }));
    if (!told) return false;
    const node = tree.add(from, told.moves[0]);
    node.view = { ...told, moves: [] };
    this.#at = node;
    this.#changed();
    return true;
  }

  /**
   * Ask the server; null if it refuses, which is told, or if something else was asked since.
   * @param {() => Promise<Position>} request
   */
  async #ask(request) {
    const number = ++this.#asked;
    this.#trouble.textContent = "";
    try {
      const told = await request();
      return number === this.#asked ? told : null;
    } catch (error) {
      if (number === this.#asked) this.#trouble.textContent = messageOf(error);
      return null;
    }
  }

  // The page.

  get #isPlain() {
    return this.hasAttribute("plain");
  }

  /** Where going back ends: a plain board keeps the position that its page speaks of. */
  get #first() {
    return this.#isPlain ? this.#origin : (this.#tree?.root ?? null);
  }

  #build() {
    const board = this.#boardElement;
    board.toggleAttribute("options", !this.#isPlain);
    showPreviews(board, () => this.#at && this.line);
    board.addEventListener("play", (event) => {
      event.stopPropagation();
      this.play(/** @type {CustomEvent<number>} */ (event).detail);
    });
    const side = element("div", { class: "study-side" }, this.#caption, this.#trouble, this.panel);
    if (!this.#isPlain) side.append(this.#buildInput(), element("div", {}, this.#sideText, this.#list), this.#buildTools());
    this.append(element("div", { class: "study-board" }, board, this.#buildSteps()), side);
    const heard = this.hasAttribute("keys") ? document : this;
    heard.addEventListener("keydown", this.#onKey);
    chosen.addEventListener("change", this.#onSettings);
  }

  #buildSteps() {
    const steps = element("div", { class: "buttons", role: "group", "aria-label": t("Steps") });
    steps.append(this.#restart, this.#back);
    if (!this.#isPlain) steps.append(this.#on, this.#end);
    steps.append(this.#swap);
    return steps;
  }

  #buildInput() {
    const input = element("input", { name: "move", autocomplete: "off", spellcheck: "false", size: 8 });
    const form = element("form", { class: "move-input" });
    form.append(element("label", {}, `${t("Move")} `, input), element("button", {}, t("Play")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (input.value.trim() && (await this.playText(input.value))) input.value = "";
    });
    return form;
  }

  #buildTools() {
    const share = button(t("Copy link"), () => this.#share());
    return element("div", { class: "buttons" }, share, this.#promote, this.#remove, this.#link);
  }

  #playSwap() {
    const swap = this.view?.swap ?? null;
    if (swap !== null) this.play(swap);
  }

  #removeNode() {
    const { tree, at } = this.#known;
    if (at.parent) this.go(tree.remove(/** @type {MadeNode} */ (at)));
  }

  #promoteNode() {
    const { tree, at } = this.#known;
    tree.promote(at);
    this.#changed();
  }

  async #share() {
    const link = this.#link;
    link.value = this.link;
    link.hidden = false; // a hidden field cannot be selected
    if (await copyField(link)) {
      link.hidden = true;
      this.#caption.textContent = t("The link was copied.");
    } else {
      link.focus();
    }
  }

  #onKey = (/** @type {Event} */ event) => {
    if (!(event instanceof KeyboardEvent)) return;
    const target = event.target instanceof Element ? event.target : null;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target?.closest("input, textarea, select, dialog, [role=dialog]")) return;
    const onBoard = target?.closest("antipodes-board");
    const step = STEPS_ON_BOARD[event.key] ?? (onBoard ? undefined : STEPS[event.key]);
    if (step === undefined) return;
    event.preventDefault();
    this.step(step);
  };

  /** The seat from whose side the board is seen, by its number or colour; null if none is told. */
  get #seat() {
    const told = this.getAttribute("seat");
    return /^\d$/.test(told ?? "") ? Number(told) : told;
  }

  /** The seat as which moves are read and written. */
  get #side() {
    return this.#board ? sideOf(this.#board, this.#seat) : 0;
  }

  #onSettings = () => this.#draw();

  #changed() {
    this.#line = null;
    this.#overlay = {};
    this.#draw();
    const { moves } = this.line;
    this.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: { moves } }));
  }

  #draw() {
    if (!this.#at || !this.#tree) return;
    const { view } = this;
    const further = this.#line ?? [];
    /** @type {Record<number, number>} */
    const numbers = {};
    for (const [index, { last }] of further.entries()) {
      if (last !== null) numbers[last] = index + 1;
    }
    this.#boardElement.show({
      board: sure(this.#board),
      pieces: this.#tree.pieces(this.#at, further),
      legal: view?.legal ?? [],
      last: further.length ? null : (this.#at.last ?? null),
      chain: further.length ? [] : (view?.chain ?? []),
      turn: view?.toMove,
      seat: this.#seat,
      confirm: false,
      numbers,
      ...(further.length ? {} : this.#overlay),
    });
    this.#drawSide(view);
  }

  /** @param {Position | null} view */
  #drawSide(view) {
    const { tree, at } = this.#known;
    this.#caption.textContent = view?.caption ?? "…";
    disable(at === this.#first, this.#back, this.#restart);
    this.#swap.hidden = (view?.swap ?? null) === null;
    if (this.#isPlain) return;
    disable(at.children.length === 0, this.#on, this.#end);
    disable(at === tree.root, this.#remove);
    disable(tree.path(at).every((one) => one.parent.children[0] === one), this.#promote);
    const board = sure(this.#board);
    const side = sideWords(board, this.#side);
    setText(this.#sideText, side);
    this.#sideText.hidden = !side;
    const textOf = (/** @type {MadeNode} */ { text }) => textFrom(board, this.#side, text);
    drawTree(this.#list, tree, at, (node) => this.go(node), textOf);
  }
}

/**
 * What a button with a sign on it is called.
 * @param {string} label
 */
function spoken(label) {
  return { "aria-label": label, title: label };
}

/**
 * Disable buttons without taking the focus from the one that was just pressed.
 * @param {boolean} off
 * @param {...HTMLElement} buttons
 */
function disable(off, ...buttons) {
  for (const one of buttons) one.setAttribute("aria-disabled", String(off));
}

customElements.define("antipodes-study", Study);
