"""The referee's refusals that cite no rule, as keys of texts with their facts."""

from __future__ import annotations

import re

# what the referee says, and what people are told
REFUSALS: tuple[tuple[str, str], ...] = (
    (r"no match has been opened", "no-match"),
    (r"the game is paused", "paused"),
    (r"the (game|match) is over", "over"),
    (r"a penalty is to be paid first", "penalty-first"),
    (
        r"it is not the turn of seat (?P<seat>\w+)|it is not your turn|not your turn",
        "not-your-turn",
    ),
    (r"nothing to confirm", "nothing-to-confirm"),
    (r"the board is busy", "board-busy"),
    (r"the board has to be set up first, as it is shown", "set-up-first"),
    (r"the board has to be put right first", "put-right-first"),
    (r"the camera is not sure of (?P<cells>.*)", "camera-unsure"),
    (r"this board is won already", "won-already"),
    (r"case (?P<case>\d+) is decided: .*", "case-decided"),
    (r"nobody is helped in a tournament", "no-help"),
    (r"nobody asks that now|somebody else is asked", "not-asked"),
    (r"there is no such answer", "no-such-answer"),
    (r"not now", "not-now"),
    (r"which card\?", "which-card"),
    (r"no such play now", "no-such-play"),
    (r"no board has been seen", "no-board-seen"),
    (r"this board cannot be played on", "board-unplayable"),
    (r"there is nothing to take back|nothing to take back", "nothing-to-undo"),
    (r"cards have been seen since: the table has to agree", "undo-needs-consent"),
    (r"severity is .*|the decision is one of .*", "not-known"),
    (r"against whom\?", "against-whom"),
    (r"the host decides at this table", "host-decides"),
    (r"the accused does not vote", "accused"),
    (r"there is no case (?P<case>\d+)", "no-case"),
    (r"no card is played now", "no-card-now"),
    (r"(?P<card>\w+) is not in the hand|that card is not in the hand", "not-in-hand"),
    (r"(?P<card>\w+) is elsewhere", "card-elsewhere"),
    (r"(?P<game>[\w-]+) is played without (?P<card>\w+)", "no-such-card"),
    (r"no card '.*'; cards are like KH, 10S, X1", "no-such-card"),
    (r"the die is not thrown now", "no-throw-now"),
    (r"a die shows 1 to 6(, not .*)?", "die-values"),
    (r"nothing is discarded (now|in this game)", "no-discard"),
    (r"(?P<many>\d+) cards are to be discarded", "discard-many"),
    (r"no card is put down now", "no-put-down"),
    (r"too many cards left to pass", "no-pass-many"),
    (r"nobody passes now", "no-pass"),
    (r"nothing to claim now|the position has not stood three times", "no-claim"),
    (r"something can be played", "must-play"),
    (r"seats are not drawn now", "not-now"),
    (r"everybody keeps playing", "everybody-plays"),
    (r"lots are drawn before the first deal", "not-now"),
    (r"seat '(?P<seat>.*)' does not play|somebody drew who does not play", "seat-not-playing"),
    (r"these lots do not decide; ties draw again", "lots-tie"),
    (r"everybody draws once: two or more, nobody twice", "lots-once"),
    (r"one card was drawn twice", "drawn-twice"),
    (r"as many play together as before", "teams-as-before"),
    (r'"persons": somebody sits where nobody plays', "seat-not-playing"),
    (r"two players have one name, and points follow the person", "one-name"),
    (r"nothing is to be shuffled now", "not-now"),
    (r"the phones' deck is shuffled by name, a real one not", "not-now"),
    (r"it is not time to deal", "not-now"),
    (r"(?P<seat>\w+) deals", "other-deals"),
    (r"a deal of 1 to (?P<most>\d+) cards", "deal-size"),
    (r"the first deal is of (?P<many>\d+) cards|(?P<many2>\d+) cards are dealt", "deal-exact"),
    (r"hands are not declared at this table", "no-declaring"),
    (r"no cards are exchanged now", "no-exchange"),
    (r"seat (?P<seat>\w+) has no partner", "no-partner"),
    (r"the card to give is chosen already", "already-given"),
    (r"a hand that is declared holds the cards already known", "hand-known"),
    (r"(?P<many>\d+) cards are in this hand, not (?P<given>\d+)", "hand-size"),
    (r"the pile is empty", "pile-empty"),
    (r"these are not the cards of the pile and the discards", "not-now"),
    (r'".*" is not for the match', "not-now"),
    # how a match is opened
    (r"no game .*; there are: (?P<known>.*)", "no-such-game"),
    (r"cards are .*, not .*", "not-known"),
    (r"(?P<game>[\w-]+) is played on (?P<known>.*)", "wrong-board"),
    (r"at least two seats play, each once", "two-seats"),
    (r"no seat '(?P<seat>.*)' in (?P<game>[\w-]+)", "no-such-seat"),
    (r'seat "(?P<seat>.*)" is not on (?P<board>\w+)', "no-such-seat"),
    (r'no option "(?P<option>.*)" in .*', "no-such-option"),
    (r'option "(?P<option>.*)" is one of (?P<known>.*), not .*', "option-values"),
    (r'"shares".*', "shares"),
    (r"tockcitan is played alone; for teams there is tockcitan-team", "tockcitan-alone"),
    (r"trikolos is played by white and black", "trikolos-sides"),
    (r".*seat .*partner.*|.*team.*", "teams"),
)
PATTERNS = tuple((re.compile(pattern), f"no.{key}") for pattern, key in REFUSALS)


def refusal_key(message: str) -> tuple[str, dict[str, str]] | None:
    """The text's key for a refusal, with its facts; None for one that is not known."""
    for pattern, key in PATTERNS:
        found = pattern.fullmatch(message)
        if found is not None:
            facts = {name.rstrip("2"): value for name, value in found.groupdict().items() if value}
            return key, facts
    return None
