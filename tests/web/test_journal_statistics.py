"""The figures of a match, counted by hand, and how they and the journal's troubles are told."""

from __future__ import annotations

import random
import re
import time
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee import events
from referee.dossier import DECISIONS, Kind
from referee.events import Event
from referee.match import MODES
from referee.umpire import step
from web.bench.tapping import COMPANIES, evening, following, opening
from web.journal_words import repair_text
from web.salvage import Repair
from web.states import final
from web.statistics import figures
from web.statistics_chart import drawn
from web.statistics_words import as_form
from web.statistics_words import told as figures_told
from web.story import told
from web.texts import Texts

NOTHING = ("", "", "", "", "")
MOVES = (
    ("a", "KH", "camp-a18"),
    ("c", "", ""),
    ("a", "10H", "a18-a10"),
    ("c", "KS", "camp-c18"),
    ("a", "QH", "a10-b4"),
    ("c", "8S", "c18-c8"),
    ("a", "KD", "b4-b17"),
    ("c", "2H", "c8-c10"),
    ("a", "JH", "b17~c10:c"),
    ("c", "3H", "b17-c2"),
    ("a", "4H", "c10-c6"),
    ("c", "2D", "c2-c4"),
    ("a", "4S", "c6-c2"),
    ("c", "9C", "c4-c13"),
    ("a", "8D", "c2-c10"),
    ("c", "4C", "c13-c9"),
    ("a", "6S", "c10-c16"),
    ("c", "7H", "c9-c16"),
)


def by_hand() -> list[Event]:
    """Two play Tock by tapping, ten seconds a turn; then the last move is taken back, and again."""
    found: list[Event] = [
        events.Opened(
            game="tock-globe",
            board="tock4",
            seats=("a", "c"),
            mode="real",
            camera=False,
            persons=(("a", "Ana"), ("c", "Cyr")),
        ),
        events.Lots(seat="c", at=20.0),
        events.Dealt(seat="c", at=40.0),
    ]
    at = 40.0
    for seat, card, way in MOVES:
        if not card:
            found.append(events.Discarded(at=at + 10, seat=seat, cards=NOTHING))
        else:
            found.append(events.Announced(at=at + 4, seat=seat, card=card))
            found.append(events.Tapped(at=at + 10, seat=seat, play=f"{card} {way}"))
        at += 10
    *_, announced, tapped = found
    return [
        *found,
        events.Paused(at=at, on=True),
        events.Paused(at=at + 600, on=False),
        events.Undone(at=at + 600, consent=True),
        type(announced)(**{**vars(announced), "at": at + 604}),
        type(tapped)(**{**vars(tapped), "at": at + 610}),
        events.Flagged(at=at + 611, seat="c", against="a", rule=""),
        events.Ruled(at=at + 612, case=1, decision="warning"),
    ]


def test_figures_counted_by_hand() -> None:
    found = figures(by_hand())
    ana, cyr = found.seats
    assert (ana.person, ana.plays, ana.idle, ana.captures, ana.suffered) == ("Ana", 9, 0, 0, 1)
    assert (cyr.person, cyr.plays, cyr.idle, cyr.captures, cyr.suffered) == ("Cyr", 8, 1, 1, 0)
    assert (ana.taken_back, cyr.taken_back) == (0, 1)
    assert (ana.laps, cyr.laps) == (0, 1)  # past c18 with the 3
    assert ana.cards == 9
    assert ana.mean_card == pytest.approx((13 + 10 + 12 + 13 + 11 + 4 + 4 + 8 + 6) / 9)
    assert cyr.mean_card == pytest.approx((13 + 8 + 2 + 3 + 2 + 9 + 4 + 7) / 8)
    assert cyr.idle_share == pytest.approx(1 / 9)
    assert (ana.seconds, cyr.seconds) == (92.0, 100.0)
    assert (ana.longest, cyr.longest) == (10.0, 10.0)
    assert found.seconds == 40 + 180 + 10 + 2
    assert found.irregularities == (("by-hand", 1),)
    assert (ana.irregularities, cyr.irregularities) == (1, 0)


def test_laps() -> None:
    """Into the house, past the own start; a Tijou piece past its sortie and into its arrival."""
    for company, seeds in ((COMPANIES[4], range(2)), (COMPANIES[0], range(1))):
        for seed in seeds:
            dice = random.Random(seed)
            happened = evening(opening(company, dice), dice, 700)
            table = final(happened)
            assert table is not None
            seats = figures(happened).seats
            form = table.match.game.write(table.match.setup, table.match.position)["pawns"]
            for seat in seats:
                inside = (f"{seat.seat}h", "A-")
                home = [cell for cell in form[seat.seat] if cell.startswith(inside)]
                assert seat.laps is not None
                assert seat.laps >= len(home)
            if table.match.winners:
                assert sum(seat.laps or 0 for seat in seats) >= 3


