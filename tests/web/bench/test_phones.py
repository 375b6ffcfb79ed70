"""The bench of fifty phones, with a few."""

from __future__ import annotations

import pytest

from web.bench import phones


def test_a_few_phones_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "POSTS", 3)
    figures = phones.measure({"phones": 4, "posting": 2, "rounds": 1})
    assert figures["posts"] == 6
    assert figures["post_to_last_phone_ms"] > 0
    assert figures["echo_to_last_phone_ms"] > 0
    assert figures["reconnected_s"] > 0
    assert figures["exit_s"] > 0
    assert figures["goodbyes"] == 4
    assert "4 phones listening" in phones.table(figures)
