// The host's page: behind its PIN five rooms: the game, quarrels, the table, the evenings, the machine.

import { button, byId, el, put } from "./dom.js";
import { cases } from "./host/cases.js";
import { evenings } from "./host/evenings.js";
import { firstSteps } from "./host/first.js";
import { machineRoom } from "./host/machine.js";
import { pin } from "./host/pin.js";
import { running } from "./host/running.js";
import { boardChosen, setup } from "./host/setup.js";
import { tableRoom } from "./host/table.js";
import { loadBoard } from "./board.js";
import { follow, linked } from "./live.js";
import { get, post, remove } from "./talk.js";
import { loadTexts, t } from "./texts.js";

const ROOMS = { game: gameRoom, cases, table: tableRoom, evenings, machine: machineRoom };
const state = { room: "game", error: null, done: null, fresh: true };
let view = null;
let drawing = ""; // the board whose pieces the page can show
let loading = "";

const host = {
  state,
  get view() {
    return view;
  },
  get match() {
    return view.match;
  },
  draw,
  enter(room) {
    state.room = room;
    state.fresh = true;
    state.error = state.done = null;
    draw();
    scrollTo(0, 0);
  },
  get,
  async send(path, form, done) {
    return tried(() => post(path, form), done);
  },
  event: (form, done) => host.send("/api/host/event", form, done),
  remove: (path, done) => tried(() => remove(path), done),
};

async function tried(act, done) {
  state.error = state.done = null;
  try {
    const answer = await act();
    state.done = done ?? null;
    stream?.refresh();
    draw();
    return answer;
  } catch (error) {
    state.error = error.message;
    draw();
    return null;
  }
}

let stream = null;

const plays = () => view.match && view.match.phase !== "over";

/** The pieces that this room shows come out of the drawing of their board. */
function boardWanted() {
  if (state.room === "game" && !plays()) return boardChosen();
  return view.match && `${view.match.board} ${view.match.house_entry}`;
}

async function pieces(board) {
  if (loading === board) return;
  loading = board;
  try {
    byId("shapes").replaceChildren((await loadBoard(...board.split(" "))).drawing);
    drawing = board;
  } finally {
    loading = "";
  }
  draw();
}

function draw() {
  if (!view) return;
  const board = boardWanted();
  if (board && board !== drawing) return void pieces(board);
  byId("tabs").hidden = false;
  put(byId("tabs"), Object.keys(ROOMS).map((room) => {
    const open = room === "cases" ? (view.match?.cases ?? []).filter((one) => !one.decision).length : 0;
    return button([t(`host.${room}`), open ? el("span", { cls: "count" }, String(open)) : null], () => host.enter(room), { "aria-current": state.room === room ? "page" : null, "data-key": `tab-${room}`, "data-room": room });
  }));
  put(byId("told"), state.error ? el("p", { cls: "note bad", role: "alert" }, state.error) : null, state.done ? el("p", { cls: "note ask", role: "status" }, state.done) : null);
  put(byId("first"), state.room === "game" ? firstSteps(host) : null);
  ROOMS[state.room](host, byId("room"));
  state.fresh = false;
}

function gameRoom(it, region) {
  return plays() ? running(it, region) : setup(it, region);
}

function show(fresh) {
  view = fresh;
  draw();
}

function begin() {
  stream = follow("host", show, (link) => linked(link, () => stream.reopen()));
}

await loadTexts("host");
const you = await get("/api/view?page=player").catch(() => null);
if (you?.you.host) begin();
else pin(byId("room"), document.body.dataset.pin === "set", begin);
