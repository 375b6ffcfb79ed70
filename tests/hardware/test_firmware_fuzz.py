"""The controller's core under AddressSanitizer and UBSan: a corpus, and inputs made from it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hardware.firmware.build import built

CORPUS = sorted((Path(__file__).parent / "firmware_corpus").glob("*.bin"))
INPUTS = 150_000  # `build/firmware/fuzz -n 5000000 1 tests/hardware/firmware_corpus/*.bin` for long


def test_the_core_survives_the_corpus_and_what_dice_make_of_it() -> None:
    words = [str(built("fuzz")), "-n", str(INPUTS), "1", *map(str, CORPUS)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    files, inputs, accepted = (int(word) for word in done.stdout.split() if word.isdigit())
    assert (files, inputs) == (len(CORPUS), INPUTS)
    assert accepted > INPUTS  # not only noise: most inputs get through to what they ask for
