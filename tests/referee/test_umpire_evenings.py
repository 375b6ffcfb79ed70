"""Whole evenings at a clumsy table: what is wrong is named, what is right is not."""

from __future__ import annotations

import copy
import json

import pytest

from referee.events import read_event, write_event
from referee.plays import RefereeError
from referee.umpire import step
from web.bench.clumsy import Evening
from web.bench.evenings import SPECS
from web.bench.umpire import measure, table

LABELS = {
    ("tijou 2", "real"), ("tijou 4+", "phone"), ("tijou 3", "declared"),
    ("tockcitan 3", "real"), ("tockcitan 4", "phone"), ("tockcitan-team 4+", "declared"),
    ("tock-fadoq 4+", "real"), ("tock-fadoq 4+", "phone"), ("tock-globe 3", "declared"),
    ("tock-globe 2", "phone"), ("tock-globe 4+", "real"), ("barricades 2", "real"),
    ("trikolos 2", "real"),
}  # fmt: skip
EACH = [spec for spec in dict.fromkeys(SPECS) if (spec.label, spec.mode) in LABELS]


@pytest.mark.parametrize("spec", EACH, ids=lambda spec: f"{spec.label} {spec.board} {spec.mode}")
def test_an_evening_is_judged_right_and_replays_to_the_same(spec):
    evening = Evening(spec, 11)
    evening.play()
    assert evening.false == []
    assert evening.wrong_winners == 0
    assert not [count for count in evening.counts if "wrong" in count.outcome]
    assert not [count for count in evening.counts if "missed" in count.outcome]
    again = None
    for n, event in enumerate(evening.events):
        kept = json.loads(json.dumps(write_event(event)))
        assert read_event(kept) == event
        before, same = again, copy.deepcopy(again) if n % 60 == 30 else None
        again, _ = step(again, event)
        assert same is None or before == same  # a step changes nothing but what it gives back
    assert again == evening.table


def test_the_bench_counts_and_tells():
    figures = measure({"games": 3, "seed": 5, "rounds": 1, "processes": 1, "only": "trikolos"})
    assert figures["games"] >= 3
    assert figures["flagged_right"] == figures["irregularities"] > 0
    assert (figures["false_flags"], figures["wrong_winners"]) == (0, 0)
    assert "trikolos" in table(figures)
    with pytest.raises(ValueError, match="no such evenings"):
        measure({"only": "bridge"})


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"event": "flown"}, "no such event"),
        ([], "no such event"),
        ({"event": "thrown", "value": "3"}, "thrown.value: int needed"),
        ({"event": "thrown", "pips": 3}, 'has no "pips"'),
        ({"event": "seen", "pieces": [["a", "b", "c"]]}, "pairs"),
        ({"event": "discarded", "cards": [["KH"]]}, "list of names"),
        ({"event": "paused", "on": 1}, "bool needed"),
    ],
)
def test_an_event_that_does_not_fit_is_said(form, why):
    with pytest.raises(RefereeError, match=why):
        read_event(form)
