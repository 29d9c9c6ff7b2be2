// Cells, pieces and marks as SVG. Lengths are in steps between neighbouring cells.

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const SIDES = { pointy: [6, 30], flat: [6, 0], square: [4, 45] };

/** The outline of a cell round its centre, for a polygon's points. */
export function outline(shape) {
  const [sides, turn] = SIDES[shape];
  const radius = sides === 6 ? 1 / Math.sqrt(3) : Math.SQRT1_2;
  return Array.from({ length: sides }, (_, i) => {
    const angle = ((turn + (360 / sides) * i) * Math.PI) / 180;
    return `${(radius * Math.cos(angle)).toFixed(4)},${(radius * Math.sin(angle)).toFixed(4)}`;
  }).join(" ");
}

// Each colour but black and white has a mark of its own, so that colour alone tells nothing.
const MARKS = {
  red: "M-.14-.14H.14V.14H-.14Z",
  blue: "M0-.18L.17.13H-.17Z",
  vert: "M-.05-.2H.05V.2H-.05Z",
  horz: "M-.2-.05H.2V.05H-.2Z",
};

/** A piece from its short name: `black`, `blue*` with a pawn, `red/` for a rod. */
export function piece(name) {
  const color = name.match(/^[a-z]+/)[0];
  const kind = name.slice(color.length);
  const group = svg("g", { class: `piece ${color}` });
  if (kind === "/" || kind === "\\") {
    const end = kind === "/" ? 0.42 : -0.42;
    const d = `M-.42 ${end}L.42 ${-end}`;
    group.append(svg("path", { d, class: "rod-edge" }), svg("path", { d, class: "rod" }));
    group.append(svg("circle", { r: 0.19, class: "disc" }));
    if (MARKS[color]) group.append(svg("path", { d: MARKS[color], class: "mark", transform: "scale(.6)" }));
    return group;
  }
  group.append(svg("circle", { r: 0.41, class: "disc" }));
  if (kind === "*") group.append(svg("path", { d: PAWN, class: "pawn" }));
  else if (MARKS[color]) group.append(svg("path", { d: MARKS[color], class: "mark" }));
  return group;
}

const PAWN = "M-.2.28V.22C-.2.15-.08.15-.07.01H-.12V-.05A.13.13 0 1 1 .12-.05V.01H.07C.08.15.2.15.2.22V.28Z";

/** What a piece is called. */
export function spoken(name) {
  if (!name) return "empty";
  const color = name.match(/^[a-z]+/)[0];
  const kind = name.slice(color.length);
  if (kind === "/") return `${color} rod, rising`;
  if (kind === "\\") return `${color} rod, falling`;
  return kind === "*" ? `${color} pawn` : color;
}
