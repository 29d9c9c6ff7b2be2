// What has happened, in words.

import { listed } from "./dom.js";

const OFFERED = { draw: "a draw", takeback: "for a takeback", pause: "for a pause", rematch: "a rematch" };

/**
 * Say what is new since the last view of a match; one's own moves are not told back.
 * @param {{added: object[], takenBack: boolean, ended: boolean, before: object}} news
 * @param {import("./state.js").MatchState} state
 */
export function newsInWords(news, state) {
  const { view } = state;
  const words = [];
  if (news.takenBack) words.push("A move was taken back.");
  for (const move of news.added) {
    const isMine = view.own.includes(move.seat);
    if (isMine && move.source !== "plan") continue;
    const how = move.source === "plan" ? ", by plan" : "";
    words.push(`${state.nameOf(move.seat)} played ${move.text}${how}.`);
  }
  if (news.ended) words.push(`The game is over: ${view.result}.`);
  else if (news.added.length && state.isMyTurn) words.push(`${headline(state)}.`);
  for (const [kind, seats] of Object.entries(view.offers)) {
    const isNew = !news.before.offers[kind]?.length && seats.length;
    if (isNew && !view.own.includes(seats[0])) words.push(offerText(kind, state));
  }
  return words.join(" ");
}

/** Say which position is shown, for those who step through the moves. */
export function positionInWords(state) {
  const { moves } = state.view;
  if (state.ply === 0) return "Start of the game.";
  const move = moves[state.ply - 1];
  const where = state.isPresent ? "Present position" : `Move ${state.ply} of ${moves.length}`;
  return `${where}: ${move.color} ${move.text}.`;
}

/**
 * Say who has offered something: "ann offers a draw."
 * @param {"draw"|"takeback"|"pause"|"rematch"} kind
 * @param {import("./state.js").MatchState} state
 */
export function offerText(kind, state) {
  const [first, ...rest] = [...new Set(state.view.offers[kind].map((seat) => state.nameOf(seat)))];
  const own = first === "You";
  const verb = kind === "draw" || kind === "rematch" ? "offer" : "ask";
  const also = rest.length ? ` ${listed(rest)} agreed.` : "";
  return `${first} ${verb}${own ? "" : "s"} ${OFFERED[kind]}.${also}`;
}

/** What matters most now, in few words. */
export function headline(state) {
  const { view } = state;
  if (view.result !== null) return view.result;
  if (view.clock.paused) return "Paused";
  if (state.isMyTurn) return "Your turn";
  const seat = state.seat(view.toMove);
  if (seat?.computer && state.isWarming) return "The computer is warming up …";
  return seat?.computer ? "The computer is thinking …" : `${seat?.name}’s turn`;
}

/** The standing of a series: "Match play to 9 points: ann 3, bob 4." */
export function seriesText({ points, scores, sides, winner }) {
  const each = sides.map((names, side) => `${listed([names].flat())} ${scores[side] ?? 0}`);
  const end = winner === null ? "" : ` ${listed([sides[winner]].flat())} won.`;
  return `Match play to ${points} points: ${each.join(", ")}.${end}`;
}
