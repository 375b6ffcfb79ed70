// A new game: which, on what board, who sits where, how cards are handled, and the open questions.

import { chip } from "../board.js";
import { ask, button, el, put } from "../dom.js";
import { colour } from "../names.js";
import { t } from "../texts.js";

const KEPT = ["game", "board", "options", "house_entry", "mode", "severity"]; // of the rules of a house

let choices = null;
let chosen = null;
let optionsOpen = false;

export async function setup(host, region) {
  if (!choices) {
    put(region, el("p", {}, t("wait")));
    choices = await host.get("/api/host/choices");
    chosen ??= fresh(choices.games[0]);
    return host.draw();
  }
  if (!host.state.fresh && region.querySelector("form.setup")) return;
  form(host, region);
}

/** The board whose pieces the page has to know: `null` while nothing can be chosen yet. */
export const boardChosen = () => chosen && `${chosen.board} ${chosen.house_entry}`;

const gameOf = (name) => choices.games.find((one) => one.game === name);
const boardOf = (game, name) => game.boards.find((one) => one.board === name) ?? game.boards[0];
const cameraThere = (host) => host.view.health.camera.key !== "camera.absent";
const keyOf = (seats) => seats.join(" ");

function fresh(game) {
  const [{ board, usual }] = game.boards;
  return {
    game: game.game, board, seats: [...usual], options: {}, names: {}, house_entry: 16,
    mode: game.cards ? choices.mode : "real", severity: "friendly", camera: true, votes: false,
  };
}

function form(host, region) {
  const again = () => {
    host.state.fresh = true;
    host.draw();
  };
  const game = gameOf(chosen.game);
  const board = boardOf(game, chosen.board);
  const set = (name) => (value) => {
    chosen[name] = value;
    again();
  };
  const open = async (event) => {
    event.preventDefault();
    const names = Object.fromEntries(Object.entries(chosen.names).filter(([seat, name]) => chosen.seats.includes(seat) && name.trim()));
    if (await host.send("/api/host/open", { ...spoken(game), names }, t("setup.opened"))) {
      again();
      scrollTo(0, 0);
    }
  };
  put(region, el("form", { cls: "setup", onsubmit: open },
    el("h1", {}, t("setup.title")),
    choices.rules.length ? saved(host, again) : null,
    tiles("setup.game", "game", choices.games.map((one) => [one.game, [picture(one.boards[0].board), one.name]]), chosen.game, (name) => {
      chosen = { ...fresh(gameOf(name)), names: chosen.names };
      again();
    }),
    game.boards.length > 1 ? tiles("setup.board", "board", game.boards.map((one) => [one.board, [picture(one.board), t(`board.${one.board}`)]]), chosen.board, (name) => {
      chosen.board = name;
      chosen.seats = [...boardOf(game, name).usual];
      delete chosen.teams;
      again();
    }) : null,
    board.seatings.length > 1 ? tiles("setup.seats", "seats", board.seatings.map(({ seats }) => [keyOf(seats), t("setup.players", { count: seats.length })]), keyOf(chosen.seats), (key) => {
      chosen.seats = key.split(" ");
      delete chosen.teams;
      again();
    }) : null,
    names(board),
    game.partners === "choice" ? teams(board, again) : null,
    game.cards ? radios("setup.mode", "mode", choices.modes.map((one) => [one.mode, one.text]), chosen.mode, set("mode")) : null,
    radios("setup.severity", "severity", choices.severities.map((one) => [one.severity, one.text]), chosen.severity, set("severity")),
    el("div", { cls: "ticks" },
      cameraThere(host) ? tick("setup.camera", chosen.camera, (on) => (chosen.camera = on)) : null,
      tick("setup.votes", chosen.votes, (on) => (chosen.votes = on))),
    options(game, again),
    el("div", { cls: "row sticky" },
      el("button", { cls: "main", "data-key": "open" }, t("setup.open")),
      button(t("setup.save"), () => save(host, game), { "data-key": "save" }))));
}

/** What was chosen, without what this game does not ask. */
function spoken(game) {
  const asked = { ...chosen };
  if (!game.house_entry) delete asked.house_entry;
  if (!game.cards) delete asked.mode;
  return asked;
}

const picture = (board) => el("img", { src: `/rules/board/${board}.svg`, alt: "", width: 38, height: 38 });

