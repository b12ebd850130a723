"""After a void for a device: the test is asked for, runs, and only then the table deals (F8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.faults import FaultCode
from studio.live.people import Person
from studio.live.ports import Report
from studio.live.rights import Role
from studio.live.selftests import LIMIT_US
from studio.live.service import Desk, Service
from tests.support.live.bench import SUPERVISOR, Bench

LEAD = Person("p2", "8", "Sana", Role.SUPERVISOR)
REASON = "reason.device_fault"


@dataclass
class Shoe:
    """A shoe that answers a test when it is told to."""

    name: str = "shoe"
    words: list[str] = field(default_factory=list)

    def start(self, report: Report) -> None:
        """Nothing to open."""

    def stop(self) -> None:
        """Nothing to close."""

    def command(self, word: str) -> None:
        self.words.append(word)

    def frames(self) -> tuple[str, ...]:
        return ()


@dataclass
class Eye:
    """A camera that may know a test of its own."""

    name: str = "camera"

    def start(self, report: Report) -> None:
        """Nothing to open."""

    def stop(self) -> None:
        """Nothing to close."""

    def picture(self) -> bytes | None:
        return None


@dataclass
class TestedEye(Eye):
    """A camera with a test of its own."""

    __test__ = False
    tests: int = 0

    def test(self) -> None:
        self.tests += 1


def voided(bench: Bench) -> None:
    """A coup is void because the shoe was away; it is back since."""
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet()
    bench.do(c.CloseBets())
    bench.see(o.DeviceOffline(device="shoe", at_us=bench.clock.now_us(), reason="unplugged"))
    assert bench.table.round is not None
    bench.do(
        c.VoidRound(fault=fault(bench), reason=REASON, round_id=bench.table.round.id), SUPERVISOR
    )
    bench.shoe_online()
    bench.do(c.RetryDevice(fault=fault(bench), reason=REASON), SUPERVISOR)
    assert codes(bench) == [FaultCode.DEVICE_UNTESTED]


def fault(bench: Bench) -> str:
    """The first open fault."""
    assert bench.table.hold is not None
    return bench.table.hold.faults[0].id


def codes(bench: Bench) -> list[FaultCode]:
    """Codes of the open faults."""
    return [each.code for each in bench.table.hold.faults] if bench.table.hold else []


def seated(bench: Bench, **devices: Any) -> tuple[Callable[[], str], Desk]:
    """A console at which the test is pressed, what each press is answered, and its table."""
    service, desk = Service(studio_name="Test", clock=bench.clock), Desk(bench.runner, **devices)
    service.seat([desk], epoch="e1", accounts=None)
    presses = iter(range(100))

    def press() -> str:
        args = {"fault": fault(bench), "reason": REASON}
        reply = service.submit(
            "ba1", "PassSelfTest", args, person=LEAD, command_id=f"c{next(presses)}", seq=None
        )
        bench.runner.flush()
        return reply.code or reply.status

    return press, desk


def shoe_says(desk: Desk, *, passed: bool) -> None:
    """The shoe answers."""
    at_us = desk.runner.now_us()
    desk.report(o.SelfTested(device="shoe", at_us=at_us, passed=passed, text=""))
    desk.flush()


def test_the_first_press_starts_the_test_and_the_second_takes_its_answer() -> None:
    bench, shoe = Bench(), Shoe()
    voided(bench)
    press, desk = seated(bench, device=shoe)
    assert press() == "refused.test_running"
    assert shoe.words == ["TEST"]
    shoe_says(desk, passed=True)
    assert press() == "done"
    assert codes(bench) == []


def test_a_device_that_fails_its_test_keeps_the_table_held() -> None:
    bench, shoe = Bench(), Shoe()
    voided(bench)
    press, desk = seated(bench, device=shoe)
    for _ in range(3):
        assert press() == "refused.test_running"
        shoe_says(desk, passed=False)
    assert shoe.words == ["TEST"] * 3
    assert codes(bench) == [FaultCode.DEVICE_UNTESTED]


def test_a_test_that_runs_is_not_asked_for_again() -> None:
    bench, shoe = Bench(), Shoe()
    voided(bench)
    press, _ = seated(bench, device=shoe)
    assert {press() for _ in range(4)} == {"refused.test_running"}
    assert shoe.words == ["TEST"]


def test_a_test_without_an_answer_has_failed_after_a_while_and_can_be_asked_again() -> None:
    bench, shoe = Bench(), Shoe()
    voided(bench)
    press, desk = seated(bench, device=shoe)
    for _ in range(2):
        assert press() == "refused.test_running"
        bench.clock.advance(LIMIT_US)
        assert press() == "refused.test_unanswered"
        assert last_words(bench) == "it gave no answer to its test in 45 s: ask again"
    assert press() == "refused.test_running"
    assert shoe.words == ["TEST"] * 3
    shoe_says(desk, passed=True)
    assert press() == "done"


def test_the_studio_itself_notices_that_no_answer_comes() -> None:
    bench, shoe = Bench(), Shoe()
    voided(bench)
    desk = Desk(bench.runner, device=shoe)
    assert desk.test("shoe")
    bench.clock.advance(LIMIT_US - 1)
    desk.look_after(bench.clock.now_us())
    bench.runner.flush()
    assert "test_failed" not in noted(bench)
    bench.clock.advance(1)
    desk.look_after(bench.clock.now_us())
    desk.look_after(bench.clock.now_us())
    bench.runner.flush()
    assert noted(bench).count("test_failed") == 1


@pytest.mark.parametrize("name", ["shoe", "camera"])
def test_a_device_that_is_lost_during_its_test_has_failed_it(name: str) -> None:
    bench, shoe, eye = Bench(), Shoe(), TestedEye()
    desk = Desk(bench.runner, device=shoe, camera=eye)
    assert desk.test(name)
    at_us = bench.clock.now_us()
    desk.report(o.DeviceOffline(device=name, at_us=at_us, reason="unplugged"))
    desk.report(o.DeviceOffline(device=name, at_us=at_us, reason="unplugged"))
    bench.runner.flush()
    assert noted(bench)[-2:] == ["test_failed", "offline"]
    assert desk.test(name)
    assert shoe.words + ["TEST"] * eye.tests == ["TEST"] * 2


def last_words(bench: Bench) -> str:
    """What was said with the newest test."""
    tests = [note for note in device_notes(bench) if note.what.startswith("test")]
    return tests[-1].text


def device_notes(bench: Bench) -> list[e.DeviceNoted]:
    return [event for event in bench.events() if isinstance(event, e.DeviceNoted)]


def test_who_is_inside_the_process_is_answered_the_same_way() -> None:
    bench, shoe = Bench(), Shoe()
    voided(bench)
    desk = Desk(bench.runner, device=shoe)
    command = c.PassSelfTest(fault=fault(bench), reason=REASON)
    with pytest.raises(c.Rejected, match="test running"):
        desk.ask(command, who="Sim", role="supervisor")
    shoe_says(desk, passed=True)
    desk.ask(command, who="Sim", role="supervisor")
    assert codes(bench) == []


def test_a_camera_is_asked_for_its_own_test() -> None:
    bench, eye = Bench(), TestedEye()
    desk = Desk(bench.runner, camera=eye)
    assert desk.test("camera")
    assert eye.tests == 1
    assert not desk.test("shoe")
    assert not desk.test("another")


def noted(bench: Bench) -> list[str]:
    """What was noted of devices, oldest first."""
    return [event.what for event in device_notes(bench)]


def test_a_camera_without_a_test_of_its_own_passes_if_it_sees() -> None:
    bench = Bench()
    desk = Desk(bench.runner, camera=Eye())
    bench.see(o.CameraUnfit(device="camera", at_us=bench.clock.now_us(), why=o.Unfit.DARK))
    desk.test("camera")
    bench.runner.flush()
    assert noted(bench)[-1] == "test_failed"
    bench.see(o.CameraFit(device="camera", at_us=bench.clock.now_us()))
    desk.test("camera")
    bench.runner.flush()
    assert noted(bench)[-1] == "tested"


def test_an_untested_device_is_untested_after_the_table_was_closed() -> None:
    """Closing the table is no way around the test."""
    bench = Bench()
    voided(bench)
    bench.do(c.CloseTable(), SUPERVISOR)
    bench.do(c.OpenTable(), SUPERVISOR)
    assert codes(bench) == [FaultCode.DEVICE_UNTESTED]
