"""No kept line and no recording of a wire names a card that may not be known."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.checks import crc16_ccitt_false
from hardware.cutcard_line import CutcardLine, open_device
from hardware.framing import Frame, FrameParser
from hardware.line_codec import Message, encode
from hardware.line_mask import recordable, shown
from hardware.trace import Piece, Recorder, Trace, Way, recorded
from studio.domain.cards import PACK
from studio.live.clock import ManualClock

BOOT = "90000007"
CODES = [card.code for card in PACK]


def frame(sequence: int, kind: str, *payload: str) -> bytes:
    return encode(
        Message(device="shoe-7", boot=BOOT, sequence=sequence, kind=kind, payload=payload)
    )


def whole(raw: bytes) -> Frame:
    (found,) = FrameParser().feed(raw)
    assert isinstance(found, Frame)
    return found


def device(**settings: str) -> CutcardLine:
    return open_device("shoe", {"url": "/dev/null", **settings}, ManualClock())


@pytest.mark.parametrize("card", CODES)
def test_a_line_with_a_card_has_neither_the_card_nor_its_check_sum(card: str) -> None:
    for payload in (("CARD", card), ("IDENT", "3", card), ("CARD", card, "more"), ("CUT", card)):
        raw = frame(4, *payload)
        found = whole(raw)
        line = shown(found.body, found.raw).text
        crc = f"{crc16_ccitt_false(found.body):04X}"
        assert card not in line.removeprefix(f"$CL1,shoe-7,{BOOT}")
        assert crc not in line


@pytest.mark.parametrize(
    "payload",
    [("BEAT",), ("DRAWN",), ("CUT",), ("BAD", "blurred"), ("HELLO", "Model S", "1.0.2", "SN00417"),
     ("FAULT", "JAM", "card stuck at exit"), ("CLEAR", "JAM"), ("TESTED", "PASS", "test card")],
)  # fmt: skip
def test_a_line_without_a_card_is_shown_as_it_came(payload: tuple[str, ...]) -> None:
    raw = frame(4, *payload)
    found = whole(raw)
    assert shown(found.body, found.raw).text == raw.decode().rstrip()
    assert recordable(found.body, found.raw) == raw


@pytest.mark.parametrize("text", ["7H stuck", "stuck: 10 H", "read as kd?", "7 of hearts"])
def test_words_of_a_device_that_name_a_card_are_hidden(text: str) -> None:
    found = whole(frame(4, "FAULT", "OTHER", text))
    line = shown(found.body, found.raw).text
    assert not re.search(r"7H|10 H|kd|7 of", line)
    assert line.endswith("*XXXX")


@given(card=st.sampled_from(CODES), cut=st.integers(0, 28), bit=st.integers(0, 7))
def test_half_a_frame_and_a_frame_with_a_wrong_bit_say_nothing_of_their_card(
    card: str, cut: int, bit: int
) -> None:
    """Nor does the shape of what is shown depend on which card it was."""
    shoe = device()
    raw = frame(12, "CARD", card)
    spoiled = bytearray(raw)
    spoiled[min(cut, len(raw) - 1)] ^= 1 << bit
    for piece in (raw[:cut], b"$" + raw[cut:], bytes(spoiled) + b"\n"):
        shoe.received(piece)
    shoe.received(b"$\n")
    for line in shoe.frames():
        said = line[28:].partition("  (")[0]
        assert not re.search(rf"{card}|{card[0]}[CDHS]|[2-9TJQKA]{card[1]}\b", said), line


def test_a_card_stands_in_a_line_only_for_who_knows_that_report_with_that_card() -> None:
    trace = Trace()
    for sequence, card in ((1, "7H"), (1, "KS"), (2, "KS")):
        found = whole(frame(sequence, "CARD", card))
        trace.add(0, Way.IN, found.raw, shown=shown(found.body, found.raw))
    lines = trace.lines({(BOOT, 1): "7H"})
    assert [line.split(",")[-1][:2] for line in lines] == ["7H", "XX", "XX"]


def test_what_comes_in_is_hidden_unless_its_driver_says_otherwise() -> None:
    trace = Trace()
    trace.add(0, Way.IN, b"edge-0417 7H\r\n")
    assert trace.lines()[0].endswith("< xxxxxxxxxxxx")


@given(cuts=st.lists(st.integers(1, 40), max_size=12), cards=st.lists(st.sampled_from(CODES)))
def test_a_recording_has_as_many_bytes_in_the_same_pieces_and_no_card(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], cards: list[str]
) -> None:
    path: Path = tmp_path_factory.mktemp("wire") / "wire.jsonl"
    shoe = device(trace=str(path))
    stream = b"".join(frame(number, "CARD", card) for number, card in enumerate(cards, 1)) + b"$CL1"
    pieces = []
    for cut in cuts:
        pieces.append(stream[:cut])
        stream = stream[cut:]
    pieces = [piece for piece in (*pieces, stream) if piece]
    for piece in pieces:
        shoe.received(piece)
    shoe._recorder.close()  # type: ignore[union-attr]
    kept = [piece.data for piece in recorded(path)]
    assert [len(piece) for piece in kept] == [len(piece) for piece in pieces]
    assert not any(f",{card}*".encode() in b"".join(kept) for card in cards)


def test_a_recording_does_not_wait_for_ever_for_the_meaning_of_its_bytes(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "wire.jsonl")
    for _ in range(4):
        recorder.add(Piece(0, Way.IN, b"7H" * 1000))
    recorder.judged(b"7H" * 1000 + b"ok" * 3000)
    kept = [piece.data for piece in recorded(tmp_path / "wire.jsonl")]
    assert kept[0] == b"xx" * 1000
    assert kept[1] == b"x" * 1904 + b"ok" * 48
    assert kept[2:] == [b"ok" * 1000] * 2


def test_what_a_device_says_in_words_names_no_card_in_any_observation() -> None:
    said = []
    shoe = device()
    shoe._sink = said.append
    shoe.received(frame(0, "HELLO", "Model S", "1.0.2", "SN00417"))
    shoe.received(frame(1, "BAD", "looks like 7H") + frame(2, "FAULT", "JAM", "stuck at 7H"))
    shoe.received(frame(3, "TESTED", "FAIL", "read 7H for KS") + frame(4, "IDENT", "x", "7H"))
    assert len(said) >= 5
    assert "7H" not in str(said)
    assert "stuck at XX" in str(said)
