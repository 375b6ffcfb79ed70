// What hands have to do on the board: put it right, carry out what was decided, finish a play.

import { el } from "./dom.js";
import { cellName, colour } from "./names.js";
import { t } from "./texts.js";

const AMISS = ["wrong", "disturbed", "asking"];

/** What is due and its title, as the lights show it too; null where nothing is. */
export function due({ penalty, stage, put_right, to_do, severity }) {
  if (penalty) return { title: "penalty", moves: put_right };
  if (stage === "unfinished") return to_do.length && severity !== "tournament" ? { title: "to-do", moves: to_do } : null;
  if (!put_right.length) return null;
  if (stage === "follow") return { title: "follow", moves: put_right };
  return AMISS.includes(stage) ? { title: "put-right", moves: put_right } : null;
}

/** The first of the moves, one a line, and how many there are besides. */
export function movesShown(match, moves, most) {
  const lines = moves.slice(0, most).map(({ piece, from, to }) =>
    t("fix", {
      who: match.pieces[piece] ? colour(match, piece) : t(`piece.${piece}`),
      from: cellName(match, from),
      to: cellName(match, to),
    }));
  if (moves.length > most) lines.push(t("fix.more", { count: moves.length - most }));
  return el("ul", { cls: "fixes" }, lines.map((line) => el("li", {}, line)));
}
