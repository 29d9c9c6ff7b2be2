// Moves tried out, as a tree: each node is a position, its children are the moves made from there.

/** @import { Pieces } from "../board/state.js" */
/** @import { Changed, MoveTold, Position } from "./source.js" */

/**
 * @typedef {object} Node
 * @property {Node|null} parent null for the start
 * @property {MadeNode[]} children the first one is the main line
 * @property {number} ply moves from the start
 * @property {string} [text] the move as people write it
 * @property {string} [color] who made it
 * @property {number|null} [last] the cell of its piece
 * @property {Changed} [changed]
 * @property {Position|null} view what may come next, once the server has told it
 */
/** @typedef {Node & MoveTold & {parent: Node}} MadeNode a node that a move leads to */
/** @typedef {{move: number, text: string, then: Branch[]}} Branch */

/** A tree of moves from one start. */
export class Tree {
  /** @param {Pieces} start what lies on each cell before the first move */
  constructor(start) {
    this.start = start;
    /** @type {Node} */
    this.root = { parent: null, children: [], ply: 0, last: null, view: null };
  }

  /**
   * Return the child of a node for a move as the server tells it; add it if it is new.
   * @param {Node} parent
   * @param {MoveTold} told
   */
  add(parent, told) {
    const known = parent.children.find((child) => child.move === told.move);
    if (known) return known;
    const node = { ...told, parent, children: [], ply: parent.ply + 1, view: null };
    parent.children.push(node);
    return node;
  }

  /**
   * The nodes from the first move to a node.
   * @param {Node} node
   */
  path(node) {
    /** @type {MadeNode[]} */
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(/** @type {MadeNode} */ (at));
    return nodes;
  }

  /**
   * The moves that lead to a node, as numbers.
   * @param {Node} node
   */
  moves(node) {
    return this.path(node).map((one) => one.move);
  }

  /**
   * What lies on the board at a node, with further moves after it.
   * @param {Node} node
   * @param {MoveTold[]} [further]
   */
  pieces(node, further = []) {
    const pieces = { ...this.start };
    for (const { changed } of [...this.path(node), ...further]) {
      for (const [cell, [, after]] of Object.entries(changed)) {
        if (after === null) delete pieces[Number(cell)];
        else pieces[Number(cell)] = after;
      }
    }
    return pieces;
  }

  /**
   * The last node of the main line from a node on.
   * @param {Node} node
   * @returns {Node}
   */
  end(node) {
    return node.children.length ? this.end(node.children[0]) : node;
  }

  /**
   * Forget a node and all that follows; returns where it was made from.
   * @param {MadeNode} node
   */
  remove(node) {
    const { parent } = node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /**
   * Make the way to a node the main line.
   * @param {Node} node
   */
  promote(node) {
    for (const one of this.path(node)) {
      const { children } = one.parent;
      children.unshift(...children.splice(children.indexOf(one), 1));
    }
  }

  /**
   * All that was tried from a node on, as plain data.
   * @param {Node} [node]
   * @returns {Branch[]}
   */
  branches(node = this.root) {
    return node.children.map((child) => ({
      move: child.move,
      text: child.text,
      then: this.branches(child),
    }));
  }
}
