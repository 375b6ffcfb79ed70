"""The README's example is judged as it says."""

import json
import re
from pathlib import Path

from referee.judging import answer

README = Path(__file__).parents[1] / "README.md"


def test_the_example_is_answered_as_written() -> None:
    text = README.read_text(encoding="utf-8").split("<!-- judged -->")[1]
    asked, said = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S)[:2])
    assert answer(asked) == said
