// The tree of moves as a nested list: the main line, with variations below the moves they replace.

import { t } from "../i18n.js";
import { colorText } from "../board/texts.js";
import { button, element } from "../match/dom.js";

/** @import { MoveNode, Node, Tree } from "./tree.js" */

/**
 * Draw a tree into an element.
 * @param {HTMLElement} list
 * @param {Tree} tree
 * @param {Node} current
 * @param {(node: MoveNode) => void} onSelect
 * @param {(node: MoveNode) => string} textOf the text of a node's move
 */
export function drawTree(list, tree, current, onSelect, textOf) {
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...lineItems(tree.root, current, onSelect, textOf));
  const shown = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (hadFocus) shown?.focus();
  // Scroll the list, but not the page.
  if (shown) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
}

/**
 * Make the items of the main line from a node on.
 * @param {Node} from
 * @param {Node} current
 * @param {(node: MoveNode) => void} onSelect
 * @param {(node: MoveNode) => string} textOf the text of a node's move
 */
function lineItems(from, current, onSelect, textOf) {
  const items = [];
  for (let at = from; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    const item = element("li", {}, moveButton(main, current, onSelect, textOf));
    if (others.length) item.append(variations(main, others, current, onSelect, textOf));
    items.push(item);
  }
  return items;
}

/**
 * @param {MoveNode} main
 * @param {MoveNode[]} others
 * @param {Node} current
 * @param {(node: MoveNode) => void} onSelect
 * @param {(node: MoveNode) => string} textOf the text of a node's move
 */
function variations(main, others, current, onSelect, textOf) {
  const lines = others.map((other) => {
    const first = element("li", {}, moveButton(other, current, onSelect, textOf));
    return element(
      "li",
      {},
      element("ol", {}, first, ...lineItems(other, current, onSelect, textOf)),
    );
  });
  return element(
    "ul",
    { class: "variations", "aria-label": t("instead of {move}", { move: textOf(main) }) },
    ...lines,
  );
}

/**
 * @param {MoveNode} node
 * @param {Node} current
 * @param {(node: MoveNode) => void} onSelect
 * @param {(node: MoveNode) => string} textOf the text of a node's move
 */
function moveButton(node, current, onSelect, textOf) {
  const created = button("", () => onSelect(node), {
    "aria-label": `${node.ply}: ${colorText(node.color)} ${textOf(node)}`,
    "aria-current": node === current && "step",
  });
  created.append(
    element("span", { class: "number" }, String(node.ply)),
    chip(node.color),
    textOf(node),
  );
  return created;
}

/**
 * Make a dot in the colour of a piece, hidden from screen readers.
 * @param {string} color
 */
export function chip(color) {
  return element("span", { class: `chip ${color}`, "aria-hidden": "true" });
}
