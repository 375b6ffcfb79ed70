"""The running table: one owner, one queue, a journal before anything is shown."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import events
from referee.match import NotNowError
from web.chance import Chance
from web.house import House
from web.journal import Journal
from web.opening import opening
from web.owner import Moment, Owner

TIJOU = opening({"game": "tijou", "mode": "phone"}, Chance(random.Random(1)), camera=False)


@pytest.fixture
def owner() -> Owner:
    return Owner(Chance(random.Random(3)))


def test_shuffles_the_phones_deck_as_soon_as_it_has_to_be(owner: Owner) -> None:
    owner.hear(TIJOU, 0.0)
    owner.hear(events.Lots(seat="b"), 1.0)
    assert owner.table is not None
    match = owner.table.match
    assert match.phase == "deal"
    assert sorted(match.pile.cards) == sorted(match.game.deck)
    assert match.pile.cards != match.game.deck


def test_a_refused_event_changes_and_records_nothing(tmp_path: Path) -> None:
    owner = Owner(Chance(), lambda: Journal.open(tmp_path / "j.sqlite")).begin()
    owner.hear(TIJOU, 0.0)
    assert owner.journal is not None
    before, kept = owner.moment, owner.journal.events(1)
    with pytest.raises(NotNowError):
        owner.hear(events.Dealt(seat="a"), 1.0)
    assert owner.moment == before
    assert owner.journal.events(1) == kept
    owner.end()


def test_a_new_match_ends_the_old_one_in_the_journal(tmp_path: Path) -> None:
    owner = Owner(Chance(), lambda: Journal.open(tmp_path / "j.sqlite")).begin()
    owner.hear(TIJOU, 0.0)
    owner.hear(TIJOU, 5.0)
    assert owner.journal is not None
    first, second = owner.journal.matches()
    assert owner.journal.events(first.match)[-1] == events.Ended(at=5.0)
    assert owner.journal.events(second.match)[0].at == 5.0
    owner.end()


def test_time_is_told_only_while_the_table_waits(owner: Owner) -> None:
    owner.hear(TIJOU, 0.0)
    assert owner.due() is None
    assert owner.table is not None
    owner.table = owner.table.but(stage="unfinished", since=4.0)
    assert owner.due() == pytest.approx(5.5, abs=0.1)
    version = owner.version
    owner.wake(5.6)
    assert owner.version == version  # too early: nothing has changed
    assert owner.due() == pytest.approx(16.0, abs=0.1)
    owner.wake(16.1)
    assert [one.notice.key for one in owner.moment.said][-1] == "play.unfinished"


def test_goes_on_where_it_stopped(new_house: Callable[[], House]) -> None:
    first = new_house().start()
    first.say(TIJOU)
    first.say(events.Lots(seat="c"))
    left = first.say(events.Dealt(seat="c"))
    first.stop()
    again = new_house().start()
    assert again.now.table == left.table
    assert again.say(events.Gave(seat="a", card=hand_of(again, "a")[0])).table is not None
    again.stop()


def hand_of(house: House, seat: str) -> tuple[str, ...]:
    assert house.now.table is not None
    return house.now.table.match.hand(seat).cards


def test_everybody_talks_through_one_queue(new_house: Callable[[], House]) -> None:
    """Forty threads announce and withdraw at once: every answer is of one whole moment."""
    house = new_house()
    seen: list[Moment] = []
    house.listen(seen.append)
    house.start()
    house.say(TIJOU)
    refused = []

    def draw() -> None:
        try:
            house.say(events.Lots(seat="a"))
        except NotNowError as error:
            refused.append(error)

    threads = [threading.Thread(target=draw) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    house.stop()
    assert len(refused) == 39
    versions = [moment.version for moment in seen]
    assert versions == sorted(set(versions))


def test_a_listener_or_an_event_that_fails_does_not_stop_the_game(
    new_house: Callable[[], House],
) -> None:
    house = new_house()

    def broken(moment: Moment) -> None:
        raise RuntimeError("this listener is broken")

    house.listen(broken)
    house.start()
    house.say(TIJOU)
    with pytest.raises(TypeError):
        house.say(events.Opened(game="tijou", board="tijou", seats=None))  # type: ignore[arg-type]
    assert house.say(events.Lots(seat="a")).table is not None
    house.stop()


def test_a_full_disk_is_said_and_made_good_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = Owner(Chance(), lambda: Journal.open(tmp_path / "j.sqlite")).begin()
    owner.hear(TIJOU, 0.0)
    assert isinstance(owner.journal, Journal)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(owner.journal, "_write", full)
        owner.hear(events.Lots(seat="a"), 1.0)
        assert owner.moment.unrecorded == "full"
        assert owner.moment.said[-1].notice.key == "recording.lost"
        assert owner.table is not None
        assert owner.table.match.phase == "deal"
    due = owner.due()
    assert due is not None
    owner.wake(due)
    assert owner.moment.unrecorded == ""
    assert owner.moment.said[-1].notice.key == "recording.back"
    assert [event.kind for event in owner.journal.events(1)] == ["opened", "lots", "shuffled"]
    owner.end()
