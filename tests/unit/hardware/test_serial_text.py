"""The driver of text readers, fed with bytes: what is a card, what is unreadable, what is noise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardware import serial_text
from hardware.serial_text import SerialText, open_device
from hardware.text_codes import Kind, example
from studio.domain.observations import (
    CardRead,
    CardUnreadable,
    CutCardOut,
    DeviceFault,
    DeviceFaultCleared,
    DeviceOffline,
    DeviceOnline,
    SelfTested,
)
from studio.live.clock import ManualClock
from tests.support.hardware.watch import Watch

CODES = "code,card\nA7,7H\nAK,KS\nZZ,CUT\n"
CARDS = "code,card,serial\nU1,7H,one\nU2,7H,two\nUZ,CUT,\n"
SECOND_US = 1_000_000


class Rig:
    """A driver without a port: bytes are handed to it as its link would."""

    def __init__(self, device: SerialText, clock: ManualClock, real: list[float]) -> None:
        self.device, self.clock, self._real = device, clock, real
        self.watch = Watch()
        device._sink = self.watch.report
        device.opened()
        self.later(2.0)

    def hear(self, *lines: bytes) -> None:
        for line in lines:
            self.device.received(line)

    def later(self, seconds: float) -> None:
        """Let real time and the studio's pass."""
        self._real[0] += seconds
        self.clock.advance(round(seconds * SECOND_US))
        self.device.tick()


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Rig]:
    real = [100.0]
    monkeypatch.setattr(serial_text.time, "monotonic", lambda: real[0])

    def make(text: str = CODES, **settings: Any) -> Rig:
        file = tmp_path / "codes.csv"
        file.write_text(text)
        clock = ManualClock()
        given = {"url": "/dev/ttyUSB0", "cards": file, **settings}
        return Rig(open_device("shoe", given, clock), clock, real)

    return make


def test_prefix_aim_identifier_suffix_and_line_end_are_removed(rig: Callable[..., Rig]) -> None:
    plain = rig()
    plain.hear(b"]C0A7\r\n", b"AK\n", b"]d2ZZ\r")
    assert plain.watch.codes() == ["7H", "KS"]
    assert len(plain.watch.of(CutCardOut)) == 1
    marked = rig(prefix="#", suffix=";")
    marked.hear(b"#]C0A7;#AK", b";")
    assert marked.watch.codes() == ["7H", "KS"]


def test_a_doubled_suffix_is_one_scan(rig: Callable[..., Rig]) -> None:
    wire = rig("code,card\n7H,7H\n")
    wire.hear(bytes.fromhex("37480D0A0D0A"))
    assert wire.watch.codes() == ["7H"]
    assert len(wire.watch.seen) == 2


@pytest.mark.parametrize("line", [b"NR\r", b"A8\r", b"a7\r", b"A7 A7\r", b"\xc17\r", b"]C0\r"])
def test_what_is_no_known_code_is_an_unreadable_card(rig: Callable[..., Rig], line: bytes) -> None:
    wire = rig()
    wire.hear(line)
    assert len(wire.watch.of(CardUnreadable)) == 1
    assert wire.watch.codes() == []


def test_reports_are_counted_by_the_driver(rig: Callable[..., Rig]) -> None:
    wire = rig()
    wire.hear(b"A7\r", b"??\r", b"AK\r")
    facts = [each for each in wire.watch.seen if isinstance(each, CardRead | CardUnreadable)]
    assert [each.sequence for each in facts] == [1, 2, 3]
    assert len({each.boot for each in facts}) == 1


def test_the_same_value_within_the_time_is_asked_and_later_is_a_card(
    rig: Callable[..., Rig],
) -> None:
    wire = rig(rearm_s=1.5)
    wire.hear(b"A7\r")
    wire.later(1.4)
    wire.hear(b"A7\r")
    wire.later(1.6)
    wire.hear(b"A7\r", b"AK\r", b"A7\r")
    assert [each.again for each in wire.watch.of(CardRead)] == [False, True, False, False, False]


