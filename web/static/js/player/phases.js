// What this seat can do in each phase of the game: a line that says it, cards, and buttons.

import { backs, DICE, face, keypad } from "../cards.js";
import { button, el } from "../dom.js";
import { cardName, seatName } from "../names.js";
import { t } from "../texts.js";
import { chosenParts, listButton } from "./moves.js";
import { whyButton } from "./why.js";

export function phase(game) {
  const show = PHASES[game.match.phase] ?? waiting;
  return show(game);
}

const PHASES = {
  lots: drawingLots,
  shuffle: shuffling,
  deal: dealing,
  exchange: exchanging,
  turn: turning,
  extra: turning,
  move: moving,
  seats: reseating,
  over: finished,
};

const may = (game, what) => game.mine.can.includes(what);

function waiting(game) {
  const { match } = game;
  const line = match.turn ? t("turn.theirs", { who: seatName(match, match.turn) }) : t("turn.wait");
  return { line, cards: handShown(game), acts: [] };
}

function drawingLots(game) {
  const acts = [];
  if (may(game, "chance:lots"))
    acts.push(button(t("lots.draw"), () => game.send("/api/chance", { what: "lots", seat: game.seat }), { cls: "main", "data-key": "lots" }));
  if (may(game, "lots")) acts.push(...bySeat(game, (seat) => ({ event: "lots", seat })));
  const line = acts.length > 1 ? "lots.line" : acts.length ? "lots.one" : "lots.wait";
  return { line: t(line), cards: [], acts };
}

const bySeat = (game, form) =>
  game.match.order.map((seat) =>
    button(seatName(game.match, seat), () => game.event(form(seat)), { "data-key": `seat-${seat}` }),
  );

function shuffling(game) {
  const acts = may(game, "shuffled")
    ? [button(t("shuffle.done"), () => game.event({ event: "shuffled" }), { cls: "main", "data-key": "shuffled" })]
    : [];
  return { line: t("shuffle.line"), cards: handShown(game), acts };
}

function dealing(game) {
  const { match, mine } = game;
  if (!may(game, "dealt"))
    return { line: t("deal.theirs", { who: seatName(match, match.dealer) }), cards: handShown(game), acts: [] };
  const deal = (size) => game.event({ event: "dealt", seat: mine.seat, ...(size ? { size } : {}) });
  const acts = match.chooses_deal
    ? Array.from({ length: match.deal.most }, (_, n) =>
        button(String(n + 1), () => deal(n + 1), { "aria-label": t("deal.of", { cards: n + 1 }), "data-key": `deal-${n + 1}` }))
    : [button(t("deal.do"), () => deal(0), { cls: "main", "data-key": "deal" })];
  return { line: t(match.chooses_deal ? "deal.choose" : "deal.line"), cards: handShown(game), acts };
}

// the exchange ---------------------------------------------------------------------

function exchanging(game) {
  const { match, mine, seat, state } = game;
  const mate = match.seats.find((one) => one.seat === seat)?.mates[0];
  const who = mate ? seatName(match, mate) : "";
  if (may(game, "declared")) return declaring(game);
  if (!may(game, "gave")) {
    const line = !mate ? t("exchange.none") : mine.gift ? t("exchange.gave", { card: cardName(mine.gift), who }) : t("exchange.given", { who });
    return { line, cards: handShown(game), acts: [], note: t("partner.knows") };
  }
  const give = (card) => game.event({ event: "gave", seat, ...(card ? { card } : {}) });
  if (!mine.hand.length)
    return {
      line: t("exchange.real", { who }),
      cards: backs(mine.blanks),
      acts: [button(t("exchange.done"), () => give(""), { cls: "main", "data-key": "give" })],
      note: t("partner.knows"),
    };
  return {
    line: t("exchange.line", { who }),
    cards: cardsOf(game, mine.hand, (card) => {
      state.card = state.card === card ? null : card;
      game.draw();
    }),
    acts: state.card ? [button(t("exchange.give", { card: cardName(state.card), who }), () => give(state.card), { cls: "main", "data-key": "give" })] : [],
    note: t("partner.knows"),
  };
}

