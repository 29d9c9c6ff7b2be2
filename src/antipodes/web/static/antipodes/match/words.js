// What has happened, in words.

import { listed, number, t, tn } from "../i18n.js";
import { colorWord } from "../board/words.js";
import { sure } from "../sure.js";

/** @import { Made, MatchState, News, Offer, Series } from "./state.js" */

// Whole sentences, since languages put their words in other orders: mine, and another player's.
/** @type {Record<Offer, [mine: () => string, theirs: (player: string) => string]>} */
const OFFERS = {
  draw: [() => t("You offer a draw."), (player) => t("{player} offers a draw.", { player })],
  takeback: [() => t("You ask for a takeback."), (player) => t("{player} asks for a takeback.", { player })],
  pause: [() => t("You ask for a pause."), (player) => t("{player} asks for a pause.", { player })],
  rematch: [() => t("You offer a rematch."), (player) => t("{player} offers a rematch.", { player })],
};

// Whole sentences again: what another player has declined.
/** @type {Record<Offer, (player: string) => string>} */
const DECLINED = {
  draw: (/** @type {string} */ player) => t("{player} declined your offer of a draw.", { player }),
  takeback: (/** @type {string} */ player) => t("{player} declined the takeback.", { player }),
  pause: (/** @type {string} */ player) => t("{player} declined the pause.", { player }),
  rematch: (/** @type {string} */ player) => t("{player} declined the rematch.", { player }),
};

/**
 * Say what the viewer has to do to win: "You are White: close a ring round a pole."
 * @param {MatchState} state
 */
export function goalText(state) {
  const { goals } = state.view;
  if (state.isSeated) {
    const { color } = sure(state.seat(state.mySeat));
    return t("You are {color}: {goal}.", { color: colorName(color), goal: goals[color] });
  }
  const [first, ...others] = Object.values(goals);
  if (others.every((goal) => goal === first)) return `${capital(first)}.`;
  const each = Object.entries(goals).map(([color, goal]) => `${colorName(color)}: ${goal}.`);
  return each.join(" ");
}

/**
 * A colour as the name of a player: "White".
 * @param {string} color
 */
function colorName(color) {
  return capital(colorWord(color));
}

/** @param {string} text */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/**
 * What the button that swaps says, by what is exchanged.
 * @param {MatchState} state
 */
export function swapLabel({ view }) {
  return view.swapExchanges === "stones" ? t("Take over the first stone") : t("Swap sides");
}

/**
 * What a swap would do, or has done; empty where neither is so.
 * @param {MatchState} state
 */
export function swapText(state) {
  const { view, isMyTurn, isPresent } = state;
  if (!isPresent) return "";
  const isStones = view.swapExchanges === "stones";
  if (view.swap !== null && view.result === null) {
    if (isMyTurn && isStones) {
      return t("You may take over the first stone: it becomes yours, mirrored, and you keep your colour.");
    }
    if (isMyTurn) return t("You may swap sides: the first move becomes yours, with its colour.");
    return isStones
      ? t("The other player may take over the first stone instead of moving.")
      : t("The other player may swap sides instead of moving.");
  }
  const last = view.moves.at(-1);
  if (view.moves.length !== 2 || last?.text !== "swap") return "";
  const player = state.nameOf(last.seat);
  const isMine = view.own.includes(last.seat);
  if (isStones) {
    return isMine
      ? t("You took over the first stone: it is yours now, mirrored.")
      : t("{player} took over the first stone: it changed its colour and its place.", { player });
  }
  const { color } = sure(state.seat(last.seat));
  return isMine
    ? t("You swapped sides: you play {color} now.", { color: colorName(color) })
    : t("{player} swapped sides and plays {color} now.", { player, color: colorName(color) });
}

/**
 * Say which offers of the viewer were declined since the last move.
 * @param {MatchState} state
 * @returns {string[]}
 */
