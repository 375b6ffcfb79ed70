// How seats, cells, cards and plays are called by people.

import { lang, t } from "./texts.js";

export const colour = (match, seat) => t(`colour.${match.pieces?.[seat]?.name ?? seat}`);

/** The name somebody typed, or the colour. */
export function seatName(match, seat) {
  return match.names?.[seat] || colour(match, seat);
}

const RANKS = { fr: { A: "1", J: "V", Q: "D", K: "R" }, en: {} };
export const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export const rankOf = (card) => (card[0] === "X" ? "X" : card.slice(0, -1));
export const suitOf = (card) => (card[0] === "X" ? "" : card.at(-1));
export const index = (rank) => RANKS[lang]?.[rank] ?? rank;

export function cardName(card) {
  const rank = rankOf(card);
  if (rank === "X") return t("card.X");
  return t("card.of", { rank: t(`rank.${rank}`), suit: t(`suit.${suitOf(card)}`) });
}

/** The same as its corner shows it. */
export const cardSign = (card) => (rankOf(card) === "X" ? t("card.joker") : `${index(rankOf(card))} ${SUITS[suitOf(card)]}\uFE0E`);

/** A cell as one would point it out: by the colour of its branch, not by letters nobody sees. */
export function cellName(match, cell, seat) {
  if (cell === "camp") return t("cell.camp");
  if (cell === "home") return t("cell.home");
  if (cell === "goal") return t("cell.goal");
  if (cell.startsWith("push")) return t("cell.push", { row: cell.slice(4) });
  const arrival = /^A-([a-f])$/.exec(cell);
  if (arrival) return t("cell.arrival", { colour: colour(match, arrival[1]) });
  const branch = match.branches && /^([a-h])(h?)(\d+)$/.exec(cell);
  if (branch) {
    const facts = { number: branch[3], colour: colour(match, branch[1]) };
    return t(branch[2] ? "cell.house" : branch[3] === "18" ? "cell.start" : "cell.branch", facts);
  }
  return seat ? t("cell.at", { cell }) : cell;
}

/** One part of a play in words. */
export function partText(match, part, mover) {
  const who =
    part.piece === "barricade" ? t("piece.barricade") : part.piece === "spare" ? "" : colour(match, part.piece);
  const own = part.piece === mover;
  const [from, to] = [part.path[0], part.path.at(-1)];
  const name = (cell) => cellName(match, cell);
  if (from.startsWith("push")) return t("part.push", { row: from.slice(4) });
  if (part.swap)
    return t("part.swap", { who, from: name(from), other: colour(match, part.swap), to: name(part.path[1]) });
  const facts = { who, from: name(from), to: name(to) };
  const key = from === "camp" ? "part.enter" : "part.walk";
  const taken = part.takes.map(([piece]) => colour(match, piece));
  const takes = taken.length ? t("part.takes", { who: taken.join(", ") }) : "";
  return t(own ? `${key}-own` : key, facts) + takes;
}

/** A play; the colour is left out where it is the mover's own. */
export const playText = (match, play, mover) => play.parts.map((part) => partText(match, part, mover)).join(" · ");

/** The last play in one line: who, the card as it lies there, what was moved. */
export function lastText(match) {
  const { last } = match;
  if (!last) return "";
  const who = seatName(match, last.seat);
  const card = last.card && !/^[1-6]$/.test(last.card) ? cardSign(last.card) : "";
  return t("last", { who: card ? `${who}, ${card}` : who, play: playText(match, last, last.seat) });
}

/** How it ended, in one line. */
export function outcome(match) {
  const who = match.winners.map((seat) => seatName(match, seat)).join(t("and"));
  return who ? t("over.won", { who }) : t(match.drawn ? "over.drawn" : "over.ended");
}