function declaring(game) {
  const { match, mine, seat, state } = game;
  state.declared ??= [];
  const cards = [...mine.hand, ...state.declared];
  const missing = mine.blanks - state.declared.length;
  const ready = missing <= 0;
  return {
    line: ready ? t("declare.check") : t("declare.line", { cards: missing }),
    cards: cards.map((card) =>
      face(card, {
        act: state.declared.includes(card) && (() => {
          state.declared = state.declared.filter((one) => one !== card);
          game.draw();
        }),
        note: t("declare.remove"),
      })),
    pad: !ready && keypad({
      act: (card) => {
        state.declared = [...state.declared, card];
        game.draw();
      },
      gone: [...cards, ...match.discards],
      jokers: match.jokers,
      state: state.pad,
    }),
    acts: ready ? [button(t("declare.done"), () => game.event({ event: "declared", seat, cards }), { cls: "main", "data-key": "declare" })] : [],
  };
}

// the turn --------------------------------------------------------------------------

const cardsOf = (game, cards, act, playable) =>
  cards.map((card) =>
    face(card, {
      act: () => act(card),
      chosen: game.state.card === card || game.match.card === card,
      dim: playable && !playable.includes(card),
      fresh: card === game.mine.received,
      note: [playable && !playable.includes(card) && t("card.stuck"), card === game.mine.received && t("exchange.new")].filter(Boolean).join(", "),
    }));

function handShown(game) {
  const { hand, blanks, received } = game.mine;
  return [...hand.map((card) => face(card, { fresh: card === received, note: card === received ? t("exchange.new") : "" })), ...backs(blanks)];
}

function turning(game) {
  const { match, mine, seat } = game;
  if (match.turn !== seat) return may(game, "declared") ? declaring(game) : waiting(game);
  if (may(game, "declared")) return declaring(game);
  if (may(game, "thrown") || may(game, "chance:die")) return throwing(game);
  if (mine.blanks) return naming(game);
  return choosing(game);
}

function throwing(game) {
  const { seat } = game;
  const real = may(game, "thrown"); // a die of wood; where the phones have it, nobody may tell a number
  const acts = (real ? [1, 2, 3, 4, 5, 6] : []).map((value) =>
    button(el("span", { cls: `die die-${value}`, "aria-hidden": "true" }, DICE[value - 1]),
      () => game.event({ event: "thrown", seat, value }), { "aria-label": t("die.value", { value }), cls: "pip", "data-key": `die-${value}` }));
  if (may(game, "chance:die"))
    acts.push(button(t("die.throw"), () => game.send("/api/chance", { what: "die", seat }), { cls: "main", "data-key": "throw" }));
  return { line: t(real ? "die.line" : "die.yours"), cards: [], acts };
}

/** A hand the table knows: a card is chosen, its plays are shown. */
function choosing(game) {
  const { match, mine, state, seat } = game;
  const acts = [];
  const forced = mine.forced;
  const stuck = state.card && !mine.playable.includes(state.card);
  if (state.card && !stuck && match.camera && !state.tapping)
    acts.push(button(t("card.lay"), () => game.event({ event: "announced", seat, card: state.card }), { cls: "main", "data-key": "lay" }));
  if (state.card && stuck && may(game, "put-down"))
    acts.push(button(t("card.down"), () => game.event({ event: "put-down", seat, card: state.card }), { cls: "main", "data-key": "down" }));
  if (forced === "discard_one" && state.card)
    acts.push(button(t("card.discard"), () => game.event({ event: "discarded", seat, cards: [state.card] }), { cls: "main", "data-key": "discard" }));
  if (forced === "discard_hand")
    acts.push(button(t("card.discard-all"), () => game.event({ event: "discarded", seat, cards: mine.hand }), { cls: "main", "data-key": "discard" }));
  if (may(game, "passed"))
    acts.push(button(t(match.phase === "extra" ? "extra.pass" : "keep"), () => game.event({ event: "passed", seat }), { "data-key": "pass" }));
  if (state.card && !state.choice?.picked.length) acts.push(...listButton(game), whyButton(game));
  let line = t(match.phase === "extra" ? "extra.line" : "card.choose");
  if (forced === "discard_one") line = t("card.none-one");
  if (forced === "discard_hand") line = t("card.none-all");
  if (forced === "put_down") line = t("card.none-down");
  if (stuck && (!forced || forced === "put_down")) line = t("card.stuck-line", { card: cardName(state.card) });
  return {
    line,
    cards: cardsOf(game, mine.hand, (card) => game.choose(card), mine.playable),
    acts,
    play: chosenParts(game),
  };
}

