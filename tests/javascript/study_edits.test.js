// Tests of edits of studies.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree } from "../../src/antipodes/web/static/antipodes/analysis/tree.js";
import { applyEdit, setNodes } from "../../src/antipodes/web/static/antipodes/studies/edits.js";

const add = (move, path = []) => ({ kind: "add", path, move, text: `m${move}`, color: "black" });

function grown(...edits) {
  const tree = new Tree({});
  for (const edit of edits) applyEdit(tree, edit);
  return tree;
}

test("the same move is added once", () => {
  const tree = grown(add(1), add(1), add(2, [1]));
  assert.equal(tree.root.children.length, 1);
  assert.deepEqual(tree.moves(tree.find([1, 2])), [1, 2]);
});

test("notes are set, and shapes toggled", () => {
  const tree = grown(
    add(1),
    { kind: "comment", path: [1], text: "why" },
    { kind: "mark", path: [1], mark: "good" },
  );
  const node = tree.find([1]);
  assert.equal(node.comment, "why");
  assert.equal(node.mark, "good");
  const shape = { kind: "shape", path: [1], shape: ["circle", 4], on: true };
  applyEdit(tree, shape);
  applyEdit(tree, shape);
  assert.deepEqual(node.shapes, [["circle", 4]]);
  applyEdit(tree, { ...shape, on: false });
  assert.deepEqual(node.shapes, []);
});

test("edits of a removed branch change nothing", () => {
  const tree = grown(add(1), add(2, [1]), { kind: "remove", path: [1], seen: 2 });
  assert.equal(applyEdit(tree, add(3, [1, 2])), null);
  assert.equal(tree.root.children.length, 0);
});

test("the server's tree replaces the own one and keeps loaded positions", () => {
  const tree = grown(add(1), add(9));
  const known = tree.find([1]);
  known.view = { legal: [] };
  setNodes(tree, [
    { comment: "start" },
    { parent: 0, move: 1, text: "m1" },
    { parent: 1, move: 2, text: "m2" },
  ]);
  assert.equal(tree.find([1]), known);
  assert.equal(known.view.legal.length, 0);
  assert.equal(tree.find([9]), null);
  assert.equal(tree.find([1, 2]).ply, 2);
  assert.equal(tree.root.comment, "start");
});
