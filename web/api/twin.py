"""The virtual table by hand: pieces dragged, lamps changed, knocks, things pulled out."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from flask import Response, current_app, g

from hardware import boards
from hardware.boards import BoardError
from hardware.boards.trikolos import ROWS
from hardware.twin.camera import Bump
from hardware.twin.cards import RANKS, LyingCard
from hardware.twin.desk import Desk as VirtualDesk
from web.appearance import branches
from web.forms import FLAG, Answer, Desk, form, one_of, text, whole
from web.guard import rooms
from web.photos import encoded
from web.problems import ConflictError, NotThereError
from web.twin.hands import hand_over, leaving
from web.twin.orders import carries
from web.twin.pushing import pushed, row_of
from web.twin.setting import Setting
from web.twin.table import start_of

desk = Desk("twin")

CELL = text(12)
PIECE = text(20)
STATE = {
    "type": "object",
    "required": ["board", "house_entry", "pieces", "seats", "picture", "lamp", "camera", "lights"],
    "properties": {
        "pieces": {"type": "object", "description": "cell to the names of what stands there"},
        "picture": {"type": "integer", "description": "counts the camera's new pictures"},
    },
}
LAMPS: dict[str, tuple[float, int]] = {
    "day": (600.0, 8),
    "evening": (260.0, 8),
    "other": (450.0, 10),
}
ACTS = ("let-go", "bump", "topple", "tidy", "cards", "no-cards", "clear", "camps")
KNOCK = 9.0  # millimetres


def setting() -> Setting:
    found = current_app.extensions.get("arbitre-twin")
    if found is None:
        raise NotThereError("api.no-twin")
    assert isinstance(found, Setting)
    return found


def laid() -> VirtualDesk:
    found = setting().table.laid
    if found is None:
        raise ConflictError("api.twin-not-laid")
    return found


def state() -> dict[str, Any]:
    here = setting()
    found = here.table.laid
    name, entry = here.table.wanted
    pin = here.table.pin
    return {
        "board": name,
        "house_entry": entry,
        "laid": found is not None,
        "pieces": {} if found is None else found.standing(),
        "branches": branches(name),
        "seats": {piece.name: piece.seat or piece.name for piece in boards.board(name).pieces},
        "cards": 0 if found is None else len(found.now.cards),
        "picture": here.camera.drawn,
        "lamp": here.lamp,
        "camera": here.camera.plugged,
        "lights": pin is not None and pin.plugged,
        "playing": here.demo.playing,
    }


@desk.route("GET", "/api/twin", "The virtual table as it stands", answer=STATE, problems=(404,))
def shown() -> Answer:
    return state()


@desk.route(
    "GET", "/api/twin/picture.jpg", "What the virtual camera sees", kind="image/jpeg",
    answer={"type": "string"}, problems=(404, 409),
)  # fmt: skip
def picture() -> Answer:
    newest = setting().camera.newest
    if newest is None:
        raise ConflictError("api.no-picture")
    return Response(encoded(newest, 80), mimetype="image/jpeg")


@desk.route(
    "POST", "/api/twin/reach", "A hand over a place of the board, with a piece in it or none",
    body=form({"x": whole(-200, 1200), "y": whole(-200, 1200)}, {"piece": PIECE, "from": CELL}),
    answer=STATE, problems=(404, 409),
)  # fmt: skip
def reach() -> Answer:
    here, name = laid(), g.form.get("piece", "")
    if name not in {piece.name for piece in here.board.pieces}:
        name = ""
    lifted = (g.form.get("from", ""), name) if name else None
    here.reach(hand_over(here.board, g.form["x"], g.form["y"], name), lifted)
    return state()


@desk.route(
    "POST", "/api/twin/move", "A piece from one cell to another; back to where it stood: let go",
    body=form({"from": CELL, "to": CELL, "piece": PIECE}), answer=STATE, problems=(404, 409),
)  # fmt: skip
def move() -> Answer:
    here = laid()
    try:
        here.move(g.form["from"], g.form["to"], g.form["piece"])
    except BoardError as error:
        here.reach(None)
        raise ConflictError("api.twin-no-piece", why=str(error)) from None
    cell = here.board.cell(g.form["to"])
    here.reach(leaving(hand_over(here.board, cell.x, cell.y)))
    setting().later(0.5, lambda: here.reach(None))
    return state()


@desk.route(
    "POST", "/api/twin/push", "Trikolos: a row is pushed with the spare tile",
    body=form({"row": whole(1, len(ROWS))}), answer=STATE, problems=(404, 409),
)  # fmt: skip
def push() -> Answer:
    here, row = laid(), g.form["row"]
    try:
        after = pushed(here.board, here.standing(), row)
    except BoardError as error:
        here.reach(None)
        raise ConflictError("api.twin-no-push", row=row, why=str(error)) from None
    setting().hands.push(here, row_of(row), after)
    setting().later(0.5, lambda: here.reach(None))
    return state()


@desk.route(
    "POST", "/api/twin/do", "Something that happens to a table",
    body=form({"what": one_of(*ACTS)}),
    answer=STATE, problems=(404, 409),
)  # fmt: skip
def do() -> Answer:
    happen: dict[str, Callable[[], None]] = {
        "let-go": lambda: laid().reach(None),
        "bump": bump,
        "topple": topple,
        "tidy": tidy,
        "cards": cards,
        "no-cards": lambda: laid().lay(),
        "clear": lambda: laid().arrange({}),
        "camps": lambda: laid().arrange(start_of(laid().board)),
    }
    happen[g.form["what"]]()
    return state()


def bump() -> None:
    """Aside, and at the next knock back."""
    here, aside = laid(), setting()
    aside.knocked = not aside.knocked
    dice = random.Random(here.now.place)
    far = KNOCK if aside.knocked else 0.0
    here.bump(Bump(far * dice.choice((-1, 1)), far * dice.uniform(-0.6, 0.6), far * 0.2))


def topple() -> None:
    """Half of what stands falls over and rolls off its cells."""
    here, dice = laid(), random.Random()
    pawns = {piece.name for piece in here.board.standing}
    fallen = {cell: list(names) for cell, names in here.standing().items()}
    free = [cell.id for cell in here.board.cells if cell.id not in fallen and cell.kind != "goal"]
    for cell in list(fallen):
        if fallen[cell][-1] in pawns and free and dice.random() < 0.5:
            to = free.pop(dice.randrange(len(free)))
            fallen[to] = [fallen[cell].pop()]
    here.arrange({cell: tuple(names) for cell, names in fallen.items()})


def tidy() -> None:
    """Everything where the referee wants it, in one go."""
    here, table = laid(), rooms().house.now.table
    if table is not None:
        setting().hands.shift(here, carries(here.board, here.standing(), table.expected))


def cards() -> None:
    """Some cards lie on the board, where they lie when people play."""
    here, dice = laid(), random.Random()
    zone = here.board.card_zone
    if zone is None:
        return
    middle = (zone.x + zone.width / 2, zone.y + zone.height / 2)
    here.lay(
        *(
            LyingCard(
                middle[0] + dice.uniform(-8, 8), middle[1] + dice.uniform(-8, 8),
                dice.uniform(-30, 30), f"{dice.choice(RANKS)}{dice.choice('SHDC')}", 0.3 + 0.3 * n,
            )
            for n in range(3)
        )
    )  # fmt: skip


@desk.route(
    "POST", "/api/twin/lamp", "Another lamp over the table",
    body=form({"lamp": one_of(*LAMPS)}), answer=STATE, problems=(404, 409),
)  # fmt: skip
def lamp() -> Answer:
    here = setting()
    here.lamp = g.form["lamp"]
    lux, number = LAMPS[here.lamp]
    laid().relight(lux, number)
    return state()


@desk.route(
    "POST", "/api/twin/plug", "Pull the camera or the lights' cable out, or put it in again",
    body=form({"what": one_of("camera", "lights", "players"), "in": FLAG}), answer=STATE,
    problems=(404, 409),
)  # fmt: skip
def plug() -> Answer:
    here, on = setting(), g.form["in"]
    if g.form["what"] == "camera":
        here.camera.plugged = on
    elif g.form["what"] == "players":
        here.demo.playing = on
    elif here.table.pin is not None:
        here.table.pin.plugged = on
    return state()


@desk.route(
    "POST", "/api/twin/die", "A die rolls over the board; what it shows is tapped on a phone",
    answer={"type": "object", "required": ["value"]}, problems=(404,),
)  # fmt: skip
def die() -> Answer:
    setting()
    return {"value": random.SystemRandom().randint(1, 6)}
