// What comes up over the game: questions, irregular boards, requests, votes, what does not work.

import { face } from "../cards.js";
import { button, el } from "../dom.js";
import { due, movesShown } from "../mending.js";
import { cardName, playText, seatName } from "../names.js";
import { t } from "../texts.js";

const MOST = 4; // moves that are told; the board shows them all
const DECISIONS = ["slip", "warning", "penalty", "nothing"];

export function notes(game) {
  const { match, mine, state } = game;
  const found = [];
  if (state.link && state.link !== "live") found.push(note("warn", t(`link.${state.link}`), state.link === "taken" && button(t("link.here"), game.reopen)));
  if (state.error) found.push(note("bad", state.error, button(t("ok"), () => {
    state.error = null;
    game.draw();
  }, { "data-key": "error-ok" })));
  if (!match) return found;
  if (match.paused) found.push(note("warn", t("paused")));
  if (mine?.received) found.push(received(game));
  if (mine?.hint) found.push(note("ask", t("hint.line", { play: playText(match, mine.hint, game.seat) })));
  if (mine?.question?.key === "ask.undo") found.push(takingBack(game, mine.question));
  else if (mine?.question) found.push(question(game, mine.question));
  const wrong = match.cases.filter((one) => !one.mended && !one.decision).at(-1);
  const mend = due(match);
  if (wrong) found.push(irregular(match, wrong, mend));
  else if (mend) found.push(note("warn", t(mend.title), movesShown(match, mend.moves, MOST)));
  if (mine?.can.includes("voted")) found.push(...match.cases.filter((one) => !one.decision && one.seat !== game.seat && !one.votes.includes(game.seat)).map((one) => vote(game, one)));
  return found;
}

const note = (kind, text, ...more) => el("div", { cls: `note ${kind}`, role: kind === "bad" ? "alert" : null }, el("p", {}, text), ...more);

/** What came in the exchange: shown until this seat plays. */
function received({ match, mine, seat }) {
  const who = match.seats.find((one) => one.seat === seat)?.mates[0];
  const text = t("exchange.received", { card: cardName(mine.received), who: who ? seatName(match, who) : "" });
  return el("div", { cls: "note ask got" }, face(mine.received), el("p", {}, text));
}

function question(game, { number, text, choices, key }) {
  const answers = choices.map((one, choice) =>
    button(one.label ?? one.text, () => game.event({ event: "answered", seat: game.seat, question: number, choice }), { "data-key": `answer-${choice}` }));
  return el("div", { cls: "note ask", "data-question": key }, el("p", {}, text), el("div", { cls: "row" }, answers));
}

/** A wish to take back: whoever made it, or has agreed, waits for the others. */
function takingBack(game, asked) {
  const { match, mine } = game;
  if (!mine.can.includes("undo-agree")) return note("ask", t("undo.wait"));
  const by = match.undo.asked;
  const text = by === "host" || !by ? asked.text : t("undo.theirs", { who: seatName(match, by) });
  return question(game, { ...asked, text });
}

function irregular(match, one, mend) {
  const rules = (one.rules ?? []).map((rule) => el("li", {}, rule.text));
  return el("div", { cls: "note bad" },
    el("p", {}, one.text),
    rules.length ? el("ul", { cls: "rules" }, rules) : null,
    mend && [el("p", {}, t(mend.title)), movesShown(match, mend.moves, MOST)]);
}

function vote(game, one) {
  return note("ask", t("vote.line", { case: one.text }),
    el("div", { cls: "row" }, DECISIONS.map((decision) =>
      button(t(`decision.${decision}`), () => game.event({ event: "voted", seat: game.seat, case: one.number, decision }), { "data-key": `vote-${decision}` }))));
}
