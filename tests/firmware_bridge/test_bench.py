"""`arbitre bench lights` in small: the ratios it is run for."""

from __future__ import annotations

from web.bench.lights import measure, table


def test_few_changes_are_quick_and_whole_pictures_near_what_the_wire_allows() -> None:
    figures = measure({"rounds": 5, "seed": 3})
    assert set(figures) == {"115200", "250000", "500000"}
    assert figures["115200"]["delta10_vs_adalight"] <= 0.3
    assert figures["250000"]["delta10_vs_adalight"] <= 0.4
    assert figures["250000"]["full_vs_wire"] <= 1.6
    for one in figures.values():
        assert one["wrong_pictures"] == one["retries_clean"] == one["unaccounted"] == 0
        assert one["delta10_bytes"] <= 8 + 5 * 10
        assert one["longest_gap_us"] <= 4.0
    assert "delta10_vs_adalight" in table(figures)