/** A real deck: the card that lies on the table is named. */
function naming(game) {
  const { match, mine, state, seat } = game;
  const acts = [];
  if (may(game, "discarded"))
    acts.push(button(t("card.no-play"), () => {
      const all = match.options.no_play === "discard_hand";
      game.event({ event: "discarded", seat, cards: Array(all ? mine.blanks + mine.hand.length : 1).fill("") });
    }, { cls: "quiet", "data-key": "discard" }));
  if (may(game, "passed"))
    acts.push(button(t(match.phase === "extra" ? "extra.pass" : "keep"), () => game.event({ event: "passed", seat }), { "data-key": "pass" }));
  return {
    line: t(match.phase === "extra" ? "extra.line" : "card.name"),
    cards: [],
    pad: keypad({
      act: (card) => game.event({ event: "announced", seat, card }),
      gone: match.discards,
      jokers: match.jokers,
      state: state.pad,
    }),
    acts,
  };
}

function moving(game) {
  const { match, mine, seat, state } = game;
  if (match.turn !== seat) return may(game, "declared") ? declaring(game) : waiting(game);
  const nothing = mine.plays && !mine.plays.length;
  const acts = [];
  const swaps = (mine.plays ?? []).some((play) => play.parts.some((part) => part.swap === part.piece));
  if (match.camera && (["pending", "unfinished"].includes(match.stage) || swaps))
    acts.push(button(t("move.mine"), () => game.event({ event: "confirmed", seat }), { cls: "main", "data-key": "confirm" }));
  if (nothing && may(game, "passed")) acts.push(button(t("move.pass"), () => game.event({ event: "passed", seat }), { cls: "main", "data-key": "pass" }));
  if (nothing && may(game, "put-down")) acts.push(button(t("card.down"), () => game.event({ event: "put-down", seat, card: match.card }), { cls: "main", "data-key": "down" }));
  if (nothing && may(game, "discarded"))
    acts.push(button(t("card.no-play"), () => {
      const all = match.options.no_play === "discard_hand";
      const cards = all ? [...mine.hand, ...Array(mine.blanks).fill("")] : [match.card];
      game.event({ event: "discarded", seat, cards });
    }, { cls: "main", "data-key": "discard" }));
  if (may(game, "withdrawn") && !state.choice?.picked.length)
    acts.push(button(t("card.withdraw"), () => game.event({ event: "withdrawn", seat }), { "data-key": "withdraw" }));
  if (match.camera && !state.tapping && !nothing)
    acts.push(button(t("move.tap"), () => {
      state.tapping = true;
      game.begin();
    }, { cls: "quiet", "data-key": "tap" }));
  if (!nothing && !state.choice?.picked.length) acts.push(...listButton(game));
  if (!nothing && !state.choice?.picked.length) acts.push(whyButton(game));
  const die = !match.card || /^[1-6]$/.test(match.card);
  const line = nothing ? t("move.none") : match.camera && !state.tapping ? t(match.card ? "move.table" : "move.table-free") : "";
  return {
    line,
    cards: match.card && !die ? [face(match.card, { chosen: true })] : match.card ? [thrown(match.card)] : [],
    acts,
    play: chosenParts(game),
  };
}

const thrown = (value) =>
  el("span", { cls: "thrown", role: "img", "aria-label": t("die.value", { value }) }, DICE[Number(value) - 1]);

function reseating(game) {
  const acts = may(game, "chance:seats")
    ? [button(t("seats.draw"), () => game.send("/api/chance", { what: "seats", seat: game.seat }), { cls: "main", "data-key": "reseat" })]
    : [];
  return { line: t("seats.line"), cards: [], acts };
}

function finished({ view }) {
  const next = view.you.host ? el("a", { href: "/host", cls: "button main" }, t("over.next")) : null;
  return { line: t("over.ended"), cards: [], acts: [next, el("a", { href: "/rules", cls: "button" }, t("over.rules"))] };
}
