"""`arbitre play`: finds what is there, goes on with the evening's game, opens the page."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import segno

from firmware_bridge.ports import PortError
from hardware.parser import Parser
from referee import events
from referee.games import games
from referee.plays import RefereeError
from vision.cameras import CameraError
from web import opening
from web.app import create_app
from web.caretaker import Caretaker
from web.chance import Chance
from web.house import House
from web.journal import Journal
from web.journal_file import JournalError
from web.machine import logbook
from web.machine.levers import Levers
from web.owner import Owner
from web.papers import PaperError
from web.reception import CHAIRS_FILE, PIN_FILE, Fittings, Reception
from web.serving import AddressTakenError, Server
from web.settings import (
    EXAMPLE,
    Config,
    ConfigError,
    HostSettings,
    data_folder,
    read_config,
    with_words,
)
from web.sources import Sources, assemble, found
from web.twin.demo import FIRST
from web.twin.setting import players, virtual_sources
from web.wording import say

log = logging.getLogger(__name__)

JOURNAL = "journal.sqlite"
TWIN = "twin"
# what keeps a table from starting, each with what to do
SAID = (ConfigError, PaperError, CameraError, PortError, JournalError, AddressTakenError)


def parser() -> Parser:
    words = Parser(
        prog="arbitre play",
        description="Start a table: camera, referee, lights, web page. Without any hardware, too.",
    )
    words.add_argument("--port", type=int, help="of the web page (default: 8000)")
    words.add_argument("--data", type=Path, help=f"where state is kept (default: {data_folder()})")
    words.add_argument("--game", choices=sorted(games()), help="begin with this game")
    words.add_argument(
        "--camera", help="auto, none, twin, pi, usb:0, /dev/video0, a folder, a video"
    )
    words.add_argument("--serial", help="the lights: auto, none, a path, usb:VID:PID, wled:PORT")
    words.add_argument("--host", "--bind", dest="host", help="listen on this address only")
    words.add_argument("--lang", dest="language", choices=("fr", "en"), help="default: fr")
    words.add_argument("--config", type=Path, help="a TOML file (default: DATA/arbitre.toml)")
    words.add_argument("--print-config", action="store_true", help="such a file, with comments")
    words.add_argument(
        "--reset-pin",
        "--new-pin",
        dest="new_pin",
        action="store_true",
        help="forget the host's PIN: the next one is set at /host before anybody sits down",
    )
    words.add_argument("--verbose", action="store_true", help="say more")
    return words


def configured(words: argparse.Namespace) -> Config:
    """The file's settings, and over them what was said on the command line."""
    data = (words.data or data_folder()).expanduser().absolute()
    config = read_config(data, words.config)
    names = ("port", "host", "language", "camera", "serial")
    told = {name: getattr(words, name) for name in names if getattr(words, name) is not None}
    return with_words(config, told)


def play(argv: Sequence[str]) -> int:
    try:
        words = parser().parse_args(list(argv))
    except SystemExit as stop:
        return 2 if stop.code else 0
    if words.print_config:
        print(EXAMPLE, end="")
        return 0
    try:
        config = configured(words)
        config.data.mkdir(parents=True, exist_ok=True)
        logbook.begin(config.data, words.verbose)
        sources = found(config if config.camera != TWIN else replace(config, camera="none"))
        return run(config, sources, words.game, new_pin=words.new_pin)
    except SAID as error:
        print(f"arbitre play: {error}", file=sys.stderr)
    except OSError as error:
        print(f"arbitre play: {error.filename or config.data}: {error.strerror}", file=sys.stderr)
    return 2


