"""What each page of each device is shown: the referee's views, of its own seats and no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware import boards
from referee.cards import JOKERS
from referee.dossier import SEVERITIES
from referee.table import EVERYBODY, Table
from referee.views import host_view, notice_shown, seat_view
from web.appearance import branches, pieces
from web.chairs import Device
from web.owner import Moment, Said
from web.permits import may_agree, may_draw, may_vote
from web.reasons import reason as in_words
from web.reception import Reception
from web.wording import Voice

MOST_SAID = 12
MOST_PLAYS = 400
OWN = (
    "seat",
    "hand",
    "blanks",
    "gift",
    "received",
    "hint",
    "plays",
    "forced",
    "playable",
    "question",
    "can",
)
PAGES = ("player", "host", "screen", "twin")


def window(rooms: Reception, device: Device, page: str, lang: str) -> dict[str, Any]:
    """The view of one page."""
    moment = rooms.house.now
    device = rooms.chairs.now(device)  # seats never older than the version that is told
    host = rooms.chairs.is_host(device)
    voice = voice_of(rooms, moment, lang)
    view: dict[str, Any] = {
        "version": moment.version,
        "boot": rooms.boot,
        "lang": lang,
        "page": page,
        "pin_set": rooms.pin.is_set,
        "virtual": rooms.virtual,
        "you": {"admitted": True, "host": host, "seats": list(device.seats), "language": lang},
        "match": shown_match(moment, page == "host", voice),
        "hands": hands(moment, device, voice),
        "people": people(rooms, moment),
        "said": said(moment, device, voice),
        "health": health(rooms, moment, voice),
        "join": None if page == "player" else rooms.invitation(),
    }
    if page == "host":
        view["host"] = desk(rooms, lang)
    return view


# the match


def shown_match(moment: Moment, full: bool, voice: Voice) -> dict[str, Any] | None:
    table = moment.table
    if table is None or moment.public is None:
        return None
    shown = host_view(table) if full else moment.public
    return shown | {
        "cases": [case_text(case, voice) for case in shown["cases"]],
        "question": question_text(shown["question"], table, voice),
        "names": dict(voice.called),
        "pieces": pieces(shown["board"]),
        "branches": branches(shown["board"]),
        "jokers": any(joker in table.match.game.deck for joker in JOKERS),
        "die": table.match.game.die,
        "chooses_deal": chooses_deal(table),
        "notices": [],  # they are in "said", with numbers
    }


def chooses_deal(table: Table) -> bool:
    """Whether the dealer says how many cards everybody gets: from the second deal on."""
    return table.match.flow.chooses_deal and table.match.deals > 0


def case_text(case: Mapping[str, Any], voice: Voice) -> dict[str, Any]:
    """A case in words; without the facts of its rules where only their names may be known."""
    rules = []
    for reason in case["reasons"]:
        given = {"rule": reason} if isinstance(reason, str) else dict(reason)
        facts = given.get("facts", {"seat": case["seat"]})
        rules.append(given | {"text": voice.say(f"rule.{given['rule']}", facts)})
    text = voice.say(f"case.{case['kind']}", {"seat": case["seat"]})
    return dict(case) | {"text": text, "rules": rules}


def question_text(
    shown: Mapping[str, Any] | None, table: Table, voice: Voice
) -> dict[str, Any] | None:
    """A question with its answers, where it is asked of whom this is for."""
    if shown is None or table.question is None:
        return None
    facts = {"seat": table.question.to or table.match.last_seat}
    choices = [
        {"text": one.text, "card": one.card, "label": voice.choice(one)}
        for one in table.question.choices
    ]
    return dict(shown) | {"text": voice.say(table.question.key, facts), "choices": choices}


# one's own


def hands(moment: Moment, device: Device, voice: Voice) -> dict[str, dict[str, Any]]:
    table = moment.table
    if table is None:
        return {}
    return {
        seat: hand(table, seat, voice) for seat in device.seats if seat in table.match.setup.seats
    }


def hand(table: Table, seat: str, voice: Voice) -> dict[str, Any]:
    whole = seat_view(table, seat)
    own = {name: whole[name] for name in OWN}
    own["question"] = question_text(own["question"], table, voice)
    if len(own["plays"]) > MOST_PLAYS:
        own |= {"plays": None, "plays_of": f"/api/plays?seat={seat}"}
    more = [f"chance:{what}" for what in may_draw(table, seat)]
    if table.match.mode == "phone":  # the table draws; nobody types what chance decides
        own["can"] = [name for name in own["can"] if name not in ("thrown", "lots")]
    own["can"] = [name for name in own["can"] if name not in ("seated",)]
    if may_vote(table, seat):
        more.append("voted")
    if may_agree(table, seat):
        more.append("undo-agree")
    return own | {"can": [*own["can"], *more]}


# everybody, and the table itself


def voice_of(rooms: Reception, moment: Moment, lang: str) -> Voice:
    """Who is called what: by the name that was typed, or by none."""
    if moment.table is None:
        return Voice(lang)
    match, names = moment.table.match, {}
    for seat in match.order:
        person = match.person(seat)
        called = rooms.chairs.called(seat)
        names[seat] = called if called is not None else "" if person in match.order else person
    return Voice(lang, match.setup.board, names)


def people(rooms: Reception, moment: Moment) -> dict[str, dict[str, Any]]:
    if moment.table is None:
        return {}
    listening = rooms.hub.pages()
    found = {}
    for seat in moment.table.match.order:
        holders = rooms.chairs.holders(seat)
        found[seat] = {
            "name": rooms.chairs.name(seat),
            "phones": len(holders),
            "online": any(device.number in listening for device in holders),
        }
    return found


def heard_by(one: Said, device: Device) -> bool:
    return one.notice.to == EVERYBODY or one.notice.to in device.seats


def said(moment: Moment, device: Device, voice: Voice) -> list[dict[str, Any]]:
    heard = [one for one in moment.said if heard_by(one, device)][-MOST_SAID:]
    return [
        notice_shown(one.notice)
        | {
            "number": one.number,
            "text": voice.say(one.notice.key, dict(one.notice.facts)),
        }
        for one in heard
    ]


def health(rooms: Reception, moment: Moment, voice: Voice) -> dict[str, dict[str, Any]]:
    """What the table has, and what is wrong with it, in words."""
    found = {}
    for part, state in rooms.health(moment).items():
        facts = dict(state.facts)
        if "why" in facts:
            facts["why"] = in_words(str(facts["why"]), voice)
        text = voice.say(f"health.{state.key}", facts)
        found[part] = {"there": state.there, "text": text, "key": state.key}
    return found


def desk(rooms: Reception, lang: str) -> dict[str, Any]:
    """What only the host sees of the table's devices and settings."""
    listening = rooms.hub.pages()
    return {
        "learned": [name for name in boards.names() if rooms.sees(name)],
        "devices": [
            {
                "number": device.number,
                "seats": list(device.seats),
                "pages": list(listening.get(device.number, ())),
                "online": device.number in listening,
                "host": rooms.chairs.is_host(device),
            }
            for device in rooms.chairs.devices()
            if device.seats or device.number in listening
        ],
        "settings": rooms.settings.kept(),
        "severities": list(SEVERITIES),
        "rules": sorted(rooms.rules.names()),
        "repair": rooms.repair(lang),
    }
