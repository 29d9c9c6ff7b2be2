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
import { analysisAddress, fetchBoard, fetchPosition } from "./study/source.js";
import { Tree } from "./study/tree.js";

loadStyles(new URL("./study.css", import.meta.url));

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const STEPS_ON_BOARD = { ",": -1, ".": 1 }; // arrows walk the cells there

class Study extends HTMLElement {
  #game = null;
  #options = {};
  #board = null;
  #tree = null;
  #at = null; // the node that is shown
  #origin = null; // the node that "restart" returns to
  #overlay = {}; // heat and marks of whoever embeds this
  #line = null; // moves shown after the position, but not made
  #asked = 0; // counts requests, so that a late answer is known as such
  #parts = null;

  connectedCallback() {
    if (this.#parts) return;
    this.#build();
    if (!this.hasAttribute("game")) return;
    this.start({
      game: this.getAttribute("game"),
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
    return { game: this.#game, options: this.#options, moves: this.#tree.moves(this.#at) };
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
   * @param {{game: string, options?: Object<string, any>, moves?: (number|string)[], ply?: number}} line
   *   `ply` is how many of the moves are on the board at first
   */
  async start({ game, options = {}, moves = [], ply = Infinity }) {
    const told = await this.#ask(() => fetchPosition({ game, options, moves }));
    if (!told) return;
    this.#board = await fetchBoard(told.board);
    [this.#game, this.#options] = [told.game, told.options];
    this.#tree = new Tree(told.start);
    this.#at = this.#origin = told.moves.reduce((at, one) => this.#tree.add(at, one), this.#tree.root);
    this.#at.view = told;
    if (ply < moves.length) return this.step(ply - moves.length);
    this.#changed();
  }

  /** Show the position of a node. */
  async go(node) {
    this.#at = node;
    this.#changed();
    if (node.view) return;
    const told = await this.#ask(() => fetchPosition({ ...this.line, since: node.ply }));
    if (!told) return;
    node.view = told;
    if (this.#at === node) this.#draw();
  }

  /** Go so many moves on, or back along the way one came. */
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

  /** Make a move, given as its number. */
  play(move) {
    return this.#play({ moves: [...this.#tree.moves(this.#at), move] });
  }

  /** Make a move as a person writes it; tells whether it could be made. */
  playText(text) {
    return this.#play({ text, seat: this.#side });
  }

  /** Where whoever embeds this may add something of its own, above the moves. */
  get panel() {
    return this.#parts.panel;
  }

  /** Show what somebody thinks of the position: `{heat, marks}` as the board takes them. */
  set overlay(overlay) {
    this.#overlay = overlay;
    this.#draw();
  }

  /** Show moves after the position without making them, as texts; none with null. */
  async showLine(texts) {
    this.#line = null;
    if (texts) {
      const at = this.#at;
      const moves = [...this.#tree.moves(at), ...texts];
      const told = await this.#ask(() => fetchPosition({ ...this.line, moves, since: at.ply }));
      if (!told || this.#at !== at) return;
      this.#line = told.moves;
    }
    this.#draw();
  }

  async #play(line) {
    const from = this.#at;
    const known = from.children.find((child) => child.move === line.moves?.at(-1));
    if (known) return this.go(known);
    const told = await this.#ask(() => fetchPosition({ ...this.line, ...line, since: from.ply }));
    if (!told) return false;
    const node = this.#tree.add(from, told.moves[0]);
    node.view = { ...told, moves: [] };
    this.#at = node;
    this.#changed();
    return true;
  }

  /** Ask the server; null if it refuses, which is told, or if something else was asked since. */
  async #ask(request) {
    const number = ++this.#asked;
    this.#parts.trouble.textContent = "";
    try {
      const told = await request();
      return number === this.#asked ? told : null;
    } catch (error) {
      if (number === this.#asked) this.#parts.trouble.textContent = error.message;
      return null;
    }
  }

  // The page.

  get #isPlain() {
    return this.hasAttribute("plain");
  }

  /** Where going back ends: a plain board keeps the position that its page speaks of. */
  get #first() {
    return this.#isPlain ? this.#origin : this.#tree.root;
  }

  #build() {
    const board = document.createElement("antipodes-board");
    board.toggleAttribute("options", !this.#isPlain);
    showPreviews(board, () => this.#at && this.line);
    board.addEventListener("play", (event) => {
      event.stopPropagation();
      this.play(event.detail);
    });
    const caption = element("p", { class: "caption", role: "status" });
    const trouble = element("p", { class: "note", role: "alert" });
    const swap = button(t("Swap"), () => this.play(this.view.swap));
    this.#parts = { board, caption, trouble, swap };
    const panel = (this.#parts.panel = element("div", { class: "study-panel" }));
    const side = element("div", { class: "study-side" }, caption, trouble, panel);
    if (!this.#isPlain) side.append(this.#buildInput(), this.#buildTree(), this.#buildTools());
    this.append(element("div", { class: "study-board" }, board, this.#buildSteps()), side);
    const heard = this.hasAttribute("keys") ? document : this;
    heard.addEventListener("keydown", this.#onKey);
    chosen.addEventListener("change", this.#onSettings);
  }

  #buildSteps() {
    const steps = element("div", { class: "buttons", role: "group", "aria-label": t("Steps") });
    const back = button("‹", () => this.step(-1), spoken(t("one move back")));
    const restart = button("«", () => this.step(-Infinity), spoken(t("to the beginning")));
    Object.assign(this.#parts, { back, restart });
    steps.append(restart, back);
    if (!this.#isPlain) {
      const on = button("›", () => this.step(1), spoken(t("one move on")));
      const end = button("»", () => this.step(Infinity), spoken(t("to the end of the line")));
      Object.assign(this.#parts, { on, end });
      steps.append(on, end);
    }
    steps.append(this.#parts.swap);
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

  #buildTree() {
    this.#parts.side = element("p", { class: "hint", hidden: "" });
    this.#parts.list = element("ol", { class: "tree", "aria-label": t("Moves and variations") });
    return element("div", {}, this.#parts.side, this.#parts.list);
  }

  #buildTools() {
    const link = element("input", { readonly: "", "aria-label": t("Link to this position"), hidden: "" });
    const remove = button(t("Delete from here"), () => this.#remove());
    const promote = button(t("Make main line"), () => this.#promote());
    const share = button(t("Copy link"), () => this.#share());
    Object.assign(this.#parts, { link, remove, promote });
    return element("div", { class: "buttons" }, share, promote, remove, link);
  }

  #remove() {
    if (this.#at.parent) this.go(this.#tree.remove(this.#at));
  }

  #promote() {
    this.#tree.promote(this.#at);
    this.#changed();
  }

  async #share() {
    const { link, caption } = this.#parts;
    link.value = this.link;
    link.hidden = false; // a hidden field cannot be selected
    if (await copyField(link)) {
      link.hidden = true;
      caption.textContent = t("The link was copied.");
    } else {
      link.focus();
    }
  }

  #onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("input, textarea, select, dialog, [role=dialog]")) return;
    const onBoard = event.target.closest?.("antipodes-board");
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
    if (!this.#at) return;
    const { view } = this;
    const further = this.#line ?? [];
    const numbers = {};
    for (const [index, { last }] of further.entries()) {
      if (last !== null) numbers[last] = index + 1;
    }
    this.#parts.board.show({
      board: this.#board,
      pieces: this.#tree.pieces(this.#at, further),
      legal: view?.legal ?? [],
      last: further.length ? null : this.#at.last,
      chain: further.length ? [] : (view?.chain ?? []),
      turn: view?.toMove,
      seat: this.#seat,
      confirm: false,
      numbers,
      ...(further.length ? {} : this.#overlay),
    });
    this.#drawSide(view);
  }

  #drawSide(view) {
    const { back, restart, on, end, swap, list, remove, promote, caption } = this.#parts;
    const isFirst = this.#at === this.#first;
    caption.textContent = view?.caption ?? "…";
    disable(isFirst, back, restart);
    swap.hidden = (view?.swap ?? null) === null;
    if (this.#isPlain) return;
    disable(this.#at.children.length === 0, on, end);
    disable(this.#at === this.#tree.root, remove);
    disable(this.#tree.path(this.#at).every((one) => one.parent.children[0] === one), promote);
    const side = sideWords(this.#board, this.#side);
    setText(this.#parts.side, side);
    this.#parts.side.hidden = !side;
    const textOf = ({ text }) => textFrom(this.#board, this.#side, text);
    drawTree(list, this.#tree, this.#at, (node) => this.go(node), textOf);
  }
}

/** What a button with a sign on it is called. */
function spoken(label) {
  return { "aria-label": label, title: label };
}

/** Disable buttons without taking the focus from the one that was just pressed. */
function disable(off, ...buttons) {
  for (const one of buttons) one.setAttribute("aria-disabled", String(off));
}

customElements.define("antipodes-study", Study);