def run(config: Config, sources: Sources, game: str | None, *, new_pin: bool = False) -> int:
    """The whole table until somebody stops it."""
    if new_pin:
        for name in (PIN_FILE, CHAIRS_FILE):  # whoever was the host by the old one is no more
            (config.data / name).unlink(missing_ok=True)
    house = House(Owner(Chance(), lambda: Journal.open(config.data / JOURNAL)))
    settings = HostSettings.load(config.data / "settings.json", config.language)
    virtual = None
    if wants_twin(config, sources):
        table, camera, sources = virtual_sources(config, house)
        virtual = (table, camera)
    fittings = assemble(house, config, sources, settings)
    app = create_app(house, config, fittings, settings)
    rooms: Reception = app.extensions["arbitre"]
    setting = None
    if virtual is not None:
        setting = players(house, *virtual, rooms, game or FIRST)
        rooms.virtual = True
        app.extensions["arbitre-twin"] = setting
    server = Server(app, config.host, config.port)
    house.start()
    if setting is not None:
        setting.demo.lay(house.now)  # before the camera looks at it
    caretaker = Caretaker(rounds(house, fittings)).start()
    if fittings.eyes is not None:
        fittings.eyes.start()
    else:
        without_camera(house)
    threading.Thread(target=Levers(rooms.computer).resume, daemon=True).start()
    try:
        if game is not None and setting is None:
            begin(house, game)
        server.stop_on_signals()
        print(greeting(rooms, sources), flush=True)
        if setting is not None:
            setting.demo.start()
        server.run()
    finally:
        print(say("play.stopping", config.language), flush=True)
        if setting is not None:
            setting.demo.stop(1.0)
        caretaker.stop(0.2)
        if fittings.eyes is not None:
            # a picture that is being drawn is finished first
            fittings.eyes.stop(0.3 if setting is None else 5.0)
        if fittings.lamps is not None:
            fittings.lamps.stop()
        house.stop(5.0)
    if fittings.eyes is not None and fittings.eyes.busy:
        leave()
    return 0


def leave() -> None:
    """Python's own end would cut a thread off in the midst of OpenCV, and that aborts."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def wants_twin(config: Config, sources: Sources) -> bool:
    """Whether the virtual table takes the place of a real one: asked for, or nothing is there."""
    nothing = sources.camera is None and sources.driver is None
    return config.camera == TWIN or (nothing and config.camera == config.serial == "auto")


def rounds(house: House, fittings: Fittings) -> dict[str, Callable[[], object]]:
    """What the caretaker does."""
    work: dict[str, Callable[[], object]] = {}
    if fittings.photos is not None:
        work["pictures"] = fittings.photos.tidy
    journal = house.journal
    if isinstance(journal, Journal):
        work["journal"] = journal.backup
    return work


def without_camera(house: House) -> None:
    """A game that was watched goes on by taps."""
    table = house.now.table
    if table is not None and table.camera:
        house.say(events.Camera(works=False))


def begin(house: House, game: str) -> None:
    """The game that was asked for, unless one is under way."""
    table = house.now.table
    if table is not None and table.match.phase != "over":
        return
    try:
        house.say(opening.opening({"game": game}, house.chance, camera=False))
    except RefereeError as error:
        log.error("%s cannot begin: %s", game, error)


def greeting(rooms: Reception, sources: Sources) -> str:
    """What the person who started it has to know."""
    lang = rooms.config.language
    invitation = rooms.invitation()
    host = f"{rooms.address}/host"
    lines = []
    if not in_a_log():
        url = f"{rooms.address}/join/{invitation['code']}"  # it may be scanned all evening
        lines += ["", say("play.open", lang), "", f"  {url}", ""]
        lines += [square(url), say("play.code", lang, code=invitation["code"])]
    lines.append(say("play.host", lang, url=host))
    facts = {"url": rooms.address}
    lines += [f"- {say(one.key, lang, **facts | dict(one.facts))}" for one in sources.remarks]
    if not os.access(rooms.config.data, os.W_OK):
        lines.append(f"- {say('play.unkept', lang, path=rooms.config.data)}")
    mended = rooms.repair(lang)
    if mended:
        lines.append(f"- {mended}")
    table = rooms.house.now.table
    if table is not None:
        lines.append(f"- {say('play.resumed', lang, game=table.match.setup.game)}")
    lines.append(say("play.stop", lang))
    return "\n".join(lines)


def in_a_log() -> bool:
    """Whether what is printed is kept by the system's journal: a code is no business of a log's."""
    told = os.environ.get("JOURNAL_STREAM", "")  # set for all that descends from a service, too
    try:
        out = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return False
    return told == f"{out.st_dev}:{out.st_ino}"


def square(url: str) -> str:
    """A QR code for the terminal."""
    drawn = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue()
