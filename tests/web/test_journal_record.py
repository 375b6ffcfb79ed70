"""Records of matches: the same state elsewhere, and nothing hidden while a match runs."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee import events
from referee.events import Event
from referee.games import games
from referee.views import public
from web.bench.tapping import COMPANIES, Company, evening, opening
from web.journal import Journal
from web.record import (
    SEEN_BY_ALL,
    RecordError,
    export,
    read_record,
    record_of,
    replayed,
    take_in,
    write_record,
)
from web.replay import replay
from web.states import ReplayError, digest, final, steps
from web.statistics import figures
from web.story import told

DECKS = [company for company in COMPANIES if games()[company.game].deck]


def played(company: Company, seed: int, many: int = 5000, **changes: object) -> list[Event]:
    """A match, whole or its beginning."""
    dice = random.Random(seed)
    opened = replace(opening(company, dice, camera=seed % 2 == 0), **changes)  # type: ignore[arg-type]
    return evening(opened, dice, many)


# the same elsewhere


@pytest.mark.parametrize("company", COMPANIES, ids=lambda company: company.game)
def test_a_record_plays_to_the_same_state(company: Company) -> None:
    happened = [*played(company, 2, 300), events.Ended(at=9000.0)]
    text = write_record(record_of(happened, running=False, started=1_700_000_000.5))
    record = read_record(text)
    assert list(record.events) == happened
    assert record.started == 1_700_000_000.0
    table = replayed(record)
    assert table == final(happened)
    assert digest(table) == record.digest


def test_another_machine_comes_to_the_same_digest(tmp_path: Path) -> None:
    """Another process, whose sets and hashes are in another order."""
    path = tmp_path / "record.json"
    for seed, company in (("1", COMPANIES[3]), ("2", COMPANIES[6])):
        happened = [*played(company, 4, 150), events.Ended(at=9000.0)]
        path.write_text(write_record(record_of(happened, running=False)))
        command = [sys.executable, "-m", "web.command", "replay", str(path), "--json"]
        surroundings = os.environ | {"PYTHONHASHSEED": seed}
        ran = subprocess.run(command, capture_output=True, env=surroundings, check=True)
        assert json.loads(ran.stdout)["digest"] == digest_of(happened)


def test_a_digest_tells_states_apart() -> None:
    happened = played(COMPANIES[4], 1, 120)
    assert len({digest(one.table) for one in steps(happened)}) == 120


def test_changed_events_are_noticed() -> None:
    happened = [*played(COMPANIES[5], 1, 100), events.Ended(at=9000.0)]
    form = record_of(happened, running=False)
    form["events"][0]["severity"] = "teaching"
    with pytest.raises(RecordError, match="does not end as it did"):
        replayed(read_record(write_record(form)))
    del form["events"][3]
    with pytest.raises(RecordError, match=r"line \d+|does not end"):
        replayed(read_record(write_record(form)))


def line(**fields: str) -> str:
    """A record of one event, with fields as they stand in the file."""
    said = "".join(f', "{name}": {value}' for name, value in fields.items())
    head = '{"kind": "arbitre match", "format": 1, "whole": true, "events": [{"event": "opened"'
    return f"{head}{said}" + "}]}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", "not the record"),
        ('{"kind": "arbitre match", "format": "x"}', "a number from 1"),
        ('{"kind": "arbitre match", "format": 2}', "newer Arbitre"),
        ('{"kind": "arbitre match", "format": 1, "whole": false}', "while the match went on"),
        ('{"kind": "arbitre match", "format": 1, "whole": true, "events": []}', "list of events"),
        (
            '{"kind": "arbitre match", "format": 1, "whole": true, "events": [{"event": "tick"}]}',
            "event 1: a record begins with its opening",
        ),
        (
            '{"kind": "arbitre match", "format": 1, "whole": true, "events": [{"event": "x"}]}',
            "event 1: no such event",
        ),
        (
            '{"kind": "arbitre match", "format": 1, "whole": true, "started": "soon",'
            ' "events": [{"event": "opened"}]}',
            "is a date like",
        ),
        (line(at="Infinity"), "opened.at: a number of seconds"),
        (line(at="1" + "0" * 400), "opened.at: a number of seconds"),
        (line(at="NaN"), "opened.at: a number of seconds"),
        (line(options='["abc"]'), "opened.options: a list of pairs"),
        (line(teams='["ab"]'), "opened.teams: a list of teams"),
        (line(persons='[["a", true]]'), "opened.persons: a list of names"),
    ],
    ids=lambda text: text[-60:],
)
def test_what_is_no_record_is_said(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RecordError, match=said):
        read_record(text)
    path = tmp_path / "record.json"
    path.write_text(text)
    assert replay([str(path)]) == 2
    assert said in capsys.readouterr().err


def test_mutilated_records_never_fail_otherwise() -> None:
    happened = [*played(COMPANIES[4], 2, 40), events.Ended(at=900.0)]
    text = write_record(record_of(happened, running=False))
    dice = random.Random(5)
    for _ in range(300):
        cut = list(text)
        for _ in range(dice.randint(1, 3)):
            cut[dice.randrange(len(cut))] = dice.choice('{}[]",:0a')
        try:
            replayed(read_record("".join(cut)))
        except RecordError:
            continue


# in and out of journals


def journal_with(path: Path, *matches: list[Event]) -> Journal:
    journal = Journal.open(path)
    for happened in matches:
        for event in happened:
            journal.append(event)
    return journal


def test_a_record_goes_into_another_journal(tmp_path: Path) -> None:
    happened = [*played(COMPANIES[3], 1, 80), events.Ended(at=9000.0)]
    with journal_with(tmp_path / "here.sqlite", happened) as here:
        record = read_record(write_record(export(here, 1)))
    with journal_with(tmp_path / "there.sqlite", [*played(COMPANIES[5], 1, 5)]) as there:
        with pytest.raises(RecordError, match="under way"):
            take_in(there, record)
        there.append(events.Ended(at=99.0))
        number = take_in(there, record)
        assert there.events(number) == happened
        assert there.resume() == (final(happened), number)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, other = tmp_path / "journal.sqlite", tmp_path / "other.sqlite"
    first = [*played(COMPANIES[5], 1, 60), events.Ended(at=9000.0)]
    journal_with(path, first, played(COMPANIES[1], 2, 50)).close()
    assert replay([str(tmp_path), "--list"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["match"], one["game"], one["events"]) for one in listed] == [
        (1, "barricades", 61),
        (62, "tockcitan", 50),
    ]
    assert replay([str(path), "--json", "--match", "1", "--out", str(tmp_path / "r.json")]) == 0
    assert replayed(read_record((tmp_path / "r.json").read_text())) == final(first)
    assert replay([str(tmp_path / "r.json"), "--into", str(other)]) == 0
    assert replay([str(other), "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["digest"] == digest_of(first)
    assert replay([str(path), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["whole"] is False
    assert "hidden cards are left out" in said.err
    assert replay([str(path), "--into", str(other)]) == 2
    assert "under way" in capsys.readouterr().err
    assert replay([str(path), "--match", "5"]) == 2
    assert "no match 5; there are: 1, 62" in capsys.readouterr().err
    assert replay([str(tmp_path / "nothing")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert replay([str(path), "--lang", "tlh"]) == 2


def digest_of(happened: list[Event]) -> str:
    table = final(happened)
    assert table is not None
    return digest(table)


# what one may not know


def test_every_kind_of_event_has_its_list() -> None:
    assert SEEN_BY_ALL.keys() == events.KINDS.keys()


def secrets(happened: list[Event]) -> tuple[int, list[str]]:
    """The last shuffle, and the cards of it that nobody has laid open since."""
    at = max(n for n, event in enumerate(happened) if isinstance(event, events.Shuffled))
    shuffled = happened[at]
    assert isinstance(shuffled, events.Shuffled)
    shown = {getattr(event, "card", "") for event in happened[at:] if event.kind != "gave"}
    shown |= {
        card
        for event in happened[at:]
        if event.kind == "discarded"
        for card in event.cards  # type: ignore[attr-defined]
    }
    return at, [card for card in shuffled.cards if card not in shown]


def otherwise(happened: list[Event], dice: random.Random) -> list[Event]:
    """The same evening as all have seen it, the hidden cards being others."""
    at, hidden = secrets(happened)
    mixed = dice.sample(hidden, len(hidden))
    other = dict(zip(hidden, mixed, strict=True))
    found = list(happened[:at])
    for event in happened[at:]:
        if isinstance(event, events.Shuffled):
            event = replace(event, cards=tuple(other.get(card, card) for card in event.cards))
        elif isinstance(event, events.Gave):
            event = replace(event, card=other.get(event.card, event.card))
        found.append(event)
    return found


def looks_the_same(changed: list[Event], happened: list[Event]) -> bool:
    """Whether all could have seen these two evenings as one."""
    try:
        other = final(changed)
    except ReplayError:
        return False
    table = final(happened)
    assert table is not None
    assert other is not None
    return public(other) == public(table)


@pytest.mark.parametrize("company", DECKS, ids=lambda company: company.game)
def test_what_is_hidden_changes_nothing_in_a_running_record(company: Company) -> None:
    """Whatever the hidden cards are: record, story and figures of a running match are the same."""
    dice = random.Random(11)
    compared = 0
    for seed in range(1, 5):
        whole = played(company, seed, 100, mode="phone")
        for many in (12, 30, 100):
            happened = whole[:many]
            for _ in range(3):
                changed = otherwise(happened, dice)
                if changed == happened or not looks_the_same(changed, happened):
                    continue  # with those cards the evening would have gone otherwise
                compared += 1
                assert record_of(changed, True) == record_of(happened, True)
                assert list(told(changed, "fr", True)) == list(told(happened, "fr", True))
                assert figures(changed) == figures(happened)
    assert compared > 8


def test_a_card_that_was_refused_is_not_shown() -> None:
    """It is known to lie elsewhere: to say so would tell where."""
    opened = opening(COMPANIES[4], random.Random(1))
    happened: list[Event] = [
        replace(opened, mode="declared"),
        events.Lots(seat="a"),
        events.Dealt(seat="a"),
        events.Declared(seat="a", cards=("KH", "2S", "3S", "4S", "5S")),
        events.Announced(seat="c", card="KH"),
    ]
    table = final(happened)
    assert table is not None
    assert [case.kind for case in table.cases] == ["impossible-card"]
    text = write_record(record_of(happened, running=True))
    assert "KH" not in text
    assert "2S" not in text
    assert "R♥" not in "".join(told(happened, "fr", running=True))
    assert "KH" in write_record(record_of([*happened, events.Ended(at=1.0)], running=False))


def test_only_the_last_match_of_a_journal_can_be_under_way(tmp_path: Path) -> None:
    first, second = played(DECKS[1], 1, 60, mode="phone"), played(DECKS[2], 1, 60, mode="phone")
    with journal_with(tmp_path / "journal.sqlite", first, second) as journal:
        assert export(journal, 1)["whole"] is True
        running = export(journal, 61)
        assert running["whole"] is False
        assert not any("cards" in one for one in running["events"] if one["event"] == "shuffled")
        journal.append(events.Ended(at=9000.0))
        assert export(journal, 61)["whole"] is True
