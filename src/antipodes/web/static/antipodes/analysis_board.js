// A board to try moves and variations.
//
//   <antipodes-analysis-board game="hex" options="size=7" moves="c3,d4"></antipodes-analysis-board>
//
// `setup` is the position before the moves as JSON, if it is not the start of the game.
// `plain` makes it small, for pages of text; `keys` makes it handle the keys of the whole page;
// `seat` is the number or colour of the seat at the bottom. Fires `change` with the moves up to the
// shown position, and `edit` when the user has changed the tree; `tree` has all variations.

import { copyThrough } from "./clipboard.js";
import { t } from "./i18n.js";
import "./board.js";
import { stepOf } from "./board/keyboard.js";
import { showPreviews } from "./board/requests.js";
import { preferences } from "./board/settings.js";
import { sideOf, textFrom } from "./board/sides.js";
import { numbersOf } from "./board/state.js";
import { pointsAsMoves } from "./learn/picks.js";
import { button, element, labelled } from "./match/dom.js";
import { iconButton } from "./match/icons.js";
import { EvaluationBar } from "./analysis/evaluation_bar.js";
import { drawTree } from "./analysis/move_list.js";
import { loadStyles } from "./analysis/styles.js";
import { analysisUrl, fetchBoard, fetchPosition, messageOf } from "./analysis/server.js";
import { Tree } from "./analysis/tree.js";
import { defined } from "./defined.js";
import { QrCode } from "./qr.js";

/** @import { State } from "./board/state.js" */
/** @import { Line, Options } from "./analysis/server.js" */
/** @import { MoveNode, Node } from "./analysis/tree.js" */
/** @import { BoardOut, PositionOut, ShownMove } from "wire" */

loadStyles(new URL("./analysis_board.css", import.meta.url));
loadStyles(new URL("./icon_bar.css", import.meta.url));

/**
 * Signs of the marks of moves.
 * @type {Record<string, string>}
 */
const GLYPHS = {
  "very-good": "!!",
  good: "!",
  interesting: "!?",
  doubtful: "?!",
  bad: "?",
  "very-bad": "??",
};

/** @typedef {AnalysisBoard} AnalysisBoardElement */

/** `<antipodes-analysis-board>`; see the top of this file. */
class AnalysisBoard extends HTMLElement {
  /** @type {string} */
  #game = "";
  /** @type {Options} */
  #options = {};
  #setup = "";
  /** @type {BoardOut | null} */
  #board = null;
  /** @type {Tree | null} */
  #tree = null;
  /** @type {Node | null} */
  #at = null; // the shown node
  /** @type {Node | null} */
  #origin = null; // the node at the start
  /** @type {Partial<State>} */
  #overlay = {}; // heat and marks set by the embedding page
  /** @type {ShownMove[] | null} */
  #line = null; // moves shown after the position without being played
  /** @type {{from: Node, texts: string[], moves: ShownMove[]} | null} */
  #loaded = null; // the moves of the line that was shown last
  #requests = 0; // counts requests, to ignore late answers
  #previews = 0; // the same for lines that are only shown
  #isBuilt = false;
  /** @type {((cell: number) => void) | null} */
  #picker = null;

  /** Container for elements of the embedding page, above the moves. */
  panel = element("div", { class: "analysis-extra" });

  #boardElement = document.createElement("antipodes-board");
  #caption = element("p", { class: "caption", role: "status" });
  #error = element("p", { class: "note", role: "alert" });
  #startButton = button("«", () => this.step(-Infinity), labelled(t("Start position")));
  #backButton = button("‹", () => this.step(-1), labelled(t("Previous move")));
  #forwardButton = button("›", () => this.step(1), labelled(t("Next move")));
  #endButton = button("»", () => this.step(Infinity), labelled(t("End of the line")));
  #swap = button(t("Swap"), () => this.#playSwap());
  #list = element("ol", { class: "tree", "aria-label": t("Moves and variations") });
  #code = new QrCode(() => this.link);
  #link = element("input", { readonly: "", "aria-label": t("Link to this position"), hidden: "" });
  #remove = iconButton("bin", t("Delete from here"), () => this.#removeNode());
  #promote = iconButton("raise", t("Make main line"), () => this.#promoteNode());

