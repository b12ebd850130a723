"""What every wire device keeps, whatever stands behind it.

A driver joins by a subclass of `DeviceContract` that says how to build one with hands to work it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from hardware.cutcard_line import DRIVER
from hardware.serial_text import DRIVER as SERIAL_TEXT
from hardware.sim.plain import PlainShoe
from hardware.sim.shoe import SimulatedShoe
from hardware.sim.text_reader import SimulatedTextReader
from hardware.text_codes import Kind, as_csv, example
from studio.domain.observations import (
    CardRead,
    CardUnreadable,
    CutCardOut,
    DeviceFault,
    DeviceFaultCleared,
    DeviceFaultCode,
    DeviceOffline,
    DeviceOnline,
    GateMoved,
    SelfTested,
    SequenceGap,
)
from studio.live.clock import ManualClock
from studio.live.ports import Device, SimulatedWire
from tests.support.hardware.watch import Watch


class Hands(Protocol):
    """What a dealer can do to a shoe."""

    def load(self, cards: list[str]) -> None: ...
    def draw(self, *, reads_as: str | None = None) -> str: ...
    def switch(self, fault: str, *, on: bool = True) -> None: ...


@dataclass(frozen=True, slots=True)
class Rig:
    """A device that runs, the hands that work it and what it reported."""

    device: Device
    hands: Hands
    watch: Watch

    def draw(self, *codes: str) -> None:
        """Load these cards and slide them out."""
        self.hands.load(list(codes))
        for code in codes:
            assert self.hands.draw() == code


class DeviceContract:
    """Bronze level: cards once and in order, losses once, noise never a card, a stop that stops."""

    @pytest.fixture
    def rig(self) -> Iterator[Rig]:
        raise NotImplementedError

    def test_it_says_who_it_is_before_anything_else(self, rig: Rig) -> None:
        rig.draw("7H")
        rig.watch.await_codes("7H")
        first = rig.watch.seen[0]
        assert isinstance(first, DeviceOnline)
        assert first.boot
        assert not first.rebooted

    def test_two_equal_cards_in_a_row_are_two_cards(self, rig: Rig) -> None:
        rig.draw("KS", "KS")
        rig.watch.await_codes("KS", "KS")

    @pytest.mark.parametrize("fault", ["split_frame", "noise"])
    def test_each_card_is_reported_once_whatever_the_wire_does(self, rig: Rig, fault: str) -> None:
        rig.hands.switch(fault)
        rig.draw("7H", "7H", "AS", "TD", "2C")
        rig.watch.await_codes("7H", "7H", "AS", "TD", "2C")
        rig.hands.switch(fault, on=False)
        rig.draw("9C")
        rig.watch.await_codes("7H", "7H", "AS", "TD", "2C", "9C")
        assert not rig.watch.of(SequenceGap)
        assert not rig.watch.of(CardUnreadable)

    def test_loss_is_reported_once_and_return_once(self, rig: Rig) -> None:
        rig.draw("7H")
        rig.watch.await_codes("7H")
        rig.hands.switch("unplug")
        rig.watch.await_kind(DeviceOffline)
        rig.hands.switch("unplug", on=False)
        assert not rig.watch.await_kind(DeviceOnline, 2).rebooted
        rig.draw("KS")
        rig.watch.await_codes("7H", "KS")
        assert len(rig.watch.of(DeviceOffline)) == 1
        assert len(rig.watch.of(DeviceOnline)) == 2

    def test_an_unreadable_card_is_never_a_value(self, rig: Rig) -> None:
        rig.hands.switch("unreadable")
        rig.draw("7H", "KS")
        rig.watch.await_codes("KS")
        assert len(rig.watch.of(CardUnreadable)) == 1

    def test_a_reader_may_take_a_card_for_another(self, rig: Rig) -> None:
        rig.hands.load(["7H", "8H"])
        assert rig.hands.draw(reads_as="9H") == "7H"
        assert rig.hands.draw(reads_as="??") == "8H"
        rig.watch.await_kind(CardUnreadable)
        assert rig.watch.codes() == ["9H"]

    def test_a_wrong_card_is_named_once(self, rig: Rig) -> None:
        rig.hands.switch("wrong_card")
        rig.draw("7H", "KS")
        rig.watch.until(lambda: len(rig.watch.codes()) == 2, "two cards")
        assert rig.watch.codes()[0] != "7H"
        assert rig.watch.codes()[1] == "KS"

    def test_the_cut_card_is_told_in_its_place(self, rig: Rig) -> None:
        rig.draw("7H", "CUT", "KS")
        rig.watch.await_codes("7H", "KS")
        order = [type(each) for each in rig.watch.seen]
        assert order == [DeviceOnline, CardRead, CutCardOut, CardRead]

    def test_who_is_answered_by_its_name(self, rig: Rig) -> None:
        rig.device.command("WHO")
        assert not rig.watch.await_kind(DeviceOnline, 2).rebooted

    def test_an_unknown_command_changes_nothing(self, rig: Rig) -> None:
        rig.device.command("DANCE")
        rig.draw("7H")
        rig.watch.await_codes("7H")
        assert len(rig.watch.seen) == 2

    def test_a_card_is_shown_only_to_who_knows_that_very_report(self, rig: Rig) -> None:
        rig.draw("7H", "KS")
        rig.watch.await_codes("7H", "KS")
        first, second = ((each.boot, each.sequence) for each in rig.watch.of(CardRead))
        lines = rig.device.frames()
        assert lines
        assert not any("7H" in line or "KS" in line for line in lines)
        lines = rig.device.frames({first: "7H", second: "QS", ("0" * 8, second[1]): "KS"})
        assert any("7H" in line for line in lines)
        assert not any("KS" in line for line in lines)

    def test_stop_returns_within_two_seconds_even_when_the_wire_hangs(self, rig: Rig) -> None:
        rig.hands.switch("silence")
        began = time.monotonic()
        rig.device.stop()
        assert time.monotonic() - began < 2

    def test_after_stop_nothing_is_reported(self, rig: Rig) -> None:
        rig.device.stop()
        count = len(rig.watch.seen)
        rig.draw("7H")
        assert len(rig.watch.seen) == count


class CountedDeviceContract(DeviceContract):
    """A device that has a name and counts what it says: nothing is lost, nothing comes twice."""

    def test_it_tells_its_serial_number(self, rig: Rig) -> None:
        first = rig.watch.seen[0]
        assert isinstance(first, DeviceOnline)
        assert first.serial == "SN00417"

    def test_a_frame_that_comes_three_times_is_one_card(self, rig: Rig) -> None:
        rig.hands.switch("triple_send")
        rig.draw("7H", "7H", "AS")
        rig.watch.await_codes("7H", "7H", "AS")
        rig.hands.switch("triple_send", on=False)
        rig.draw("9C")
        rig.watch.await_codes("7H", "7H", "AS", "9C")
        assert not any(each.again for each in rig.watch.of(CardRead))

    def test_after_a_reboot_nothing_is_reported_twice(self, rig: Rig) -> None:
        rig.draw("7H", "KS")
        rig.watch.await_codes("7H", "KS")
        assert isinstance(rig.hands, SimulatedShoe | PlainShoe)
        rig.hands.power_cycle()
        assert rig.watch.await_kind(DeviceOnline, 2).rebooted
        rig.draw("2C")
        rig.watch.await_codes("7H", "KS", "2C")
        facts = [(each.boot, each.sequence) for each in rig.watch.of(CardRead)]
        assert len(set(facts)) == len(facts)

    def test_a_card_drawn_while_the_cable_was_out_is_told_afterwards(self, rig: Rig) -> None:
        rig.draw("7H")
        rig.watch.await_codes("7H")
        rig.hands.switch("unplug")
        rig.watch.await_kind(DeviceOffline)
        rig.draw("AS")
        rig.hands.switch("unplug", on=False)
        rig.watch.await_codes("7H", "AS")
        assert not rig.watch.of(SequenceGap)

    def test_a_card_that_is_read_again_is_a_new_fact(self, rig: Rig) -> None:
        rig.hands.switch("repeat")
        rig.draw("7H", "KS")
        rig.watch.await_codes("7H", "7H", "KS")

    def test_an_empty_shoe_says_so_until_it_is_filled(self, rig: Rig) -> None:
        assert not rig.hands.draw()
        assert rig.watch.await_kind(DeviceFault).code is DeviceFaultCode.EMPTY
        assert not rig.hands.draw()
        rig.draw("7H")
        rig.watch.await_codes("7H")
        assert len(rig.watch.of(DeviceFault)) == 1
        assert len(rig.watch.of(DeviceFaultCleared)) == 1

    def test_a_locked_gate_holds_the_cards_back(self, rig: Rig) -> None:
        rig.device.command("LOCK")
        assert rig.watch.await_kind(GateMoved).locked
        rig.hands.load(["7H"])
        assert not rig.hands.draw()
        rig.device.command("UNLOCK")
        assert not rig.watch.await_kind(GateMoved, 2).locked
        assert rig.hands.draw() == "7H"
        rig.watch.await_codes("7H")

    def test_a_self_test_is_answered(self, rig: Rig) -> None:
        rig.device.command("TEST")
        assert rig.watch.await_kind(SelfTested).passed

    def test_a_self_test_of_a_device_that_is_away_fails_and_passes_after_its_return(
        self, rig: Rig
    ) -> None:
        _tested_while_away(rig)

    def test_the_last_frames_are_kept_for_people_without_their_cards(self, rig: Rig) -> None:
        rig.draw("7H")
        rig.watch.await_codes("7H")
        lines = rig.device.frames()
        assert any("CARD,XX" in line for line in lines)
        assert not any("7H" in line for line in lines)


def _tested_while_away(rig: Rig) -> None:
    """Ask for a test with the cable out, and again once it is in."""
    rig.watch.await_kind(DeviceOnline)
    rig.hands.switch("unplug")
    rig.watch.await_kind(DeviceOffline)
    rig.device.command("TEST")
    rig.hands.switch("unplug", on=False)
    rig.watch.await_kind(DeviceOnline, 2)
    assert not rig.watch.await_kind(SelfTested).passed
    rig.device.command("TEST")
    assert rig.watch.await_kind(SelfTested, 2).passed


class TextReaderContract(DeviceContract):
    """A reader that sends one code a line: no name, no count, no check sum."""

    CODES: str

    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[Rig]:
        clock = ManualClock()
        kind = Kind(self.CODES)
        table = tmp_path / "codes.csv"
        table.write_text(as_csv(example(kind), kind))
        settings = {
            "codes": self.CODES,
            "cards": table,
            "prefix": "\x02",
            "suffix": "\x03",
            "ack": True,
            "trigger": "\x16T\r",
        }
        reader = SERIAL_TEXT.simulate(settings, clock)
        reader.start()
        device = SERIAL_TEXT.open("shoe", {**settings, "url": reader.path}, clock)
        yield from _running(device, reader, reader)

    def test_a_reader_that_is_triggered_reads_its_test_card_and_no_card_of_the_game(
        self, rig: Rig
    ) -> None:
        rig.device.command("TEST")
        assert rig.watch.await_kind(SelfTested).passed
        rig.draw("KS")
        rig.watch.await_codes("KS")

    def test_a_self_test_of_a_reader_that_is_away_fails_and_passes_after_its_return(
        self, rig: Rig
    ) -> None:
        _tested_while_away(rig)
        rig.draw("KS")
        rig.watch.await_codes("KS")

    def test_all_is_quiet_once_every_line_was_acknowledged(self, rig: Rig) -> None:
        rig.draw("7H", "KS", "2C")
        assert isinstance(rig.hands, SimulatedTextReader)
        assert rig.hands.quiet(20)
        assert rig.watch.codes() == ["7H", "KS", "2C"]


class TestSerialTextByValue(TextReaderContract):
    """Codes that name a value: a repeat cannot be told from a second card, so it is asked."""

    CODES = "value"

    @pytest.mark.parametrize("fault", ["triple_send", "repeat"])
    def test_a_repeat_is_told_as_one(self, rig: Rig, fault: str) -> None:
        rig.hands.switch(fault)
        rig.draw("7H")
        rig.watch.until(lambda: len(rig.watch.codes()) >= 2, "the repeat")
        assert rig.watch.codes()[:2] == ["7H", "7H"]
        assert [each.again for each in rig.watch.of(CardRead)][:2] == [False, True]


class TestSerialTextByCard(TextReaderContract):
    """Codes that name a physical card: the same one twice is one card."""

    CODES = "unique"

    @pytest.mark.parametrize("fault", ["triple_send", "repeat"])
    def test_a_repeat_is_the_same_card(self, rig: Rig, fault: str) -> None:
        rig.hands.switch(fault)
        rig.draw("7H", "7H", "KS")
        rig.watch.await_codes("7H", "7H", "KS")
        read = rig.watch.of(CardRead)
        assert len({each.unique for each in read}) == 3
        assert not any(each.again for each in read)


class TestCutcardLine(CountedDeviceContract):
    """The real driver, over a pseudo-terminal, with the simulated shoe at its end."""

    @pytest.fixture
    def rig(self) -> Iterator[Rig]:
        clock = ManualClock()
        shoe = DRIVER.simulate({}, clock)
        assert isinstance(shoe, SimulatedShoe)
        shoe.start()
        device = DRIVER.open("shoe", {"url": shoe.path}, clock)
        yield from _running(device, shoe, shoe)


class TestPlainShoe(CountedDeviceContract):
    """The shoe without a wire, for tests that are about cards."""

    @pytest.fixture
    def rig(self) -> Iterator[Rig]:
        shoe = PlainShoe("shoe", ManualClock())
        yield from _running(shoe, shoe, None)


def _running(device: Device, hands: Hands, wire: SimulatedWire | None) -> Iterator[Rig]:
    """Start, wait for the greeting, hand over, and clear up."""
    watch = Watch()
    device.start(watch.report)
    try:
        watch.await_kind(DeviceOnline)
        yield Rig(device, hands, watch)
    finally:
        device.stop()
        if wire is not None:
            wire.stop()
