// What is spoken: cells, pieces and moves as short phrases. All functions are pure.

/** Take a piece's short name apart: `red/` is a rod, `blue*` a pawn, `black` a stone. */
export function pieceParts(name) {
  const color = name.match(/^[a-z]+/)[0];
  return { color, kind: name.slice(color.length) };
}

const KINDS = { "/": "rod, rising", "\\": "rod, falling", "*": "pawn" };

/** What lies on a cell. */
export function spokenPiece(name) {
  if (!name) return "empty";
  const { color, kind } = pieceParts(name);
  return kind ? `${color} ${KINDS[kind]}` : color;
}

/** A cell's name, what lies on it, and its marks. */
export function spokenCell(name, piece, marks) {
  return [name, spokenPiece(piece), ...marks].join(", ");
}
