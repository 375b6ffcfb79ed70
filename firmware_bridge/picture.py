"""A picture of lights, the shortest way to tell one from another, and what the LEDs make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hardware.firmware.limits import LIMITS

Light = tuple[int, int, int, int]  # red, green, blue, rhythm
Picture = tuple[Light, ...]
DARK: Light = (0, 0, 0, 0)

FILL, ONE, RUN, SPAN, SAME, LIST = (
    LIMITS[f"PUT_{name}"] for name in ("FILL", "ONE", "RUN", "SPAN", "SAME", "LIST")
)
REACH = 16  # how far one item of a list may lie behind the one before, and how many it holds


def dark(leds: int) -> Picture:
    return (DARK,) * leds


class Put:
    """One instruction: a head and items of equal size, so that it can be cut where a frame ends."""

    def __init__(self, kind: int, wanted: Picture, places: Sequence[int]) -> None:
        self.kind, self.wanted, self.places = kind, wanted, places

    def __len__(self) -> int:
        n = len(self.places)
        sizes = {FILL: 4, ONE: 5, RUN: 6, SPAN: 3 + 3 * n, SAME: 5 + n, LIST: 2 + 4 * n}
        return sizes[self.kind]

    def cut(self, room: int) -> tuple[Put, Put] | None:
        """The part that fits and the rest, where that saves room at all."""
        head, each = {SPAN: (3, 3), SAME: (5, 1), LIST: (2, 4)}.get(self.kind, (0, 0))
        fits = (room - head) // each if each else 0
        if fits < 2 or len(self.places) - fits < 1:
            return None
        first, rest = self.places[:fits], self.places[fits:]
        return Put(self.kind, self.wanted, first), Put(self.kind, self.wanted, rest)

    def encoded(self) -> bytes:
        places = self.places
        first, last = places[0], places[-1]
        *colour, rhythm = self.wanted[first]
        if self.kind == FILL:
            return bytes((FILL | rhythm, *colour))
        if self.kind == ONE:
            return bytes((ONE | rhythm, first, *colour))
        if self.kind == RUN:
            return bytes((RUN | rhythm, first, last, *colour))
        if self.kind == SAME:
            return bytes((SAME | rhythm, len(places), *colour, *places))
        if self.kind == SPAN:
            colours = (byte for n in places for byte in self.wanted[n][:3])
            return bytes((SPAN | rhythm, first, last, *colours))
        out = bytearray((LIST | len(places) - 1, first))
        before = first - 1
        for n in places:
            red, green, blue, own = self.wanted[n]
            out += bytes((n - before - 1 << 4 | own, red, green, blue))
            before = n
        return bytes(out)


def _ends(values: Sequence[object]) -> list[int]:
    """For each place the last one of the stretch of equal values it stands in."""
    ends = list(range(len(values)))
    for n in range(len(values) - 2, -1, -1):
        if values[n] == values[n + 1]:
            ends[n] = ends[n + 1]
    return ends


class _Cheapest:
    """The cheapest instructions that set given places, worked out from the last to the first."""

    def __init__(self, wanted: Picture) -> None:
        self.wanted = wanted
        self.same = _ends(wanted)
        self.beat = _ends([light[3] for light in wanted])

    def way(self, places: Sequence[int]) -> tuple[int, list[Put]]:
        count = len(places)
        following = [0] * (len(self.wanted) + 1)  # how many of the places lie before each LED
        at = 0
        for n in range(len(self.wanted)):
            following[n] = at
            if at < count and places[at] == n:
                at += 1
        following[-1] = count
        cost = [0] * (count + 1)
        step: list[tuple[int, int]] = [(ONE, 0)] * count  # kind, and the place to go on from
        span = [0] * (count + 1)  # cost if a span is open and must hold this place
        until = [0] * count
        for k in range(count - 1, -1, -1):
            place = places[k]
            span[k], until[k] = 3 + cost[k + 1], k + 1
            if k + 1 < count and self.beat[place] >= places[k + 1]:
                longer = 3 * (places[k + 1] - place) + span[k + 1]
                if longer < span[k]:
                    span[k], until[k] = longer, until[k + 1]
            best, how = 5 + cost[k + 1], (ONE, k + 1)
            if 3 + span[k] < best:
                best, how = 3 + span[k], (SPAN, until[k])
            after = following[self.same[place] + 1]
            if 6 + cost[after] < best:
                best, how = 6 + cost[after], (RUN, after)
            m = k
            while m < count and m - k < REACH and (m == k or places[m] - places[m - 1] <= REACH):
                m += 1
                if 2 + 4 * (m - k) + cost[m] < best:
                    best, how = 2 + 4 * (m - k) + cost[m], (LIST, m)
            cost[k], step[k] = best, how
        return cost[0], self._puts(places, step)

    def _puts(self, places: Sequence[int], step: list[tuple[int, int]]) -> list[Put]:
        puts, k = [], 0
        while k < len(places):
            kind, after = step[k]
            held: Sequence[int] = places[k:after]
            if kind == RUN:
                held = range(places[k], self.same[places[k]] + 1)
            elif kind == SPAN:
                held = range(places[k], places[after - 1] + 1)
            puts.append(Put(kind, self.wanted, held))
            k = after
        return puts


def _shortest(wanted: Picture, changed: Sequence[int]) -> tuple[int, list[Put]]:
    """With scattered places of one light taken out where telling them together is shorter."""
    search = _Cheapest(wanted)
    cost, puts = search.way(changed)
    left, apart, spent = list(changed), [], 0
    alike: dict[Light, list[int]] = {}
    for n in changed:
        alike.setdefault(wanted[n], []).append(n)
    for light, places in sorted(alike.items(), key=lambda item: -len(item[1])):
        if len(places) < 2:
            break
        rest = [n for n in left if wanted[n] != light]
        price, way = search.way(rest)
        if price + spent + 5 + len(places) < cost:
            left, spent = rest, spent + 5 + len(places)
            apart.append(Put(SAME, wanted, places))
            cost, puts = price + spent, way
    return cost, apart + puts


def puts(sent: Picture, wanted: Picture) -> list[Put]:
    """The instructions, few bytes in all, that turn one picture into the other."""
    changed = [n for n, (old, new) in enumerate(zip(sent, wanted, strict=True)) if old != new]
    if not changed:
        return []
    cost, way = _shortest(wanted, changed)
    if cost > 4:
        ground, _ = Counter(wanted).most_common(1)[0]
        others = [n for n, light in enumerate(wanted) if light != ground]
        if len(others) < len(changed):
            price, over = _shortest(wanted, others)
            if price + 4 < cost:
                return [Put(FILL, wanted, (wanted.index(ground),)), *over]
    return way


def payloads(sent: Picture, wanted: Picture, room: int = LIMITS["MAX_PAYLOAD"]) -> list[bytes]:
    """The same as payloads of frames, none longer than `room`; empty where nothing differs."""
    full: list[bytes] = []
    page = bytearray()
    for put in puts(sent, wanted):
        rest: Put | None = put
        while rest is not None:
            if len(page) + len(rest) <= room:
                page += rest.encoded()
                break
            parts = rest.cut(room - len(page))
            if parts:
                page += parts[0].encoded()
                rest = parts[1]
            full.append(bytes(page))
            page.clear()
    if page:
        full.append(bytes(page))
    return full


def apply(picture: Picture, payload: bytes) -> Picture:
    """What a controller makes of one payload: the other end of `payloads`."""
    lights = list(picture)
    for places, colours, rhythms in _parsed(payload, len(picture)):
        for n, colour, rhythm in zip(places, colours, rhythms, strict=True):
            lights[n] = (colour[0], colour[1], colour[2], rhythm)
    return tuple(lights)


def _parsed(
    payload: bytes, leds: int
) -> Iterator[tuple[Sequence[int], Sequence[bytes], Sequence[int]]]:
    at = 0
    while at < len(payload):
        kind, rhythm = payload[at] & 0xF0, payload[at] & 0x0F
        if kind == LIST:
            place, places, colours, rhythms = payload[at + 1], [], [], []
            for k in range(at + 2, at + 2 + 4 * (rhythm + 1), 4):
                place += payload[k] >> 4
                places.append(place)
                colours.append(payload[k + 1 : k + 4])
                rhythms.append(payload[k] & 0x0F)
                place += 1
            at += 2 + 4 * (rhythm + 1)
            yield places, colours, rhythms
            continue
        if kind == SAME:
            count = payload[at + 1]
            spots = list(payload[at + 5 : at + 5 + count])
            yield spots, [payload[at + 2 : at + 5]] * count, [rhythm] * count
            at += 5 + count
            continue
        head = {FILL: 1, ONE: 2, RUN: 3, SPAN: 3}[kind]
        first = 0 if kind == FILL else payload[at + 1]
        last = {FILL: leds - 1, ONE: first}.get(kind, payload[at + 2] if head == 3 else first)
        spread = range(first, last + 1)
        many = len(spread) if kind == SPAN else 1
        body = [payload[at + head + 3 * k : at + head + 3 * k + 3] for k in range(many)]
        yield spread, body if kind == SPAN else body * len(spread), [rhythm] * len(spread)
        at += head + 3 * many
