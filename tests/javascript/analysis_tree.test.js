// Tests of the tree of tried moves.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree } from "../../src/antipodes/web/static/antipodes/analysis/tree.js";

const made = (move, changed = {}) => ({
  move,
  text: `m${move}`,
  color: "black",
  last: move,
  changed,
});

function branched() {
  const tree = new Tree({ 9: "white" });
  const one = tree.add(tree.root, made(1, { 1: [null, "black"] }));
  const two = tree.add(one, made(2, { 9: ["white", null] }));
  const other = tree.add(one, made(3, { 9: ["white", "black"] }));
  return { tree, one, two, other };
}

test("a move is added once", () => {
  const { tree, one, two } = branched();
  assert.equal(tree.add(one, made(2)), two);
  assert.equal(one.children.length, 2);
});

test("a node has the path of moves that lead to it", () => {
  const { tree, one, other } = branched();
  assert.deepEqual(tree.moves(other), [1, 3]);
  assert.equal(other.ply, 2);
  assert.deepEqual(tree.path(other), [one, other]);
  assert.deepEqual(tree.moves(tree.root), []);
});

test("pieces are those of the start position after the moves", () => {
  const { tree, one, two, other } = branched();
  assert.deepEqual(tree.pieces(tree.root), { 9: "white" });
  assert.deepEqual(tree.pieces(one), { 1: "black", 9: "white" });
  assert.deepEqual(tree.pieces(two), { 1: "black" });
  assert.deepEqual(tree.pieces(one, [other]), { 1: "black", 9: "black" });
});

test("promoting a node makes its line the main line", () => {
  const { tree, two, other } = branched();
  assert.equal(tree.end(tree.root), two);
  tree.promote(other);
  assert.equal(tree.end(tree.root), other);
});

test("removing a node returns its parent", () => {
  const { tree, one, two, other } = branched();
  assert.equal(tree.remove(two), one);
  assert.deepEqual(one.children, [other]);
});

test("the tree is exported as plain data", () => {
  const { tree } = branched();
  const leaf = (move) => ({ move, text: `m${move}`, then: [] });
  assert.deepEqual(tree.branches(), [{ move: 1, text: "m1", then: [leaf(2), leaf(3)] }]);
});
