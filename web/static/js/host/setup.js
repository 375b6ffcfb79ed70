// A new game: which, on what board, who sits where, how cards are handled, and the open questions.

import { chip } from "../board.js";
import { button, el, put } from "../dom.js";
import { t } from "../texts.js";

let choices = null;
let chosen = null;

export async function setup(host, region) {
  if (!choices) {
    put(region, el("p", {}, t("wait")));
    choices = await host.get("/api/host/choices");
  }
  chosen ??= fresh(choices.games[0], cameraThere(host));
  if (!host.state.fresh && region.querySelector("form.setup")) return;
  form(host, region);
}

const boardOf = (game, name) => game.boards.find((one) => one.board === name) ?? game.boards[0];
const cameraThere = (host) => host.view.health.camera.there;

function fresh(game, camera = false) {
  const [{ board, usual }] = game.boards;
  return {
    game: game.game, board, seats: [...usual], options: {}, names: {}, house_entry: 16,
    mode: game.cards && !camera ? "phone" : "real", severity: "friendly", camera, votes: false,
  };
}

function form(host, region) {
  const again = () => form(host, region);
  const game = choices.games.find((one) => one.game === chosen.game);
  const set = (name) => (value) => {
    chosen[name] = value;
    again();
  };
  const open = async (event) => {
    event.preventDefault();
    const names = Object.fromEntries(Object.entries(chosen.names).filter(([seat, name]) => chosen.seats.includes(seat) && name.trim()));
    const asked = { ...chosen, names };
    if (!chosen.board.startsWith("tock")) delete asked.house_entry;
    if (!game.cards) delete asked.mode;
    if (await host.send("/api/host/open", asked, t("setup.opened"))) {
      host.state.choosing = false;
      host.state.fresh = true;
      host.draw();
    }
  };
  put(region, el("form", { cls: "setup", onsubmit: open },
    el("h1", {}, t("setup.title")),
    choices.rules.length ? saved(host, again) : null,
    tiles("setup.game", "game", choices.games.map((one) => [one.game, one.name]), chosen.game, (name) => {
      const names = chosen.names;
      chosen = { ...fresh(choices.games.find((one) => one.game === name), cameraThere(host)), names };
      again();
    }),
    game.boards.length > 1 ? tiles("setup.board", "board", game.boards.map(({ board }) => [board, t(`board.${board}`)]), chosen.board, (board) => {
      chosen.board = board;
      chosen.seats = [...boardOf(game, board).usual];
      again();
    }) : null,
    tiles("setup.seats", "seats", boardOf(game, chosen.board).seatings.map(({ seats }) => [seats.join(""), t("setup.players", { count: seats.length })]), chosen.seats.join(""), (key) => {
      chosen.seats = [...key === "whiteblack" ? ["white", "black"] : key];
      delete chosen.teams;
      again();
    }),
    names(),
    game.partners === "choice" ? teams(game, again) : null,
    game.cards ? radios("setup.mode", "mode", choices.modes.map((one) => [one.mode, one.text]), chosen.mode, set("mode")) : null,
    radios("setup.severity", "severity", choices.severities.map((one) => [one.severity, one.text]), chosen.severity, set("severity")),
    cameraThere(host) ? tick("setup.camera", chosen.camera, (on) => (chosen.camera = on)) : null,
    tick("setup.votes", chosen.votes, (on) => (chosen.votes = on)),
    options(game, again),
    el("div", { cls: "row sticky" },
      el("button", { cls: "main", "data-key": "open" }, t("setup.open")),
      button(t("setup.save"), () => save(host, game), { "data-key": "save" }),
      host.match && host.match.phase !== "over" ? button(t("back"), () => {
        host.state.choosing = false;
        host.draw();
      }) : null)));
}

const tiles = (legend, name, values, value, act) =>
  el("fieldset", { cls: "tiles" }, el("legend", {}, t(legend)),
    values.map(([key, text]) => el("label", { cls: key === value ? "tile on" : "tile" },
      el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => act(key), "data-key": `${name}-${key}` }), text)));

