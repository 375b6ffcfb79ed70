// A piece under the pointer: picked up, carried with a hand in the camera's picture, set down.

import { post } from "/static/js/talk.js";
import { pushedRow, slide } from "./push.js";

const TELL = 350; // milliseconds between two places that the hand is shown at
const NEAR = 26; // millimetres around a cell in which a piece is set down on it

export class Drag {
  /** `shown(state)` draws the table anew; `said(text)` tells what went wrong. */
  constructor(board, state, shown, said) {
    this.board = board;
    this.state = state;
    this.shown = shown;
    this.said = said;
    this.held = null;
    const { drawing } = board;
    drawing.addEventListener("pointerdown", (event) => this.#take(event));
    drawing.addEventListener("pointermove", (event) => this.#carry(event));
    drawing.addEventListener("pointerup", (event) => this.#drop(event));
    drawing.addEventListener("pointercancel", () => this.#put("/api/twin/do", { what: "let-go" }));
  }

  get busy() {
    return this.held !== null;
  }

  #place(event) {
    const matrix = this.board.table.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  #take(event) {
    if (this.held) return;
    const figure = event.target.closest?.("use[data-on]") ?? this.#nearest(this.#place(event));
    if (!figure) return;
    event.preventDefault();
    this.board.drawing.setPointerCapture(event.pointerId);
    const { piece, on, tile } = figure.dataset;
    const { seats, pieces } = this.state();
    const name = tile
      ? pieces[tile].find((one) => one.startsWith("tile-"))
      : (Object.entries(seats).find(([, seat]) => seat === piece)?.[0] ?? piece);
    figure.classList.add("carried");
    this.held = { figure, cell: tile ?? on, name, tile: Boolean(tile), told: -TELL, telling: null };
  }

  /** The piece nearest to a place; or the tile to push with, which alone may be taken of all tiles. */
  #nearest(at) {
    let best = null;
    const { pieces, tiles } = this.board.layers;
    for (const figure of [...pieces.querySelectorAll("use[data-on]"), ...tiles.querySelectorAll("use[data-tile=spare]")]) {
      const cell = this.board.cells.get(figure.dataset.on ?? figure.dataset.tile);
      const far = Math.hypot(cell.x - at.x, cell.y - at.y);
      if (far < NEAR && (!best || far < best.far)) best = { far, figure };
    }
    return best?.figure;
  }

  #carry(event) {
    if (!this.held || this.held.put) return;
    const at = this.#place(event);
    const { figure, cell, name, tile } = this.held;
    if (tile) slide(this.board, pushedRow(this.board, at));
    figure.setAttribute("transform", `translate(${at.x} ${at.y}) rotate(${-this.board.turn})`);
    const { held } = this;
    if (held.telling || performance.now() - held.told < TELL) return;
    held.told = performance.now();
    const spot = { x: Math.round(at.x), y: Math.round(at.y), piece: name, from: cell };
    held.telling = post("/api/twin/reach", spot)
      .catch((error) => this.said(error.message))
      .finally(() => { held.telling = null; });
  }

  #drop(event) {
    if (!this.held) return;
    const at = this.#place(event);
    const { cell: from, name: piece, tile } = this.held;
    const push = tile && pushedRow(this.board, at);
    if (push) this.#put("/api/twin/push", { row: push.row });
    else if (tile) this.#put("/api/twin/do", { what: "let-go" });
    else this.#put("/api/twin/move", { from, to: this.#cell(at) ?? from, piece });
  }

  #cell(at) {
    let best = null;
    for (const [id, cell] of this.board.cells) {
      const far = Math.hypot(cell.x - at.x, cell.y - at.y);
      if (cell.kind !== "push" && far < NEAR && (!best || far < best.far)) best = { far, id };
    }
    return best?.id;
  }

  /** What was carried stays as it was let go until the table has answered. */
  async #put(path, body) {
    if (!this.held || this.held.put) return;
    this.held.put = true;
    this.said("");
    await this.held.telling; // or the hand might come back over the board after it has left
    let now = this.state();
    try {
      now = await post(path, body);
    } catch (error) {
      this.said(error.message);
    }
    this.held = null;
    this.shown(now);
  }
}
