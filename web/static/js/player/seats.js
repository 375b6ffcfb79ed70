// Sitting down: the free seats by colour and sign, a name if one likes.

import { chip } from "../board.js";
import { button, el } from "../dom.js";
import { colour, seatName } from "../names.js";
import { t } from "../texts.js";

export function seatPicker(game) {
  const { match, view, state } = game;
  const mine = view.you.seats;
  const name = el("input", { type: "text", maxlength: 24, id: "name", autocomplete: "given-name", value: state.name ?? "", oninput: (event) => (state.name = event.target.value) });
  const sit = async (seat) => {
    const form = { seat };
    if (name.value.trim()) form.name = name.value.trim();
    if (await game.send("/api/seat/take", form)) {
      state.picking = false;
      state.name = "";
      state.sitting = seat; // shown with the first view that knows of it
    }
  };
  return el("section", { cls: "sit" },
    el("h1", {}, t(mine.length ? "sit.more" : "sit.title")),
    el("p", {}, t("sit.game"), " ", el("a", { cls: "button", href: `/rules/${match.game}`, "data-key": "rules" }, t(`game.${match.game}`))),
    el("p", {}, t("sit.line")),
    el("label", { for: "name" }, t("sit.name")), name,
    el("div", { cls: "places" }, match.order.map((seat) => {
      const person = view.people[seat] ?? { phones: 0, online: false };
      const taken = person.phones > 0;
      const own = mine.includes(seat);
      const words = own ? t("sit.yours") : taken ? t(person.online ? "sit.taken" : "sit.away", { who: seatName(match, seat) }) : t("sit.free");
      return button([chip(seat, 44), el("span", {}, el("strong", {}, colour(match, seat)), el("small", {}, words))], () => sit(seat), {
        cls: "place", disabled: taken, "data-key": `sit-${seat}`, "data-seat": seat,
      });
    })),
    mine.length ? button(t("back"), () => {
      state.picking = false;
      game.draw();
    }, { "data-key": "back" }) : null,
    view.match && el("p", { cls: "small" }, t("sit.dead")));
}

/** Several seats on one phone: the hand is covered until its owner says so. */
export function cover(game, next) {
  const { match, view, state } = game;
  return el("section", { cls: "cover" },
    chip(next ?? view.you.seats[0], 72),
    el("p", { cls: "big" }, next ? t("cover.turn", { who: seatName(match, next) }) : t("cover.line")),
    el("div", { cls: "choices" }, [...view.you.seats].sort((a, b) => (b === next) - (a === next)).map((seat) =>
      button([chip(seat, 28), el("span", {}, t("cover.show", { who: seatName(match, seat) }))], () => {
        state.shown = seat;
        game.begin();
      }, { cls: seat === next ? "main" : "", "data-key": `show-${seat}`, "data-show": seat }))));
}
