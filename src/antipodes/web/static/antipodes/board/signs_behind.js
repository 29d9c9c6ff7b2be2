// Signs of cells behind a sphere: they stand at its edge, and a click on one rotates to its cell.

import { proposal } from "./marks.js";
import { svg } from "./shapes.js";

/** @import { View } from "./views.js" */

const MOST = 9; // signs at an edge
const INSIDE = 0.95; // distance of a sign from the centre, in radii
const ROOM = 0.62; // steps between the centres of two signs

/**
 * Return angles in ascending order, moved apart as little as is needed.
 * @param {number[]} angles in ascending order
 * @param {number} gap
 */
export function spread(angles, gap) {
  /** @type {number[][]} */
  const groups = [];
  const middle = (/** @type {number[]} */ group) =>
    group.reduce((sum, angle) => sum + angle, 0) / group.length;
  for (const angle of angles) {
    let group = [angle];
    for (let last = groups.at(-1); last; last = groups.at(-1)) {
      const room = (gap * (last.length + group.length)) / 2;
      if (middle(group) - middle(last) >= room) break;
      group = [...last, ...group];
      groups.pop();
    }
    groups.push(group);
  }
  return groups.flatMap((group) =>
    group.map((_, index) => middle(group) + gap * (index - (group.length - 1) / 2)),
  );
}

/**
 * Draw the signs of cells behind the sphere in a panel.
 * @param {Record<number, string | number>} signs by cell
 * @param {View} view
 * @param {number} panel
 */
export function signsBehind(signs, view, panel) {
  const behind = view.spots
    .flatMap(({ cell, edge, panel: own }) =>
      edge && own === panel && signs[cell] !== undefined
        ? [{ cell, angle: Math.atan2(edge.y, edge.x), radius: Math.hypot(edge.x, edge.y) }]
        : [],
    )
    .slice(0, MOST)
    .sort((a, b) => a.angle - b.angle);
  if (!behind.length) return [];
  const { radius } = behind[0];
  const angles = spread(
    behind.map(({ angle }) => angle),
    ROOM / radius,
  );
  return behind.map(({ cell }, index) => {
    const [x, y] = [Math.cos, Math.sin].map((part) => INSIDE * radius * part(angles[index]));
    const sign = proposal(String(signs[cell]));
    return svg(
      "g",
      {
        class: "sign-behind",
        "data-behind": cell,
        transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`,
      },
      sign,
    );
  });
}
