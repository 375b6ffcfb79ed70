"""Legal plays as hands make them, in any order: nobody is ever accused of one."""

from __future__ import annotations

import pytest

from web.bench.clumsy import Evening
from web.bench.evenings import SPECS

TABLES = {
    ("tijou 3", "real"), ("tockcitan 3", "declared"), ("tockcitan-team 4+", "phone"),
    ("tock-fadoq 4+", "phone"), ("tock-globe 4", "real"), ("barricades 3", "real"),
    ("trikolos 2", "real"),
}  # fmt: skip
EACH = [spec for spec in dict.fromkeys(SPECS) if (spec.label, spec.mode) in TABLES]


@pytest.mark.parametrize("spec", EACH, ids=lambda spec: f"{spec.label} {spec.board} {spec.mode}")
def test_no_legal_play_is_flagged_however_hands_go_about_it(spec):
    for seed in range(3):
        evening = Evening(spec, seed, clumsy=0.0, slow=1.0)
        evening.set_up()
        while evening.match.phase != "over" and evening.match.turns < 50:
            evening.goes_on()
        assert evening.false == []
