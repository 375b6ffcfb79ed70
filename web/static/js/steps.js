// How many steps pawns walk on a board with branches: for telling what is left of a split card.

const ARM = 18; // ring cells of a branch

function place(cell) {
  const found = /^([a-h])(\d+)\*?$/.exec(cell);
  return found && (found[1].charCodeAt(0) - 97) * ARM + (Number(found[2]) % ARM);
}

/** Steps from a cell forward to another, by a pawn of this seat. */
function steps(match, seat, from, to) {
  const ring = ARM * match.branches;
  const entry = (seat.charCodeAt(0) - 97) * ARM - (match.house_entry === ARM ? 0 : 2);
  const house = /^[a-h]h(\d)$/.exec(to);
  const inside = /^[a-h]h(\d)$/.exec(from);
  if (inside && house) return Number(house[1]) - Number(inside[1]);
  const start = place(from);
  if (start === null) return 0;
  if (house) return ((entry - start + 2 * ring) % ring) + Number(house[1]);
  return (place(to) - start + ring) % ring;
}

const jumps = (part) => part.path.slice(-2).every((cell) => /^[a-h]7$/.test(cell));

/** The steps of these parts together; a jump between central cells costs nothing. */
export function walked(match, parts) {
  const each = parts.map((part) => {
    const stop = part.path.length > 2 && jumps(part) ? part.path[1] : part.path.at(-1);
    return steps(match, part.piece, part.path[0], stop);
  });
  return each.reduce((sum, one) => sum + one, 0);
}
