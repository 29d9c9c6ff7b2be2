// Edits of a study's tree, as writers and the server exchange them. All functions change the tree
// that they are given, and do nothing else.

import { isEqual } from "../board/state.js";

/** @import { MoveNode, Node, Tree } from "../analysis/tree.js" */

/** @import { EditOut, NodeOut } from "wire" */

/** @typedef {Omit<EditOut, "number" | "by"> & {before?: string}} Edit this writer's, or sent. */

/**
 * Replace a tree's content by the server's nodes. Nodes of both keep what is known of them.
 * @param {Tree} tree
 * @param {NodeOut[]} views
 */
export function setNodes(tree, views) {
  const old = new Map();
  collect(tree.root, old);
  /** @type {Node[]} */
  const nodes = [];
  for (const view of views) {
    const parent = view.parent === undefined ? null : nodes[view.parent];
    const key = parent ? `${keyOf(parent)},${view.move}` : "";
    const node = /** @type {Node} */ (old.get(key) ?? newNode(view, parent));
    node.parent = parent;
    node.children = [];
    node.comment = view.comment;
    node.mark = view.mark;
    node.shapes = view.shapes;
    parent?.children.push(/** @type {MoveNode} */ (node));
    nodes.push(node);
  }
}

/**
 * @param {NodeOut} view
 * @param {Node | null} parent
 */
function newNode({ move, text, color }, parent) {
  return {
    move,
    text,
    color,
    parent,
    children: [],
    ply: (parent?.ply ?? -1) + 1,
    last: null,
    view: null,
  };
}

/**
 * @param {Node} node
 * @param {Map<string, Node>} found
 */
function collect(node, found) {
  const todo = [{ node, key: "" }];
  for (let at = todo.pop(); at; at = todo.pop()) {
    found.set(at.key, at.node);
    for (const child of at.node.children)
      todo.push({ node: child, key: `${at.key},${child.move}` });
  }
}

/** @param {Node} node */
function keyOf(node) {
  let key = "";
  for (let at = node; at.parent; at = at.parent)
    key = `,${/** @type {MoveNode} */ (at).move}${key}`;
  return key;
}

/**
 * Apply an edit; return the changed node, or null if another edit has removed it.
 * @param {Tree} tree
 * @param {Edit} edit
 * @returns {Node | null}
 */
export function applyEdit(tree, edit) {
  const node = tree.find(edit.path);
  if (!node) return null;
  switch (edit.kind) {
    case "add":
      return tree.add(
        node,
        /** @type {MoveNode} */ ({
          move: edit.move,
          text: edit.text,
          color: edit.color,
          last: null,
        }),
      );
    case "comment":
      node.comment = edit.text;
      return node;
    case "mark":
      node.mark = edit.mark ?? undefined;
      return node;
    case "shape": {
      const others = (node.shapes ?? []).filter((shape) => !isEqual(shape, edit.shape));
      node.shapes = edit.on && edit.shape ? [...others, edit.shape] : others;
      return node;
    }
    case "promote":
      tree.promote(node);
      return node;
    default:
      return node.parent ? tree.remove(/** @type {MoveNode} */ (node)) : null;
  }
}
