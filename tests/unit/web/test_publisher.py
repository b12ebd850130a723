"""What is sent when, with time moved by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.web.fakes import FakeService
from web.publisher import Publisher, Slot, room

DEALER: Slot = ("ba1", "dealer", 0)
WALL: Slot = ("", "wall", 0)
OVERLAY: Slot = ("ba1", "overlay", 0)
LATE: Slot = ("ba1", "overlay", 2000)


class Desk:
    """A publisher whose clock is moved by hand, and everything that it sent."""

    def __init__(self, service: FakeService) -> None:
        self.sent: list[tuple[str, Slot, Any]] = []
        self.mono_us = 10_000_000
        self.service = service
        self.fail_for: Slot | None = None
        self.publisher = Publisher(service, self, monotonic_us=lambda: self.mono_us)
        service.subscribe(self.publisher.note)

    def emit(self, event: str, data: Any, slot: Slot) -> None:
        if slot == self.fail_for:
            raise OSError("this screen is gone")
        self.sent.append((event, slot, {**data}))

    def pass_ms(self, ms: int) -> None:
        self.mono_us += ms * 1000
        self.service.time_us += ms * 1000
        self.publisher.turn()

    def take(self, event: str) -> list[Any]:
        taken = [data for kind, _, data in self.sent if kind == event]
        self.sent.clear()
        return taken


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest.fixture
def desk(service: FakeService) -> Desk:
    return Desk(service)


def test_a_burst_of_views_ends_with_the_newest(desk: Desk, service: FakeService) -> None:
    desk.publisher.join_slot(DEALER)
    desk.publisher.turn()
    desk.sent.clear()
    for _ in range(50):
        service.step("ba1")
    desk.publisher.turn()
    assert [data["seq"] for data in desk.take("view")] == [51]


def test_a_repeated_note_sends_nothing_twice(desk: Desk, service: FakeService) -> None:
    desk.publisher.join_slot(DEALER)
    service.step("ba1")
    desk.publisher.turn()
    desk.sent.clear()
    desk.publisher.note("ba1")
    desk.publisher.turn()
    assert desk.take("view") == []


def test_what_nobody_watches_is_not_asked_for(desk: Desk, service: FakeService) -> None:
    service.step("ba1")
    desk.publisher.turn()
    assert desk.sent == []
    assert desk.publisher.watched() == 0


def test_a_beat_goes_out_each_second_and_names_the_newest_view(
    desk: Desk, service: FakeService
) -> None:
    desk.publisher.join_slot(DEALER)
    desk.publisher.turn()
    desk.sent.clear()
    for _ in range(4):
        desk.pass_ms(250)
    beats = desk.take("beat")
    assert [beat["seq"] for beat in beats] == [1]
    assert beats[0]["now_us"] == service.time_us


def test_a_view_whose_note_was_lost_is_found_by_the_beat(desk: Desk, service: FakeService) -> None:
    desk.publisher.join_slot(DEALER)
    desk.publisher.turn()
    service.seqs["ba1"] += 1
    desk.sent.clear()
    desk.pass_ms(1000)
    assert [data["seq"] for data in desk.take("view")] == [2]


def test_the_wall_follows_every_table(desk: Desk, service: FakeService) -> None:
    desk.publisher.join_slot(WALL)
    desk.publisher.turn()
    desk.sent.clear()
    service.step("ba1")
    desk.publisher.turn()
    assert desk.take("wall")[0]["view"]["tiles"] == [{"table": "ba1", "step": 2}]


def test_a_screen_that_fails_does_not_keep_the_others_waiting(
    desk: Desk, service: FakeService, caplog: pytest.LogCaptureFixture
) -> None:
    for slot in (DEALER, OVERLAY):
        desk.publisher.join_slot(slot)
    desk.fail_for = DEALER
    service.step("ba1")
    desk.publisher.turn()
    assert [slot for event, slot, _ in desk.sent if event == "view"] == [OVERLAY]
    assert room(DEALER) in caplog.text


def test_a_new_epoch_is_newer_whatever_its_number(desk: Desk, service: FakeService) -> None:
    desk.publisher.join_slot(DEALER)
    desk.publisher.turn()
    service.epoch, service.seqs["ba1"] = "epoch-2", 1
    desk.sent.clear()
    desk.pass_ms(1000)
    assert [data["epoch"] for data in desk.take("view")] == ["epoch-2"]


def test_a_late_overlay_shows_each_view_when_its_delay_is_over(
    desk: Desk, service: FakeService
) -> None:
    desk.publisher.join_slot(LATE)
    desk.publisher.turn()
    desk.pass_ms(5000)
    service.step("ba1")
    desk.publisher.turn()
    desk.sent.clear()
    desk.pass_ms(1900)
    assert desk.take("view") == []
    desk.pass_ms(200)
    shown = desk.take("view")
    assert [data["view"]["step"] for data in shown] == [2]
    assert shown[0]["now_us"] == service.time_us - 2_000_000


def test_a_late_overlay_shows_every_view_even_of_a_fast_table(
    desk: Desk, service: FakeService
) -> None:
    desk.publisher.join_slot(LATE)
    desk.publisher.turn()
    desk.pass_ms(5000)
    for _ in range(3):
        service.step("ba1")
        desk.pass_ms(100)
    desk.sent.clear()
    for _ in range(30):
        desk.pass_ms(100)
    assert [data["view"]["step"] for data in desk.take("view")] == [2, 3, 4]


def test_a_slate_is_never_late_and_stays_until_the_picture_is_past_it(
    desk: Desk, service: FakeService
) -> None:
    desk.publisher.join_slot(LATE)
    desk.publisher.turn()
    desk.pass_ms(3000)
    desk.sent.clear()
    service.slate = {"code": "wait"}
    service.step("ba1")
    desk.publisher.turn()
    at_once = desk.take("view")
    assert at_once[0]["view"]["slate"] == {"code": "wait"}
    assert at_once[0]["view"]["step"] == 1
    desk.pass_ms(500)
    service.slate = None
    service.step("ba1")
    desk.publisher.turn()
    assert all(data["view"]["slate"] for data in desk.take("view"))
    desk.pass_ms(1600)
    assert all(data["view"]["slate"] for data in desk.take("view"))
    desk.pass_ms(500)
    over = desk.take("view")
    assert over[-1]["view"]["slate"] is None
    assert over[-1]["view"]["step"] == 3


def test_a_late_overlay_never_shows_what_is_not_old_enough(
    desk: Desk, service: FakeService
) -> None:
    service.hands = [{"zone": "P", "cards": ["7H"]}]
    desk.publisher.join_slot(LATE)
    desk.publisher.turn()
    first = desk.take("view")[0]["view"]
    assert first["slate"] == {"code": "wait", "round_no": 0}
    assert first["hands"] == []
    desk.pass_ms(1900)
    assert desk.take("view") == []
    desk.pass_ms(100)
    assert desk.take("view")[0]["view"]["hands"] == service.hands


def test_views_are_kept_as_long_as_the_latest_overlay_needs_them(
    desk: Desk, service: FakeService
) -> None:
    latest: Slot = ("ba1", "overlay", 300_000)
    desk.publisher.join_slot(latest)
    service.step("ba1")
    for _ in range(299):
        desk.pass_ms(1000)
        service.step("ba1")
    desk.sent.clear()
    for _ in range(20):
        desk.pass_ms(1000)
    assert [data["view"]["step"] for data in desk.take("view")] == list(range(2, 21))


def test_the_numbers_of_a_late_overlay_never_fall(desk: Desk, service: FakeService) -> None:
    seen: list[int] = []
    for _ in range(4):
        desk.publisher.join_slot(LATE)
        service.slate = {"code": "wait"}
        service.step("ba1")
        desk.pass_ms(700)
        service.slate = None
        service.step("ba1")
        desk.pass_ms(700)
        seen += [data["seq"] for data in desk.take("view")]
        desk.publisher.leave_slot(LATE)
    assert seen == sorted(set(seen))


def test_fetching_gives_what_the_slot_shows_with_the_servers_clock(
    desk: Desk, service: FakeService
) -> None:
    service.time_us += 5
    assert desk.publisher.current(OVERLAY)["now_us"] == service.time_us
    assert desk.publisher.current(LATE)["now_us"] == service.time_us - 2_000_000
    with pytest.raises(KeyError):
        desk.publisher.current(("zz", "dealer", 0))


@pytest.mark.parametrize("slot", [DEALER, OVERLAY, LATE])
def test_a_screen_counts_in_the_time_of_its_table_though_the_studios_clock_was_set(
    desk: Desk, service: FakeService, slot: Slot
) -> None:
    """A deadline is in the table's own time: an hour too much would end every countdown."""
    service.behind_us = 3_600_000_000
    desk.publisher.join_slot(slot)
    desk.pass_ms(2100)
    service.step("ba1")
    desk.sent.clear()
    desk.pass_ms(2100)
    there_us = service.time_us - service.behind_us - slot[2] * 1000
    told = {event: data["now_us"] for event, _, data in desk.sent}
    assert desk.publisher.current(slot)["now_us"] == there_us
    assert told == {"view": there_us, "beat": there_us}


