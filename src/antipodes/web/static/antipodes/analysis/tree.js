// The tree of tried moves: each node is a position, its children are the positions one move later.

import { piecesAfter } from "../board/state.js";

/** @import { Shape } from "../board/notes.js" */
/** @import { Changed, Pieces } from "../board/state.js" */
/** @import { PositionOut, ShownMove } from "wire" */

/**
 * @typedef {object} Node
 * @property {Node|null} parent null for the start
 * @property {MoveNode[]} children the first one is the main line
 * @property {number} ply moves from the start
 * @property {string} [text] of the move
 * @property {string} [color] of its player
 * @property {number|null} [last] cell of its piece
 * @property {Changed} [changed]
 * @property {number[][]} [flips]
 * @property {PositionOut|null} view the position with its legal moves, once it is loaded
 * @property {string} [comment] of a study
 * @property {string} [mark] of the move
 * @property {Shape[]} [shapes]
 */
/** @typedef {Node & ShownMove & {parent: Node}} MoveNode a node after a move */
/** @typedef {{move: number, text: string, then: Branch[]}} Branch */

/** A tree of moves from one start position. */
export class Tree {
  /** @param {Pieces} start pieces of the start position */
  constructor(start) {
    this.start = start;
    /** @type {Node} */
    this.root = { parent: null, children: [], ply: 0, last: null, view: null };
  }

  /**
   * Return the child of a node for a move, added if it is new.
   * @param {Node} parent
   * @param {ShownMove} move
   */
  add(parent, move) {
    const existing = parent.children.find((child) => child.move === move.move);
    if (existing) return existing;
    const node = { ...move, parent, children: [], ply: parent.ply + 1, view: null };
    parent.children.push(node);
    return node;
  }

  /**
   * Return the nodes from the first move to a node.
   * @param {Node} node
   */
  path(node) {
    /** @type {MoveNode[]} */
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(/** @type {MoveNode} */ (at));
    return nodes;
  }

  /**
   * Return the moves that lead to a node, as numbers.
   * @param {Node} node
   */
  moves(node) {
    return this.path(node).map((one) => one.move);
  }

  /**
   * Return the pieces of a node's position, after further moves.
   * @param {Node} node
   * @param {ShownMove[]} [further]
   */
  pieces(node, further = []) {
    return piecesAfter(this.start, [...this.path(node), ...further]);
  }

  /**
   * Return the last node of the main line from a node on.
   * @param {Node} node
   * @returns {Node}
   */
  end(node) {
    return node.children.length ? this.end(node.children[0]) : node;
  }

  /**
   * Return the number of nodes from a node on.
   * @param {Node} node
   * @returns {number}
   */
  size(node) {
    return node.children.reduce((sum, child) => sum + this.size(child), 1);
  }

  /**
   * Return the node after some moves, or null.
   * @param {number[]} moves
   */
  find(moves) {
    /** @type {Node | undefined} */
    let node = this.root;
    for (const move of moves) node = node?.children.find((child) => child.move === move);
    return node ?? null;
  }

  /**
   * Remove a node with everything after it, and return its parent.
   * @param {MoveNode} node
   */
  remove(node) {
    const { parent } = node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /**
   * Make the line to a node the main line.
   * @param {Node} node
   */
  promote(node) {
    for (const one of this.path(node)) {
      const { children } = one.parent;
      children.unshift(...children.splice(children.indexOf(one), 1));
    }
  }

  /**
   * Return the tree from a node on, as plain data.
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
