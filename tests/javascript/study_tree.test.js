// Laws of the tree of moves that were tried.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree } from "../../src/antipodes/web/static/antipodes/study/tree.js";

const told = (move, changed = {}) => ({ move, text: `m${move}`, color: "black", last: move, changed });

function branched() {
  const tree = new Tree({ 9: "white" });
  const one = tree.add(tree.root, told(1, { 1: [null, "black"] }));
  const two = tree.add(one, told(2, { 9: ["white", null] }));
  const other = tree.add(one, told(3, { 9: ["white", "black"] }));
  return { tree, one, two, other };
}

test("a move that is known is not added again", () => {
  const { tree, one, two } = branched();
  assert.equal(tree.add(one, told(2)), two);
  assert.equal(one.children.length, 2);
});

test("a node knows the moves that lead to it", () => {
  const { tree, one, other } = branched();
  assert.deepEqual(tree.moves(other), [1, 3]);
  assert.equal(other.ply, 2);
  assert.deepEqual(tree.path(other), [one, other]);
  assert.deepEqual(tree.moves(tree.root), []);
});

test("pieces are those of the start, changed by the moves", () => {
  const { tree, one, two, other } = branched();
  assert.deepEqual(tree.pieces(tree.root), { 9: "white" });
  assert.deepEqual(tree.pieces(one), { 1: "black", 9: "white" });
  assert.deepEqual(tree.pieces(two), { 1: "black" });
  assert.deepEqual(tree.pieces(one, [other]), { 1: "black", 9: "black" });
});

test("the first child is the main line, and promoting makes it so", () => {
  const { tree, two, other } = branched();
  assert.equal(tree.end(tree.root), two);
  tree.promote(other);
  assert.equal(tree.end(tree.root), other);
});

test("removing a node leads back to where it was made", () => {
  const { tree, one, two, other } = branched();
  assert.equal(tree.remove(two), one);
  assert.deepEqual(one.children, [other]);
});

test("what was tried is told as plain data", () => {
  const { tree } = branched();
  const leaf = (move) => ({ move, text: `m${move}`, then: [] });
  assert.deepEqual(tree.branches(), [{ move: 1, text: "m1", then: [leaf(2), leaf(3)] }]);
});