def test_the_wall_counts_by_the_studios_clock(desk: Desk, service: FakeService) -> None:
    """It has one clock for all tables; each tile's deadline is told in it."""
    service.behind_us = 3_600_000_000
    desk.publisher.join_slot(WALL)
    desk.pass_ms(1100)
    assert desk.publisher.current(WALL)["now_us"] == service.time_us
    assert desk.take("beat")[-1]["now_us"] == service.time_us


@pytest.mark.parametrize("slot", [DEALER, LATE])
def test_a_screen_that_fetches_first_takes_the_view_from_no_other(
    desk: Desk, service: FakeService, slot: Slot
) -> None:
    desk.publisher.join_slot(slot)
    desk.publisher.turn()
    desk.sent.clear()
    service.step("ba1")
    desk.pass_ms(slot[2])
    desk.sent.clear()
    service.step("ba1")
    desk.mono_us += slot[2] * 1000
    fetched = desk.publisher.current(slot)["view"]["step"]
    desk.publisher.turn()
    assert desk.take("view")[-1]["view"]["step"] == fetched


def test_a_note_left_while_views_are_made_never_waits(desk: Desk, service: FakeService) -> None:
    """The studio may call with a lock of its own held: taking ours would be a deadlock."""
    with desk.publisher._lock:
        desk.publisher.note("ba1")
    desk.publisher.join_slot(DEALER)
    desk.publisher.turn()
    assert desk.take("view") != []


def test_the_thread_ends_when_it_is_told_to(service: FakeService, desk: Desk) -> None:
    publisher = Publisher(service, desk)
    publisher.begin()
    assert publisher.name == "publisher"
    publisher.stop()
    assert not publisher.is_alive()
    assert len(service.listeners) == 1
