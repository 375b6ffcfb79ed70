// A piece under the pointer: picked up, carried with a hand in the camera's picture, set down.

import { post } from "/static/js/talk.js";

const TELL = 350; // milliseconds between two places that the hand is shown at
const NEAR = 26; // millimetres around a cell in which a piece is set down on it

export class Drag {
  constructor(board, state, said) {
    this.board = board;
    this.state = state;
    this.said = said;
    this.held = null;
    const { drawing } = board;
    drawing.addEventListener("pointerdown", (event) => this.#take(event));
    drawing.addEventListener("pointermove", (event) => this.#carry(event));
    drawing.addEventListener("pointerup", (event) => this.#drop(event));
    drawing.addEventListener("pointercancel", () => this.#letGo());
  }

  get busy() {
    return this.held !== null;
  }

  #place(event) {
    const matrix = this.board.table.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  #take(event) {
    const figure = event.target.closest?.("use[data-on]") ?? this.#nearest(this.#place(event));
    if (!figure || this.held) return;
    event.preventDefault();
    this.board.drawing.setPointerCapture(event.pointerId);
    const { piece, on } = figure.dataset;
    const names = Object.entries(this.state().seats).find(([, seat]) => seat === piece);
    figure.classList.add("carried");
    this.held = { figure, cell: on, name: names?.[0] ?? piece, told: 0 };
  }

  #nearest(at) {
    let best = null;
    for (const figure of this.board.layers.pieces.querySelectorAll("use[data-on]")) {
      const cell = this.board.cells.get(figure.dataset.on);
      const far = Math.hypot(cell.x - at.x, cell.y - at.y);
      if (far < NEAR && (!best || far < best.far)) best = { far, figure };
    }
    return best?.figure;
  }

  #carry(event) {
    if (!this.held) return;
    const at = this.#place(event);
    this.held.figure.setAttribute("transform", `translate(${at.x} ${at.y}) rotate(${-this.board.turn})`);
    if (performance.now() - this.held.told < TELL) return;
    this.held.told = performance.now();
    const spot = { x: Math.round(at.x), y: Math.round(at.y), piece: this.held.name };
    post("/api/twin/reach", spot).catch((error) => this.said(error.message));
  }

  async #drop(event) {
    if (!this.held) return;
    const { cell: from, name: piece } = this.held;
    const to = this.#cell(this.#place(event)) ?? from;
    this.#letGo();
    try {
      await post("/api/twin/move", { from, to, piece });
    } catch (error) {
      this.said(error.message);
    }
  }

  #cell(at) {
    let best = null;
    for (const [id, cell] of this.board.cells) {
      const far = Math.hypot(cell.x - at.x, cell.y - at.y);
      if (far < NEAR && (!best || far < best.far)) best = { far, id };
    }
    return best?.id;
  }

  #letGo() {
    this.held?.figure.classList.remove("carried");
    this.held = null;
  }
}
