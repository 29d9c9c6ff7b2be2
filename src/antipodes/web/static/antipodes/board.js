// The board of any game. It knows no rules: places, pieces and legal moves come from the server.
//
//   board.show({ board, pieces, legal, last, chain, label })
//
// A move is chosen step by step along the steps of the legal moves; `play` is fired with the move.

import { outline, piece, spoken, svg } from "./shapes.js";

const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
const MARGIN = 1.1;

class Board extends HTMLElement {
  #data = null;
  #state = { pieces: {}, legal: [], last: null, chain: [] };
  #chosen = [];
  #focus = null; // index of the place that arrow keys have reached
  #groups = []; // one for each place

  /** Show a board and what lies on it. */
  show({ board, pieces, legal = [], last = null, chain = [] }) {
    this.#state = { pieces, legal, last, chain };
    this.#chosen = [];
    if (board !== this.#data) {
      this.#data = board;
      this.#build();
    }
    this.#paint();
  }

  #build() {
    const { places, labels, shape } = this.#data;
    const boards = 1 + Math.max(...places.map((place) => place[1]));
    const points = outline(shape);
    this.#groups = [];
    this.replaceChildren();
    for (let number = 0; number < boards; number++) {
      const here = places.filter((place) => place[1] === number);
      const [xs, ys] = [here.map((place) => place[2]), here.map((place) => place[3])];
      const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
      const [width, height] = [Math.max(...xs) - left + MARGIN, Math.max(...ys) - top + MARGIN];
      const picture = svg("svg", {
        viewBox: `${left} ${top} ${width} ${height}`,
        role: "group",
        "aria-label": boards > 1 ? `board ${number + 1} of ${boards}` : "board",
      });
      for (const [text, x, y] of labels) {
        if (x < left || x > left + width || y < top || y > top + height) continue;
        const label = svg("text", { x, y, class: "label", "aria-hidden": "true" });
        label.textContent = text;
        picture.append(label);
      }
      for (const [index, place] of places.entries()) {
        if (place[1] !== number) continue;
        const group = svg("g", {
          class: "cell",
          transform: `translate(${place[2]} ${place[3]})`,
          role: "button",
          tabindex: "-1",
        });
        group.append(svg("polygon", { points, class: "ground" }));
        group.dataset.place = index;
        this.#groups[index] = group;
        picture.append(group);
      }
      this.append(picture);
    }
    this.#focus ??= 0;
    this.#groups[this.#focus].setAttribute("tabindex", "0");
  }

  connectedCallback() {
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("pointerover", (event) => this.#point(event, true));
    this.addEventListener("pointerout", (event) => this.#point(event, false));
  }

  /** The numbers that may come next, along the legal moves that begin with what was chosen. */
  #next() {
    const depth = this.#chosen.length;
    const open = this.#state.legal.filter((one) =>
      this.#chosen.every((step, i) => one[i + 1] === step)
    );
    return new Map(open.map((one) => [one[depth + 1], one]));
  }

  get #isRods() {
    return this.#data.kind === "grid";
  }

  #paint() {
    const { pieces, last, chain } = this.#state;
    const next = this.#wantsDiagonal() ? new Map() : this.#next();
    for (const [index, [cell, , , , name]] of this.#data.places.entries()) {
      const group = this.#groups[index];
      const held = this.#chosen.includes(cell);
      const marks = ["cell"];
      if (next.has(cell)) marks.push("legal");
      if (held) marks.push("held");
      if (cell === last) marks.push("last");
      if (chain.includes(cell)) marks.push("chain");
      group.setAttribute("class", marks.join(" "));
      while (group.childNodes.length > 1) group.lastChild.remove();
      const shown = pieces[cell];
      if (shown) group.append(piece(shown));
      if (cell === last) group.append(svg("circle", { r: 0.1, class: "dot" }));
      const words = [name, spoken(shown)];
      if (cell === last) words.push("last move");
      if (held) words.push("chosen");
      group.setAttribute("aria-label", words.join(", "));
      group.setAttribute("aria-disabled", String(!next.has(cell)));
    }
  }

  #wantsDiagonal() {
    if (!this.#isRods || !this.#state.legal.length) return false;
    return this.#chosen.length === this.#state.legal[0].length - 2;
  }

  /** Take a step; after the last one the move is played. */
  #choose(number) {
    const found = this.#next().get(number);
    if (!found) return false;
    this.#chosen.push(number);
    if (this.#chosen.length < found.length - 1) {
      this.#paint();
      return true;
    }
    this.#chosen = [];
    this.#paint();
    this.dispatchEvent(new CustomEvent("play", { detail: found[0], bubbles: true }));
    return true;
  }

  /** Step back; nothing is played before the last step. */
  back() {
    this.#chosen.pop();
    this.#paint();
  }

  #cellOf(event) {
    const group = event.target.closest?.(".cell");
    return group ? this.#data.places[group.dataset.place] : null;
  }

  #click(event) {
    const place = this.#cellOf(event);
    if (!place) return;
    this.#moveFocus(Number(event.target.closest(".cell").dataset.place), false);
    const [cell] = place;
    if (this.#chosen.at(-1) === cell && !this.#wantsDiagonal()) return this.back();
    if (this.#wantsDiagonal() && this.#chosen.at(-1) !== cell) this.#chosen.pop();
    const fresh = this.#chosen.at(-1) === cell || this.#choose(cell);
    // Where in the square one points is the diagonal that is meant.
    if (fresh && this.#wantsDiagonal()) this.#choose(diagonalAt(event));
  }

  #key(event) {
    const direction = ARROWS[event.key];
    if (direction) {
      this.#moveFocus(this.#neighbourAt(direction), true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#data.places[this.#focus][0]);
    } else if (event.key === "Escape") {
      this.back();
    } else if ("/\\".includes(event.key) && this.#isRods) {
      const cell = this.#data.places[this.#focus][0];
      if (this.#chosen.at(-1) === cell || this.#choose(cell)) this.#choose(event.key === "/" ? 0 : 1);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The nearest place in a direction, across boards as they are drawn. */
  #neighbourAt([dx, dy]) {
    const [, board, x, y] = this.#data.places[this.#focus];
    let best = this.#focus;
    let nearest = Infinity;
    for (const [index, place] of this.#data.places.entries()) {
      const [across, down] = [place[2] - x + 1000 * (place[1] - board), place[3] - y];
      const ahead = across * dx + down * dy;
      const aside = Math.abs(across * dy) + Math.abs(down * dx);
      if (ahead > 0.1 && ahead + 2 * aside < nearest) {
        nearest = ahead + 2 * aside;
        best = index;
      }
    }
    return best;
  }

  #moveFocus(index, visibly) {
    this.#groups[this.#focus].setAttribute("tabindex", "-1");
    this.#focus = index;
    this.#groups[index].setAttribute("tabindex", "0");
    if (visibly) this.#groups[index].focus();
  }

  /** Light up the twin of a point that is drawn twice. */
  #point(event, on) {
    const place = this.#cellOf(event);
    if (!place) return;
    for (const [index, other] of this.#data.places.entries()) {
      if (other[0] === place[0]) this.#groups[index].classList.toggle("pointed", on);
    }
  }
}

/** 0 for a rising rod, 1 for a falling one, by the quarter of the square that was pointed at. */
function diagonalAt(event) {
  const box = event.target.closest(".cell").firstChild.getBoundingClientRect();
  const right = event.clientX > box.left + box.width / 2;
  const lower = event.clientY > box.top + box.height / 2;
  return right === lower ? 1 : 0;
}

customElements.define("antipodes-board", Board);