const radios = (legend, name, values, value, act) =>
  el("fieldset", {}, el("legend", {}, t(legend)),
    values.map(([key, text]) => el("label", { cls: "tick" },
      el("input", { type: "radio", name, value: String(key), checked: key === value, onchange: () => act(key), "data-key": `${name}-${key}` }), text)));

const tick = (key, on, act) =>
  el("label", { cls: "tick" }, el("input", { type: "checkbox", checked: on, onchange: (event) => act(event.target.checked) }), t(key));

function names() {
  return el("fieldset", {}, el("legend", {}, t("setup.names")), el("div", { cls: "names" }, chosen.seats.map((seat) =>
    el("label", {}, chip(seat, 30), el("input", {
      type: "text", maxlength: 24, value: chosen.names[seat] ?? "", "aria-label": t("setup.name-of", { seat: seat.toUpperCase() }),
      autocomplete: "off", "data-key": `name-${seat}`, oninput: (event) => (chosen.names[seat] = event.target.value),
    })))));
}

/** Partners face each other, or everybody plays alone. */
function teams(game, again) {
  const facing = boardOf(game, chosen.board).seatings.find(({ seats }) => seats.join("") === chosen.seats.join(""))?.teams ?? [];
  if (!facing.length || chosen.seats.length < 3) return null;
  return radios("setup.teams", "teams", [["alone", t("setup.alone")], ["pairs", t("setup.pairs")]], chosen.teams?.length ? "pairs" : "alone", (value) => {
    chosen.teams = value === "pairs" ? facing : [];
    again();
  });
}

function options(game, again) {
  const ask = (one) => {
    const place = one.option === "house_entry" ? chosen : chosen.options; // a fact of the board, not of the rules
    const value = place[one.option] ?? one.default;
    return el("fieldset", { cls: "option" }, el("legend", {}, one.question),
      one.values.map((choice) => el("label", { cls: "tick" },
        el("input", { type: "radio", name: one.option, checked: choice.value === value, "data-key": `${one.option}-${choice.value}`, onchange: () => {
          place[one.option] = choice.value;
          again();
        } }),
        el("span", {}, choice.text, choice.value === one.default ? el("small", {}, ` ${t("setup.default")}`) : null))),
      el("p", { cls: "sheet-says small" }, one.sheet));
  };
  const all = game.house_entry ? [game.house_entry, ...game.options] : game.options;
  if (!all.length) return null;
  const toggled = (event) => (optionsOpen = event.target.open);
  return el("details", { open: optionsOpen, ontoggle: toggled }, el("summary", {}, t("setup.options", { count: all.length })), all.map(ask));
}

let optionsOpen = false;

function saved(host, again) {
  return el("fieldset", {}, el("legend", {}, t("setup.saved")), choices.rules.map((rule) => el("div", { cls: "row" },
    button(rule.name, () => {
      const { name, ...kept } = rule;
      const game = choices.games.find((one) => one.game === rule.game);
      chosen = { ...fresh(game), ...kept, options: { ...rule.options }, names: chosen.names };
      if (rule.board) chosen.seats = [...boardOf(game, rule.board).usual];
      again();
    }),
    button("✕", async () => {
      if (await host.remove(`/api/host/rules/${encodeURIComponent(rule.name)}`)) reload(host);
    }, { cls: "quiet", "aria-label": t("setup.forget", { name: rule.name }) }))));
}

function reload(host) {
  choices = null;
  host.state.fresh = true;
  host.draw();
}

async function save(host, game) {
  const name = prompt(t("setup.save-name"));
  if (!name?.trim()) return;
  const kept = { name: name.trim(), game: game.game, options: chosen.options, severity: chosen.severity, board: chosen.board };
  if (game.cards) kept.mode = chosen.mode;
  if (chosen.board.startsWith("tock")) kept.house_entry = chosen.house_entry;
  if (await host.send("/api/host/rules", kept, t("setup.kept", { name: name.trim() }))) reload(host);
}
