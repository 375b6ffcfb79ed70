"""Frames are found among anything, and answers of other versions are told apart plainly."""

from __future__ import annotations

import re
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import protocol
from firmware_bridge.errors import FirmwareMismatchError
from firmware_bridge.protocol import Answer, Frame, FrameReader, Greeting


@given(st.binary(max_size=40), st.binary(max_size=40), st.integers(1, 9))
def test_a_frame_is_found_after_any_noise_that_is_over(
    noise: bytes, payload: bytes, piece: int
) -> None:
    frame = Frame(7, protocol.PING, payload)
    reader = FrameReader()
    stream = noise.replace(bytes((protocol.SYNC,)), b"") + frame.encoded()
    pieces = (stream[n : n + piece] for n in range(0, len(stream), piece))
    assert [found for part in pieces for found in reader.feed(part)] == [frame]


@given(st.binary(max_size=30), st.data())
def test_a_damaged_frame_is_never_taken_for_one(payload: bytes, data: st.DataObject) -> None:
    encoded = bytearray(Frame(1, protocol.STATS, payload).encoded())
    hit = data.draw(st.integers(0, len(encoded) - 1))
    encoded[hit] ^= data.draw(st.integers(1, 255))
    assert Frame(1, protocol.STATS, payload) not in list(FrameReader().feed(bytes(encoded)))


def test_the_overhead_is_eight_bytes() -> None:
    assert len(Frame(0, protocol.SHOW).encoded()) == protocol.OVERHEAD == 8


def greeting(version: int) -> Answer:
    rest = struct.pack("<BBBHBBHBH", version, 3, 4, 256, 224, 16, 8000, 2, 3000)
    return Answer(protocol.OK, (0, 0), rest)


def test_a_greeting_says_what_the_controller_is() -> None:
    known = Greeting.of(greeting(protocol.VERSION))
    assert known == Greeting(protocol.VERSION, (3, 4), 256, 224, 16, 8000, "reset line", 3.0)


@pytest.mark.parametrize(
    ("version", "words"),
    [(protocol.VERSION - 1, "too old.*arbitre lights flash"), (protocol.VERSION + 1, "too new")],
)
def test_a_firmware_of_another_time_is_told_plainly(version: int, words: str) -> None:
    with pytest.raises(FirmwareMismatchError, match=words):
        Greeting.of(greeting(version))


def test_every_header_number_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from hardware.firmware.limits import HEADER, LIMITS

    defined = re.findall(r"^#define (\w+) \S", HEADER.read_text(), re.MULTILINE)
    assert set(defined) == set(LIMITS)