def test_the_cut_card_is_told_once(rig: Callable[..., Rig]) -> None:
    wire = rig()
    wire.hear(b"ZZ\r", b"ZZ\r")
    assert len(wire.watch.of(CutCardOut)) == 1


def test_the_same_physical_card_is_told_once_and_after_a_shuffle_again(
    rig: Callable[..., Rig],
) -> None:
    wire = rig(CARDS, codes="unique")
    wire.hear(b"U1\r", b"U2\r", b"U1\r", b"U1\r")
    assert [each.unique for each in wire.watch.of(CardRead)] == ["one", "two"]
    wire.later(serial_text.REREAD_US / SECOND_US + 1)
    wire.hear(b"U1\r")
    assert [each.unique for each in wire.watch.of(CardRead)] == ["one", "two", "one"]


def test_a_piece_of_a_line_holds_until_the_wire_was_still(rig: Callable[..., Rig]) -> None:
    wire = rig()
    wire.hear(b"A")
    wire.later(0.4)
    assert not wire.watch.of(DeviceFault)
    wire.later(0.2)
    assert "a piece made no line" in wire.watch.of(DeviceFault)[0].text
    wire.later(1.0)
    assert not wire.watch.of(DeviceFaultCleared)
    wire.later(1.0)
    assert len(wire.watch.of(DeviceFaultCleared)) == 1


def test_noise_outside_a_marked_line_is_counted_and_only_much_of_it_is_a_fault(
    rig: Callable[..., Rig],
) -> None:
    wire = rig(prefix="\x02", suffix="\x03")
    wire.hear(b"\x8f\x8e", b"\x02A7\x03")
    assert wire.watch.codes() == ["7H"]
    assert not wire.watch.of(DeviceFault)
    for _ in range(10):
        wire.hear(b"\xaa" * 60)
        wire.later(0.6)
    assert len(wire.watch.of(DeviceFault)) == 1


def test_a_banner_right_after_opening_is_no_card_but_a_code_is(rig: Callable[..., Rig]) -> None:
    wire = rig()
    wire.device.opened()
    wire.hear(b"!SER2SOCK Connected\r\n", b"A7\r")
    assert wire.watch.codes() == ["7H"]
    assert not wire.watch.of(CardUnreadable)


def test_loss_is_told_once_and_return_with_the_same_count(rig: Callable[..., Rig]) -> None:
    wire = rig()
    wire.hear(b"A7\r")
    wire.device.lost("unplugged")
    wire.device.lost("unplugged")
    wire.device.opened()
    wire.hear(b"AK\r")
    assert len(wire.watch.of(DeviceOffline)) == 1
    assert [each.boot for each in wire.watch.of(DeviceOnline)] == [wire.device._boot] * 2
    assert not any(each.rebooted for each in wire.watch.of(DeviceOnline))
    assert [each.sequence for each in wire.watch.of(CardRead)] == [1, 2]


@pytest.mark.parametrize(("line", "passed"), [(b"A7\r", True), (b"NR\r", False)])
def test_a_test_card_is_no_card_of_the_game(
    rig: Callable[..., Rig], line: bytes, *, passed: bool
) -> None:
    wire = rig()
    wire.device._test_due = True
    wire.later(0.1)
    wire.hear(line, b"AK\r")
    assert [each.passed for each in wire.watch.of(SelfTested)] == [passed]
    assert wire.watch.codes() == ["KS"]


