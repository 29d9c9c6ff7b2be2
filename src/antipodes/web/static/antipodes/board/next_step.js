// The next step of a move that is being put together, as a sentence.

import { t } from "../i18n.js";
import * as compose from "./compose.js";

/** @import { MoveTree } from "./compose.js" */
/** @import { Pieces } from "./state.js" */

/**
 * Describe the next step; empty if there are no legal moves.
 * @param {MoveTree} tree of the legal moves
 * @param {number[]} steps chosen so far
 * @param {boolean} isRods whether the pieces are rods, which have a diagonal
 * @param {Pieces} pieces on the board
 */
export function nextStep(tree, steps, isRods, pieces) {
  if (!tree.size) return "";
  if (compose.moveOf(tree, steps) !== null) return t("Now confirm your move");
  if (compose.wantsDiagonal(tree, steps, isRods)) return t("Now choose the diagonal of the rod");
  if (steps.length)
    return isRods ? t("Now choose where the rod goes") : t("Now choose where your pawn lands");
  const [first] = compose.openCells(tree, steps, isRods);
  if (isRods)
    return pieces[first] ? t("Choose one of your rods to move") : t("Choose a square for your rod");
  return tree.get(first) instanceof Map
    ? t("Choose an empty cell for your token")
    : t("Choose an empty point");
}
