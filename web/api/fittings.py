"""What hangs over and under the board: pictures of cases, the live picture, learning, lights."""

from __future__ import annotations

from flask import Response, g

from hardware import boards
from web.api.seats import done
from web.api.table import VERSION
from web.forms import FLAG, Answer, Desk, form, one_of
from web.guard import rooms
from web.problems import AwayError, BadFormError, ConflictError, NotThereError
from web.reasons import progress
from web.wizard import Wizard
from web.wording import Voice

desk = Desk("fittings")

JPEG = "image/jpeg"
BOARD = one_of(*boards.names())
PROGRESS = {
    "type": "object",
    "required": ["board", "boards", "stage", "empty", "pieces", "problem", "grades", "learned"],
    "properties": {"stage": one_of("pictures", "learning", "learned", "failed")},
}
STANDING = {
    "type": "object",
    "additionalProperties": {"type": ["string", "array"], "maxLength": 20, "maxItems": 6},
    "maxProperties": 200,
}


def jpeg(data: bytes) -> Response:
    return Response(data, mimetype=JPEG)


def wizard() -> Wizard:
    found = rooms().fittings.wizard
    if found is None:
        raise NotThereError("api.no-camera")
    return found


@desk.route(
    "GET", "/api/host/picture/<name>", "The board before or after a case", who="host",
    kind=JPEG, answer={"type": "string"}, problems=(404,),
)  # fmt: skip
def picture(name: str) -> Answer:
    photos = rooms().fittings.photos
    data = photos.get(name) if photos is not None else None
    if data is None:
        raise NotThereError("api.no-such-picture")
    return jpeg(data)


@desk.route(
    "GET", "/api/host/live.jpg", "What the camera sees, the cells drawn over it", who="host",
    query={"marks": one_of("0", "1")}, kind=JPEG, answer={"type": "string"}, problems=(404, 409),
)  # fmt: skip
def live() -> Answer:
    return jpeg(wizard().live(g.asked.get("marks") == "1"))


@desk.route(
    "GET", "/api/host/calibration", "How far learning the table has come", who="host",
    answer=PROGRESS, problems=(404,),
)  # fmt: skip
def calibration() -> Answer:
    return progress(wizard().state(), Voice(g.lang))


@desk.route(
    "POST", "/api/host/calibration", "One step of learning the table", who="host",
    body=form(
        {"step": one_of("begin", "empty", "pieces", "learn", "keep", "drop")},
        {"board": BOARD, "setup": STANDING},
    ),
    answer=PROGRESS, problems=(404, 409, 503),
)  # fmt: skip
def calibrate() -> Answer:
    here, step = wizard(), g.form["step"]
    if step == "begin":
        if "board" not in g.form:
            raise BadFormError("api.missing-field", name="board")
        here.begin(g.form["board"])
    elif step == "pieces":
        here.take_pieces(g.form.get("setup"))
    elif step == "keep":
        try:
            here.keep()
        except OSError as error:
            raise AwayError("api.cannot-write", why=error.strerror or "") from None
    else:
        {"empty": here.take_empty, "learn": here.learn, "drop": here.drop}[step]()
    return progress(here.state(), Voice(g.lang))


@desk.route(
    "POST", "/api/host/lights/test", "Lights one cell after the other", who="host",
    body=form({"on": FLAG}, {"board": BOARD}), answer=VERSION, problems=(404, 409),
)  # fmt: skip
def lights() -> Answer:
    lamps, table = rooms().fittings.lamps, rooms().house.now.table
    if lamps is None:
        raise NotThereError("api.no-lights")
    if not g.form["on"]:
        lamps.end_walk()
        return done()
    name = g.form.get("board") or (table.match.setup.board if table is not None else "")
    if not name:
        raise ConflictError("api.which-board")
    lamps.walk(name)
    return done()
