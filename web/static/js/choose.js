// From the list of legal plays to one of them, tap by tap. No drawing here, and no rules either.
//
// A choice is the plays still possible, each with the parts not yet chosen. Parts of a split seven
// may be chosen in any order; everything else in the order it is carried out.

const key = (part) => [part.piece, part.path.join("-"), part.swap, part.takes.join("+")].join("|");

const free = (play) =>
  play.parts.length > 1 && play.parts.every((part) => part.piece.length === 1 && !part.swap);

export function begin(plays) {
  return { open: plays.map((play) => ({ play, left: play.parts })), picked: [] };
}

/** The parts of a play that may come next. */
function next({ play, left }) {
  if (!free(play)) return left.slice(0, 1);
  return left.filter(
    (part, n) => !left.slice(0, n).some((one) => one.piece === part.piece && one.path.at(-1) === part.path[0]),
  );
}

const AWAY = ["camp", "home"]; // off the cells: there each seat has places of its own

export const spot = (piece, cell) => (AWAY.includes(cell) ? `${cell}:${piece}` : cell);

/** Where a tap may begin: spots, each with the parts that begin there. */
export function origins(choice) {
  const found = new Map();
  for (const one of choice.open) {
    for (const part of next(one)) {
      const at = spot(part.piece, part.path[0]);
      if (!found.has(at)) found.set(at, new Map());
      found.get(at).set(key(part), part);
    }
  }
  return new Map([...found].map(([at, parts]) => [at, [...parts.values()]]));
}

/** Where the piece at a spot may go: spots, each with the parts that end there. */
export function targets(choice, origin) {
  const found = new Map();
  for (const part of origins(choice).get(origin) ?? []) {
    const at = spot(part.piece, part.swap ? part.path[1] : part.path.at(-1));
    found.set(at, [...(found.get(at) ?? []), part]);
  }
  for (const parts of [...found.values()]) {
    for (const part of parts) {
      for (const stop of part.swap ? [] : part.path.slice(1, -1)) {
        if (!found.has(stop)) found.set(stop, [part]); // a tap on the way means where it leads
      }
    }
  }
  return found;
}

export function pick(choice, part) {
  const wanted = key(part);
  const open = [];
  for (const one of choice.open) {
    const at = next(one).find((candidate) => key(candidate) === wanted);
    if (at) open.push({ play: one.play, left: one.left.filter((other) => other !== at) });
  }
  return { open, picked: [...choice.picked, part] };
}

/** The play, once there is nothing left to choose. */
export function settled(choice) {
  if (!choice.picked.length) return null;
  const ended = choice.open.filter((one) => !one.left.length);
  if (ended.length) return choice.open.length === ended.length ? ended[0].play : null;
  return choice.open.length === 1 && !free(choice.open[0].play) ? choice.open[0].play : null;
}

/** A play that may be played as it stands although more could follow. */
export const mayEnd = (choice) => choice.open.find((one) => !one.left.length)?.play ?? null;