export function declinedTexts(state) {
  const { own, declined } = state.view;
  const all = /** @type {[Offer, {by: number, agreed: number[]}][]} */ (Object.entries(declined));
  return all
    .filter(([, { agreed }]) => agreed.some((seat) => own.includes(seat)))
    .map(([kind, { by }]) => DECLINED[kind](state.nameOf(by)));
}

/**
 * Say what is new since the last view of a match; one's own moves are not told back.
 * @param {News} news
 * @param {MatchState} state
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
  if (news.ended) words.push(t("The game is over: {result}.", { result: view.result ?? "" }));
  else if (news.added.length && state.isMyTurn) words.push(`${headline(state)}.`);
  for (const [kind, seats] of /** @type {[Offer, number[]][]} */ (Object.entries(view.offers))) {
    const isNew = !news.before?.offers[kind]?.length && seats.length;
    if (isNew && !view.own.includes(seats[0])) words.push(offerText(kind, state));
  }
  if (JSON.stringify(view.declined) !== JSON.stringify(news.before?.declined)) words.push(...declinedTexts(state));
  const swap = news.added.length ? swapText(state) : "";
  if (swap) words.push(swap);
  return words.join(" ");
}

/**
 * Say which position is shown, for those who step through the moves.
 * @param {MatchState} state
 */
export function positionInWords(state) {
  const { moves } = state.view;
  if (state.ply === 0) return t("Start of the game.");
  const move = moves[state.ply - 1];
  const values = { ply: state.ply, count: moves.length, color: colorWord(move.color), move: state.textOf(move.text) };
  return state.isPresent
    ? t("Present position: {color} {move}.", values)
    : t("Move {ply} of {count}: {color} {move}.", values);
}

/**
 * Say who has offered something: "ann offers a draw."
 * @param {Offer} kind
 * @param {MatchState} state
 */
export function offerText(kind, state) {
  const { own, offers } = state.view;
  const [first, ...others] = offers[kind] ?? [];
  const [mine, theirs] = OFFERS[kind];
  const said = own.includes(first) ? mine() : theirs(state.nameOf(first));
  const rest = [...new Set(others.map((seat) => state.nameOf(seat)))].filter((name) => name !== state.nameOf(first));
  return rest.length ? `${said} ${t("{players} agreed.", { players: listed(rest) })}` : said;
}

/**
 * @param {Made} move
 * @param {boolean} isMine
 * @param {MatchState} state
 */
function playedText(move, isMine, state) {
  const values = { player: state.nameOf(move.seat), move: state.textOf(move.text) };
  if (isMine) return t("You played {move}, by plan.", values);
  return move.source === "plan"
    ? t("{player} played {move}, by plan.", values)
    : t("{player} played {move}.", values);
}

/**
 * What matters most now, in few words.
 * @param {MatchState} state
 */
export function headline(state) {
  const { view } = state;
  if (view.result !== null) return state.isSeated && view.winner ? endText(state) : view.result;
  if (view.clock.paused) return t("Paused");
  if (state.isMyTurn) return t("Your turn");
  const seat = state.seat(view.toMove);
  if (seat?.computer && state.isWarming) return t("The computer is warming up …");
  if (seat?.computer && state.wait) return busyInWords(state.wait);
  return seat?.computer
    ? t("The computer is thinking …")
    : t("{player}’s turn", { player: seat?.name ?? "" });
}

/**
 * How the game ended for the viewer: "You won".
 * @param {MatchState} state
 */
function endText({ isWinner }) {
  return isWinner ? t("You won") : t("You lost");
}

/**
 * How long the computer is busy elsewhere; an estimate, so it is rounded up to steps.
 * @param {number} wait
 */
export function busyInWords(wait) {
  const step = wait > 60 ? 30 : wait > 20 ? 10 : 5;
  return t("The computer is busy: about {seconds} s", { seconds: number(step * Math.ceil(wait / step)) });
}

/**
 * The standing of a series: "Match play to 9 points: ann 3, bob 4."
 * @param {Series} series
 */
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
