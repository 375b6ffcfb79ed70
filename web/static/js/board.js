// The board as a picture that can be set up, lit and tapped. It is drawn by the server once.

import { spot } from "./choose.js";
import { put, svg } from "./dom.js";

const RINGS = new Set(["may-move", "your-turn"]);
const REACH = 34; // how far from a target, in pixels of the screen, a finger may land

let largest = 10.4; // the radius of the pieces of the board that is on the page

export async function loadBoard(name, entry) {
  const answer = await fetch(`/rules/board/${name}.svg?entry=${entry}`);
  if (!answer.ok) throw new Error(`no drawing of ${name}: HTTP ${answer.status}`);
  const text = await answer.text();
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  largest = Number(drawing.dataset.reach);
  return new Board(document.importNode(drawing, true));
}

export class Board {
  constructor(drawing) {
    this.drawing = drawing;
    this.name = drawing.dataset.board;
    this.reach = Number(drawing.dataset.reach);
    this.facing = JSON.parse(drawing.dataset.facing);
    this.turn = 0;
    this.cells = new Map();
    for (const cell of drawing.querySelectorAll("[data-cell]")) {
      const { kind = "ring", seat, x, y } = cell.dataset;
      const at = { x: Number(x ?? cell.getAttribute("x")), y: Number(y ?? cell.getAttribute("y")) };
      this.cells.set(cell.dataset.cell, { ...at, kind, seat, wide: cell.localName === "rect" });
    }
    for (const row of "123456") { // beside the last column stands the place to push from
      const end = this.cells.get(`f${row}`);
      if (end?.kind === "tile") this.cells.set(`push${row}`, { x: end.x + 31, y: end.y, kind: "push", wide: false });
    }
    this.table = svg("g", {});
    const defs = drawing.querySelector("defs");
    this.table.append(...[...drawing.children].filter((one) => one !== defs));
    this.layers = {};
    for (const name of ["tiles", "pieces", "lights", "marks", "taps"]) {
      this.layers[name] = svg("g", { cls: name });
      this.table.append(this.layers[name]);
    }
    drawing.append(this.table);
    drawing.setAttribute("role", "group");
    for (const words of drawing.querySelectorAll(".labels")) words.setAttribute("aria-hidden", "true");
    drawing.addEventListener("click", (event) => this.#tapped(event));
    this.view(null);
  }

  /** Turns the board so that a seat's side is below. */
  view(seat) {
    this.turn = seat in this.facing ? -this.facing[seat] : 0;
    const box = this.drawing.viewBox.baseVal;
    this.middle ??= { x: box.x + box.width / 2, y: box.y + box.height / 2, box: [box.x, box.y, box.width, box.height] };
    const { x, y } = this.middle;
    this.table.setAttribute("transform", `rotate(${this.turn} ${x} ${y})`);
    this.drawing.setAttribute("viewBox", this.#around().join(" "));
  }

  #around() {
    if (this.turn % 180 === 0) return this.middle.box;
    const [, , width, height] = this.middle.box;
    if (this.turn % 90 === 0) {
      const { x, y } = this.middle;
      return [x - height / 2, y - width / 2, height, width];
    }
    const ends = [...this.cells.values()].map((cell) => this.#turned(cell));
    const [xs, ys] = [ends.map((one) => one.x), ends.map((one) => one.y)];
    const [left, top] = [Math.min(...xs) - 18, Math.min(...ys) - 18];
    return [left, top, Math.max(...xs) + 18 - left, Math.max(...ys) + 18 - top];
  }

  #turned({ x, y }) {
    const angle = (this.turn * Math.PI) / 180;
    const [dx, dy] = [x - this.middle.x, y - this.middle.y];
    return {
      x: this.middle.x + dx * Math.cos(angle) - dy * Math.sin(angle),
      y: this.middle.y + dx * Math.sin(angle) + dy * Math.cos(angle),
    };
  }

  #use(id, { x, y }, more = {}, scale = 1) {
    const bigger = scale === 1 ? "" : ` scale(${scale})`;
    return svg("use", {
      href: `#${id}`,
      transform: `translate(${x} ${y}) rotate(${-this.turn})${bigger}`,
      ...more,
    });
  }

