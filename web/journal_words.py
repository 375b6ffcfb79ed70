"""What to tell people of a journal that was found damaged, and mended."""

from __future__ import annotations

import time

from web.salvage import Repair
from web.texts import Texts


def repair_text(repair: Repair, lang: str) -> str:
    """What was damaged, where the lines came from, what is lost."""
    say = Texts(lang).say
    said = [say("journal.damaged-line" if repair.line else "journal.damaged", line=repair.line)]
    if repair.backup is not None:
        said.append(say("journal.from-backup", when=when_shown(repair.backup, lang)))
    if repair.lost == 0:
        said.append(say("journal.nothing-lost"))
    elif repair.lost is None:
        said.append(say("journal.perhaps-lost", resumed=repair.resumed))
    else:
        said.append(say("journal.lost", resumed=repair.resumed, lost=repair.lost))
    if repair.kept is not None:
        said.append(say("journal.kept", file=repair.kept.name))
    return " ".join(said)


def when_shown(moment: float, lang: str) -> str:
    """The time of a day, with the day where it was another one."""
    then = time.localtime(moment)
    same_day = then[:3] == time.localtime()[:3]
    return time.strftime(
        Texts(lang).say("journal.time" if same_day else "journal.day-and-time"), then
    )
