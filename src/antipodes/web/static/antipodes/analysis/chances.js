// Chances: what values of the search mean, as measured in its games against itself.

/** @import { BoardOut } from "wire" */

/**
 * Return the chance of a colour with a value; proven values are certain.
 * @template {number | null} Value
 * @param {Pick<BoardOut, "chances" | "colors">} board
 * @param {string} color
 * @param {Value} value
 * @returns {Value}
 */
export function chanceOf(board, color, value) {
  if (value === null || value <= 0 || value >= 1) return value;
  const [shift, scale] = board.chances;
  const own = color === board.colors[0] ? shift : -shift;
  const odds = own + scale * Math.log(value / (1 - value));
  // Only what is proven is certain.
  const chance = Math.min(Math.max(1 / (1 + Math.exp(-odds)), 0.01), 0.99);
  return /** @type {Value} */ (chance);
}

/**
 * Return the chances of colours with values.
 * @param {Pick<BoardOut, "chances" | "colors">} board
 * @param {Record<string, number | null>} values
 */
export function chancesOf(board, values) {
  return Object.fromEntries(
    Object.entries(values).map(([color, value]) => [color, chanceOf(board, color, value)]),
  );
}

/**
 * Return the values of the colours in a result.
 * @param {{estimates: {color: string, winrate: number | null}[]}} result
 */
export function valuesOf({ estimates }) {
  return Object.fromEntries(estimates.map(({ color, winrate }) => [color, winrate]));
}
