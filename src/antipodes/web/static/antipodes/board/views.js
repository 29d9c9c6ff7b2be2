// Views of a board.
//
// A view defines where each cell is drawn. The element draws the cells, and pieces, marks, pointer,
// keyboard and announcements are the same in all views. A view has no pieces and no rules.

/** @import { BoardElement } from "./element.js" */
/** @import { BoardOut } from "wire" */

/**
 * One drawn cell. A cell can have several spots: a point of Antipod's rim has one on both boards.
 * @typedef {object} Spot
 * @property {number} cell its index.
 * @property {string} name of the cell at this spot.
 * @property {number} panel index of its picture.
 * @property {number} x to the right, in the panel's units: 1 from cell to cell at scale 1.
 * @property {number} y downwards.
 * @property {number} [scale] size of the cell and its piece; 1 by default.
 * @property {boolean} [visible] false if it is hidden now, as on a sphere's far side.
 * @property {boolean} [isBehind] whether its centre is hidden, though some of it is visible.
 * @property {Point} [edge] of a cell behind the sphere: the point of the edge that is nearest to it.
 * @property {string} [outline] the cell's corners around (x, y), as a polygon's points in the
 *   panel's units; by default the board's shape.
 * @property {string} [transform] of the piece, instead of the one from x, y and scale.
 * @property {boolean} [repeated] whether it only repeats another spot: faded, and not focusable.
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
 * @property {number} [reach] greatest distance of neighbours that lines of chains connect; 1.1 by
 *   default.
 * @property {boolean} [isRound] whether cells near the edge are foreshortened; broad lines would
 *   look wrong there, so cells of chains are coloured instead.
 */

/**
 * @typedef {object} View
 * @property {string} name
 * @property {Panel[]} panels
 * @property {Spot[]} spots in a fixed order; when they move, the view calls the `refresh` passed to
 *   `attach`.
 * @property {Label[]} [labels] coordinates.
 * @property {number} [labelSize] height of their letters; `LABEL_SIZE` by default.
 * @property {boolean} [isTurned] whether it is rotated by one or three quarter turns, so that a
 *   rising rod appears falling.
 * @property {(panel: number, layers: Layers) => void} [decorate]
 *   adds decorations to the layers `under` the cells, `veil` between cells and pieces, or `over`
 *   everything; called when the picture is built.
 * @property {(host: ViewHost) => void} [attach] called when the view is on the page.
 * @property {() => void} [detach] called before another view takes its place.
 * @property {(index: number) => number} [partOf] the one of several views that a spot belongs to:
 *   arrow keys stay inside it, and Tab leads to the next one.
 * @property {(index: number) => void} [keepVisible] keeps the focused spot visible even behind the
 *   sphere, since hidden elements cannot have the focus.
 * @property {(index: number) => void} [reveal] brings a spot into view before it gets the focus.
 * @property {(cell: number) => void} [revealCell] brings the cell of the last move into view.
 * @property {(from: number, to: number) => {front: Point[][], back: Point[][]}} [wayBetween] the
 *   shortest way between two cells as polylines, where it may lie behind the sphere.
 * @property {(index: number, key: string) => number | null | undefined} [navigate] the spot that an
 *   arrow key leads to, null for none; undefined for the default.
 */

/**
 * The part of the page that a view can use while it is attached.
 * @typedef {object} ViewHost
 * @property {BoardElement} board
 * @property {SVGSVGElement[]} pictures one for each panel.
 * @property {() => void} refresh redraws everything at the current spots.
 */

/**
 * @typedef {object} ViewType
 * @property {string} name value in the settings.
 * @property {string} title label in the interface.
 * @property {(board: BoardOut) => boolean} fits whether it can show a board.
 * @property {(board: BoardOut, options: ViewOptions) => View} make `turns` are the quarter
 *   turns of the board for the viewer's seat.
 */

/** @type {ViewType[]} */
const viewTypes = [];

/**
 * Register a view; the first one that fits a board is its default.
 * @param {ViewType} viewType
 */
export function registerView(viewType) {
  viewTypes.push(viewType);
}

/**
 * Return the views that can show a board.
 * @param {BoardOut} board
 */
export function viewTypesFor(board) {
  return viewTypes.filter((viewType) => viewType.fits(board));
}

/**
 * Return whether a view shows several others side by side.
 * @param {string} name
 */
export function isSideBySide(name) {
  return name.includes("+");
}

/**
 * Make a view of a board: the one with this name, or the default if that does not fit.
 * @param {BoardOut} board
 * @param {string} name
 */
export function makeView(board, name, options = { turns: 0 }) {
  const fitting = viewTypesFor(board);
  return (fitting.find((viewType) => viewType.name === name) ?? fitting[0]).make(board, options);
}
