// Questions about a position that players type instead of a move. All functions are pure.

import { listed, t } from "../i18n.js";
import { colorText, pieceParts, pieceText } from "./texts.js";

/** @import { Pieces } from "./state.js" */
/** @import { BoardOut } from "wire" */

/**
 * What answers depend on.
 * @typedef {object} Asked
 * @property {BoardOut} board with the viewer's cell names.
 * @property {Pieces} pieces as the view shows them.
 * @property {number | null} last cell of the last move.
 * @property {number} focus cell where the keyboard is on the board.
 * @property {string} own colour.
 * @property {Record<string, () => string>} answers of the page, such as the goal of a match.
 */

/** @type {Record<string, (asked: Asked, cell: string) => string | null>} */
const ANSWERS = {
  o: ({ own, ...asked }) =>
    piecesText(asked, (color) => color === own) || t("You have no pieces on the board."),
  x: ({ own, ...asked }) =>
    piecesText(asked, (color) => color !== own) || t("The others have no pieces on the board."),
  last: ({ board, pieces, last }) =>
    last === null
      ? t("No move yet.")
      : t("Last move: {cell}, {piece}.", {
          cell: board.names[last][0],
          piece: pieceText(pieces[last]),
        }),
  where: (asked, name) => {
    const cell = name
      ? asked.board.names.findIndex((names) => names.some((one) => one.toLowerCase() === name))
      : asked.focus;
    return cell < 0 ? null : surroundings(asked, cell);
  },
  "?": ({ answers }) =>
    t("Questions: {words}.", {
      words: ["o", "x", "last", "where", "where c3", ...Object.keys(answers)].join(", "),
    }),
};

/**
 * Answer a typed question; return null if the text is none, so probably a move.
 * @param {string} text
 * @param {Asked} asked
 */
export function answerTo(text, asked) {
  const [word, cell = ""] = text.trim().toLowerCase().split(/\s+/);
  if (Object.hasOwn(asked.answers, word) && !cell) return asked.answers[word]();
  return Object.hasOwn(ANSWERS, word) ? ANSWERS[word](asked, cell) : null;
}

/**
 * List the pieces of some colours: "black: a1, b2."
 * @param {Pick<Asked, "board" | "pieces">} asked
 * @param {(color: string) => boolean} isWanted
 */
function piecesText({ board, pieces }, isWanted) {
  /** @type {Map<string, string[]>} */
  const cells = new Map();
  for (const [cell, piece] of Object.entries(pieces)) {
    if (isWanted(pieceParts(piece).color))
      cells.set(piece, [...(cells.get(piece) ?? []), board.names[Number(cell)][0]]);
  }
  return [...cells].map(([piece, names]) => `${pieceText(piece)}: ${names.join(", ")}.`).join(" ");
}

/**
 * Describe a cell and its neighbours.
 * @param {Asked} asked
 * @param {number} cell
 */
function surroundings({ board, pieces }, cell) {
  const nameOf = (/** @type {number} */ one) => board.names[one].join("/");
  const isFull = (/** @type {number} */ one) => Boolean(pieces[one]);
  const near = board.neighbours[cell];
  const full = near.filter(isFull).map((one) => `${nameOf(one)} ${pieceText(pieces[one])}`);
  const open = near.filter((one) => !isFull(one)).map(nameOf);
  const goals = board.colors.filter((color) =>
    (board.goals[color] ?? []).some((rim) => board.rims[rim]?.includes(cell)),
  );
  const parts = [`${nameOf(cell)}, ${pieceText(pieces[cell])}.`];
  if (goals.length)
    parts.push(t("On the border of {colors}.", { colors: listed(goals.map(colorText)) }));
  if (full.length) parts.push(t("Next to it: {cells}.", { cells: full.join(", ") }));
  if (open.length) parts.push(t("Empty: {cells}.", { cells: open.join(", ") }));
  return parts.join(" ");
}
