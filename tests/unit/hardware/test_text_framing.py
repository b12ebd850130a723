"""Lines of a text reader: any split gives the same, and every byte ends somewhere."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.framing import Garbage, Why
from hardware.text_framing import LONGEST, Line, TextParser

STX_ETX = {"prefix": b"\x02", "suffix": b"\x03"}


def parsed(data: bytes, **look: bytes) -> list[Line | Garbage]:
    return list(TextParser(**look).feed(data))


def codes(found: list[Line | Garbage]) -> list[bytes]:
    return [each.code for each in found if isinstance(each, Line) and each.code]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\r\r", b"\r\n\r\n"])
def test_a_line_ends_with_cr_lf_or_both_and_an_empty_line_is_no_scan(end: bytes) -> None:
    assert codes(parsed(b"7H" + end + b"KS" + end)) == [b"7H", b"KS"]


def test_what_stands_before_the_prefix_is_noise_and_costs_no_card() -> None:
    found = parsed(b"\x8f\x02x7\x027H\x03", **STX_ETX)
    assert codes(found) == [b"7H"]
    assert [each.why for each in found if isinstance(each, Garbage)] == [Why.TORN]
    assert codes(parsed(b"\x8fA\x027H\x03", **STX_ETX)) == [b"7H"]


def test_a_line_without_its_prefix_is_noise() -> None:
    assert parsed(b"7H\x03", **STX_ETX) == [Garbage(b"7H\x03", Why.NOISE)]


def test_half_a_line_is_given_up_when_told() -> None:
    parser = TextParser()
    assert list(parser.feed(b"7")) == []
    assert parser.expire() == (Garbage(b"7", Why.UNFINISHED),)
    assert parser.expire() == ()
    assert codes(list(parser.feed(b"H\r"))) == [b"H"]


def test_the_end_of_a_line_that_is_too_long_is_no_code() -> None:
    found = parsed(b"x" * LONGEST + b"7H\rKS\r")
    assert codes(found) == [b"KS"]
    assert {each.why for each in found if isinstance(each, Garbage)} == {Why.TOO_LONG}


@given(
    data=st.lists(
        st.one_of(st.binary(max_size=12), st.sampled_from([b"\x02CC7HX\x03", b"\x02", b"\x03"])),
        max_size=20,
    ).map(b"".join),
    cuts=st.lists(st.integers(0, 240), max_size=8),
    look=st.sampled_from([{}, STX_ETX, {"suffix": b"\r\n"}]),
)
def test_any_split_gives_the_same_and_every_byte_ends_somewhere(
    data: bytes, cuts: list[int], look: dict[str, bytes]
) -> None:
    whole = parsed(data, **look)
    parser = TextParser(**look)
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[a:b] for a, b in itertools.pairwise(places)]
    found = [each for piece in pieces for each in parser.feed(piece)]
    assert found == whole
    rest = b"".join(each.raw for each in parser.expire())
    assert b"".join(each.raw for each in found) + rest == data
