"""`arbitre screenshots`: the pictures of the running virtual table that the README shows."""

from __future__ import annotations

import io
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from hardware.parser import Parser

FOLDER = Path(__file__).resolve().parents[2] / "hardware" / "guide"
CHROMIUM = "/usr/bin/chromium"
WIDE = {"width": 1600, "height": 900}
PHONE = {"width": 390, "height": 760}
QUALITY = 82
SEAT = "c"  # whose phone is shown
SEVERAL, LOOKS = 3, 200  # lights on the board, and looks after which fewer will do
MOMENTS, GLARE = 12, 235  # pictures that are looked at, and from where a pixel counts as lit
PATIENCE = 400.0  # seconds for each thing that is waited for


class NotShownError(Exception):
    """No picture, and why."""


def screenshots(argv: Sequence[str]) -> int:
    parser = Parser(prog="arbitre screenshots", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the pictures go")
    parser.add_argument("--turns", type=int, default=24, help="how many turns are played first")
    parser.add_argument("--lang", choices=("fr", "en"), default="fr")
    try:
        words = parser.parse_args(list(argv))
    except SystemExit as stop:
        return 2 if stop.code else 0
    try:
        with tempfile.TemporaryDirectory() as data:
            made = taken(Path(data), words.out, words.turns, words.lang)
    except (NotShownError, OSError) as error:
        print(f"arbitre screenshots: {error}", file=sys.stderr)
        return 2
    for path in made:
        print(f"{path} ({path.stat().st_size // 1024} kB)")
    return 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def taken(data: Path, out: Path, turns: int, lang: str) -> list[Path]:
    """A table of its own is started, played at for a while, and photographed."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError:
        raise NotShownError("needs playwright: pip install -e '.[test]'") from None
    if not Path(CHROMIUM).exists():
        raise NotShownError("needs a browser: apt install chromium")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    words = [sys.executable, "-m", "web.command", "play", "--port", str(port), "--data", str(data)]
    words += ["--host", "127.0.0.1", "--camera", "twin", "--game", "tijou", "--lang", lang]
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        until(lambda: answers(f"{url}/healthz"), "the table did not start")
        with sync_playwright() as play:
            browser = play.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox"] if os.getuid() == 0 else []
            )
            try:
                return photographed(browser, url, out, turns, lang)
            finally:
                browser.close()
    except Error as error:
        raise NotShownError(str(error).splitlines()[0]) from None
    finally:
        end(running)


def end(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(60)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()


def photographed(browser: Any, url: str, out: Path, turns: int, lang: str) -> list[Path]:
    out.mkdir(parents=True, exist_ok=True)
    desk = browser.new_context(viewport=WIDE, locale=lang, color_scheme="light").new_page()
    desk.goto(url)
    desk.goto(f"{url}/twin")
    until(lambda: played(desk, url) >= turns, "the demonstration does not play")
    desk.wait_for_selector("#board svg", timeout=PATIENCE * 1000)
    phone = browser.new_context(viewport=PHONE, locale=lang, color_scheme="light").new_page()
    phone.goto(url)
    phone.request.post(f"{url}/api/seat/take", data={"seat": SEAT})
    lights = itertools.chain(itertools.repeat(SEVERAL, LOOKS), itertools.repeat(1))
    until(lambda: about_to_move(phone, url, next(lights)), "nobody came to move a piece")
    phone.goto(url)
    phone.wait_for_timeout(3000)
    eye, page = brightest(desk, url)
    camera = out / "virtual-camera.jpg"
    camera.write_bytes(eye)
    table = saved(page, out / "virtual-table.jpg")
    return [table, camera, saved(phone.screenshot(), out / "phone.jpg")]


def brightest(desk: Any, url: str) -> tuple[bytes, bytes]:
    """Lights beat: of some moments the one when most of them burn, as picture and as page."""
    found = []
    for _ in range(MOMENTS):
        desk.wait_for_timeout(900)
        eye = desk.request.get(f"{url}/api/twin/picture.jpg").body()
        with Image.open(io.BytesIO(eye)) as picture:
            light = sum(picture.convert("L").histogram()[GLARE:])
        found.append((light, eye, desk.screenshot()))
    _, eye, page = max(found, key=lambda one: one[0])
    return eye, page


def saved(png: bytes, path: Path) -> Path:
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").save(path, quality=QUALITY, optimize=True)
    return path


def view(page: Any, url: str, which: str = "screen") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.request.get(f"{url}/api/view?page={which}").text())
    return found


def played(page: Any, url: str) -> int:
    match = view(page, url).get("match")
    return int(match["turns"]) if match else 0


def about_to_move(phone: Any, url: str, lights: int) -> bool:
    """Whether a card is down that lights so many places; until then the seat does what is due."""
    shown = view(phone, url, "player")
    match, own = shown["match"], shown["hands"][SEAT]
    moving = match["phase"] == "move" and match["turn"] == SEAT
    if moving and len(match["lights"]) >= lights:
        return True
    due: dict[str, Any] = {"seat": SEAT}
    if own["question"]:
        due |= {"event": "answered", "question": own["question"]["number"], "choice": 0}
    elif moving and own["plays"]:
        due |= {"event": "tapped", "play": own["plays"][0]["text"]}
    elif "gave" in own["can"]:
        due |= {"event": "gave", "card": own["hand"][0]}
    elif "dealt" in own["can"]:
        due |= {"event": "dealt"}
    elif "announced" in own["can"] and own["playable"]:
        due |= {"event": "announced", "card": own["playable"][-1]}
    elif "put-down" in own["can"]:
        due |= {"event": "put-down", "card": own["hand"][0]}
    if "event" in due:
        phone.request.post(f"{url}/api/event", data=due)
    return False


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def until(holds: Callable[[], bool], problem: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > ends:
            raise NotShownError(problem)
        time.sleep(0.4)
