"""The simulated shoe on its pseudo-terminal, read by the real driver, with time moved by hand."""

from __future__ import annotations

import itertools
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.cutcard_line import DRIVER, CutcardLine, open_device
from hardware.errors import SettingError
from hardware.sim.faults import FAULTS
from hardware.sim.shoe import SimulatedShoe
from studio.domain.observations import (
    CardIdentified,
    CardRead,
    DeviceOffline,
    DeviceOnline,
    SequenceGap,
)
from studio.live.clock import ManualClock
from tests.support.hardware.watch import Watch, wait_until

SECOND = 1_000_000


class Bench:
    """A shoe and its driver on one manual clock."""

    def __init__(self, **settings: object) -> None:
        self.clock = ManualClock()
        self.shoe = SimulatedShoe.from_settings(settings, self.clock)
        self.shoe.start()
        self.device = open_device("shoe", {"url": self.shoe.path}, self.clock)
        self.watch = Watch()
        self.device.start(self.watch.report)
        self.watch.await_kind(DeviceOnline)

    def draw(self, *codes: str) -> None:
        self.shoe.load(codes)
        for _ in codes:
            self.shoe.draw()

    def close(self) -> None:
        self.device.stop()
        self.shoe.stop()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


def test_its_fault_names_are_those_of_the_driver() -> None:
    assert DRIVER.faults == FAULTS
    assert FAULTS == (
        "split_frame",
        "noise",
        "bad_checksum",
        "triple_send",
        "silence",
        "burst",
        "unplug",
        "wrong_card",
        "unreadable",
        "repeat",
    )


def test_the_line_is_raw_so_that_bytes_pass_unchanged(bench: Bench) -> None:
    slave = os.open(bench.shoe.path, os.O_RDWR | os.O_NOCTTY)
    try:
        _, output, _, local, *_ = termios.tcgetattr(slave)
    finally:
        os.close(slave)
    assert not output & termios.OPOST
    assert not local & (termios.ECHO | termios.ICANON)


def test_a_wrong_check_sum_costs_200_ms_and_nothing_else(bench: Bench) -> None:
    bench.shoe.switch("bad_checksum")
    bench.draw("7H", "KS")
    wait_until(lambda: any("check sum" in line for line in bench.device.frames()), "garbage")
    assert bench.watch.codes() == []
    assert not bench.shoe.quiet(0)
    bench.clock.advance(200_000)
    bench.watch.await_codes("7H", "KS")
    assert bench.shoe.quiet(20)
    assert not bench.watch.of(SequenceGap)


def test_quiet_waits_until_all_was_acknowledged(bench: Bench) -> None:
    bench.draw("7H", "KS", "2C")
    assert bench.shoe.quiet(20)
    assert bench.watch.codes() == ["7H", "KS", "2C"]


def test_a_burst_is_silence_and_then_all_at_once(bench: Bench) -> None:
    bench.shoe.switch("burst")
    bench.draw("7H")
    assert not bench.shoe.quiet(0.05)
    wait_until(lambda: _moved(bench.clock) and bench.shoe.quiet(0.02), "the burst")
    bench.watch.await_codes("7H")
    assert not bench.watch.of(DeviceOffline)


def test_silence_beyond_the_limit_is_a_loss_and_its_end_a_return(bench: Bench) -> None:
    bench.shoe.switch("silence")
    bench.draw("7H")
    bench.clock.advance(4 * SECOND)
    assert "no answer to WHO" in bench.watch.await_kind(DeviceOffline).reason
    bench.shoe.switch("silence", on=False)
    bench.watch.await_kind(DeviceOnline, 2)
    bench.watch.await_codes("7H")
    assert len(bench.watch.of(DeviceOffline)) == 1
    assert not bench.watch.of(SequenceGap)


def test_a_clock_that_leaps_an_hour_loses_nobody(bench: Bench) -> None:
    for _ in range(5):
        bench.clock.advance(3600 * SECOND)
        bench.draw("7H")
        assert bench.shoe.quiet(20)
    assert bench.watch.codes() == ["7H"] * 5
    assert not bench.watch.of(DeviceOffline)


def test_an_unplugged_cable_is_put_back_by_itself_under_the_same_path(bench: Bench) -> None:
    path = bench.shoe.path
    before = Path(path).resolve()
    assert before.is_char_device()
    bench.shoe.switch("unplug")
    bench.watch.await_kind(DeviceOffline)
    assert not Path(path).exists()
    wait_until(lambda: _moved(bench.clock) and Path(path).exists(), "the cable")
    assert bench.shoe.path == path
    bench.watch.await_kind(DeviceOnline, 2)
    bench.draw("7H")
    bench.watch.await_codes("7H")


