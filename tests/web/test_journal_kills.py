"""A real table in its own process, killed at random moments while it plays at full speed."""

from __future__ import annotations

from web.bench.journal import measure, table


def test_what_was_acknowledged_survives_kill_9() -> None:
    found = measure({"kills": 10, "seed": 3})
    assert found["kills"] == 10
    assert found["acknowledged"] > 10
    assert (found["lost"], found["wrong_states"], found["torn_backups"]) == (0, 0, 0)
    assert found["repairs_needed"] == 0
    assert "kills" in table(found)
