// A match: its board, its moves, and a socket that brings news and takes commands.

import "./board.js";

const RETRY = [500, 1000, 2000, 5000]; // milliseconds between attempts to connect again

class Match extends HTMLElement {
  #board = null;
  #match = null;
  #shown = null; // the ply on the board, or null for the present one
  #socket = null;
  #failures = 0;
  #waiting = new Map(); // key -> command that was not yet answered

  async connectedCallback() {
    this.slug = this.getAttribute("slug");
    this.parts = {
      board: document.createElement("antipodes-board"),
      caption: element("p", { role: "status", "aria-live": "polite", class: "caption" }),
      seats: element("ul", { class: "seats" }),
      moves: element("ol", { class: "moves" }),
      note: element("p", { role: "alert", class: "note" }),
    };
    this.#addPanels();
    const [board, match] = await Promise.all(["board.json", "match.json"].map(load));
    this.#board = board;
    this.#take(match);
    this.#connect();
  }

  disconnectedCallback() {
    this.#socket?.close();
    this.#socket = null;
  }

  #addPanels() {
    const { board, caption, seats, moves, note } = this.parts;
    const buttons = element("div", { class: "buttons" });
    for (const [text, label, act] of [
      ["«", "first position", () => this.#go(0)],
      ["‹", "one move back", () => this.#go(this.#ply - 1)],
      ["›", "one move on", () => this.#go(this.#ply + 1)],
      ["»", "present position", () => this.#go(Infinity)],
    ]) {
      buttons.append(button(text, act, label));
    }
    this.parts.swap = button("Swap", () => this.#send({ command: "play", move: this.#match.swap }));
    const takeback = () => this.#send({ command: "offer", kind: "takeback" });
    const draw = () => this.#send({ command: "offer", kind: "draw" });
    const resign = () => confirm("Resign this game?") && this.#send({ command: "resign" });
    this.parts.actions = element("div", { class: "buttons" });
    this.parts.actions.append(
      this.parts.swap,
      button("Take back", takeback),
      button("Offer a draw", draw),
      button("Resign", resign)
    );
    this.parts.answers = element("div", { class: "buttons" });
    const side = element("div", { class: "side" });
    side.append(caption, note, seats, this.parts.answers, this.parts.actions, buttons, moves);
    this.append(board, side);
    board.addEventListener("play", (event) => this.#send({ command: "play", move: event.detail }));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.target.closest("input, textarea, antipodes-board")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step) this.#go(this.#ply + step);
  }

  // News and commands.

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/m/${this.slug}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      // What was sent and not answered is sent again; its key keeps it from being done twice.
      for (const command of this.#waiting.values()) socket.send(JSON.stringify(command));
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      const delay = RETRY[Math.min(this.#failures++, RETRY.length - 1)];
      setTimeout(() => this.#connect(), delay);
    };
  }

  #hear(message) {
    if (message.type === "match") {
      if (message.match.version >= this.#match.version) this.#take(message.match);
      return;
    }
    this.#waiting.delete(message.key);
    if (message.type === "refused") {
      this.parts.note.textContent = message.message;
      this.#draw();
    }
  }

  #send(details) {
    const seat = this.#match.own.includes(this.#match.toMove) ? this.#match.toMove : this.#match.own[0];
    const command = { seat, ply: this.#match.ply, key: crypto.randomUUID(), ...details };
    this.#waiting.set(command.key, command);
    this.parts.note.textContent = "";
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
  }

  // What is shown.

  get #ply() {
    return this.#shown ?? this.#match.moves.length;
  }

  #go(ply) {
    const last = this.#match.moves.length;
    const wanted = Math.max(0, Math.min(last, ply));
    this.#shown = wanted === last ? null : wanted;
    this.#draw();
  }

  #take(match) {
    this.#match = match;
    if (this.#shown !== null && this.#shown >= match.moves.length) this.#shown = null;
    this.#draw();
  }

  #draw() {
    const match = this.#match;
    const ply = this.#ply;
    const pieces = { ...match.start };
    for (const move of match.moves.slice(0, ply)) {
      for (const [cell, [, after]] of Object.entries(move.changed)) {
        if (after === null) delete pieces[cell];
        else pieces[cell] = after;
      }
    }
    const isNow = this.#shown === null;
    this.parts.board.show({
      board: this.#board,
      pieces,
      legal: isNow ? match.legal : [],
      last: ply ? match.moves[ply - 1].last : null,
      chain: isNow ? match.chain : [],
    });
    this.#tell(isNow, ply);
  }

  #tell(isNow, ply) {
    const match = this.#match;
    const { caption, seats, moves, actions, swap } = this.parts;
    const thinking = match.seats.find((seat) => seat.seat === match.toMove)?.computer;
    let text = match.result ?? match.caption;
    if (!match.result && thinking) text = `${match.caption} The computer is thinking …`;
    caption.textContent = isNow ? text : `Position after ${ply} of ${match.moves.length} moves`;
    seats.replaceChildren(
      ...match.seats.map((seat) => {
        const item = element("li", seat.seat === match.toMove ? { class: "to-move" } : {});
        const own = match.own.includes(seat.seat) ? " (you)" : "";
        item.textContent = `${seat.color}: ${seat.name}${own}`;
        return item;
      })
    );
    moves.replaceChildren(...match.moves.map((move, i) => this.#moveItem(move, i + 1, ply)));
    actions.hidden = !match.own.length || match.result !== null;
    swap.hidden = match.swap === null || !match.own.includes(match.toMove);
    this.#drawAnswers();
  }

  #moveItem(move, number, ply) {
    const item = element("li", number === ply ? { "aria-current": "step" } : {});
    item.append(button(move.text, () => this.#go(number)));
    return item;
  }

  #drawAnswers() {
    const open = Object.entries(this.#match.offers).filter(
      ([, seats]) => this.#match.own.length && !seats.some((seat) => this.#match.own.includes(seat))
    );
    this.parts.answers.replaceChildren(
      ...open.flatMap(([kind]) => [
        button(`Agree to a ${kind}`, () => this.#send({ command: "accept", kind })),
        button("Decline", () => this.#send({ command: "decline", kind })),
      ])
    );
  }
}

async function load(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.json();
}

function element(name, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function button(text, act, label) {
  const made = element("button", label ? { type: "button", "aria-label": label } : { type: "button" });
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

customElements.define("antipodes-match", Match);