  // what stands -----------------------------------------------------------------

  /** Pieces by cell, camps and homes filled in: [[piece, cell], …]. */
  standing(position) {
    const found = [];
    for (const [seat, cells] of Object.entries(position.pawns)) {
      const camp = this.#owned(seat, "camp");
      const home = this.#owned(seat, "arrival");
      let [out, back] = [0, 0];
      for (const text of cells) {
        const cell = text.replace("*", "");
        if (cell === "camp") found.push([seat, camp[out++] ?? "camp"]);
        else if (cell === "home") found.push([seat, home[back++] ?? "home"]);
        else found.push([seat, cell]);
      }
    }
    for (const cell of position.barricades ?? []) found.push(["barricade", cell]);
    return found;
  }

  #owned(seat, kind) {
    const mine = [...this.cells].filter(([, cell]) => cell.kind === kind && cell.seat === seat);
    return mine.map(([id]) => id);
  }

  /** The places of a spot: a cell, a seat's waiting places, or where its next piece arrives. */
  places(at) {
    const [where, seat] = at.split(":");
    if (where === "camp") return this.#owned(seat, "camp");
    if (where === "home") return this.#owned(seat, "arrival").filter((cell) => !this.occupied?.has(cell)).slice(0, 1);
    return this.cells.has(at) ? [at] : [];
  }

  /** A place in the words of the rules: waiting is "camp", having arrived among others "home". */
  word(place) {
    const { kind, seat } = this.cells.get(place);
    if (kind === "camp") return kind;
    return kind === "arrival" && this.#owned(seat, kind).length > 1 ? "home" : place;
  }

  set(position) {
    const tiles = [];
    const names = { G: "green", O: "orange", R: "red" };
    const lay = (letter, cell) =>
      names[letter] && tiles.push(this.#use(`p-tile-${names[letter]}`, this.cells.get(cell), { "data-tile": cell }));
    (position.tiles ?? []).forEach((row, n) => [...row].forEach((letter, m) => lay(letter, `${"abcdef"[m]}${n + 1}`)));
    if (this.cells.has("spare")) lay(position.spare, "spare");
    this.layers.tiles.replaceChildren(...tiles);

    const by = new Map();
    for (const [piece, cell] of this.standing(position)) by.set(cell, [...(by.get(cell) ?? []), piece]);
    this.occupied = by;
    const pieces = [];
    for (const [cell, on] of by) {
      const at = this.cells.get(cell);
      if (!at) continue;
      spread(on.length).forEach(([dx, dy, scale], n) => {
        const size = scale * (at.wide && at.kind !== "tile" ? 1.35 : 1);
        const wide = this.reach * 2.1 * size;
        const where = { x: at.x + dx * wide, y: at.y + dy * wide };
        pieces.push(this.#use(`p-${on[n]}`, where, { "data-piece": on[n], "data-on": cell }, size));
      });
    }
    this.layers.pieces.replaceChildren(...pieces);
  }

  /** Cells with what their lights mean. */
  light(meanings) {
    const lit = [];
    for (const [cell, meaning] of Object.entries(meanings ?? {})) {
      const at = this.cells.get(cell);
      if (at) lit.push(this.#meaning(meaning, cell, { "data-light": meaning }));
    }
    this.layers.lights.replaceChildren(...lit);
  }

  /** A light's shape on a cell: around the piece that stands there, or at its shoulder. */
  #meaning(meaning, cell, more = {}) {
    const at = this.cells.get(cell);
    const taken = this.occupied?.has(cell);
    const bigger = at.wide ? 1.4 : 1;
    if (!taken) return this.#use(`m-${meaning}`, at, more, bigger);
    if (RINGS.has(meaning)) return this.#use(`m-${meaning}`, at, more, bigger * 1.25);
    const turn = (-this.turn * Math.PI) / 180;
    const [dx, dy] = at.wide ? [13, -13] : [7, -7];
    const beside = { x: at.x + dx * Math.cos(turn) - dy * Math.sin(turn), y: at.y + dx * Math.sin(turn) + dy * Math.cos(turn) };
    return this.#use(`m-${meaning}`, beside, more, bigger * 0.8);
  }

  /** Arrows along the parts of a play. */
  arrows(parts) {
    const drawn = [];
    for (const part of parts) {
      const points = part.path
        .map((cell) => this.cells.get(this.places(spot(part.piece, cell))[0] ?? cell))
        .filter(Boolean);
      if (points.length < 2) continue;
      const line = points.map(({ x, y }, n) => `${n ? "L" : "M"}${x} ${y}`).join("");
      drawn.push(svg("path", { d: line, cls: "way back" }), svg("path", { d: line, cls: "way" }));
      const [one, two] = points.slice(-2);
      const angle = (Math.atan2(two.y - one.y, two.x - one.x) * 180) / Math.PI;
      const head = "M8 0-9-8V8Z";
      drawn.push(svg("path", { d: head, cls: "head", transform: `translate(${two.x} ${two.y}) rotate(${angle})` }));
    }
    this.layers.marks.replaceChildren(...drawn);
  }

  // taps --------------------------------------------------------------------------

  /** `spots`: [{at, meaning, label, act}]. Elsewhere on the board `other(cell)` is told. */
  targets(spots, other = null) {
    this.other = other;
    this.spots = [];
    const drawn = [];
    for (const one of spots) {
      this.places(one.at).forEach((cell, n) => {
        const at = this.cells.get(cell);
        if (one.at.startsWith("camp:") && !this.occupied?.has(cell) && one.meaning === "may-move") return;
        this.spots.push({ ...at, act: one.act });
        drawn.push(
          svg(
            "g",
            {
              cls: "tap",
              role: "button",
              tabindex: n ? -1 : 0,
              "aria-label": one.label,
              "data-at": one.at,
              "data-key": `at-${cell}`,
              onkeydown: (event) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                one.act();
              },
            },
            svg("circle", { cx: at.x, cy: at.y, r: at.wide ? 20 : 12 }),
            this.#meaning(one.meaning, cell),
          ),
        );
      });
    }
    put(this.layers.taps, drawn);
    this.drawing.classList.toggle("tappable", drawn.length > 0);
  }

  #tapped(event) {
    const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.table.getScreenCTM().inverse());
    const scale = Math.hypot(this.table.getScreenCTM().a, this.table.getScreenCTM().b);
    const nearest = (all) =>
      all.reduce(
        (best, one) => {
          const far = Math.hypot(one.x - here.x, one.y - here.y) * scale;
          return far < best.far ? { far, one } : best;
        },
        { far: REACH, one: null },
      );
    const target = nearest(this.spots ?? []);
    const cells = [...this.cells].map(([id, cell]) => ({ ...cell, id })).filter((one) => one.kind !== "push");
    const cell = nearest(cells);
    if (target.one && (!this.other || target.far <= cell.far + 6)) target.one.act();
    else if (cell.one) this.other?.(cell.one.id);
  }
}

/** Where so many pieces stand around the middle of a cell, in diameters, and how large. */
function spread(count) {
  if (count < 2) return [[0, 0, 1]];
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const scale = count < 3 ? 0.82 : columns < 3 ? 0.78 : 0.56;
  return Array.from({ length: count }, (_, n) => {
    const row = Math.floor(n / columns);
    const across = Math.min(columns, count - row * columns);
    return [(n % columns) - (across - 1) / 2, row - (rows - 1) / 2, scale];
  });
}

/** A seat's piece as a small picture beside a name; the board must be on the page. */
export function chip(seat, size = 22) {
  return svg(
    "svg",
    { viewBox: "-13 -13 26 26", width: size, height: size, cls: "chip", "aria-hidden": "true" },
    svg("use", { href: `#p-${seat}`, transform: `scale(${11.4 / largest})` }),
  );
}