def test_a_test_is_asked_for_once_however_often_the_button_is_pressed(
    rig: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = rig(trigger="T")
    sent: list[bytes] = []
    monkeypatch.setattr(wire.device, "_send", lambda data, _at_us: sent.append(data))
    for _ in range(3):
        wire.device._test_due = True
        wire.later(0.1)
    assert sent == [b"T"]
    wire.hear(b"A7\r", b"AK\r")
    assert wire.watch.codes() == ["KS"]


def test_a_test_that_nobody_answers_has_failed(rig: Callable[..., Rig]) -> None:
    wire = rig()
    wire.device._test_due = True
    wire.later(0.1)
    wire.later(31.0)
    assert [each.passed for each in wire.watch.of(SelfTested)] == [False]
    wire.hear(b"A7\r")
    assert wire.watch.codes() == ["7H"]


def test_a_reader_that_is_lost_during_its_test_has_failed_and_eats_no_card(
    rig: Callable[..., Rig],
) -> None:
    wire = rig()
    wire.device._test_due = True
    wire.later(0.1)
    wire.device.lost("unplugged")
    assert [each.passed for each in wire.watch.of(SelfTested)] == [False]
    wire.device.opened()
    wire.later(2.0)
    wire.hear(b"A7\r")
    assert wire.watch.codes() == ["7H"]
    wire.device._test_due = True
    wire.later(0.1)
    wire.hear(b"A7\r")
    assert [each.passed for each in wire.watch.of(SelfTested)] == [False, True]


def test_neither_lines_nor_recording_nor_causes_name_a_card(
    rig: Callable[..., Rig], tmp_path: Path
) -> None:
    recording = tmp_path / "wire.jsonl"
    wire = rig(trace=recording)
    wire.hear(b"A7\r", b"A7\r", b"A8\r", b"NR\r", b"A")
    wire.later(1.0)
    wire.device._recorder.close()  # type: ignore[union-attr]
    told = [*wire.device.frames(), *(each.cause for each in wire.watch.of(CardUnreadable))]
    assert not any("A7" in text or "A8" in text for text in told)
    pieces = [json.loads(line) for line in recording.read_text().splitlines()]
    data = b"".join(bytes.fromhex(piece["hex"]) for piece in pieces)
    assert b"A7" not in data
    assert b"A8" not in data
    assert data.count(b"\r") == 4


@pytest.mark.parametrize("code", ["value", "tens"])
def test_a_line_that_nobody_may_know_looks_like_every_other(
    rig: Callable[..., Rig], tmp_path: Path, code: str
) -> None:
    """Neither its length nor a mark in it tells one card from another: a ten is written 10."""
    cards = {row[0]: row[1] for row in example(Kind.VALUE) if row[1] != "CUT"}
    if code == "tens":
        cards = {named.replace("T", "10"): named for named in cards.values()}
    rows = "".join(f"{text},{card}\n" for text, card in cards.items())
    told = set()
    for text in (*cards, "XXXX", "1OH"):
        wire = rig(f"code,card\n{rows}")
        wire.hear(text.encode() + b"\r")
        told |= {line.split(" ", 1)[1].split("  (")[0] for line in wire.device.frames()}
    assert len(told) == 1


@pytest.mark.parametrize("piece", [b"9H", b"10H"])
def test_a_piece_of_a_line_does_not_tell_how_long_it_was(
    rig: Callable[..., Rig], piece: bytes
) -> None:
    wire = rig("code,card\n9H,9H\n10H,TH\n")
    wire.hear(piece)
    wire.later(1.0)
    (fault,) = wire.watch.of(DeviceFault)
    assert fault.text == "a piece made no line (unfinished): was it a card?"
    assert wire.device.frames()[-1].endswith(" ! xxxxxxxx  (a piece, unfinished)")


def test_a_recording_shows_no_check_character(rig: Callable[..., Rig], tmp_path: Path) -> None:
    codes = [row for row in example(Kind.VALUE) if row[1] != "CUT"]
    assert any("*" in text for text, _, _ in codes)
    recording = tmp_path / "wire.jsonl"
    wire = rig("code,card\n" + "".join(f"{row[0]},{row[1]}\n" for row in codes), trace=recording)
    wire.hear(*(text.encode() + b"\r" for text, _, _ in codes), b"CC*\x00", b"C*")
    wire.later(1.0)
    wire.device._recorder.close()  # type: ignore[union-attr]
    pieces = [json.loads(line) for line in recording.read_text().splitlines()]
    assert b"*" not in b"".join(bytes.fromhex(piece["hex"]) for piece in pieces)