const tiles = (legend, name, values, value, act) =>
  el("fieldset", { cls: "tiles" }, el("legend", {}, t(legend)),
    values.map(([key, face]) => el("label", { cls: key === value ? "tile on" : "tile" },
      el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => act(key), "data-key": `${name}-${key}` }), face)));

const radios = (legend, name, values, value, act) =>
  el("fieldset", {}, el("legend", {}, t(legend)),
    values.map(([key, text]) => el("label", { cls: "tick" },
      el("input", { type: "radio", name, value: String(key), checked: key === value, onchange: () => act(key), "data-key": `${name}-${key}` }), text)));

const tick = (key, on, act) =>
  el("label", { cls: "tick" }, el("input", { type: "checkbox", checked: on, onchange: (event) => act(event.target.checked) }), t(key));

const names = (board) =>
  el("fieldset", {}, el("legend", {}, t("setup.names")), el("div", { cls: "names" }, chosen.seats.map((seat) =>
    el("label", {}, chip(seat, 30), el("input", {
      type: "text", maxlength: 24, value: chosen.names[seat] ?? "", placeholder: colour(board, seat),
      "aria-label": t("name.field", { colour: colour(board, seat) }),
      autocomplete: "off", "data-key": `name-${seat}`, oninput: (event) => (chosen.names[seat] = event.target.value),
    })))));

/** Partners face each other, or everybody plays alone. */
function teams(board, again) {
  const facing = board.seatings.find(({ seats }) => keyOf(seats) === keyOf(chosen.seats))?.teams ?? [];
  if (!facing.length || chosen.seats.length < 3) return null;
  return radios("setup.teams", "teams", [["alone", t("setup.alone")], ["pairs", t("setup.pairs")]], chosen.teams?.length ? "pairs" : "alone", (value) => {
    chosen.teams = value === "pairs" ? facing : [];
    again();
  });
}

function options(game, again) {
  const one = (asked) => {
    const place = asked.option === "house_entry" ? chosen : chosen.options; // a fact of the board, not of the rules
    const value = place[asked.option] ?? asked.default;
    return el("fieldset", { cls: "option" }, el("legend", {}, asked.question),
      asked.values.map((choice) => el("label", { cls: "tick" },
        el("input", { type: "radio", name: asked.option, checked: choice.value === value, "data-key": `${asked.option}-${choice.value}`, onchange: () => {
          place[asked.option] = choice.value;
          again();
        } }),
        el("span", {}, choice.text, choice.value === asked.default ? el("small", {}, ` ${t("setup.default")}`) : null))),
      el("p", { cls: "sheet-says small" }, asked.sheet));
  };
  const all = game.house_entry ? [game.house_entry, ...game.options] : game.options;
  if (!all.length) return null;
  const toggled = (event) => (optionsOpen = event.target.open);
  return el("details", { open: optionsOpen, ontoggle: toggled }, el("summary", {}, t("setup.options", { count: all.length })), all.map(one));
}

function saved(host, again) {
  const use = ({ name, ...kept }) => {
    const game = gameOf(kept.game);
    chosen = { ...fresh(game), ...kept, options: { ...kept.options }, names: chosen.names };
    chosen.seats = [...boardOf(game, chosen.board).usual];
    again();
  };
  const forget = async (rule) => {
    if (await host.remove(`/api/host/rules/${encodeURIComponent(rule.name)}`)) reload(host);
  };
  return el("fieldset", {}, el("legend", {}, t("setup.saved")), choices.rules.map((rule) => el("div", { cls: "row" },
    button(`${rule.name} (${gameOf(rule.game).name})`, () => use(rule)),
    button("✕", () => forget(rule), { cls: "quiet", "aria-label": t("setup.forget", { name: rule.name }) }))));
}

function reload(host) {
  choices = null;
  host.state.fresh = true;
  host.draw();
}

function save(host, game) {
  ask(t("setup.save"), t("setup.save-name"), async (name) => {
    const kept = Object.fromEntries(Object.entries(spoken(game)).filter(([what]) => KEPT.includes(what)));
    if (!(await host.send("/api/host/rules", { ...kept, name }, t("setup.kept", { name })))) return false;
    reload(host);
    return true;
  });
}
