// A chapter of a study: an analysis whose tree, comments and marks are shared by several writers.
//
// Edits are shown at once, sent through a socket, and repeated after a lost connection; the server
// orders them and sends them to all readers.

import { t } from "./i18n.js";
import "./analysis.js";
import { defined } from "./defined.js";
import { Connection } from "./match/connection.js";
import { element } from "./match/dom.js";
import { NotesPanel } from "./studies/notes_panel.js";
import { applyEdit, setNodes } from "./studies/edits.js";

/** @import { Node } from "./analysis/tree.js" */
/** @import { Shape } from "./board/notes.js" */
/** @import { Edit } from "./studies/edits.js" */
/** @import { EditOut, NodeOut, StudyMessage, StudyNews, TreeOut } from "wire" */

const PAUSE = 100; // milliseconds between attempts to find the loaded board

/** `<antipodes-study>`, which contains the analysis; see studies/chapter.html. */
class Study extends HTMLElement {
  #canWrite = this.hasAttribute("can-write");
  /** @type {Edit[]} */
  #unsaved = [];
  /** @type {NodeOut[] | null} */
  #waiting = null; // nodes that came before the board was loaded
  #tool = "";
  /** @type {number | null} */
  #from = null; // first cell of an arrow
  #isLoaded = false;
  #connection = new Connection(
    `/study/${this.getAttribute("slug")}/${this.getAttribute("number")}/socket`,
  );
  #notes = new NotesPanel({
    comment: (node, text, before) =>
      this.#edit({ kind: "comment", path: this.#path(node), text, before }),
    mark: (node, mark) =>
      this.#edit({
        kind: "mark",
        path: this.#path(node),
        mark: /** @type {EditOut["mark"]} */ (mark),
      }),
    tool: (tool) => this.#choose(tool),
  });

  get #board() {
    return defined(this.querySelector("antipodes-analysis-board"));
  }

  connectedCallback() {
    const board = this.#board;
    board.panel.prepend(this.#notes.root);
    board.addEventListener("change", () => this.#onChange());
    board.addEventListener("edit", (event) =>
      this.#send(/** @type {CustomEvent<Edit>} */ (event).detail),
    );
    this.#drawWithMouse(board.boardElement);
    this.#connection.addEventListener("update", (event) =>
      this.#receive(/** @type {CustomEvent<StudyNews>} */ (event).detail),
    );
    this.#connection.addEventListener("down", () => this.#tell());
    this.#connection.addEventListener("up", () => this.#tell());
    this.#connection.addEventListener("gone", () => location.reload());
    this.#connection.open();
    addEventListener("beforeunload", (event) => {
      this.#notes.flush();
      if (this.#unsaved.length) event.preventDefault();
    });
  }

  disconnectedCallback() {
    this.#connection.close();
  }

  // Messages.

  #receive(/** @type {StudyNews} */ message) {
    if (message.type === "tree") this.#setNodes(message.tree.nodes);
    else if (message.type === "edits") for (const edit of message.edits) this.#apply(edit);
    else this.#setStudy(message);
  }

  /** Show the server's tree, with the edits that it does not have yet. */
  #setNodes(/** @type {NodeOut[]} */ nodes) {
    const { tree } = this.#board;
    if (!tree) {
      this.#waiting = nodes;
      setTimeout(() => this.#waiting && this.#setNodes(this.#waiting), PAUSE);
      return;
    }
    this.#waiting = null;
    const path = this.#isLoaded ? this.#path(defined(this.#board.node)) : pathInUrl();
    setNodes(tree, nodes);
    for (const edit of this.#unsaved) applyEdit(tree, edit);
    this.#isLoaded = true;
    this.#board.go(nearest(tree, path));
  }

  #apply(/** @type {EditOut} */ edit) {
    const { tree, node } = this.#board;
    if (!tree || !node) return;
    const changed = applyEdit(tree, edit);
    const isGone = tree.find(this.#path(node)) !== node;
    if (isGone && changed) this.#board.go(changed);
    else this.#board.redraw();
    this.#showNotes();
  }

  #setStudy(/** @type {StudyMessage} */ { title, canWrite, chapters }) {
    this.#canWrite = canWrite && !this.hasAttribute("framed");
    const heading = document.querySelector(".study-title");
    if (heading) heading.textContent = title;
    const own = Number(this.getAttribute("number"));
    const links = chapters.map(({ number, title: text }) => {
      const url = `/study/${this.getAttribute("slug")}/${number}/`;
      return element(
        "li",
        {},
        element("a", { href: url, "aria-current": number === own && "page" }, text),
      );
    });
    this.querySelector(".study-chapters ol")?.replaceChildren(...links);
    this.#showNotes();
  }

  // Own edits.

  /** Change the tree, and send the edit. */
  #edit(/** @type {Edit} */ edit) {
    const { tree } = this.#board;
    if (!tree) return;
    applyEdit(tree, edit);
    this.#board.redraw();
    this.#showNotes();
    this.#send(edit);
  }

  async #send(/** @type {Edit} */ edit) {
    if (!this.#canWrite) return; // a reader tries variations
    this.#unsaved.push(edit);
    this.#tell();
    const answer = await this.#connection.send({ edit });
    this.#unsaved = this.#unsaved.filter((one) => one !== edit);
    if (answer.type === "refused") this.#refuse(edit, answer.code ?? "", answer.message ?? "");
    else this.#tell();
  }

  /** The server has refused an edit: show its tree again. */
  async #refuse(
    /** @type {Edit} */ edit,
    /** @type {string} */ code,
    /** @type {string} */ message,
  ) {
    this.#notes.tell(message);
    const response = await fetch(
      `/study/${this.getAttribute("slug")}/${this.getAttribute("number")}/tree.json`,
    );
    if (response.ok) this.#setNodes(/** @type {TreeOut} */ (await response.json()).nodes);
    const node = this.#board.tree?.find(edit.path);
    if (code === "studies/changed" && edit.kind === "comment" && node)
      this.#notes.showConflict(node, edit.text ?? "");
  }

  #tell() {
    if (!this.#canWrite) return;
    const { isUp } = this.#connection;
    if (!isUp) this.#notes.tell(t("Offline: changes are kept here and saved later."));
    else this.#notes.tell(this.#unsaved.length ? t("Saving …") : t("All changes are saved."));
  }

  // Display.

  #onChange() {
    const { node } = this.#board;
    if (!node || !this.#isLoaded) return;
    const moves = this.#path(node).join(",");
    history.replaceState(null, "", moves ? `#m=${moves}` : location.pathname);
    this.#from = null;
    const report = document.querySelector("#study-report");
    if (report instanceof HTMLAnchorElement) report.search = moves && `?path=${moves}`;
    this.#showNotes();
  }

  #showNotes() {
    const { node } = this.#board;
    if (node) this.#notes.show(node, this.#canWrite);
  }

  #path(/** @type {Node} */ node) {
    return defined(this.#board.tree).moves(node);
  }

  // Marks and arrows.

  #choose(/** @type {string} */ tool) {
    this.#tool = tool;
    this.#from = null;
    this.#board.picker = tool ? (cell) => this.#pick(cell) : null;
  }

  #pick(/** @type {number} */ cell) {
    if (this.#tool !== "arrow") return this.#toggle(/** @type {Shape} */ ([this.#tool, cell]));
    if (this.#from === null) {
      this.#from = cell;
      this.#board.overlay = { pointed: [cell] };
      this.#board.boardElement.say(t("Choose where the arrow ends."));
      return;
    }
    const from = this.#from;
    this.#from = null;
    this.#board.overlay = {};
    if (from !== cell) this.#toggle(["arrow", from, cell]);
  }

  #toggle(/** @type {Shape} */ shape) {
    const node = defined(this.#board.node);
    const on = !(node.shapes ?? []).some((one) => String(one) === String(shape));
    this.#edit({ kind: "shape", path: this.#path(node), shape, on });
  }

  /**
   * With the right button, a click draws a circle and dragging an arrow.
   * @param {HTMLElement} board
   */
  #drawWithMouse(board) {
    /** @type {number | null} */
    let from = null;
    board.addEventListener(
      "contextmenu",
      (event) => this.#canWrite && cellOf(event) !== null && event.preventDefault(),
    );
    board.addEventListener("pointerdown", (event) => {
      from = event.button === 2 && this.#canWrite ? cellOf(event) : null;
    });
    board.addEventListener("pointerup", (event) => {
      const to = cellOf(event);
      if (event.button !== 2 || from === null || to === null) return;
      this.#toggle(from === to ? ["circle", to] : ["arrow", from, to]);
      from = null;
    });
  }
}

/**
 * Return the node after as many moves of a path as there are.
 * @param {import("./analysis/tree.js").Tree} tree
 * @param {number[]} path
 */
function nearest(tree, path) {
  for (let length = path.length; length > 0; length--) {
    const node = tree.find(path.slice(0, length));
    if (node) return node;
  }
  return tree.root;
}

function pathInUrl() {
  const moves = new URLSearchParams(location.hash.slice(1)).get("m") ?? "";
  return moves.split(",").filter(Boolean).map(Number);
}

/** @param {Event} event */
function cellOf(event) {
  const cell =
    event.target instanceof Element
      ? event.target.closest("[data-cell]")?.getAttribute("data-cell")
      : null;
  return cell === null || cell === undefined ? null : Number(cell);
}

customElements.define("antipodes-study", Study);
