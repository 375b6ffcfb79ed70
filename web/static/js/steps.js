// How many steps a pawn has walked on a Tock board: for counting what is left of a seven.

const BRANCHES = { tock4: 4, tock6: 6, tock8: 8 };

function place(cell) {
  const found = /^([a-h])(\d+)\*?$/.exec(cell);
  return found && (found[1].charCodeAt(0) - 97) * 18 + (Number(found[2]) % 18);
}

/** Steps from a cell forward to another, by a pawn of this seat. */
export function steps(match, seat, from, to) {
  const ring = 18 * BRANCHES[match.board];
  const entry = (seat.charCodeAt(0) - 97) * 18 - (match.house_entry === 18 ? 0 : 2);
  const house = /^[a-h]h(\d)$/.exec(to);
  const inside = /^[a-h]h(\d)$/.exec(from);
  if (inside && house) return Number(house[1]) - Number(inside[1]);
  const start = place(from);
  if (start === null) return 0;
  if (house) return ((entry - start + 2 * ring) % ring) + Number(house[1]);
  return (place(to) - start + ring) % ring;
}

/** What is left of a seven after these parts; a jump between central cells costs nothing. */
export function leftOfSeven(match, parts) {
  const walked = parts.map((part) => {
    const stop = part.path.length > 2 && jumps(part) ? part.path[1] : part.path.at(-1);
    return steps(match, part.piece, part.path[0], stop);
  });
  return 7 - walked.reduce((sum, one) => sum + one, 0);
}

const jumps = (part) => part.path.slice(-2).every((cell) => /^[a-h]7$/.test(cell));
