// The bell in the header: how much is unseen, in the bell, in the title, and said once when it grows.

import { number, tn } from "../i18n.js";
import { sure } from "../sure.js";

const FIRST_DELAY = 1_000; // milliseconds before the first attempt to connect again
const LONGEST_DELAY = 60_000;
const SAID_AGAIN = 60_000; // a page in sight says so every minute
const MOST = 99;
// The server does not know this browser any more, or other tabs took the place of this one. Then it
// connects again when the page is looked at.
const UNTIL_SEEN = [4401, 4429];
const INTRODUCED = "antipodes-introduced"; // kept in this browser
const PREFIX = /^\(\d+\+?\) /;

class Bell extends HTMLElement {
  /** @type {WebSocket | null} */
  #socket = null;
  #failures = 0;
  #unseen = 0;
  #retry = 0;
  #isLooking = false;
  #waitsToBeSeen = false;
  #match = /^\/m\/([\w-]+)\/$/.exec(location.pathname)?.[1] ?? null;

  connectedCallback() {
    const count = this.#count;
    this.#unseen = count.hidden ? 0 : Number.parseInt(count.textContent ?? "", 10);
    this.#connect();
    document.addEventListener("visibilitychange", () => {
      if (this.#waitsToBeSeen && !document.hidden) this.#connect();
      else this.#look();
    });
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => event.persisted && this.#connect());
    setInterval(() => this.#look(true), SAID_AGAIN);
    // Other scripts of a page write its title too.
    new MutationObserver(() => this.#mark()).observe(sure(document.querySelector("title")), { childList: true });
    this.#mark();
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#waitsToBeSeen = false;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/notices/socket?language=${document.documentElement.lang}`);
    this.#socket = socket;
    this.#isLooking = false;
    socket.onopen = () => {
      this.#failures = 0;
      this.#look();
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      this.#waitsToBeSeen = UNTIL_SEEN.includes(event.code);
      if (this.#waitsToBeSeen) return;
      const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#failures++);
      this.#retry = setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
    };
  }

  get #count() {
    return /** @type {HTMLElement} */ (this.querySelector(".bell-count"));
  }

  /** Close the socket, or see that it closes as soon as it is open: before, browsers warn of it. */
  #leave() {
    const socket = sure(this.#socket);
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  /** Tell which match is in sight, or that none is any more. */
  #look(again = false) {
    if (this.#match === null || this.#socket?.readyState !== WebSocket.OPEN) return;
    const isLooking = !document.hidden;
    if (isLooking === this.#isLooking && !(again && isLooking)) return;
    this.#isLooking = isLooking;
    this.#socket.send(JSON.stringify({ looking: isLooking ? this.#match : null }));
  }

  /** @param {{unseen: number, words?: string}} told */
  #hear({ unseen, words }) {
    const news = unseen > this.#unseen && words;
    this.#unseen = unseen;
    const count = this.#count;
    const [shown, spoken] = count.children;
    count.hidden = unseen === 0;
    shown.textContent = unseen > MOST ? `${MOST}+` : number(unseen);
    spoken.textContent = tn("{count} new", "{count} new", unseen);
    if (news) sure(this.querySelector(".bell-news")).textContent = news;
    this.#mark();
    // The socket says what became of a look: what is new about the match in sight is seen.
    this.dispatchEvent(new CustomEvent("bell", { bubbles: true, detail: { unseen } }));
  }

  /** Write the count before the title of the page. */
  #mark() {
    const plain = document.title.replace(PREFIX, "");
    const marked = this.#unseen ? `(${this.#unseen > MOST ? `${MOST}+` : this.#unseen}) ${plain}` : plain;
    if (marked !== document.title) document.title = marked;
  }
}

/** Tell the server once in which time zone this browser is, for the times in mail. */
function introduce() {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const told = `${zone} ${document.querySelector(".who .name")?.textContent}`;
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.getAttribute("value");
  try {
    if (!token || localStorage.getItem(INTRODUCED) === told) return;
    localStorage.setItem(INTRODUCED, told);
  } catch {
    return; // a browser that keeps nothing would say it on every page
  }
  fetch("/notices/browser", { method: "POST", headers: { "X-CSRFToken": token }, body: new URLSearchParams({ zone }) });
}

introduce();
customElements.define("antipodes-bell", Bell);