@pytest.mark.parametrize("company", COMPANIES, ids=lambda company: company.game)
def test_what_must_add_up(company: object) -> None:
    assert isinstance(company, type(COMPANIES[0]))
    dice = random.Random(7)
    happened: list[Event] = [opening(company, dice, camera=True)]
    table, _ = step(None, happened[0])
    lost = plays = 0
    while len(happened) < 250 and table.match.phase != "over":
        event = following(table, dice)
        if isinstance(event, events.Undone):
            continue
        happened.append(event)
        table, intents = step(table, event)
        for intent in intents:
            if intent.notice.key == "play.done":
                plays += 1
                lost += len(dict(intent.notice.facts)["play"].captured)
    found = figures(happened)
    assert sum(seat.plays for seat in found.seats) == plays
    assert sum(seat.suffered for seat in found.seats) == lost
    assert sum(seat.captures for seat in found.seats) <= lost
    assert sum(seat.irregularities for seat in found.seats) == len(table.cases)
    assert sum(seat.seconds for seat in found.seats) <= found.seconds
    assert found.board == company.board
    for lang in ("fr", "en"):
        assert figures_told(found, lang)
        assert list(told(happened, lang, running=False))
        ElementTree.fromstring(drawn(found, lang))
    assert as_form(found)["seats"][0]["plays"] == found.seats[0].plays


def test_the_story_by_hand() -> None:
    lines = list(told(by_hand(), "fr", running=True))
    assert lines[1].endswith("Ana (a), Cyr (c)")
    text = "\n".join(lines).replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "0:00:50  Ana (a) : R♥  camp→a18" in text
    assert "Cyr (c) jette sans jouer : ? ? ? ? ?" in text
    assert "Ana (a) : V♥  b17⇄c10:c" in text
    assert "Cyr (c) : 7♥  c9→c16  (hors du plateau : Ana (a))" in text
    assert text.count("7♥") == 2
    assert "Le dernier coup est repris." in text
    assert "Irrégularité n° 1 : avertissement." in text
    english = "\n".join(told(by_hand(), "en", running=False))
    assert "Ana (a): K♥  camp→a18" in english
    assert "warning" in english


def test_names_cannot_upset_a_terminal() -> None:
    happened = by_hand()
    opened = happened[0]
    persons = (("a", "\x1b[2J\n<b>&"), ("c", ""))
    happened[0] = type(opened)(**{**vars(opened), "persons": persons})
    lines = list(told(happened, "fr", running=True))
    assert not any(unicodedata.category(c) == "Cc" for c in "".join(lines))
    assert "vert (c)" in lines[1]
    picture = drawn(figures(happened), "fr")
    assert "<b>" not in picture
    ElementTree.fromstring(picture)


def test_every_text_is_there_in_both_languages() -> None:
    keys = [f"record.kind.{kind}" for kind in Kind.__args__]  # type: ignore[attr-defined]
    keys += [f"record.decision.{decision}" for decision in DECISIONS]
    keys += [f"record.mode.{mode}" for mode in MODES]
    source = "".join(
        path.read_text("utf-8") for path in Path("web").glob("*.py") if "story" in path.name
    )
    keys += [f"record.{key}" for key in re.findall(r'say\(\s*"([a-z-]+)"', source)]
    for lang in ("fr", "en"):
        texts = Texts(lang)
        assert [key for key in keys if not texts.has(key)] == []


def test_a_repair_is_told() -> None:
    then = time.mktime((2024, 5, 31, 21, 4, 0, 0, 0, -1))
    kept = Path("journal-damaged-1.sqlite")
    said = repair_text(Repair(412, then, 411, 37, kept), "fr")
    assert "ligne 412" in said
    assert "sauvegarde du 31/05 à 21 h 04" in said
    assert "37 lignes" in said
    assert kept.name in said
    assert "No line was lost" in repair_text(Repair(412, then, 800, 0, kept), "en")
    assert "cannot be known" in repair_text(Repair(0, None, 3, None, kept), "en")


def test_replaying_twice_is_the_same() -> None:
    assert figures(by_hand()) == figures(by_hand())
    assert final(by_hand()) == final(by_hand())
