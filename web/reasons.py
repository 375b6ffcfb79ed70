"""What cameras and calibration say of themselves, as keys of texts with their facts.

They speak English to whoever reads a terminal; on a page everybody is spoken to in their language.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from web.wording import Voice, known

log = logging.getLogger(__name__)

# what is said, and the text that says the same to people
REASONS: tuple[tuple[str, str], ...] = (
    # the parts that are graded
    (r"place", "part.place"),
    (r"elevation", "part.elevation"),
    (r"light", "part.light"),
    (r"lens", "part.lens"),
    (r"piece (?P<name>[\w-]+)", "part.piece"),
    (r"reading", "part.reading"),
    # what was found
    (r"(?P<points>\d+) points lie within (?P<error>[\d.]+) pixels; (?P<holes>\d+) holes found",
     "found.place"),
    (r"(?P<degrees>\d+) degrees", "found.elevation"),
    (r"mean (?P<bright>\d+) of 255, (?P<burnt>\d+) % burnt out", "found.light"),
    (r"guessed from one picture", "found.lens"),
    (r"nominal colour only", "found.unseen"),
    (r"learned from (?P<seen>\d+), (?P<high>\d+) mm high, tells (?P<fit>[\d.]+)", "found.piece"),
    (r"(?P<right>\d+) of (?P<many>\d+) places with pieces read back", "found.reading"),
    # what would make it better
    (r"markers not seen: (?P<markers>[\d, ]+); free them, or light them better",
     "advice.markers"),
    (r"hold the camera still and sharp; check that the board's measures are its own",
     "advice.still"),
    (r"raise the camera: pieces hide each other below 60 degrees", "advice.raise"),
    (r"too dark: more light, or a longer exposure", "advice.dark"),
    (r"large parts are burnt out: less exposure, or turn the lamp away", "advice.burnt"),
    (r"`--lens-from` with the chart is surer", "advice.lens"),
    (r"show (?P<name>[\w-]+) on known cells once", "advice.show"),
    (r"(?P<name>[\w-]+) is hard to tell from the board: more or softer light", "advice.softer"),
    (r"pieces cannot be told from their places on (?P<cells>[\w, -]+): other light may do",
     "advice.alike"),
    (r"more even light, and pieces of colours farther apart", "advice.apart"),
    # why nothing was learned
    (r"no picture: .*", "learn.no-picture"),
    (r"the pictures differ in size: .*", "learn.sizes"),
    (r"none of the board's markers can be seen: .*", "learn.no-markers"),
    (r"this board has no markers: .*", "learn.markerless"),
    (r"(at least four known points|the points do not fit this board).*", "learn.no-fit"),
    (r"only (?P<right>\d+) of (?P<many>\d+) places with pieces are read back, .*",
     "learn.unlike"),
    (r".* has no camps: .*", "learn.no-camps"),
    # why there is no picture
    (r".* was unplugged: .*|.* is unplugged: .*", "camera.unplugged"),
    (r".* (sends no pictures: another cable|sends nothing any more|starts but sends no picture).*",
     "camera.silent"),
    (r"no right to use .*", "camera.denied"),
    (r".*another program.*", "camera.busy"),
    (r"there is no .*camera.*", "camera.none"),
    (r".*(picamera2|the Pi camera needs).*", "camera.software"),
    (r".*(the Pi camera|is not open|sends a format|instead of|the reader failed).*",
     "camera.restart"),
)  # fmt: skip
PATTERNS = tuple((re.compile(pattern), f"reason.{key}") for pattern, key in REASONS)


def reason_key(said: str) -> tuple[str, dict[str, str]] | None:
    """The text's key with its facts; None for what has no words of ours."""
    for pattern, key in PATTERNS:
        found = pattern.fullmatch(said)
        if found is not None:
            return key, found.groupdict()
    return None


def reason(said: str, voice: Voice) -> str:
    """The same for people; what is not known is passed on as it was said."""
    if not said:
        return ""
    found = reason_key(said)
    if found is None:
        unknown(said)
        return said
    key, facts = found
    if "name" in facts:
        facts["name"] = piece(facts["name"], voice)
    return voice.say(key, facts)


def piece(name: str, voice: Voice) -> str:
    """A kind of piece by the name it has in a board's data."""
    if known(f"piece.{name}"):
        return voice.say(f"piece.{name}")
    colour = voice.say(f"colour.{name}") if known(f"colour.{name}") else name
    return voice.say("reason.pawn", {"colour": colour})


def progress(state: dict[str, Any], voice: Voice) -> dict[str, Any]:
    """How far learning has come, in the language of whoever asks."""
    grades = [
        one | {part: reason(one[part], voice) for part in ("part", "finding", "advice")}
        for one in state["grades"]
    ]
    return state | {"grades": grades, "problem": reason(state["problem"], voice)}


@lru_cache(maxsize=200)
def unknown(said: str) -> None:
    """Told once for each."""
    log.warning("no words for: %s", said)
