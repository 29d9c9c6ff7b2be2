// The tree of moves as a nested list: the main line, with variations below the move they replace.

/** Draw a tree into an element; `choose` is called with the node of a move that is pressed. */
export function drawTree(list, tree, current, choose) {
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...lineItems(tree.root, current, choose));
  const button = list.querySelector("[aria-current]");
  if (hadFocus) button?.focus();
  // The list alone is scrolled: the page stays where it is.
  if (button) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** The items of the main line from a node on. */
function lineItems(from, current, choose) {
  const items = [];
  for (let at = from; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    const item = document.createElement("li");
    item.append(moveButton(main, current, choose));
    if (others.length) item.append(variations(main, others, current, choose));
    items.push(item);
  }
  return items;
}

function variations(main, others, current, choose) {
  const list = document.createElement("ul");
  list.className = "variations";
  list.setAttribute("aria-label", `instead of ${main.text}`);
  for (const other of others) {
    const line = document.createElement("ol");
    const first = document.createElement("li");
    first.append(moveButton(other, current, choose));
    line.append(first, ...lineItems(other, current, choose));
    const item = document.createElement("li");
    item.append(line);
    list.append(item);
  }
  return list;
}

function moveButton(node, current, choose) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(numbered(node.ply), chip(node.color), node.text);
  button.setAttribute("aria-label", `${node.ply}: ${node.color} ${node.text}`);
  if (node === current) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => choose(node));
  return button;
}

function numbered(ply) {
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = ply;
  return number;
}

/** A dot in the colour of a piece; whoever cannot see it reads the label. */
export function chip(color) {
  const dot = document.createElement("span");
  dot.className = `chip ${color}`;
  dot.setAttribute("aria-hidden", "true");
  return dot;
}
