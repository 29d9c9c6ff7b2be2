// What an analysis has found, as elements: chances, best moves, threats.

import { element, setText } from "../match/dom.js";
import { chip } from "./list.js";

/** A chance from 0 to 1 as people say it. */
export function percent(value) {
  return `${Math.round(100 * value)} %`;
}

/** How far an analysis is, in words. */
export function progressInWords(told) {
  if (told.state === "warming") {
    return "The computer is warming up; the first time this takes a minute or two …";
  }
  if (told.state === "waiting") return "Waiting for its turn …";
  if (told.state === "stopped" && !told.found) return "Stopped.";
  if (!told.found) return "Thinking …";
  const { visits, seconds } = told.found.rootInfo;
  const count = visits === 1 ? "1 visit" : `${visits.toLocaleString("en")} visits`;
  const work = `${count} in ${seconds.toFixed(1)} s`;
  if (told.state === "working") return `Thinking … ${percent(told.found.share)}, ${work}`;
  return `${told.state === "done" ? "Done" : "Stopped"}: ${work}`;
}

/** What is certain, in words; empty if nothing is. */
export function verdictInWords(found) {
  const { outcome, rootInfo } = found;
  if (outcome) return outcome.winner ? `The game is over: ${outcome.winner} has won.` : "A draw.";
  const mover = rootInfo.currentPlayer;
  if (rootInfo.proven === "win") return `Proven: ${mover} to move wins.`;
  if (rootInfo.proven === "loss") return `Proven: ${mover} to move loses, whatever is played.`;
  if (rootInfo.proven === "draw") return "Proven: a draw.";
  const winner = found.connections?.winner;
  return winner ? `Proven by connections: ${winner} wins.` : "";
}

/** The chances of each colour as bars; the numbers stand beside them. */
export function chances(found) {
  const known = found.estimates.filter((one) => one.winrate !== null);
  return known.map(({ color, winrate, error }) => {
    const bar = element("div", { class: `bar ${color}`, "aria-hidden": "true" });
    bar.style.inlineSize = `${100 * winrate}%`;
    const words = error ? `${percent(winrate)} ± ${Math.max(1, Math.round(100 * error))}` : percent(winrate);
    return element(
      "li",
      {},
      element("span", { class: "color" }, chip(color), color),
      element("div", { class: "track" }, bar),
      element("span", { class: "value" }, words)
    );
  });
}

const SURE = { win: "wins", loss: "loses", draw: "draws" };

/** A row for each of the best moves. `act` has what its buttons do. */
export function moveRows(found, act) {
  return found.moveInfos.map((one) => {
    const show = element("button", {
      type: "button",
      class: "line",
      "aria-pressed": "false",
      title: "show this line on the board",
    });
    show.append(element("b", {}, one.move), ` ${one.pv.slice(1, 8).join(" ")}`);
    show.setAttribute("aria-label", `show the line ${one.pv.join(", ")}`);
    show.addEventListener("click", () => act.toggle(show, one.pv));
    for (const name of ["pointerenter", "focus"]) show.addEventListener(name, () => act.peek(one.pv));
    for (const name of ["pointerleave", "blur"]) show.addEventListener(name, () => act.peek(null));
    const play = element("button", { type: "button", "aria-label": `play ${one.move}` }, "Play");
    play.addEventListener("click", () => act.play(one.move));
    const sure = one.proven && element("strong", { class: `proven ${one.proven}` }, SURE[one.proven]);
    return element(
      "tr",
      {},
      element("td", { class: "order" }, String(one.order + 1)),
      element("td", { class: "moves-cell" }, show),
      element("td", { class: "value" }, sure || percent(one.winrate)),
      element("td", { class: "visits" }, one.visits.toLocaleString("en")),
      element("td", {}, play)
    );
  });
}

/** What the opponent threatens, and where one must play. */
export function drawThreats(list, found) {
  const words = (found.threats ?? []).map(({ move, winrate, proven, atOnce }) => {
    if (atOnce) return `${move} would win at once`;
    return proven === "win" ? `${move} would win for certain` : `${move} would be worth ${percent(winrate)}`;
  });
  const must = found.connections?.mustPlay;
  if (must?.length) words.push(`one must play at one of these: ${must.join(", ")}`);
  list.replaceChildren(...words.map((text) => element("li", {}, text)));
  list.parentElement.hidden = words.length === 0;
}

/** Set a text, and hide its element while there is none. */
export function showText(target, text) {
  setText(target, text);
  target.hidden = !text;
}
