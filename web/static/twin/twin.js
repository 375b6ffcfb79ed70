// The virtual table: pieces dragged on the drawing, and beside it what the camera makes of them.

import { chip, loadBoard } from "/static/js/board.js";
import { byId, el, put } from "/static/js/dom.js";
import { follow, linked } from "/static/js/live.js";
import { cardName, cellName, colour, seatName } from "/static/js/names.js";
import { get, post } from "/static/js/talk.js";
import { known, loadTexts, t } from "/static/js/texts.js";
import { Drag } from "./drag.js";

const LOOK = 600; // milliseconds between two looks at what stands

let board = null;
let drawn = "";
let state = null;
let drag = null;
let pictured = -1;
let lights = {};
let told = "";
let seen = null;
let answer = ""; // what the last act was answered, until the next
let lost = false; // whether the last look at what stands failed

/** What stands, in the words of the board's drawing: seats instead of colours. */
function position({ pieces, seats }) {
  const found = { pawns: {}, barricades: [], tiles: [], spare: "" };
  const lying = {};
  for (const [cell, names] of Object.entries(pieces))
    for (const name of names) {
      if (name === "barricade") found.barricades.push(cell);
      else if (name.startsWith("tile-")) lying[cell] = name[5].toUpperCase();
      else (found.pawns[seats[name]] ??= []).push(cell);
    }
  if (Object.keys(lying).length)
    for (let row = 1; row <= 6; row += 1)
      found.tiles.push([..."abcdef"].map((column) => lying[`${column}${row}`] ?? "-").join(""));
  found.spare = lying.spare ?? "";
  return found;
}

/** The moves by name: each place once, a camp by its first hole that will do. */
function offer(now) {
  const match = { branches: now.branches, pieces: Object.fromEntries(Object.entries(now.seats).map(([name, seat]) => [seat, { name }])) };
  const place = (cell, own) => {
    const { kind, seat } = board.cells.get(cell);
    if (kind === "camp" && seat === own) return t("cell.camp");
    if (kind === "camp") return t("cell.camp-of", { colour: colour(match, seat) });
    if (kind === "arrival") return t("cell.arrival", { colour: colour(match, seat) });
    return cell === "spare" ? t("cell.spare") : cellName(match, cell, true);
  };
  const piece = (name) => (known(`piece.${name}`) ? t(`piece.${name}`) : colour(match, now.seats[name]));
  const fill = (id, named) => { // what somebody has chosen stays chosen
    const list = byId(id), chosen = list.value;
    put(list, [...named].map(([label, value]) => el("option", { value }, label)));
    if ([...list.options].some(({ value }) => value === chosen)) list.value = chosen;
  };
  const standing = Object.entries(now.pieces).flatMap(([cell, names]) => names.map((one) => [`${piece(one)}, ${place(cell, now.seats[one])}`, `${cell} ${one}`]));
  fill("from", new Map(standing));
  const pushing = [...board.cells.keys()].filter((cell) => board.cells.get(cell).kind === "push");
  const cells = [...board.cells.keys()].filter((cell) => !pushing.includes(cell));
  const free = (cell) => !(cell in now.pieces);
  const places = new Map(cells.map((cell) => [place(cell), cell]));
  for (const cell of cells) if (free(cell)) places.set(place(cell), cell);
  const rows = new Map(pushing.map((cell) => [cellName(match, cell), cell]));
  const goals = () => fill("to", byId("from").value.startsWith("spare ") ? [...rows, ...places] : places);
  byId("from").onchange = goals;
  goals();
}

async function show(now) {
  state = now;
  if (drag?.busy) return;
  const name = `${now.board} ${now.house_entry}`;
  if (now.laid && drawn !== name) {
    drawn = name;
    board = await loadBoard(now.board, now.house_entry);
    byId("board").replaceChildren(board.drawing);
    byId("push").hidden = !board.cells.has("spare");
    drag = new Drag(board, () => state, afresh, said);
    told = "";
    if (seen) heard(seen); // what it says shows pieces of this board
  }
  if (board && now.laid) {
    const stands = JSON.stringify(now.pieces);
    if (stands !== told) {
      told = stands;
      board.set(position(now));
      offer(now);
    }
    board.light(lights);
  }
  if (now.picture !== pictured && now.picture > 0) {
    pictured = now.picture;
    byId("eye").src = `/api/twin/picture.jpg?n=${pictured}`;
    byId("eye").hidden = false;
  }
  byId("eye").classList.toggle("blind", !now.camera); // the last picture it took is not the present
  byId("lamp").value = now.lamp;
  for (const box of document.querySelectorAll("[data-plug]"))
    box.checked = { camera: now.camera, lights: now.lights, players: now.playing }[box.dataset.plug];
}

/** After something was carried by hand: its figure is not where it was drawn. */
function afresh(now) {
  told = "";
  return show(now);
}

function said(text) {
  answer = text;
  news();
}

async function act(path, body) {
  try {
    await show(await post(path, body));
    said("");
  } catch (error) {
    said(error.message);
  }
}

async function look() {
  if (!document.hidden) {
    try {
      await show(await get("/api/twin"));
      if (lost) said("");
      lost = false;
    } catch (error) {
      if (error.status === 401) return location.assign("/");
      lost = true;
      said(error.message);
    }
  }
  return setTimeout(look, LOOK);
}

/** What the last act was answered, what is wrong on the table, and with it. */
function news() {
  const wrong = seen?.match?.cases.filter((one) => !one.mended && !one.decision).at(-1);
  const ill = seen ? ["camera", "lights", "journal"].map((part) => seen.health[part]).filter((one) => !one.there) : [];
  put(byId("news"),
    answer ? el("p", { cls: "note warn" }, answer) : null,
    wrong ? el("p", { cls: "note bad" }, wrong.text, " ", wrong.rules?.[0]?.text ?? "") : null,
    ill.map((one) => el("p", { cls: "note warn" }, one.text)));
}

function heard(view) {
  seen = view;
  const { match } = view;
  lights = match?.lights ?? {};
  news();
  if (!match) return;
  byId("die").hidden = !match.die;
  const played = match.card && ` (${match.die ? t("die.value", { value: match.card }) : cardName(match.card)})`;
  put(byId("turn"), board && match.turn ? chip(match.turn) : null,
    match.turn ? [` ${t("turn.of", { who: seatName(match, match.turn) })}`, played] : t(`game.${match.game}`));
}

await loadTexts("twin");
for (const button of document.querySelectorAll("[data-do]"))
  button.addEventListener("click", () => act("/api/twin/do", { what: button.dataset.do }));
for (const box of document.querySelectorAll("[data-plug]"))
  box.addEventListener("change", () => act("/api/twin/plug", { what: box.dataset.plug, in: box.checked }));
byId("lamp").addEventListener("change", () => act("/api/twin/lamp", { lamp: byId("lamp").value }));
byId("die").addEventListener("click", () =>
  post("/api/twin/die").then((thrown) => said(t("twin.rolled", thrown)), (error) => said(error.message)));
byId("by-name").addEventListener("submit", (event) => {
  event.preventDefault();
  const [from, piece] = byId("from").value.split(" ");
  const to = byId("to").value;
  if (to.startsWith("push")) act("/api/twin/push", { row: Number(to.slice(4)) });
  else act("/api/twin/move", { from, piece, to });
});
const stream = follow("twin", heard, (link) => linked(link, () => stream.reopen()));
look();
