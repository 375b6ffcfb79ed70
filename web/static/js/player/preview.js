// The board as it would stand after the parts already chosen: a look ahead, nothing is decided here.

const SIDE = { white: 1, black: -1 };

export function applied(match, parts) {
  const position = structuredClone(match.position);
  for (const part of parts) {
    if (part.path[0].startsWith("push")) pushed(position, Number(part.path[0].slice(4)) - 1);
    else if (part.swap) {
      move(position, part.piece, part.path[0], "?");
      move(position, part.swap, part.path[1], part.path[0]);
      move(position, part.piece, "?", part.path[1]);
    } else {
      for (const [piece, cell] of part.takes) move(position, piece, cell, "camp");
      move(position, part.piece, part.path[0], part.path.at(-1));
    }
  }
  return position;
}

function move(position, piece, from, to) {
  const cells = piece === "barricade" ? position.barricades : position.pawns[piece];
  const at = cells?.findIndex((cell) => cell.replace("*", "") === from) ?? -1;
  if (at >= 0) cells[at] = to;
}

/** Trikolos: the spare goes in at f, everything moves towards a, what falls comes back at f. */
function pushed(position, row) {
  const out = position.tiles[row][0];
  position.tiles[row] = position.tiles[row].slice(1) + position.spare;
  position.spare = out;
  let fallen = null;
  for (const seat of Object.keys(position.pawns)) {
    position.pawns[seat] = position.pawns[seat].map((cell) => {
      if (cell.length !== 2 || Number(cell[1]) !== row + 1) return cell;
      if (cell[0] !== "a") return String.fromCharCode(cell.charCodeAt(0) - 1) + cell[1];
      fallen = seat;
      return "?";
    });
  }
  if (fallen) move(position, fallen, "?", landing(position, fallen, row));
}

function landing(position, seat, row) {
  const taken = new Set(Object.values(position.pawns).flat());
  const tile = (n) => position.tiles[n]?.[5];
  const free = (n) => tile(n) && !taken.has(`f${n + 1}`);
  const ahead = row + SIDE[seat];
  if (tile(row) === "G" || (tile(row) === "O" && tile(ahead) === "G" && free(ahead))) return `f${row + 1}`;
  for (let n = row - SIDE[seat]; tile(n); n -= SIDE[seat]) if (tile(n) === "G" && free(n)) return `f${n + 1}`;
  return "camp";
}
