// Cards to look at and to choose: faces, a hand, and the keypad that names any card in two taps.

import { button, el } from "./dom.js";
import { cardName, index, rankOf, SUITS, suitOf } from "./names.js";
import { t } from "./texts.js";

export const DICE = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

export function face(card, { act, chosen, dim, fresh, note, key } = {}) {
  const rank = rankOf(card);
  const red = "HD".includes(suitOf(card)) && rank !== "X";
  const cls = ["card", red && "red", rank === "X" && "joker", chosen && "chosen", dim && "dim", fresh && "fresh"].filter(Boolean);
  const inside = [
    el("span", { cls: "rank", "aria-hidden": "true" }, rank === "X" ? "★" : index(rank)),
    el("span", { cls: "suit", "aria-hidden": "true" }, rank === "X" ? t("card.joker") : `${SUITS[suitOf(card)]}\uFE0E`),
  ];
  const label = note ? `${cardName(card)}, ${note}` : cardName(card);
  if (!act) return el("span", { cls: cls.join(" "), role: "img", "aria-label": label }, inside);
  return el(
    "button",
    {
      type: "button",
      cls: cls.join(" "),
      "aria-label": label,
      "aria-pressed": chosen ? "true" : "false",
      "data-key": key ?? `card-${card}`,
      "data-card": card,
      onclick: act,
    },
    inside,
  );
}

export const backs = (count) =>
  Array.from({ length: count }, () => el("span", { cls: "card back", "aria-hidden": "true" }));

/** First the rank, then the suit; `act(card)` is called with the card. `deck` says what exists. */
export function keypad({ act, gone = [], jokers = true, state }) {
  const box = el("div", { cls: "keypad" });
  const photo = el("div", { cls: "photo" }); // the place of a second way to name a card; empty, it takes no room
  const show = () => {
    box.replaceChildren(photo, state.rank ? suits() : ranks());
    box.querySelector(state.rank ? "[data-suit]:enabled" : `[data-key="rank-${state.back ?? ""}"]`)?.focus({ preventScroll: true });
  };
  const ranks = () =>
    el(
      "div",
      { cls: "ranks", role: "group", "aria-label": t("keypad.rank") },
      [...RANKS, ...(jokers ? ["X"] : [])].map((rank) =>
        button(
          rank === "X" ? el("span", { cls: "star" }, "★") : index(rank),
          () => {
            state.rank = rank;
            show();
          },
          { "aria-label": rank === "X" ? t("card.X") : t(`rank.${rank}`), "data-key": `rank-${rank}`, "data-rank": rank },
        ),
      ),
    );
  const suits = () => {
    const { rank } = state;
    const cards = rank === "X" ? ["X1", "X2"] : [...Object.keys(SUITS)].map((suit) => rank + suit);
    return el(
      "div",
      { cls: "suits", role: "group", "aria-label": t("keypad.suit") },
      cards.map((card, n) =>
        button(
          rank === "X" ? `★ ${n + 1}` : `${index(rank)} ${SUITS[suitOf(card)]}\uFE0E`,
          () => {
            state.rank = null;
            act(card);
          },
          {
            cls: "HD".includes(suitOf(card)) && rank !== "X" ? "red" : "",
            "aria-label": rank === "X" ? t("keypad.joker", { number: n + 1 }) : cardName(card),
            "data-suit": suitOf(card) || String(n + 1),
            "data-key": `suit-${card}`,
            disabled: gone.includes(card),
          },
        ),
      ),
      button(
        t("keypad.back"),
        () => {
          state.back = rank;
          state.rank = null;
          show();
        },
        { cls: "quiet" },
      ),
    );
  };
  box.append(photo, state.rank ? suits() : ranks());
  return box;
}
