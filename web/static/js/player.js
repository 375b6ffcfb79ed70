// The player's page: keeps what this phone is choosing, and draws the page from the newest view.

import { chip, loadBoard } from "./board.js";
import { button, byId, el, put } from "./dom.js";
import { follow } from "./live.js";
import { colour, lastText, outcome, playText, seatName } from "./names.js";
import { menu } from "./player/menu.js";
import { chosenParts, drawTargets, reset, start } from "./player/moves.js";
import { notes } from "./player/notes.js";
import { phase } from "./player/phases.js";
import { cover, seatPicker } from "./player/seats.js";
import { asking } from "./player/why.js";
import { say, sayNew } from "./say.js";
import { get, post } from "./talk.js";
import { loadTexts, t } from "./texts.js";

const state = { shown: null, sitting: null, card: null, choice: null, origin: null, why: null, pad: {}, declared: null, link: "live" };
let view = null;
let board = null;
let drawn = "";
let heard = null;
let hinted = "";
let stream = null;

/** What the parts of the page work with. */
const game = {
  state,
  get view() {
    return view;
  },
  get match() {
    return view.match;
  },
  get board() {
    return board;
  },
  get seat() {
    return state.shown;
  },
  get mine() {
    return view.hands?.[state.shown];
  },
  draw,
  begin,
  async send(path, form) {
    try {
      state.error = null;
      const answer = await post(path, form);
      stream.refresh();
      return answer;
    } catch (error) {
      fail(error);
      return null;
    }
  },
  event: (form) => game.send("/api/event", form),
  ask: get,
  reopen: () => stream.reopen(),
  choose(card) {
    const again = state.card === card;
    forget();
    if (!again) state.card = card;
    begin();
  },
  async play(play) {
    const { match, seat } = game;
    const card = play.card && !match.card ? play.card : null;
    reset(state);
    if (card && !(await game.event({ event: "announced", seat, card }))) return;
    await game.event({ event: "tapped", seat, play: play.text });
  },
};

function fail(error) {
  state.error = error.message;
  draw();
}

function forget() {
  reset(state);
  Object.assign(state, { card: null, why: null, pad: {}, declared: null, tapping: false });
}

/** The plays of the card in question, onto the board. */
async function begin() {
  const { match, mine, seat } = game;
  const card = match.card || state.card;
  const mayTap = match.turn === seat && (match.phase === "move" || state.card);
  const wanted = mayTap && (!match.camera || state.tapping) && (!mine.plays || mine.plays.length);
  reset(state);
  if (wanted && (match.card || mine.hand.includes(state.card) || match.phase === "move")) {
    try {
      await start(game, /^[1-6]$/.test(card) && !mine.hand.length && !match.mode ? null : card);
    } catch (error) {
      return fail(error);
    }
  }
  draw();
}

const secret = (match) => match.mode !== "real" && Object.values(view.hands ?? {}).some((one) => one.hand.length);

/** Which of this phone's seats has something to do. */
function wanted() {
  const { match, you, hands } = view;
  if (!match) return null;
  if (match.phase === "exchange") {
    const choosing = you.seats.filter((seat) => hands[seat]?.can.includes("gave"));
    return choosing.includes(state.shown) ? state.shown : (choosing[0] ?? null);
  }
  const acting = match.phase === "deal" ? match.dealer : match.turn;
  return you.seats.includes(acting) ? acting : null;
}

/** Which of this phone's seats is shown; none while a hand is to be covered. */
function seated(before) {
  const { match, you } = view;
  if (you.seats.includes(state.sitting)) {
    state.shown = state.sitting;
    state.sitting = null;
  }
  if (!you.seats.includes(state.shown)) state.shown = null;
  if (you.seats.length === 1) state.shown ??= you.seats[0];
  const next = wanted();
  if (you.seats.length < 2 || !next || next === state.shown) return;
  if (!secret(match)) state.shown = next;
  else if (next !== before) state.shown = null;
}

/** What a choice under way depends on: it is kept while none of this changes. */
function standing() {
  if (!view?.match) return "";
  const { turns, phase, card, turn, stage, position, camera } = view.match;
  return JSON.stringify([turns, phase, card, turn, stage, position, camera, state.shown, !game.mine]);
}

