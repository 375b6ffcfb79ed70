"""Every word a page asks for is there, in every language, and nothing is kept that nobody says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import web
from web.texts import languages, sentences
from web.wording import ONLY, of_pages

ROOT = Path(web.__file__).parent
SCRIPTS = ROOT / "static" / "js"
ASKED = re.compile(r'\b(?:t|known)\(\s*(?:"([^"]+)"|`([^`]+)`)')
PUT = re.compile(r'"([a-z]+(?:[.-][A-Za-z0-9-]+)*)"')  # a key that is handed on before it is said


def of_page(page: str) -> list[Path]:
    """The scripts a page loads, and what those load."""
    begun = ROOT / "static" / ("twin/twin.js" if page == "twin" else f"js/{page}.js")
    found, waiting = set[Path](), [begun]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            for name in re.findall(r'from "([^"]+)"', path.read_text("utf-8")):
                near = ROOT / name.lstrip("/") if name[0] == "/" else path.parent / name
                waiting.append(near.resolve())
    return sorted(found)


@cache
def asked_for(page: str) -> dict[str, bool]:
    """Keys, and beginnings of keys that are put together (True)."""
    found: dict[str, bool] = {}
    for path in of_page(page):
        script = path.read_text("utf-8")
        for whole, begun in ASKED.findall(script):
            if not begun.startswith("${"):
                found["ui." + (whole or begun).split("${")[0]] = bool(begun)
        found |= {
            f"ui.{key}": False for key in PUT.findall(script) if f"ui.{key}" in sentences("fr")
        }
    return found


def is_said(key: str, begun: bool, said: dict[str, str]) -> bool:
    return any(one.startswith(key) for one in said) if begun else key in said


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("page", ["player", "screen", "host", "twin"])
def test_no_page_shows_a_key(page: str, lang: str) -> None:
    said = of_pages(lang, page)
    assert [key for key, begun in asked_for(page).items() if not is_said(key, begun, said)] == []
    assert len(asked_for(page)) > 30


def test_templates_say_only_what_is_there() -> None:
    for path in (ROOT / "templates").glob("*.html"):
        for key in re.findall(r"\bt\('([^']+)'", path.read_text("utf-8")):
            assert is_said(key, key.endswith("."), dict(sentences("fr"))), (path.name, key)


def test_nothing_is_kept_that_nobody_says() -> None:
    asked = {key: begun for page in ("player", "screen", "host", "twin") for key, begun in
             asked_for(page).items()}  # fmt: skip
    written = "".join(path.read_text("utf-8") for path in (ROOT / "templates").glob("*.html"))
    idle = [
        key
        for key in sentences("fr")
        if key.startswith("ui.")
        and re.sub(r"-(own|line|yes)$", "", key) not in asked
        and not any(begun and key.startswith(start) for start, begun in asked.items())
        and f"'{key}'" not in written
    ]
    assert idle == []


def test_a_phone_does_not_load_the_words_of_the_host() -> None:
    words = of_pages("fr", "player")
    assert not [key for key in words if key.split(".")[1] in (*ONLY["host"], *ONLY["twin"])]
    assert of_pages("fr").keys() > words.keys()


def test_french_spaces_are_narrow() -> None:
    loose = [key for key, text in sentences("fr").items() if re.search(r" [;!?»]|« ", text)]
    assert loose == []
