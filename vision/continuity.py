"""One board after the other: pieces do not change their colour, and do not vanish from a crowd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence

from vision.claims import Seen

Standing = Mapping[str, Counter[str]]  # by cell: the kinds that stand there
PATIENCE = 3  # readings until a change that nobody understands is believed all the same
MANY = 3  # cells that may puzzle at once


def standing(pieces: Sequence[Seen], besides: Container[str]) -> dict[str, Counter[str]]:
    """What stands where, but for kinds nobody asks about."""
    found: dict[str, Counter[str]] = {}
    for seen in pieces:
        if seen.name not in besides:
            found.setdefault(seen.cell, Counter())[seen.name] += 1
    return found


def puzzles(before: Standing, now: Standing, unsure: Collection[str]) -> frozenset[str]:
    """Cells on which a piece has become one of another kind, or one of several is gone, though no
    other cell has lost the one or gained the other: rather misread than moved. A cell that is open
    may have lost or gained one.
    """
    none: Counter[str] = Counter()
    told = [cell for cell in {*before, *now} if cell not in unsure]
    gone = {cell: before.get(cell, none) - now.get(cell, none) for cell in told}
    come = {cell: now.get(cell, none) - before.get(cell, none) for cell in told}
    all_gone, all_come = sum(gone.values(), Counter()), sum(come.values(), Counter())
    found = set()
    for cell in told:
        lost, gained = gone[cell], come[cell]
        if not lost or any(all_come[name] for name in lost):
            continue
        if gained:
            puzzling = len(unsure) < 2 and not any(all_gone[name] for name in gained)
        else:
            puzzling = not unsure and bool(now.get(cell))
        if puzzling:
            found.add(cell)
    return frozenset(found)


class Memory:
    """What was last known of every cell, and how often it was seen to have changed so oddly."""

    def __init__(self) -> None:
        self.known: dict[str, Counter[str]] = {}
        self.odd: dict[str, tuple[Counter[str], int]] = {}  # by cell: what it shows, how often
        self.doubted: frozenset[str] = frozenset()

    def doubt(
        self, pieces: Sequence[Seen], unsure: Collection[str], besides: Container[str]
    ) -> frozenset[str]:
        """Cells that are better left open, of a board that is about to be believed."""
        now = standing(pieces, besides)
        odd = puzzles(self.known, now, ())  # what an open cell may explain stays odd
        self.odd = {cell: self.again(cell, now[cell]) for cell in odd if cell not in unsure}
        waiting = {cell for cell, (_, times) in self.odd.items() if times <= PATIENCE}
        if len(waiting) > MANY:  # somebody has set up another board
            waiting = set()
        self.doubted = puzzles(self.known, now, unsure) & waiting
        kept = {cell: own for cell, own in self.known.items() if cell in {*unsure, *waiting}}
        self.known = {cell: own for cell, own in now.items() if cell not in kept} | kept
        return self.doubted

    def again(self, cell: str, shows: Counter[str]) -> tuple[Counter[str], int]:
        before, times = self.odd.get(cell, (shows, 0))
        return (shows, times + 1) if before == shows else (shows, 1)
