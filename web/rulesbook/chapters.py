"""What each game's page says, in order: a text, the cards it is about, a drawing. All data."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import JOKERS
from referee.game import Game
from web.rulesbook.diagram import Diagram


@dataclass(frozen=True)
class Item:
    """One thing to know. With `option` the text is the one for that option's value."""

    text: str
    cards: tuple[str, ...] = ()
    drawing: Diagram | None = None
    option: str = ""


Section = tuple[str, tuple[Item, ...]]


def camps(seats: str, count: int) -> dict[str, str]:
    return {f"{seat}c{n}": seat for seat in seats for n in range(1, count + 1)}


def book(game: Game) -> tuple[Section, ...]:
    """Nothing for a game nobody has written a chapter of: its options are told all the same."""
    if game.name in BOOKS:
        return BOOKS[game.name]
    return tock(game) if game.house_entries else ()


TIJOU: tuple[Section, ...] = (
    ("goal", (Item("tijou.goal"),)),
    ("start", (
        Item("tijou.start", drawing=Diagram(camps("abcd", 3), whole=True)),
        Item("tijou.exchange"),
    )),
    ("turn", (Item("tijou.turn"), Item("tijou.hold"))),
    ("cards", (
        Item("tijou.walk", ("A", "3", "6", "7", "8", "9", "Q", "K"),
             Diagram({"3": "a"}, ("3", "6"), around=("3", "7"), notes={"6": "3"})),
        Item("tijou.two", ("2",), Diagram({"ac1": "a", "ac2": "a", "ac3": "a"}, ("ac2", "2"))),
        Item("tijou.four", ("4",), Diagram({"8": "a"}, ("8", "4"), around=("9", "3"))),
        Item("tijou.five", ("5",),
             Diagram({"3": "a", "5": "b", "7": "d"}, ("3", "8"), out=("5", "7"),
                     around=("3", "9"))),
        Item("tijou.ten", ("10",), Diagram({"1": "a"}, ("1", "A-a"), around=("1", "A-a", "3"))),
        Item("tijou.jack", ("J",),
             Diagram({"3": "a", "8": "d"}, ("3", "8"), (("8", "3"),), around=("2", "9"))),
        Item("tijou.joker", ("X",)),
    )),
    ("meet", (
        Item("tijou.share", drawing=Diagram({"5": "ab", "7": "c"}, around=("4", "8"))),
        Item("tijou.corner",
             drawing=Diagram({"7": "a"}, ("7", "10"), (("10", "28"),), whole=True)),
    )),
    ("home", (
        Item("tijou.arrive", drawing=Diagram({"1": "a", "A-a": "a", "4": "a"}, ("1", "A-a"),
                                             around=("1", "A-a", "5"))),
    )),
    ("special", (Item("tijou.cheat"),)),
    ("end", (Item("tijou.end"),)),
)  # fmt: skip

BARRICADES: tuple[Section, ...] = (
    ("goal", (Item("barricades.goal"),)),
    ("start", (
        Item("barricades.start", drawing=Diagram(
            camps("abcd", 5)
            | dict.fromkeys(("a3", "e3", "i3", "m3", "q3", "g7", "k7", "i9", "i10", "i11", "i13"),
                            "barricade"),
            whole=True)),
    )),
    ("turn", (
        Item("barricades.turn", drawing=Diagram({"d1": "a"}, ("d1", "e1", "e3", "f3"),
                                                around=("c1", "g3"), notes={"f3": "4"})),
        Item("barricades.enter", drawing=Diagram(
            {"ac1": "a", "ac2": "a", "ac3": "a"}, ("ac2", "c1", "e1"), around=("ac1", "a1", "f1"),
            notes={"e1": "3"})),
        Item("barricades.must"),
    )),
    ("meet", (
        Item("barricades.jump", drawing=Diagram(
            {"d5": "a", "e5": "b", "h5": "a", "i5": "barricade"}, ("d5", "f5"),
            stopped=("h5", "j5"), around=("d5", "j5"))),
        Item("barricades.hit", drawing=Diagram({"f1": "a", "i1": "c"}, ("f1", "i1"), out=("i1",),
                                               around=("e1", "j1"))),
        Item("barricades.lift", drawing=Diagram(
            {"e1": "a", "e3": "barricade"}, ("e1", "e3"), (("e3", "c3"),),
            around=("a1", "g3"))),
    )),
    ("end", (
        Item("barricades.end", drawing=Diagram({"g13": "d"}, ("g13", "i13", "goal"),
                                               around=("f13", "l13", "goal"),
                                               notes={"goal": "3"})),
    )),
)  # fmt: skip

LIGHTS = ("GRGORG", "OGRGRO", "GROGGR", "RGGORG", "GORRGO", "RGGROG")

TRIKOLOS: tuple[Section, ...] = (
    ("goal", (Item("trikolos.goal"),)),
    ("start", (
        Item("trikolos.start", drawing=Diagram(
            {f"wc{n}": "white" for n in range(1, 5)} | {f"bc{n}": "black" for n in range(1, 5)},
            whole=True, tiles=LIGHTS)),
    )),
    ("turn", (
        Item("trikolos.push", drawing=Diagram(
            way=("spare", "f3"), more=(("f3", "a3"),), around=("a2", "f4", "spare"),
            tiles=LIGHTS)),
        Item("trikolos.fall", drawing=Diagram(
            {"a3": "white"}, way=("a3", "f3"), around=("a2", "f4"), tiles=LIGHTS)),
        Item("trikolos.step", drawing=Diagram(
            {"b1": "white"}, ("b1", "b2"), around=("a1", "c3"), tiles=LIGHTS)),
        Item("trikolos.orange", drawing=Diagram(
            {"a1": "white"}, ("a1", "a2"), marked=("a3",), around=("a1", "c3"), tiles=LIGHTS)),
        Item("trikolos.enter", drawing=Diagram(
            {f"wc{n}": "white" for n in range(1, 5)}, ("wc1", "a1"), around=("wc1", "wc4", "a2"),
            tiles=LIGHTS)),
        Item("trikolos.must"),
    )),
    ("end", (Item("trikolos.end"), Item("trikolos.draw"))),
)  # fmt: skip

