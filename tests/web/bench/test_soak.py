"""A quarter of an hour of virtual time: the table plays, and its figures add up."""

from __future__ import annotations

from web.bench import soak


def test_a_table_plays_on_and_is_measured() -> None:
    figures = soak.measure({"hours": 0.25, "seed": 2})
    assert figures["hours"] >= 0.25
    assert figures["events"] >= 150
    assert figures["matches"] >= 1
    assert figures["wrong_lights"] == 0
    assert figures["misread_cells"] == 0
    assert figures["never_told"] == 0
    assert len(set(figures["threads"])) == 1
    assert "bytes an event" in soak.table(figures)
