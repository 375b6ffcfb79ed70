// Choosing a play on the board: first the piece, then where to, part by part.

import { begin, mayEnd, origins, pick, settled, targets } from "../choose.js";
import { button, dialog, el } from "../dom.js";
import { cellName, colour, partText, playText } from "../names.js";
import { walked } from "../steps.js";
import { t } from "../texts.js";
import { applied } from "./preview.js";
import { explain } from "./why.js";

/** The plays of a card, asked for where the view leaves them out. */
export async function playsOf(game, card) {
  const { mine, seat } = game;
  if (mine.plays) return card ? mine.plays.filter((play) => !play.card || play.card === card) : mine.plays;
  const asked = new URLSearchParams({ seat });
  if (card) asked.set("card", card);
  return (await game.ask(`/api/plays?${asked}`)).plays;
}

export async function start(game, card) {
  const { state } = game;
  const asked = `${game.view.version} ${card}`;
  state.asked = asked;
  const plays = await playsOf(game, card);
  if (state.asked !== asked) return;
  state.choice = begin(plays);
  state.origin = null;
  only(state);
}

/** Where there is one way to begin, it is begun. */
function only(state) {
  const from = origins(state.choice);
  const [first] = from.keys();
  if (from.size === 1 && state.choice.picked.length) state.origin = first;
}

export function reset(state) {
  state.choice = state.origin = state.asked = null;
}

function take(game, part) {
  const { state } = game;
  state.choice = pick(state.choice, part);
  state.origin = null;
  if (!settled(state.choice)) only(state);
  game.draw();
}

/** Two plays end on one cell: which is meant? */
function among(game, parts) {
  if (parts.length === 1) return take(game, parts[0]);
  const sheet = dialog(
    t("choose.which"),
    el("div", { cls: "choices" }, parts.map((part) =>
      button(partText(game.match, part, game.seat), () => {
        sheet.close();
        take(game, part);
      }, { "data-path": part.path.join("-"), "data-swap": part.swap }))),
  );
}

/** Puts what can be tapped on the board; returns the line that says what to do. */
export function drawTargets(game) {
  const { state, board, match } = game;
  const done = settled(state.choice);
  board.arrows(done ? done.parts : state.choice.picked);
  board.set(applied(match, state.choice.picked));
  if (done) {
    board.targets([]);
    return t("move.check");
  }
  const from = origins(state.choice);
  const spots = [];
  if (!state.origin || from.size > 1) {
    for (const at of from.keys()) {
      if (at === state.origin) continue;
      spots.push({
        at,
        meaning: at.startsWith("push") ? "may-go" : "may-move",
        label: label(match, at, "from"),
        act: () => {
          if (at.startsWith("push")) return among(game, from.get(at));
          state.origin = at;
          game.draw();
        },
      });
    }
  }
  if (state.origin) {
    const to = targets(state.choice, state.origin);
    const free = spots.filter((one) => !to.has(one.at));
    spots.splice(0, spots.length, ...free);
    for (const [at, parts] of to) {
      const takes = parts.some((part) => part.takes.length || part.swap);
      spots.push({
        at,
        meaning: takes ? "capture" : "may-go",
        label: label(match, at, takes ? "take" : "to"),
        act: () => among(game, parts),
      });
    }
  }
  board.targets(spots, (cell) => elsewhere(game, cell));
  if (state.origin) board.light({ [board.places(state.origin)[0]]: "may-move" });
  return instruction(game, from);
}

function instruction({ match, state }, from) {
  const { picked, open } = state.choice;
  const split = picked.length && match.branches && open.find((one) => one.left.length);
  const left = split ? `${t("move.left", { steps: walked(match, split.left) })} ` : "";
  if (!from.size) return t("move.none");
  if (state.origin) {
    const [first] = from.get(state.origin) ?? [];
    if (first?.piece === "barricade") return t("move.barricade");
    return left + t("move.to");
  }
  if ([...from.keys()].some((at) => at.startsWith("push"))) return t("move.row");
  return left + t("move.from");
}

function label(match, at, how) {
  const [where, seat] = at.split(":");
  const cell = where === "camp" ? t("cell.camp-of", { colour: colour(match, seat) }) : cellName(match, where, true);
  return t(`target.${how}`, { cell });
}

/** A tap on a cell that is no target: another piece, or "why not?". */
function elsewhere(game, cell) {
  const { state, board, match } = game;
  if (!state.origin) return;
  const [from] = board.places(state.origin);
  if (cell === from) {
    state.origin = null;
    return game.draw();
  }
  const piece = state.origin.startsWith("camp:") ? state.origin.slice(5) : pieceAt(game, from);
  if (match.phase === "move" || state.card) explain(game, piece, board.word(from), board.word(cell));
}

export const pieceAt = ({ board, seat }, cell) => {
  const on = board.occupied?.get(cell) ?? [];
  return on.includes(seat) ? seat : on[0];
};

const SMALL = ["tock6", "tock8"]; // boards whose cells are small under a finger
const FEW = 12;

/** The plays in words, where there are few: for small cells and for those who see no board. */
export function listButton(game) {
  const { state, match, seat } = game;
  const plays = state.choice?.open.map((one) => one.play) ?? [];
  if (!SMALL.includes(match.board) || !plays.length || plays.length > FEW) return [];
  return [button(t("move.list"), () => {
    const sheet = dialog(t("move.list"), el("div", { cls: "choices" }, plays.map((play) =>
      button(playText(match, play, seat), () => {
        sheet.close();
        game.play(play);
      }, { "data-text": play.text }))));
  }, { cls: "quiet", "data-key": "list" })];
}

/** What has been chosen, with the buttons that play it or begin again. */
export function chosenParts(game) {
  const { state, match } = game;
  const { choice } = state;
  if (!choice?.picked.length) return null;
  const whole = settled(choice);
  const done = whole ?? mayEnd(choice);
  const left = choice.open.find((one) => one.play === whole)?.left ?? [];
  const parts = [...choice.picked, ...left]; // in the order of the taps
  return el(
    "div",
    { cls: "chosen-play" },
    el("ol", { cls: "parts" }, parts.map((part) => el("li", {}, partText(match, part, game.seat)))),
    el(
      "div",
      { cls: "row" },
      button(t("move.again"), () => {
        reset(state);
        game.begin();
      }, { "data-key": "again" }),
      done && button(t("move.play"), () => game.play(done), { cls: "main", "data-key": "play" }),
    ),
  );
}