BOOKS = {"tijou": TIJOU, "barricades": BARRICADES, "trikolos": TRIKOLOS}


HANDS = {"before": "citan", "never": "team", "after": "five"}  # by when one draws


def tock(game: Game) -> tuple[Section, ...]:
    """The Tock games share a board and most of their rules; those without jokers are simpler."""
    citan, team = not {*JOKERS} & {*game.deck}, game.partners == "always"
    hand = HANDS[game.flow.draws]
    start = [
        Item("tock.start", drawing=Diagram(camps("abcd", 4), whole=True)),
        Item(f"tock.hand-{hand}"),
    ]
    turn = [Item(f"tock.turn-{hand}"), Item("tock.must"), Item("tock.stuck", option="no_play")]
    return (
        ("goal", (Item("tock.goal-team" if team else "tock.goal"),)),
        ("start", tuple(start)),
        ("turn", tuple(turn)),
        ("cards", tuple(tock_cards(citan))),
        ("meet", tuple(tock_meetings(citan))),
        *(() if citan else (("special", tock_short_cut(game)),)),
        ("home", tuple(tock_home(game.partners != "never"))),
        ("end", (Item("tock.end-team" if team else "tock.end"),)),
    )


def tock_cards(citan: bool) -> list[Item]:
    out = Diagram({"ac1": "a", "ac2": "a", "ac3": "a"}, ("ac2", "a18"), around=("ac1", "a18", "a4"))
    sweep = Diagram({"a2": "a", "a5": "b", "a9": "d"}, ("a2", "a7", "a14", "a15"),
                    out=("a5", "a9"), around=("a18", "a15", "a7"))  # fmt: skip
    number = ("2", "3", "6", "8", "9", "10", "Q") if not citan else (
        "2", "3", "5", "6", "8", "9", "10", "Q")  # fmt: skip
    found = [
        Item("tock.ace", ("A",), out),
        Item("tock.king-citan", ("K",)) if citan else Item("tock.king", ("K",), sweep),
        Item("tock.number", number,
             Diagram({"a1": "a"}, ("a1", "a4"), around=("a18", "a5", "d16"), notes={"a4": "3"})),
        Item("tock.four", ("4",), Diagram({"a18": "a"}, ("a18", "d15", "d14"),
                                          around=("a2", "d14", "d13"))),
    ]  # fmt: skip
    if not citan:
        found.append(Item("tock.five", ("5",), Diagram({"a10": "c"}, ("a10", "a14", "a15"),
                                                       around=("a8", "a15"))))  # fmt: skip
    found += [
        Item("tock.seven", ("7",),
             Diagram({"a1": "a", "d13": "a"}, ("a1", "a5"), (("d13", "d14", "d16"),),
                     around=("a18", "a6", "d13"), notes={"a5": "4", "d16": "3"}),
             option="seven_parts"),
        Item("tock.jack-citan" if citan else "tock.jack", ("J",),
             Diagram({"a3": "a", "a9": "b"}, ("a3", "a9"), (("a9", "a3"),),
                     around=("a2", "a10"))),
    ]  # fmt: skip
    return found if citan else [*found, Item("tock.joker", ("X",))]


def tock_meetings(citan: bool) -> list[Item]:
    taken = Diagram({"a1": "a", "a5": "b"}, ("a1", "a5"), out=("a5",), around=("a18", "a6", "d16"))
    if citan:
        passing = Diagram({"a8": "a", "a10": "b", "a12": "a"}, ("a8", "a11"),
                          stopped=("a11", "a13"), around=("a8", "a14"))  # fmt: skip
    else:
        passing = Diagram({"a16": "a", "b18": "b"}, stopped=("a16", "a17", "b18", "b1"),
                          around=("a15", "b2"))  # fmt: skip
    return [
        Item("tock.land-citan" if citan else "tock.land", drawing=taken),
        Item("tock.pass-citan" if citan else "tock.pass", drawing=passing),
        Item("tock.shield", option="shield", drawing=Diagram(
            {"a18": "a", "d16": "b"}, stopped=("d16", "a18"), around=("d15", "a18", "a2"))),
    ]  # fmt: skip


def tock_short_cut(game: Game) -> tuple[Item, ...]:
    jump = Diagram({"a4": "a"}, ("a4", "a7"), (("a7", "b7"),), around=("a3", "a7", "b7", "a9"))
    without = "tock.centre-not-jack" if game.name == "tock-fadoq" else "tock.centre-not"
    return Item("tock.centre", drawing=jump), Item(without)


def tock_home(team: bool) -> list[Item]:
    inside = Diagram({"d13": "a", "ah4": "a"}, ("d13", "d14", "d16", "ah2"),
                     around=("d12", "a18", "ah4"))  # fmt: skip
    found = [Item("tock.house", drawing=inside), Item("tock.cross", option="cross")]
    return [*found, Item("tock.partner")] if team else found
