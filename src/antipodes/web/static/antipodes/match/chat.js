// Talk beside the game; players and spectators have a room each and do not read each other.

import { t, tn } from "../i18n.js";
import { element, setText } from "./dom.js";
import { moment } from "./times.js";

/** @import { Host } from "./actions.js" */
/** @import { MatchState } from "./state.js" */

const LONGEST = 500; // characters of a line
/** @type {Record<string, string>} */
const ROOMS = { seated: t("player"), spectators: t("spectator") };
const KEPT = 300; // lines on the page
const MOST_SAID = 3; // lines that are read out; of more only the number

/**
 * One line of the chat.
 * @typedef {{id: number, room: string, name: string, text: string, at: number, own: boolean}} Line
 */

export class ChatPanel {
  /** @type {Set<number>} */
  #known = new Set();
  #hasHistory = false;
  #lines = element("ol", { class: "chat-lines", tabindex: "0", "aria-label": t("What was said") });
  #room = element("p", { class: "hint" });
  #refusal = element("p", { class: "refusal", role: "alert" });
  unread = 0;

  /**
   * @param {Host} host
   * @param {boolean} hasName whether the viewer has a name to talk under
   * @param {() => boolean} isSeen whether the panel is in view
   * @param {() => void} changed called when the number of unread lines has changed
   */
  constructor(host, hasName, isSeen, changed) {
    this.host = host;
    this.hasName = hasName;
    this.isSeen = isSeen;
    this.changed = changed;
    this.input = element("input", {
      id: "chat-text",
      name: "text",
      maxlength: String(LONGEST),
      autocomplete: "off",
      enterkeyhint: "send",
      required: true,
    });
    const form = element(
      "form",
      { class: "chat-form" },
      element("label", { for: "chat-text", class: "spoken" }, t("Say something")),
      this.input,
      element("button", { type: "submit" }, t("Send"))
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    const way = element("a", { href: `/accounts/login/?next=${location.pathname}` }, t("Sign in"));
    const nameless = element("p", { class: "hint" }, way, ` ${t("or play a game to have a name here.")}`);
    const below = hasName ? form : nameless;
    this.root = element("div", { class: "chat" }, this.#room, this.#lines, this.#refusal, below);
  }

  async #send() {
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = "";
    const answer = await this.host.command({ command: "chat", room: this.room, text });
    const isRefused = answer.type === "refused";
    setText(this.#refusal, isRefused ? (answer.message ?? "") : "");
    // Nothing that was typed is lost, unless there is something newer.
    if (isRefused && !this.input.value) this.input.value = text;
  }

  /** @param {MatchState} state */
  draw(state) {
    this.state = state;
    this.room = state.isSeated ? "seated" : "spectators";
    const readers = state.isSeated ? t("Only players read this.") : t("Only spectators read this.");
    setText(this.#room, state.isOver ? t("Players and spectators read each other now.") : readers);
  }

  /**
   * Add lines that are not there yet. The first ones are what was said before.
   * @param {Line[]} lines
   */
  add(lines) {
    const isNews = this.#hasHistory;
    this.#hasHistory = true;
    const fresh = lines.filter((line) => !this.#known.has(line.id));
    if (!fresh.length) return;
    for (const line of fresh) {
      this.#known.add(line.id);
      this.#lines.append(makeLine(line, this.room, this.hasName));
    }
    while (this.#lines.childElementCount > KEPT) this.#lines.firstElementChild?.remove();
    this.#lines.scrollTop = this.#lines.scrollHeight;
    const others = fresh.filter((line) => !line.own);
    if (isNews && others.length) this.#tell(others);
  }

  /**
   * Take away a line that moderators have deleted.
   * @param {number} id
   */
  remove(id) {
    this.#lines.querySelector(`[data-line="${Number(id)}"]`)?.remove();
  }

  /** @param {Line[]} lines */
  #tell(lines) {
    const isFew = lines.length <= MOST_SAID;
    const said = lines.map((line) => t("{player} says: {text}", { player: line.name, text: line.text })).join(" ");
    this.host.say(isFew ? said : tn("{count} new line in the chat.", "{count} new lines in the chat.", lines.length));
    if (this.isSeen()) return;
    this.unread += lines.length;
    this.changed();
  }

  /** The panel came into view. */
  seen() {
    this.#lines.scrollTop = this.#lines.scrollHeight;
    if (!this.unread) return;
    this.unread = 0;
    this.changed();
  }
}

/**
 * @param {Line} line
 * @param {string | undefined} room
 * @param {boolean} hasName
 */
function makeLine(line, room, hasName) {
  const at = element("time", { datetime: new Date(line.at).toISOString() }, moment(line.at));
  const name = element("b", {}, line.name);
  const elsewhere = line.room === room ? [] : [element("i", {}, ` (${ROOMS[line.room]})`)];
  const report = line.own || !hasName ? [] : [" ", reportLink(line)];
  const attributes = { class: line.own ? "own" : null, "data-line": line.id };
  return element("li", attributes, name, ...elsewhere, " ", line.text, " ", at, ...report);
}

/** @param {Line} line */
function reportLink(line) {
  const spoken = t("Report what {player} said: {text}", { player: line.name, text: line.text });
  return element("a", { class: "report", href: `/chat/${line.id}/report/`, "aria-label": spoken }, t("Report"));
}
