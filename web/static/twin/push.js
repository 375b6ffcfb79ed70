// A row of tiles under the spare one: it slides as far as it is pushed, with whoever stands on it.

const COLUMNS = "abcdef";
const LEAST = 4; // millimetres a row must have moved to be pushed

/** The row that a tile held there pushes, and how far; nothing beside or over the rows. */
export function pushedRow({ cells }, at) {
  const tile = cells.get("b1").x - cells.get("a1").x;
  for (let row = 1; row <= 6; row += 1) {
    const last = cells.get(`f${row}`);
    const far = last.x + tile - at.x;
    if (Math.abs(at.y - last.y) < tile / 2 && far >= LEAST && far < 1.5 * tile) return { row, far: Math.min(far, tile) };
  }
  return null;
}

/** Draws a row moved, and the others at rest. */
export function slide({ layers }, push) {
  const cells = new Set(push ? [...COLUMNS].map((column) => `${column}${push.row}`) : []);
  for (const figure of [...layers.tiles.children, ...layers.pieces.children])
    figure.style.translate = cells.has(figure.dataset.tile ?? figure.dataset.on) ? `${-push.far}px 0` : "";
}
