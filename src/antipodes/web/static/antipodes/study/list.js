// The tree of moves as a nested list: the main line, with variations below the move they replace.

import { t } from "../i18n.js";
import { colorWord } from "../board/words.js";
import { button, element } from "../match/dom.js";

/** @import { MadeNode, Node, Tree } from "./tree.js" */

/**
 * Draw a tree into an element; `choose` is called with the node of a move that is pressed.
 * @param {HTMLElement} list
 * @param {Tree} tree
 * @param {Node} current
 * @param {(node: MadeNode) => void} choose
 * @param {(node: MadeNode) => string} textOf writes the move of a node
 */
export function drawTree(list, tree, current, choose, textOf) {
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...lineItems(tree.root, current, choose, textOf));
  const shown = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (hadFocus) shown?.focus();
  // The list alone is scrolled: the page stays where it is.
  if (shown) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
}

/**
 * The items of the main line from a node on.
 * @param {Node} from
 * @param {Node} current
 * @param {(node: MadeNode) => void} choose
 * @param {(node: MadeNode) => string} textOf writes the move of a node
 */
function lineItems(from, current, choose, textOf) {
  const items = [];
  for (let at = from; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    const item = element("li", {}, moveButton(main, current, choose, textOf));
    if (others.length) item.append(variations(main, others, current, choose, textOf));
    items.push(item);
  }
  return items;
}

/**
 * @param {MadeNode} main
 * @param {MadeNode[]} others
 * @param {Node} current
 * @param {(node: MadeNode) => void} choose
 * @param {(node: MadeNode) => string} textOf writes the move of a node
 */
function variations(main, others, current, choose, textOf) {
  const lines = others.map((other) => {
    const first = element("li", {}, moveButton(other, current, choose, textOf));
    return element("li", {}, element("ol", {}, first, ...lineItems(other, current, choose, textOf)));
  });
  return element("ul", { class: "variations", "aria-label": t("instead of {move}", { move: textOf(main) }) }, ...lines);
}

/**
 * @param {MadeNode} node
 * @param {Node} current
 * @param {(node: MadeNode) => void} choose
 * @param {(node: MadeNode) => string} textOf writes the move of a node
 */
function moveButton(node, current, choose, textOf) {
  const made = button("", () => choose(node), {
    "aria-label": `${node.ply}: ${colorWord(node.color)} ${textOf(node)}`,
    "aria-current": node === current && "step",
  });
  made.append(element("span", { class: "number" }, String(node.ply)), chip(node.color), textOf(node));
  return made;
}

/**
 * A dot in the colour of a piece; whoever cannot see it reads the label.
 * @param {string} color
 */
export function chip(color) {
  return element("span", { class: `chip ${color}`, "aria-hidden": "true" });
}
