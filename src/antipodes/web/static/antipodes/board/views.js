// The ways in which a board can be looked at.
//
// A view says where each cell is drawn; the element draws it, and everything else is the same in
// all views: pieces, marks, pointing, keys, what is spoken. A view knows no pieces and no rules.

/** @import { BoardElement } from "./element.js" */
/** @import { BoardData } from "./state.js" */

/**
 * One drawn cell. A cell may have several spots: a point of Antipod's rim has one on both boards.
 * @typedef {object} Spot
 * @property {number} cell its index.
 * @property {string} name what the cell is called at this spot.
 * @property {number} panel index of the picture that it is drawn in.
 * @property {number} x to the right, in the panel's units: 1 from cell to cell at scale 1.
 * @property {number} y downwards.
 * @property {number} [scale] size of the cell and of what lies on it; 1 if not given.
 * @property {boolean} [visible] false if it cannot be seen now, as on a sphere's far side.
 * @property {boolean} [isBehind] whether its middle cannot be seen, though some of it can.
 * @property {string} [outline] the cell's corners round (x, y), as a polygon's points in the
 *   panel's units; the board's own shape if not given.
 * @property {string} [transform] for what lies on the cell, instead of the one from x, y, scale.
 * @property {boolean} [repeated] whether it only repeats another spot: shown faded, no key stops.
 */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{text: string, panel: number, x: number, y: number}} Label a coordinate. */
/** @typedef {Record<string, SVGElement>} Layers the groups of a picture, by name. */
/** @typedef {{turns: number}} ViewOptions */

/**
 * One picture of a view.
 * @typedef {object} Panel
 * @property {string} label for screen readers.
 * @property {[number, number, number, number]} box left, top, width and height.
 * @property {number} [reach] neighbours no farther apart than this are joined where chains are
 *   drawn; 1.1 if not given.
 * @property {boolean} [isRound] whether cells are seen from aside near the edge; broad lines would
 *   look wrong there, so cells of chains are coloured instead.
 */

/**
 * @typedef {object} View
 * @property {string} name
 * @property {Panel[]} panels
 * @property {Spot[]} spots as many and in the same order as long as the view lives; where they
 *   are may change, and then `refresh` of what `attach` was given has to be called.
 * @property {Label[]} [labels] coordinates.
 * @property {number} [labelSize] height of their letters; `LABEL_SIZE` if not given.
 * @property {boolean} [isTurned] whether it is turned by one or three quarters, so that a rod that
 *   rises is seen falling.
 * @property {(panel: number, layers: Layers) => void} [decorate]
 *   draws what lies `under` the cells, as a `veil` over them but under the pieces, or `over` all;
 *   called when it is built.
 * @property {(stage: Stage) => void} [attach] is called when the view is on the page.
 * @property {() => void} [detach] is called before another view takes its place.
 * @property {(index: number) => number} [partOf] which of several views a spot belongs to; keys
 *   walk inside one of them, and Tab leads to the next one.
 * @property {(index: number) => void} [hold] keeps a spot visible, though it may lie behind: keys
 *   get there, which they do not where nothing is drawn.
 * @property {(index: number) => void} [reveal] brings a spot in sight before keys get there.
 * @property {(cell: number) => void} [attend] brings a cell in sight where something has happened.
 * @property {(index: number, key: string) => number | null | undefined} [walk] the spot that an
 *   arrow key leads to, null for none; undefined leaves it to the element.
 */

/**
 * What a view may use while it is on the page.
 * @typedef {object} Stage
 * @property {BoardElement} board the element.
 * @property {SVGSVGElement[]} pictures one for each panel.
 * @property {() => void} refresh draws everything anew where the spots are now.
 */

/**
 * @typedef {object} Kind
 * @property {string} name kept in the settings.
 * @property {string} title for people.
 * @property {(board: BoardData) => boolean} fits whether a board can be seen so.
 * @property {(board: BoardData, options: ViewOptions) => View} make `turns` are the quarter
 *   turns by which somebody's seat sees the board turned.
 */

/** @type {Kind[]} */
const kinds = [];

/**
 * Offer one more way to look at boards; the first one that fits is the usual one.
 * @param {Kind} kind
 */
export function addKind(kind) {
  kinds.push(kind);
}

/**
 * The ways in which a board can be seen.
 * @param {BoardData} board
 */
export function kindsFor(board) {
  return kinds.filter((kind) => kind.fits(board));
}

/**
 * Whether a view shows several others side by side.
 * @param {string} name
 */
export function isTogether(name) {
  return name.includes("+");
}

/**
 * Make a view of a board: the one with this name, or the usual one if that does not fit.
 * @param {BoardData} board
 * @param {string} name
 */
export function makeView(board, name, options = { turns: 0 }) {
  const fitting = kindsFor(board);
  return (fitting.find((kind) => kind.name === name) ?? fitting[0]).make(board, options);
}