def _moved(clock: ManualClock) -> bool:
    clock.advance(SECOND // 10)
    return True


def test_a_late_identity_comes_as_a_draw_and_its_card() -> None:
    bench = Bench(late_identity=True)
    try:
        bench.draw("7H", "CUT", "KS")
        bench.watch.await_kind(CardIdentified, 2)
        reads = bench.watch.of(CardRead)
        names = bench.watch.of(CardIdentified)
        assert [each.card for each in reads] == [None, None]
        assert [each.of for each in names] == [each.sequence for each in reads]
        assert [str(each.card) for each in names] == ["7H", "KS"]
    finally:
        bench.close()


def test_a_driver_that_was_restarted_goes_on_after_the_last_fact_of_the_journal(
    bench: Bench,
) -> None:
    bench.draw("7H", "KS")
    bench.watch.await_codes("7H", "KS")
    known = bench.watch.of(CardRead)[0]
    bench.device.stop()
    bench.draw("2C")
    settings = {
        "url": bench.shoe.path,
        "known_boot": known.boot,
        "known_sequence": known.sequence,
    }
    watch = Watch()
    bench.device = open_device("shoe", settings, bench.clock)
    bench.device.start(watch.report)
    watch.await_codes("KS", "2C")
    assert not watch.await_kind(DeviceOnline).rebooted


def test_it_starts_with_another_boot_id_each_time() -> None:
    clock = ManualClock()
    boots = set()
    for _ in range(3):
        shoe = SimulatedShoe(clock, seed=1)
        boots.add(shoe._line.boot)
        shoe.stop()
    assert len(boots) == 3


def test_all_faults_in_turn_lose_no_card_that_was_read(bench: Bench) -> None:
    """`wrong_card`, `unreadable` and `repeat` change what is read; all others must not."""
    codes = [f"{rank}{suit}" for rank, suit in itertools.product("A2345", "CDHS")]
    wire = [each for each in FAULTS if each not in {"wrong_card", "unreadable", "repeat"}]
    for fault in wire:
        bench.shoe.switch(fault)
        bench.draw(*codes)
        for _ in range(20):
            bench.clock.advance(SECOND // 4)
            if bench.shoe.quiet(0.02):
                break
        bench.shoe.switch(fault, on=False)
        wait_until(lambda: _moved(bench.clock) and bench.shoe.quiet(0.02), fault)
    assert bench.watch.codes() == codes * len(wire)
    assert not bench.watch.of(SequenceGap)


def test_a_name_that_is_no_fault_is_refused_with_the_names_that_are(bench: Bench) -> None:
    with pytest.raises(ValueError, match="'frozen' is no fault of the simulated shoe: take one"):
        bench.shoe.switch("frozen")


@pytest.mark.parametrize("code", ["1H", "??", "XX", "7h"])
def test_what_is_no_card_cannot_be_loaded(bench: Bench, code: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        bench.shoe.load(["7H", code])
    assert bench.shoe.remaining() == ()


def test_a_path_that_is_taken_is_refused(tmp_path: Path) -> None:
    taken = tmp_path / "notes.txt"
    taken.write_text("mine", encoding="utf-8")
    with pytest.raises(SettingError, match="already there and no link: give another path"):
        SimulatedShoe.from_settings({"link": str(taken)}, ManualClock())
    assert taken.read_text(encoding="utf-8") == "mine"


def test_a_path_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    shoe = SimulatedShoe.from_settings({"link": str(tmp_path / "no" / "shoe")}, ManualClock())
    with pytest.raises(SettingError, match="cannot be made"):
        shoe.start()
    shoe.stop()


def test_the_path_goes_away_with_the_shoe(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    shoe = SimulatedShoe.from_settings({"link": str(link)}, ManualClock())
    shoe.start()
    assert link.exists()
    shoe.stop()
    assert not link.is_symlink()


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"device": "shoe 7"}, "device is 'shoe 7'"), ({"seed": "x"}, "seed is 'x'")],
)
def test_a_wrong_setting_of_the_simulated_shoe_is_refused(
    settings: dict[str, str], words: str
) -> None:
    with pytest.raises(SettingError, match=words):
        DRIVER.simulate(settings, ManualClock())


def test_a_device_is_of_the_type_that_the_driver_promises(bench: Bench) -> None:
    assert isinstance(bench.device, CutcardLine)
    assert DRIVER.name == "cutcard-line"
