"""How a page is set: French spaces, apostrophes and decimal commas; numbers keep their units."""

from __future__ import annotations

import re

THIN, FIRM = "\u202f", "\u00a0"
UNITS = "mm²|mm|cm²|cm|m|mA|A|V|µF|Ω|%|LED|LEDs|bits|secondes|seconds"
CODE = re.compile(r"(`[^`]*`|^ {4}.*$|\]\([^)]*\))", re.MULTILINE)  # and the addresses of links


def set_in(language: str, text: str) -> str:
    """Prose or a table; code and addresses stay as they are."""
    parts = CODE.split(text)
    parts[::2] = (_prose(language, part) for part in parts[::2])
    return "".join(parts)


def _prose(language: str, text: str) -> str:
    text = re.sub(rf"(?<=\d) (?=(?:{UNITS})(?![\w²]))", FIRM, text)
    if language != "fr":
        return text
    text = re.sub(r"(?<=\d)\.(?=\d)", ",", text.replace("'", "’"))
    return re.sub(r"(?:(?<=\S)|^) (?=[;:!?»])|(?<=«) ", THIN, text)
