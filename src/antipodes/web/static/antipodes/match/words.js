// What has happened, in words.

import { listed, t, tn } from "../i18n.js";
import { colorWord } from "../board/words.js";

// Whole sentences, since languages put their words in other orders: mine, and another player's.
const OFFERS = {
  draw: [() => t("You offer a draw."), (player) => t("{player} offers a draw.", { player })],
  takeback: [() => t("You ask for a takeback."), (player) => t("{player} asks for a takeback.", { player })],
  pause: [() => t("You ask for a pause."), (player) => t("{player} asks for a pause.", { player })],
  rematch: [() => t("You offer a rematch."), (player) => t("{player} offers a rematch.", { player })],
};

/**
 * Say what is new since the last view of a match; one's own moves are not told back.
 * @param {{added: object[], takenBack: boolean, ended: boolean, before: object}} news
 * @param {import("./state.js").MatchState} state
 */
export function newsInWords(news, state) {
  const { view } = state;
  const words = [];
  if (news.takenBack) words.push(t("A move was taken back."));
  for (const move of news.added) {
    const isMine = view.own.includes(move.seat);
    if (isMine && move.source !== "plan") continue;
    words.push(playedText(move, isMine, state));
  }
  if (news.ended) words.push(t("The game is over: {result}.", { result: view.result }));
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
  if (state.ply === 0) return t("Start of the game.");
  const move = moves[state.ply - 1];
  const values = { ply: state.ply, count: moves.length, color: colorWord(move.color), move: move.text };
  return state.isPresent
    ? t("Present position: {color} {move}.", values)
    : t("Move {ply} of {count}: {color} {move}.", values);
}

/**
 * Say who has offered something: "ann offers a draw."
 * @param {"draw"|"takeback"|"pause"|"rematch"} kind
 * @param {import("./state.js").MatchState} state
 */
export function offerText(kind, state) {
  const { own, offers } = state.view;
  const [first, ...others] = offers[kind];
  const [mine, theirs] = OFFERS[kind];
  const said = own.includes(first) ? mine() : theirs(state.nameOf(first));
  const rest = [...new Set(others.map((seat) => state.nameOf(seat)))].filter((name) => name !== state.nameOf(first));
  return rest.length ? `${said} ${t("{players} agreed.", { players: listed(rest) })}` : said;
}

function playedText(move, isMine, state) {
  const values = { player: state.nameOf(move.seat), move: move.text };
  if (isMine) return t("You played {move}, by plan.", values);
  return move.source === "plan"
    ? t("{player} played {move}, by plan.", values)
    : t("{player} played {move}.", values);
}

/** What matters most now, in few words. */
export function headline(state) {
  const { view } = state;
  if (view.result !== null) return view.result;
  if (view.clock.paused) return t("Paused");
  if (state.isMyTurn) return t("Your turn");
  const seat = state.seat(view.toMove);
  if (seat?.computer && state.isWarming) return t("The computer is warming up …");
  return seat?.computer
    ? t("The computer is thinking …")
    : t("{player}’s turn", { player: seat?.name ?? "" });
}

/** The standing of a series: "Match play to 9 points: ann 3, bob 4." */
export function seriesText({ points, scores, sides, winner }) {
  const each = sides.map((names, side) => `${listed([names].flat())} ${scores[side] ?? 0}`);
  const standing = tn(
    "Match play to {count} point: {scores}.",
    "Match play to {count} points: {scores}.",
    points,
    { scores: each.join(", ") }
  );
  if (winner === null) return standing;
  return `${standing} ${t("{players} won.", { players: listed([sides[winner]].flat()) })}`;
}
