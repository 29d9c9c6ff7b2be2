// Texts about a match.

import { listed, number, t, tn } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { defined } from "../defined.js";
import { SENTENCES } from "./sentences.js";

/** @import { Values } from "../i18n.js" */
/** @import { Changes, MatchState } from "./state.js" */
/** @import { MatchOut, MoveOut, OfferKind, SeatOut, SeriesOut } from "wire" */

/**
 * Return what stands below a player's name: the colour, and whether they are away.
 * @param {SeatOut} seat
 * @param {MatchOut} view
 * @param {Set<number> | null} present seats whose players have the page open; null until the server tells
 */
export function seatDetails({ seat, color, computer }, { own, clock }, present) {
  const isMine = own.includes(seat);
  const words = isMine ? [t("you"), colorText(color)] : [colorText(color)];
  if (clock.away.includes(seat)) words.push(t("on vacation"));
  else if (!isMine && !computer && present && !present.has(seat)) words.push(t("offline"));
  return words.join(" · ");
}

/**
 * Return the viewer's goal: "You are White: close a ring round a pole."
 * @param {MatchState} state
 */
export function goalText(state) {
  const { goals } = state.view;
  if (state.isSeated) {
    const { color } = defined(state.seat(state.mySeat));
    return t("You are {color}: {goal}.", { color: colorName(color), goal: goals[color] });
  }
  const [first, ...others] = Object.values(goals);
  if (others.every((goal) => goal === first)) return `${capital(first)}.`;
  const each = Object.entries(goals).map(([color, goal]) => `${colorName(color)}: ${goal}.`);
  return each.join(" ");
}

/**
 * Return a colour as the name of a player: "White".
 * @param {string} color
 */
function colorName(color) {
  return capital(colorText(color));
}

/** @param {string} text */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/**
 * Tell what the clocks do in a first turn; empty in other turns.
 * @param {MatchState} state
 */
export function startText({ view: { clock } }) {
  const values = { seconds: number(Math.round((clock.grace ?? 0) / 1000)) };
  if (clock.freeUntil === null || clock.freeUntil === undefined) return "";
  return clock.abortsLate
    ? t(
        "No clock runs before the first moves; if one does not come within {seconds} seconds, the game is aborted.",
        values,
      )
    : t("In a first turn the clock stands still for {seconds} seconds.", values);
}

/**
 * Return the label of the swap button.
 * @param {MatchState} state
 */
export function swapLabel({ view }) {
  return view.swapExchanges === "stones" ? t("Take over the first stone") : t("Swap sides");
}

/**
 * Describe a possible swap or one that was just made; empty if there is none.
 * @param {MatchState} state
 */
export function swapText(state) {
  const { view, isMyTurn, isPresent } = state;
  if (!isPresent) return "";
  const isStones = view.swapExchanges === "stones";
  if (view.swap !== null && view.result === null) {
    if (isMyTurn && isStones) {
      return t(
        "You can take over the first stone: it becomes yours, mirrored, and you keep your colour.",
      );
    }
    if (isMyTurn) return t("You can swap sides: the first move becomes yours, with its colour.");
    return isStones
      ? t("Your opponent can take over the first stone instead of moving.")
      : t("Your opponent can swap sides instead of moving.");
  }
  const last = view.moves.at(-1);
  if (view.moves.length !== 2 || last?.text !== "swap") return "";
  const player = state.nameOf(last.seat);
  const isMine = view.own.includes(last.seat);
  if (isStones) {
    return isMine
      ? t("You took over the first stone: it is yours now, mirrored.")
      : t("{player} took over the first stone: it has a new colour and place.", { player });
  }
  const { color } = defined(state.seat(last.seat));
  return isMine
    ? t("You swapped sides and now play {color}.", { color: colorName(color) })
    : t("{player} swapped sides and now plays {color}.", { player, color: colorName(color) });
}

/**
 * Return the sentence about an event that a seat caused.
 * @param {string} key as in antipodes/match/sentences.py
 * @param {number | undefined} seat
 * @param {MatchState} state
 * @param {Values} [values]
 */
function sentence(key, seat, state, values = {}) {
  const [other, own] = defined(SENTENCES[key]);
  if (seat === undefined) return other(values);
  return state.view.own.includes(seat)
    ? own(values)
    : other({ player: state.nameOf(seat), ...values });
}

/**
 * Return the texts about offers that were closed since the last move: the viewer's declined ones,
 * and the opponents' withdrawn ones.
 * @param {MatchState} state
 * @returns {string[]}
 */
