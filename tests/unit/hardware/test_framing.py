"""The automaton from bytes to lines, and the check sum."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.checks import crc16_ccitt_false
from hardware.framing import LONGEST, Frame, FrameParser, Garbage, Why
from hardware.line_codec import Message, decode, encode

VECTORS = {
    "$CL1,shoe-7,9F3A12C4,0,HELLO,Model S,1.0.2,SN00417*0FEC": (
        "shoe-7",
        0,
        "HELLO",
        ("Model S", "1.0.2", "SN00417"),
    ),
    "$CL1,shoe-7,9F3A12C4,1,CARD,7H*0BAE": ("shoe-7", 1, "CARD", ("7H",)),
    "$CL1,shoe-7,9F3A12C4,2,CARD,7H*26EA": ("shoe-7", 2, "CARD", ("7H",)),
    "$CL1,shoe-7,9F3A12C4,3,DRAWN*94FF": ("shoe-7", 3, "DRAWN", ()),
    "$CL1,shoe-7,9F3A12C4,4,IDENT,3,KS*9ED8": ("shoe-7", 4, "IDENT", ("3", "KS")),
    "$CL1,shoe-7,9F3A12C4,5,CUT*4B26": ("shoe-7", 5, "CUT", ()),
    "$CL1,shoe-7,9F3A12C4,6,BAD,blurred*8099": ("shoe-7", 6, "BAD", ("blurred",)),
    "$CL1,shoe-7,9F3A12C4,7,FAULT,JAM,card stuck at exit*2429": (
        "shoe-7",
        7,
        "FAULT",
        ("JAM", "card stuck at exit"),
    ),
    "$CL1,shoe-7,9F3A12C4,8,CLEAR,JAM*D721": ("shoe-7", 8, "CLEAR", ("JAM",)),
    "$CL1,shoe-7,9F3A12C4,9,BEAT*076C": ("shoe-7", 9, "BEAT", ()),
    "$CL1,host,9F3A12C4,1,ACK*91FE": ("host", 1, "ACK", ()),
    "$CL1,host,9F3A12C4,0,LOCK*14D9": ("host", 0, "LOCK", ()),
}
"""Every vector of the published protocol and what it says."""


def parse(*chunks: bytes) -> list[Frame | Garbage]:
    parser = FrameParser()
    return [found for chunk in chunks for found in parser.feed(chunk)]


def frames(*chunks: bytes) -> list[bytes]:
    return [found.body for found in parse(*chunks) if isinstance(found, Frame)]


def test_the_check_value_of_the_catalogue_is_met() -> None:
    assert crc16_ccitt_false(b"123456789") == 0x29B1


@pytest.mark.parametrize("line", VECTORS)
def test_every_published_vector_is_read_and_written(line: str) -> None:
    device, sequence, kind, payload = VECTORS[line]
    message = Message(device=device, boot="9F3A12C4", sequence=sequence, kind=kind, payload=payload)
    (body,) = frames(line.encode() + b"\n")
    assert decode(body) == message
    assert encode(message) == line.encode() + b"\n"


def test_every_frame_in_the_manual_has_a_right_check_sum() -> None:
    manual = Path(__file__).parents[3] / "docs/manual/cutcard-line.md"
    lines = re.findall(r"\$CL1,.*\*[0-9A-F]{4}$", manual.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) > 30
    assert set(VECTORS) <= set(lines)
    for line in lines:
        (body,) = frames(line.encode() + b"\n")
        assert encode(decode(body)) == line.encode() + b"\n"


def test_a_carriage_return_before_the_line_feed_is_ignored() -> None:
    line = next(iter(VECTORS)).encode()
    assert frames(line + b"\r\n") == frames(line + b"\n")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"!SER2SOCK Connected\r\n", Why.NOISE),
        (b"\xff\xff\xff\xff\xc5\xfc", Why.NOISE),
        (b"$CL1,shoe-7,9F3A12C4,1,CARD,7H*0BAF\n", Why.CHECKSUM),
        (b"$CL1,shoe-7,9F3A12C4,1,CARD,8H*0BAE\n", Why.CHECKSUM),
        (b"$CL1,shoe-7,9F3A12C4,1,CARD,7H*0bae\n", Why.MALFORMED),
        (b"$CL1,shoe-7,9F3A12C4,1,CARD,7H\n", Why.MALFORMED),
        (b"$\n", Why.MALFORMED),
        (b"$CL1,a\x00", Why.NOISE),
        (b"$" + b"x" * (LONGEST + 1), Why.TOO_LONG),
    ],
)
def test_what_is_no_frame_is_garbage_with_its_reason(data: bytes, why: Why) -> None:
    (found, *_) = parse(data)
    assert isinstance(found, Garbage)
    assert found.why is why


def test_a_torn_frame_does_not_cost_the_next_one() -> None:
    good = b"$CL1,shoe-7,9F3A12C4,1,CARD,7H*0BAE\n"
    torn, whole = parse(good[:20] + good)
    assert torn == Garbage(good[:20], Why.TORN)
    assert isinstance(whole, Frame)


def test_half_a_frame_waits_until_it_is_given_up() -> None:
    parser = FrameParser()
    assert list(parser.feed(b"$CL1,sh")) == []
    assert parser.pending == 7
    assert parser.expire() == (Garbage(b"$CL1,sh", Why.UNFINISHED),)
    assert parser.pending == 0
    assert parser.expire() == ()


def test_the_longest_frame_is_accepted_and_one_more_byte_is_not() -> None:
    body = b"CL1,a,00000000,0,BAD,".ljust(LONGEST - 6, b"x")
    line = b"$%b*%04X" % (body, crc16_ccitt_false(body))
    assert len(line) == LONGEST
    assert frames(line + b"\r\n") == [body]
    body += b"x"
    assert frames(b"$%b*%04X\n" % (body, crc16_ccitt_false(body))) == []


@pytest.mark.parametrize(
    "body",
    [
        b"CL2,shoe-7,9F3A12C4,1,CARD,7H",
        b"CL1,shoe_7,9F3A12C4,1,CARD,7H",
        b"CL1,abcdefghijklmnopq,9F3A12C4,1,CARD,7H",
        b"CL1,shoe-7,9F3A12C,1,CARD,7H",
        b"CL1,shoe-7,9F3A12C4,65536,CARD,7H",
        b"CL1,shoe-7,9F3A12C4,-1,CARD,7H",
        b"CL1,shoe-7,9F3A12C4,1,card,7H",
        b"CL1,shoe-7,9F3A12C4,1",
        b"CL1,shoe-7,9F3A12C4,1,CARD 7H",
        b"",
    ],
)
def test_a_line_of_another_protocol_is_refused_in_one_sentence(body: bytes) -> None:
    with pytest.raises(ValueError, match="is no frame of cutcard-line version 1"):
        decode(body)


@pytest.mark.parametrize("word", ["a,b", "a*b", "a$b", "a\nb", "é"])
def test_what_the_protocol_forbids_cannot_be_sent(word: str) -> None:
    with pytest.raises(ValueError, match="cannot be sent"):
        encode(Message(device="a", boot="00000000", sequence=0, kind="BAD", payload=(word,)))


def test_a_frame_that_is_too_long_cannot_be_sent() -> None:
    with pytest.raises(ValueError, match="at most 120"):
        encode(Message(device="a", boot="00000000", sequence=0, kind="BAD", payload=("x" * 99,)))


words = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters=",*$"))
messages = st.builds(
    Message,
    device=st.from_regex(r"[A-Za-z0-9-]{1,16}", fullmatch=True),
    boot=st.from_regex(r"[0-9A-F]{8}", fullmatch=True),
    sequence=st.integers(0, 65535),
    kind=st.sampled_from(["CARD", "BAD", "BEAT", "CUT", "HELLO", "NEWKIND"]),
    payload=st.lists(words.filter(lambda w: len(w) < 20), max_size=3).map(tuple),
)
noise = st.binary(max_size=40)


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(places)]


@given(message=messages)
def test_what_is_written_is_read_as_it_was(message: Message) -> None:
    (body,) = frames(encode(message))
    assert decode(body) == message


@given(
    parts=st.lists(st.one_of(messages.map(encode), noise), max_size=8),
    cuts=st.lists(st.integers(0, 1000), max_size=12),
)
def test_any_split_gives_the_same_frames_and_every_byte_is_accounted_for(
    parts: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(parts)
    parser = FrameParser()
    found = [each for chunk in split(data, cuts) for each in parser.feed(chunk)]
    assert [each for each in found if isinstance(each, Frame)] == [
        each for each in parse(data) if isinstance(each, Frame)
    ]
    left = b"".join(garbage.raw for garbage in parser.expire())
    assert b"".join(each.raw for each in found) + left == data


@given(before=noise, between=noise, first=messages, second=messages)
def test_noise_before_a_frame_never_costs_it(
    before: bytes, between: bytes, first: Message, second: Message
) -> None:
    found = frames(before + encode(first) + between + encode(second))
    assert [decode(body) for body in found] == [first, second]


@given(data=st.binary(max_size=400))
def test_noise_alone_never_raises_and_keeps_a_bounded_buffer(data: bytes) -> None:
    parser = FrameParser()
    for byte in data:
        list(parser.feed(bytes([byte])))
        assert parser.pending <= LONGEST + 2


@given(message=messages, place=st.integers(0, 10_000), flip=st.integers(1, 255))
def test_one_changed_byte_never_becomes_another_message(
    message: Message, place: int, flip: int
) -> None:
    data = bytearray(encode(message))
    data[place % (len(data) - 1)] ^= flip
    assert frames(bytes(data)) == []