  /** The winning chances beside the board, which the embedding page shows. */
  evaluation = new EvaluationBar();
  /** The toolbar, to which the embedding page adds its links. */
  tools = element("div", { class: "icon-bar", role: "group", "aria-label": t("More actions") });

  connectedCallback() {
    if (this.#isBuilt) return;
    this.#isBuilt = true;
    this.#build();
    const game = this.getAttribute("game");
    if (game === null) return;
    this.start({
      game,
      options: Object.fromEntries(new URLSearchParams(this.getAttribute("options") ?? "")),
      setup: this.getAttribute("setup") ?? "",
      moves: (this.getAttribute("moves") ?? "").split(",").filter(Boolean),
      ply: this.#plyInUrl(),
    });
  }

  /** Return the ply in a fragment such as `#ply=3`, on the analysis page. */
  #plyInUrl() {
    const ply = this.hasAttribute("keys")
      ? new URLSearchParams(location.hash.slice(1)).get("ply")
      : null;
    return ply === null ? Infinity : Number(ply);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    preferences.removeEventListener("change", this.#onSettings);
  }

  /** The tree and the shown node, once `start` has loaded them. */
  get #current() {
    return { tree: defined(this.#tree), at: defined(this.#at) };
  }

  /** All variations; see analysis/tree.js. */
  get tree() {
    return this.#tree;
  }

  /** The shown node. */
  get node() {
    return this.#at;
  }

  /** Game, options and the moves up to the shown position. */
  get line() {
    const { tree, at } = this.#current;
    return { game: this.#game, options: this.#options, setup: this.#setup, moves: tree.moves(at) };
  }

  /** The board of the game, or null until it is loaded. */
  get data() {
    return this.#board;
  }

  /** The shown position with its legal moves, or null until it is loaded. */
  get view() {
    return this.#at?.view ?? null;
  }

  /** The URL of the analysis of the shown position. */
  get link() {
    return location.origin + analysisUrl(this.line);
  }

  /**
   * Load a game with moves, as numbers or texts, and discard the current tree.
   * @param {Partial<Line> & {game: string, ply?: number}} line
   *   `ply` is the number of moves in the position shown first
   */
  async start({ game, options = {}, setup = "", moves = [], ply = Infinity }) {
    const position = await this.#request(() => fetchPosition({ game, options, setup, moves }));
    if (!position) return this.#showPicture();
    this.#board = await fetchBoard(position.board);
    [this.#game, this.#options, this.#setup] = [position.game, position.options, setup];
    const tree = new Tree(position.start);
    let at = tree.root;
    for (const move of position.moves) at = tree.add(at, move);
    at.view = position;
    this.#tree = tree;
    this.#at = this.#origin = at;
    if (ply < moves.length) return this.step(ply - moves.length);
    this.#onChange();
  }

  /** Show the picture of the page instead of the board, such as without a network. */
  #showPicture() {
    const src = this.getAttribute("picture");
    if (src && !this.#tree) this.replaceChildren(element("img", { src, alt: "" }));
  }

  /**
   * Show the position of a node.
   * @param {Node} node
   */
  async go(node) {
    this.#at = node;
    this.#onChange();
    const path = this.#current.tree.path(node);
    // Moves of a study come without their changes, which are loaded when they are needed.
    const unknown = path.findIndex(({ changed }) => !changed);
    if (node.view && unknown < 0) return;
    const since = unknown < 0 ? node.ply : unknown;
    const position = await this.#request(() => fetchPosition({ ...this.line, since }));
    if (!position) return;
    for (const [index, move] of position.moves.entries()) Object.assign(path[since + index], move);
    node.view = { ...position, moves: [] };
    if (this.#at === node) this.#draw();
  }

  /**
   * Go a number of moves forward along the main line, or back.
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
   * Play a move by its number.
   * @param {number} move
   */
  play(move) {
    const { tree, at } = this.#current;
    return this.#play({ moves: [...tree.moves(at), move] });
  }

  /**
   * Play a move by its text; return whether it was legal.
   * @param {string} text
   */
  playText(text) {
    return this.#play({ text, seat: this.#side });
  }

  /**
   * Show `heat` and `marks` on the board.
   * @param {Partial<State>} overlay
   */
  set overlay(overlay) {
    this.#overlay = overlay;
    this.#draw();
  }

  /**
   * Show the first moves of a line after the position without playing them; 0 removes them.
   * @param {string[]} texts the whole line, which is loaded once
   * @param {number} count
   */
  async showLine(texts, count) {
    const { tree, at } = this.#current;
    const isLoaded = this.#loaded?.from === at && String(this.#loaded.texts) === String(texts);
    const number = ++this.#previews;
    if ((this.#line?.length ?? 0) === count && (isLoaded || !count)) return;
    this.#line = null;
    if (count && !isLoaded) {
      const moves = [...tree.moves(at), ...texts];
      const position = await fetchPosition({ ...this.line, moves, since: at.ply }).catch(
        () => null,
      );
      if (!position || number !== this.#previews || this.#at !== at) return;
      this.#loaded = { from: at, texts, moves: position.moves };
    }
    if (count) this.#line = defined(this.#loaded).moves.slice(0, count);
    this.#draw();
  }

  /** Move the focus to the shown move in the list. */
  focusMove() {
    /** @type {HTMLElement | null} */ (this.#list.querySelector("[aria-current]"))?.focus({
      preventScroll: true,
    });
  }

  /**
   * Play moves one after another.
   * @param {string[]} texts
   */
  playLine(texts) {
    const { tree, at } = this.#current;
    return this.#play({ moves: [...tree.moves(at), ...texts] });
  }

  /** @param {{moves?: (number | string)[], text?: string, seat?: number}} line */
  async #play(line) {
    const { tree, at: from } = this.#current;
    const existing = from.children.find((child) => child.move === line.moves?.[from.ply]);
    if (existing && line.moves?.length === existing.ply) return this.go(existing);
    const position = await this.#request(() =>
      fetchPosition({ ...this.line, ...line, since: from.ply }),
    );
    if (!position) return false;
    let node = from;
    for (const move of position.moves) {
      const path = tree.moves(node);
      if (!node.children.some((child) => child.move === move.move))
        this.#report("add", { path, move: move.move });
      node = tree.add(node, move);
    }
    node.view = { ...position, moves: [] };
    this.#at = node;
    this.#onChange();
    return true;
  }

  /**
   * Return the answer to a request; null after an error, which is shown, or a newer request.
   * @param {() => Promise<PositionOut>} request
   */
  async #request(request) {
    const number = ++this.#requests;
    this.#error.textContent = "";
    try {
      const position = await request();
      return number === this.#requests ? position : null;
    } catch (error) {
      if (number === this.#requests) this.#error.textContent = messageOf(error);
      return null;
    }
  }

  // Elements.

  get #isPlain() {
    return this.hasAttribute("plain");
  }

  /** The first node that can be shown: on a plain board, the position in the page's text. */
  get #first() {
    return this.#isPlain ? this.#origin : (this.#tree?.root ?? null);
  }

  #build() {
    const board = this.#boardElement;
    board.toggleAttribute("options", !this.#isPlain);
    board.beside = this.evaluation.root;
    showPreviews(board, () => this.#at && this.line);
    board.addEventListener("play", (event) => {
      event.stopPropagation();
      const { detail } = /** @type {CustomEvent<number>} */ (event);
      if (this.#picker) this.#picker(detail);
      else this.play(detail);
    });
    const side = element("div", { class: "analysis-side" }, this.#caption, this.#error, this.panel);
    if (!this.#isPlain)
      side.append(this.#buildInput(), element("div", {}, this.#list), this.#buildTools());
    this.append(element("div", { class: "analysis-main" }, board, this.#buildSteps()), side);
    const keyTarget = this.hasAttribute("keys") ? document : this;
    keyTarget.addEventListener("keydown", this.#onKey);
    preferences.addEventListener("change", this.#onSettings);
  }

  #buildSteps() {
    const steps = element("div", {
      class: "buttons",
      role: "group",
      "aria-label": t("Move navigation"),
    });
    steps.append(this.#startButton, this.#backButton);
    if (!this.#isPlain) steps.append(this.#forwardButton, this.#endButton);
    steps.append(this.#swap);
    return steps;
  }

  #buildInput() {
    const input = element("input", {
      name: "move",
      autocomplete: "off",
      spellcheck: "false",
      size: 8,
    });
    const form = element("form", { class: "move-input" });
    form.append(element("label", {}, `${t("Move")} `, input), element("button", {}, t("Play")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (input.value.trim() && (await this.playText(input.value))) input.value = "";
    });
    return form;
  }

  #buildTools() {
    const share = iconButton("link", t("Copy link"), () => this.#copyLink());
    this.tools.append(share, this.#promote, this.#remove);
    return element("div", {}, this.tools, this.#link, this.#code.root);
  }

  #playSwap() {
    const swap = this.view?.swap ?? null;
    if (swap !== null) this.play(swap);
  }

  #removeNode() {
    const { tree, at } = this.#current;
    if (!at.parent) return;
    this.#report("remove", { path: tree.moves(at), seen: tree.size(at) });
    this.go(tree.remove(/** @type {MoveNode} */ (at)));
  }

  #promoteNode() {
    const { tree, at } = this.#current;
    tree.promote(at);
    this.#report("promote", { path: tree.moves(at) });
    this.#onChange();
  }

  /**
   * Fire `edit`: the user has changed the tree.
   * @param {string} kind
   * @param {object} details
   */
  #report(kind, details) {
    this.dispatchEvent(new CustomEvent("edit", { detail: { kind, ...details } }));
  }

  /** Draw again, after the tree was changed from outside. */
  redraw() {
    this.#draw();
  }

  /**
   * Let the user choose cells instead of playing moves; null ends that.
   * @param {((cell: number) => void) | null} onPick
   */
  set picker(onPick) {
    this.#picker = onPick;
    this.#draw();
  }

  /** The board in this element. */
  get boardElement() {
    return this.#boardElement;
  }

  async #copyLink() {
    const isCopied = await copyThrough(this.#link, this.link);
    if (isCopied) this.#caption.textContent = t("Link copied.");
  }

  #onKey = (/** @type {Event} */ event) => {
    const step = stepOf(/** @type {KeyboardEvent} */ (event));
    if (step === null) return;
    event.preventDefault();
    this.step(step);
  };

  /** The number or colour of the seat at the bottom, or null. */
  get #seat() {
    const seat = this.getAttribute("seat");
    return /^\d$/.test(seat ?? "") ? Number(seat) : seat;
  }

  /** The seat whose coordinates are used. */
  get #side() {
    return this.#board ? sideOf(this.#board, this.#seat) : 0;
  }

  #onSettings = () => this.#draw();

  #onChange() {
    this.#line = null;
    this.#overlay = {};
    this.#draw();
    const { moves } = this.line;
    this.#code.refresh();
    this.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: { moves } }));
  }

  #draw() {
    if (!this.#at || !this.#tree) return;
    const { view } = this;
    const further = this.#line ?? [];
    this.#boardElement.show({
      board: defined(this.#board),
      pieces: this.#tree.pieces(this.#at, further),
      legal: this.#picker ? pointsAsMoves(defined(this.#board)) : (view?.legal ?? []),
      move: further.length ? null : this.#at,
      chain: further.length ? [] : (view?.chain ?? []),
      turn: this.#picker ? undefined : view?.toMove,
      shapes: further.length ? [] : (this.#at.shapes ?? []),
      seat: this.#seat,
      confirm: false,
      numbers: numbersOf(further),
      ...(further.length ? {} : this.#overlay),
    });
    this.#drawControls(view);
  }

  /** @param {PositionOut | null} view */
  #drawControls(view) {
    const { tree, at } = this.#current;
    this.#caption.textContent = view?.caption ?? "…";
    disable(at === this.#first, this.#backButton, this.#startButton);
    this.#swap.hidden = (view?.swap ?? null) === null;
    if (this.#isPlain) return;
    disable(at.children.length === 0, this.#forwardButton, this.#endButton);
    disable(at === tree.root, this.#remove);
    disable(
      tree.path(at).every((one) => one.parent.children[0] === one),
      this.#promote,
    );
    const board = defined(this.#board);
    const textOf = (/** @type {MoveNode} */ { text, mark = "" }) =>
      textFrom(board, this.#side, text) + (GLYPHS[mark] ?? "");
    drawTree(this.#list, tree, at, (node) => this.go(node), textOf);
  }
}

/**
 * Disable buttons without removing the focus from one that was just pressed.
 * @param {boolean} off
 * @param {...HTMLElement} buttons
 */
function disable(off, ...buttons) {
  for (const one of buttons) one.setAttribute("aria-disabled", String(off));
}

customElements.define("antipodes-analysis-board", AnalysisBoard);