export function closedOfferTexts(state) {
  const { own, declined, withdrawn } = state.view;
  const ofViewer = Object.entries(declined).filter(([, { agreed }]) =>
    agreed.some((seat) => own.includes(seat)),
  );
  const ofOpponents = Object.entries(withdrawn).filter(
    ([, seat]) => own.length && !own.includes(seat),
  );
  return [
    ...ofViewer.map(([kind, { by }]) => sentence(`declined-${kind}`, by, state)),
    ...ofOpponents.map(([kind, seat]) => sentence(`withdrawn-${kind}`, seat, state)),
  ];
}

/** @param {MatchOut | undefined} view */
function closedOffers(view) {
  return JSON.stringify([view?.declined, view?.withdrawn]);
}

/**
 * Describe the changes of a match.
 * @param {Changes} changes
 * @param {MatchState} state
 */
export function changesText(changes, state) {
  const { view } = state;
  const texts = [];
  const next = view.moves.length - changes.added.length + 1;
  if (changes.takenBack) texts.push(sentence("taken-back", undefined, state, { number: next }));
  for (const move of changes.added) texts.push(playedText(move, state));
  if (changes.ended) texts.push(t("The game is over: {result}.", { result: view.result ?? "" }));
  else if (changes.added.length && state.isMyTurn) texts.push(`${headline(state)}.`);
  for (const [kind, seats] of /** @type {[OfferKind, number[]][]} */ (
    Object.entries(view.offers)
  )) {
    const isNew = !changes.before?.offers[kind]?.length && seats.length;
    if (isNew && !view.own.includes(seats[0])) texts.push(offerText(kind, state));
  }
  if (closedOffers(view) !== closedOffers(changes.before)) texts.push(...closedOfferTexts(state));
  const swap = changes.added.length ? swapText(state) : "";
  if (swap) texts.push(swap);
  return texts.join(" ");
}

/**
 * Describe the shown position for screen readers.
 * @param {MatchState} state
 */
export function positionText(state) {
  const { moves } = state.view;
  if (state.ply === 0) return t("Start of the game.");
  const move = moves[state.ply - 1];
  const values = {
    ply: state.ply,
    count: moves.length,
    color: colorText(move.color),
    move: state.textOf(move.text),
  };
  return state.isPresent
    ? t("Current position: {color} {move}.", values)
    : t("Move {ply} of {count}: {color} {move}.", values);
}

/**
 * Return the text about an offer: "ann offered a draw."
 * @param {OfferKind} kind
 * @param {MatchState} state
 */
export function offerText(kind, state) {
  const { offers, takebackTo } = state.view;
  const [first, ...others] = offers[kind] ?? [];
  const text = sentence(`offered-${kind}`, defined(first), state, {
    number: (takebackTo ?? 0) + 1,
  });
  const rest = [...new Set(others.map((seat) => state.nameOf(seat)))].filter(
    (name) => name !== state.nameOf(first),
  );
  return rest.length ? `${text} ${t("{players} agreed.", { players: listed(rest) })}` : text;
}

/**
 * @param {MoveOut} move
 * @param {MatchState} state
 */
function playedText(move, state) {
  const key = move.source === "conditional" ? "moved-conditional" : "moved";
  return sentence(key, move.seat, state, { move: state.textOf(move.text) });
}

/** @param {MatchState} state */
function winText({ isWinner }) {
  return isWinner ? t("You won") : t("You lost");
}

/**
 * Return the status line: whose turn it is, or the result.
 * @param {MatchState} state
 */
export function headline(state) {
  const { view } = state;
  if (view.result !== null) return state.isDecided ? winText(state) : view.result;
  if (view.clock.paused) return t("Paused");
  if (state.isMyTurn) return t("Your turn");
  const seat = state.seat(view.toMove);
  if (seat?.computer && state.wait) return busyText(state.wait);
  return seat?.computer
    ? t("The computer is thinking …")
    : t("{player}’s turn", { player: seat?.name ?? "" });
}

/**
 * Return the text about the time until the computer is free, rounded up since it is an estimate.
 * @param {number} wait seconds
 */
export function busyText(wait) {
  const step = wait > 60 ? 30 : wait > 20 ? 10 : 5;
  return t("The computer is busy: about {seconds} s", {
    seconds: number(step * Math.ceil(wait / step)),
  });
}

/**
 * Return the score of a series: "Match play to 9 points: ann 3, bob 4."
 * @param {SeriesOut} series
 */
export function seriesText({ points, scores, sides, winner }) {
  const each = sides.map((names, side) => `${listed([names].flat())} ${scores[side] ?? 0}`);
  const score = tn(
    "Match play to {count} point: {scores}.",
    "Match play to {count} points: {scores}.",
    points,
    { scores: each.join(", ") },
  );
  if (winner === null) return score;
  return `${score} ${t("{players} won.", { players: listed([sides[winner]].flat()) })}`;
}