async function show(fresh) {
  const before = view && wanted();
  const stood = standing();
  view = fresh;
  const { match } = view;
  seated(before);
  const moved = stood !== standing();
  if (moved) forget();
  if (match && drawn !== `${match.board} ${match.house_entry}`) {
    board = await loadBoard(match.board, match.house_entry);
    drawn = `${match.board} ${match.house_entry}`;
    byId("board").replaceChildren(board.drawing);
  }
  heard = sayNew(view.said, heard);
  sayHint();
  if (moved && match && game.mine) await begin();
  else draw();
}

/** A hint is said once, to whoever has this hand open. */
function sayHint() {
  const hint = game.mine?.hint;
  if (hint && hint.text !== hinted) say(t("hint.line", { play: playText(game.match, hint, state.shown) }));
  hinted = hint?.text ?? "";
}

function draw() {
  if (!view || (view.match && !board)) return;
  const { match, you } = view;
  const screen = byId("game");
  const picking = match && (state.picking || !you.seats.length);
  const covered = match && !picking && !state.shown;
  screen.dataset.shows = !match ? "nothing" : picking ? "seats" : covered ? "cover" : "game";
  put(byId("notes"), notes(game));
  if (!match) return put(byId("extra"), nothing());
  board.view(state.shown ?? you.seats[0] ?? null);
  if (picking) return put(byId("extra"), seatPicker(game));
  put(byId("head"), head());
  if (covered) return put(byId("extra"), cover(game, wanted()));
  put(byId("extra"));
  table();
}

function table() {
  const { match, mine, seat } = game;
  const shown = phase(game);
  board.set(match.position);
  board.light(match.lights);
  board.arrows([]);
  let line = shown.line;
  if (state.why) line = asking(game);
  else if (state.choice) line = drawTargets(game) || line;
  else board.targets([]);
  board.drawing.setAttribute("aria-label", t("board.label", { game: t(`game.${match.game}`) }));
  if (mine.hint && !state.choice?.picked.length) board.arrows(mine.hint.parts);
  const play = state.choice ? chosenParts(game) : null;
  put(byId("line"), el("p", { cls: match.turn === seat ? "yours" : "" }, line), shown.note ? el("p", { cls: "small" }, shown.note) : null);
  put(byId("cards"), shown.pad || null, el("div", { cls: "hand", role: "group", "aria-label": t("hand") }, shown.cards));
  put(byId("acts"), play ?? shown.acts);
  const many = Object.keys(view.hands ?? {}).length > 1;
  byId("hide").hidden = !many || !secret(match);
  byId("last").textContent = mine && lastText(match);
}

function head() {
  const { match } = view;
  const yours = match.turn === state.shown && match.phase !== "over";
  const shown = match.phase === "over" ? match.winners : match.turn ? [match.turn] : [];
  const title = match.phase === "over" ? outcome(match) : yours ? t("turn.you")
    : match.turn ? t("turn.of", { who: seatName(match, match.turn) }) : t(`game.${match.game}`);
  return [
    el("div", { cls: `turn${yours ? " yours" : ""}` },
      shown.map((seat) => chip(seat, 34)),
      el("div", {},
        el("h1", {}, title),
        el("small", {}, seats(match)),
        unwell())),
    button("☰", () => menu(game), { cls: "quiet", "aria-label": t("menu"), "data-key": "menu" }),
  ];
}

/** What has failed of the table, in a few words; what was never there is no news. */
function unwell() {
  const { journal, camera, lights } = view.health;
  const out = (part, ...fine) => !part.there && !fine.includes(part.key.split(".")[1]);
  return [
    journal.there ? null : journal.text,
    out(camera, "absent", "off", "starting", "unlearned") ? t("unwell.camera") : null,
    out(lights, "absent", "starting") ? t("unwell.lights") : null,
  ].filter(Boolean).map((text) => el("small", { cls: "unwell" }, text));
}

const seats = (match) => (state.shown ? t("turn.me", { colour: colour(match, state.shown) }) + points(match) : "");

function points(match) {
  const person = match.seats.find((one) => one.seat === state.shown)?.person;
  return match.games > 1 && match.points[person] ? ` · ${t("points", { points: match.points[person] })}` : "";
}

function nothing() {
  return el("section", { cls: "sit" },
    el("h1", {}, t("none.title")), el("p", {}, t("none.line")),
    el("p", {}, el("a", { href: "/host", cls: "button main" }, t("none.host"))),
    el("p", {}, el("a", { href: "/rules", cls: "button" }, t("none.rules"))));
}

await loadTexts("player");
byId("hide").addEventListener("click", () => {
  state.shown = null;
  forget();
  draw();
});
stream = follow("player", show, (link) => {
  if (state.link === link) return;
  state.link = link;
  draw();
});
