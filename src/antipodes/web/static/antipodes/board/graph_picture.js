// The graph of a position: what the colour that connects the poles can still connect.

import { t, tn } from "../i18n.js";
import { graphOf, poleConnector, reachable } from "./chains.js";
import { extent, layOut, wrappedDistance } from "./graph_layout.js";
import { svg } from "./shapes.js";
import { colorText } from "./texts.js";

/** @import { Graph } from "./chains.js" */
/** @import { GraphNode } from "./graph_layout.js" */
/** @import { Pieces } from "./state.js" */
/** @import { BoardOut } from "wire" */

const MARGIN = 1.1; // around the nodes, in steps
const STAR = "M0-.26L.07-.08.25-.13.13 0 .25.13.07.08 0 .26-.07.08-.25.13-.13 0-.25-.13-.07-.08Z";

/** @type {WeakMap<HTMLElement, string>} */
const drawn = new WeakMap(); // figure -> the position that it shows

/**
 * Show the graph of a position with a caption that describes it; hide it if the board has no poles.
 * @param {HTMLElement} figure
 * @param {BoardOut} board
 * @param {Pieces} pieces
 */
export function showGraph(figure, board, pieces) {
  const color = poleConnector(board);
  figure.hidden = !color;
  const key = JSON.stringify([board.game, board.names.length, pieces]);
  if (!color || key === drawn.get(figure)) return;
  drawn.set(figure, key);
  const graph = graphOf(board, pieces, color);
  const nodes = layOut(board, graph);
  const text = description(board, graph, nodes, color);
  const caption = document.createElement("figcaption");
  caption.textContent = text;
  const picture = draw(board, graph, nodes, color);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", t("Game graph"));
  figure.replaceChildren(picture, caption);
}

/**
 * Return what each node is connected to: "both" poles, the "first", the "second", or "none".
 * @param {Graph} graph
 * @param {GraphNode[]} nodes
 */
function sidesOf(graph, nodes) {
  const ends = [0, 1].map((pole) => nodes.findIndex((node) => node.poles.includes(pole)));
  const [first, second] = ends.map((end) => (end < 0 ? new Set() : reachable(graph, end)));
  return nodes.map((_, i) => {
    if (first.has(i) && second.has(i)) return "both";
    return first.has(i) ? "first" : second.has(i) ? "second" : "none";
  });
}

/**
 * @param {BoardOut} board
 * @param {Graph} graph
 * @param {GraphNode[]} nodes
 * @param {string} color
 */
function description(board, graph, nodes, color) {
  const chains = nodes.filter((node) => node.isChain).length;
  const empty = nodes.length - chains;
  const [left, right] = board.poles.map((pole) => board.names[pole][0]);
  const ends = sidesOf(graph, nodes).filter((_, i) => nodes[i].poles.length);
  const poles = { left, right };
  let state = t("{left} and {right} can still be connected.", poles);
  if (nodes.some((node) => node.poles.length === 2))
    state = t("{left} and {right} are connected.", poles);
  else if (!ends.includes("both"))
    state = t("{left} and {right} are cut off from each other.", poles);
  const counted = t("{chains}, each drawn as one node, and {points}; other stones are not shown.", {
    chains: tn("{count} chain of {color}", "{count} chains of {color}", chains, {
      color: colorText(color),
    }),
    points: tn("{count} empty point", "{count} empty points", empty),
  });
  return `${counted} ${state}`;
}

/**
 * @param {BoardOut} board
 * @param {Graph} graph
 * @param {GraphNode[]} nodes
 * @param {string} color
 */
function draw(board, graph, nodes, color) {
  const { width, height } = extent(board);
  const sides = sidesOf(graph, nodes);
  const box = [-MARGIN, -MARGIN / 2, width + 2 * MARGIN, height + MARGIN];
  const seam = svg("path", { d: `M0 0H${width}M0 ${height}H${width}`, class: "graph-seam" });
  const lines = ["both", "first", "second", "none"].map((side) => {
    const own = graph.edges.filter(([a]) => sides[a] === side);
    const d = own.map(([a, b]) => edge(nodes[a], nodes[b], height)).join("");
    return svg("path", { d, class: `graph-edge ${side}` });
  });
  const order = [...nodes.keys()].sort((a, b) => nodes[a].radius - nodes[b].radius);
  const circles = order.map((i) => circle(nodes[i], sides[i], color));
  return svg("svg", { viewBox: box.join(" ") }, seam, ...lines, ...circles);
}

/**
 * Return a line as an SVG path, in two parts if it crosses the seam.
 * @param {GraphNode} a
 * @param {GraphNode} b
 * @param {number} height
 */
function edge(a, b, height) {
  const wraps = !a.poles.length && !b.poles.length;
  const dy = wraps ? wrappedDistance(a.y, b.y, height) : b.y - a.y;
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    `${x.toFixed(2)} ${y.toFixed(2)}`;
  const end = a.y + dy;
  if (end >= 0 && end <= height) return `M${at(a.x, a.y)}L${at(b.x, end)}`;
  const border = end < 0 ? 0 : height;
  const x = a.x + ((b.x - a.x) * (border - a.y)) / dy;
  return `M${at(a.x, a.y)}L${at(x, border)}M${at(x, height - border)}L${at(b.x, b.y)}`;
}

/**
 * @param {GraphNode} node
 * @param {string} side
 * @param {string} color
 */
function circle(node, side, color) {
  const { x, y, radius, isChain, cells, poles } = node;
  const kind = isChain ? `graph-chain ${color}` : "graph-empty";
  const group = svg("g", {
    class: `graph-node ${kind} ${side}`,
    transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`,
  });
  group.append(svg("circle", { r: radius }));
  if (poles.length) group.append(svg("path", { d: STAR, class: "graph-star" }));
  else if (isChain && cells.length > 1) {
    const text = svg("text", { class: "graph-size" });
    text.textContent = String(cells.length);
    group.append(text);
  }
  return group;
}
