// The big screen: the board live, whose turn it is, the last play in words, points, the way in.

import { chip, loadBoard } from "./board.js";
import { byId, el, put } from "./dom.js";
import { DICE, face } from "./cards.js";
import { follow, linked } from "./live.js";
import { due, movesShown } from "./mending.js";
import { colour, outcome, playText, seatName } from "./names.js";
import { sayNew } from "./say.js";
import { loadTexts, t } from "./texts.js";

const MOST = 3; // moves that are told; the board shows them all
let board = null;
let drawn = "";
let heard = null;
let qr = "";

async function show(view) {
  const { match } = view;
  byId("screen").dataset.shows = match ? "game" : "nothing";
  invitation(view);
  if (!match) {
    put(byId("turn"), el("h1", {}, t("screen.welcome")), el("p", {}, t("screen.scan")), view.pin_set ? null : el("p", { cls: "note warn" }, t("screen.no-pin")));
    return;
  }
  if (drawn !== `${match.board} ${match.house_entry}`) {
    board = await loadBoard(match.board, match.house_entry);
    drawn = `${match.board} ${match.house_entry}`;
    byId("board").replaceChildren(board.drawing);
    board.drawing.setAttribute("role", "img");
  }
  board.drawing.setAttribute("aria-label", t("board.label", { game: t(`game.${match.game}`) }));
  board.set(match.position);
  board.light(match.lights);
  board.arrows(match.last && match.stage === "still" && match.phase !== "move" ? match.last.parts : []);
  heard = sayNew(view.said, heard);
  put(byId("turn"), turn(match));
  put(byId("news"), news(match));
  put(byId("seats"), seats(view));
  byId("game").textContent = t(`game.${match.game}`);
}

function turn(match) {
  if (match.phase === "over") {
    return [el("div", { cls: "who" }, match.winners.map((seat) => chip(seat, 72))), el("h1", {}, outcome(match))];
  }
  if (match.paused) return el("h1", {}, t("paused"));
  if (!match.turn) return el("h1", {}, t(`screen.${match.phase}`, { who: match.dealer ? seatName(match, match.dealer) : "" }));
  return [el("div", { cls: "who" }, chip(match.turn, 72), el("h1", {}, t("turn.of", { who: seatName(match, match.turn) }))), played(match)];
}

const played = (match) => {
  if (!match.card) return null;
  if (/^[1-6]$/.test(match.card)) return el("span", { cls: "die", role: "img", "aria-label": t("die.value", { value: match.card }) }, DICE[Number(match.card) - 1]);
  return el("div", { cls: "hand" }, face(match.card));
};

function news(match) {
  const mend = due(match);
  const wrong = match.cases.filter((one) => !one.mended && !one.decision).at(-1);
  if (wrong) return el("div", { cls: "note bad" }, el("p", {}, wrong.text), (wrong.rules ?? []).slice(0, 1).map((rule) => el("p", {}, rule.text)), mend && movesShown(match, mend.moves, MOST));
  if (mend) return el("div", { cls: "note warn" }, el("p", {}, t(mend.title)), movesShown(match, mend.moves, MOST));
  if (match.question) return el("div", { cls: "note ask" }, el("p", {}, match.question.text));
  if (!match.last) return null;
  return el("div", { cls: "last" }, el("h2", {}, t("screen.last")),
    el("p", { cls: "row" }, chip(match.last.seat, 30), el("strong", {}, seatName(match, match.last.seat))),
    match.last.card ? el("div", { cls: "hand" }, face(match.last.card)) : null,
    el("p", {}, playText(match, match.last, match.last.seat)));
}

function seats({ match, people }) {
  return el("ul", { cls: match.seats.length > 5 ? "many" : "" }, match.seats.map((one) => {
    const mates = one.mates.map((mate) => colour(match, mate)).join(", ");
    const facts = [
      people[one.seat] && !people[one.seat].phones ? t("screen.free") : "",
      mates ? t("screen.with", { who: mates }) : "",
      one.cards ? t("screen.cards", { cards: one.cards }) : "",
      one.extra ? t("screen.extra") : "",
      one.out ? t("screen.out") : "",
      match.games > 1 ? t("points", { points: match.points[one.person] ?? 0 }) : "",
    ];
    return el("li", { cls: one.seat === match.turn ? "now" : "" }, chip(one.seat, 34),
      el("span", {}, el("strong", {}, seatName(match, one.seat)), el("small", {}, facts.filter(Boolean).join(" · "))));
  }));
}

function invitation({ join }) {
  if (!join || join.qr === qr) return;
  qr = join.qr;
  put(byId("invite"), el("img", { src: join.qr, alt: t("invite.alt"), cls: "qr", width: 190, height: 190 }),
    el("div", {}, el("strong", {}, t("screen.join")), el("span", { cls: "address" }, new URL(join.url, location).host), el("span", {}, t("invite.code", { code: join.code }))));
}

await loadTexts("screen");
const stream = follow("screen", show, (state) => linked(state, () => stream.reopen()));
