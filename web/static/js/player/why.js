// "Why not?": a move nobody offers, and the rule that stands in its way, in plain words.

import { button, dialog, el } from "../dom.js";
import { cellName, colour } from "../names.js";
import { say } from "../say.js";
import { t } from "../texts.js";

export async function explain(game, piece, from, to) {
  const card = game.state.card ?? game.match.card;
  const form = { seat: game.seat, piece, from, to };
  if (game.match.deck !== false && card) form.card = card;
  const answer = await game.send("/api/why", form);
  if (!answer) return;
  const facts = {
    who: colour(game.match, piece),
    from: cellName(game.match, from),
    to: cellName(game.match, to),
  };
  const words = answer.legal ? [t("why.legal")] : answer.reasons.map((one) => one.text);
  say(words.join(" "));
  dialog(
    t("why.title"),
    el("p", { cls: "asked" }, t("why.asked", facts)),
    el("ul", { cls: "rules" }, (words.length ? words : [t("why.unknown")]).map((text) => el("li", {}, text))),
    el("a", { href: `/rules/${game.match.game}`, target: "_blank", cls: "link" }, t("why.book")),
  );
}

/** Asking on the board: first the piece, then where it should have gone. */
export function asking(game) {
  const { state, board } = game;
  board.targets([], (cell) => {
    if (!state.why.from) {
      const [piece] = board.occupied?.get(cell) ?? [];
      if (!piece || piece === "barricade") return;
      state.why = { piece, from: board.word(cell) };
      board.light({ [cell]: "may-move" });
      return game.draw();
    }
    const { piece, from } = state.why;
    state.why = null;
    game.draw();
    explain(game, piece, from, board.word(cell));
  });
  if (state.why.from && board.cells.has(state.why.from)) board.light({ [state.why.from]: "may-move" });
  return t(state.why.from ? "why.to" : "why.from");
}

export const whyButton = (game) =>
  button(
    t(game.state.why ? "why.stop" : "why.ask"),
    () => {
      game.state.why = game.state.why ? null : {};
      game.draw();
    },
    { cls: "quiet", "data-key": "why", "aria-pressed": game.state.why ? "true" : "false" },
  );
