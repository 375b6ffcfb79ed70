"""The computer under the table, on the host's page: how it is, its network, switching it off."""

from __future__ import annotations

import logging
import threading
from typing import Any

from flask import Response, g

from web.api.seats import done
from web.api.table import VERSION
from web.forms import FLAG, Answer, Desk, form
from web.guard import rooms
from web.machine.checks import look
from web.machine.diagnostics import NAME, archive
from web.machine.doctor import as_dict
from web.machine.findings import Finding, note
from web.machine.levers import LeverError, Levers, address, wifi_picture
from web.problems import AwayError, NotThereError
from web.texts import Texts

log = logging.getLogger(__name__)

desk = Desk("machine")

SOON = 1.0  # seconds until the computer goes off: the page still hears that it will
STATE = {
    "type": "object",
    "required": ["findings", "wifi", "power"],
    "properties": {
        "findings": {"type": "array", "items": {"type": "object"}},
        "wifi": {"type": ["object", "null"]},
        "power": {"type": "boolean"},
    },
}


def levers() -> Levers:
    """Those of this computer, where the table was installed on it."""
    found = Levers(rooms().computer)
    if not found.there:
        raise NotThereError("api.not-installed")
    return found


@desk.route(
    "GET", "/api/host/machine", "How camera, lights, power, disk, clock and network are",
    who="host", answer=STATE,
)  # fmt: skip
def machine() -> Answer:
    here, texts = rooms(), Texts(g.lang)
    looked = look(here.computer, here.config)
    found = [as_dict(virtual(one) if here.virtual else one, texts) for one in looked]
    return {"findings": found, "wifi": wifi_state(), "power": Levers(here.computer).there}


def virtual(found: Finding) -> Finding:
    """Nothing is wrong with what the virtual table stands in for."""
    replaced = found.part in ("camera", "lights") and found.word == "none"
    return note(found.part, "virtual", found.do) if replaced else found


def wifi_state() -> dict[str, Any] | None:
    """The table's own network, where there is one."""
    found = Levers(rooms().computer)
    wifi = found.wifi if found.there else None
    if wifi is None:
        return None
    told = {"name": wifi.name, "password": wifi.password, "on": found.hotspot_on}
    return told | {"qr": "/api/host/wifi.svg", "url": address(rooms().port)}


@desk.route(
    "GET", "/api/host/wifi.svg", "What phones scan to join the table's own network",
    who="host", kind="image/svg+xml", answer={"type": "string"}, problems=(404,),
)  # fmt: skip
def wifi_svg() -> Answer:
    wifi = levers().wifi
    if wifi is None:
        raise NotThereError("api.no-hotspot")
    return Response(wifi_picture(wifi), mimetype="image/svg+xml")


@desk.route(
    "POST", "/api/host/hotspot", "The table's own network on or off", who="host",
    body=form({"on": FLAG}), answer=VERSION, problems=(404, 503),
)  # fmt: skip
def hotspot() -> Answer:
    found, on = levers(), bool(g.form["on"])
    if found.wifi is None:
        raise NotThereError("api.no-hotspot")
    try:
        found.hotspot(on)
    except LeverError as error:
        raise AwayError("api.lever", why=str(error)) from None
    return done()


@desk.route(
    "POST", "/api/host/power", "Switches the computer off, or starts it anew", who="host",
    body=form({"restart": FLAG}), answer=VERSION, problems=(404,),
)  # fmt: skip
def power() -> Answer:
    found, restart = levers(), bool(g.form["restart"])
    threading.Timer(SOON, switch, (found, restart)).start()
    return done()


def switch(found: Levers, restart: bool) -> None:
    """Once the page has been answered."""
    try:
        found.power(restart)
    except LeverError as error:
        log.error("the computer was not switched off: %s", error)


@desk.route(
    "GET", "/api/host/diagnostics", "An archive for whoever helps, without secrets or pictures",
    who="host", kind="application/zip", answer={"type": "string"},
)  # fmt: skip
def diagnostics() -> Answer:
    packed = archive(rooms().computer, rooms().config)
    head = {"Content-Disposition": f'attachment; filename="{NAME}"'}
    return Response(packed, mimetype="application/zip", headers=head)
