"""A person takes the seat of a demonstration's simulated dealer, and gives it back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from studio.domain.commands import LeaveTable, RelieveDealer
from studio.live.clock import ManualClock
from studio.simulate.demo import NOON_US, TABLE, DemoStudio, Wanted, settings_of, wait_for_devices
from studio.simulate.pace import JumpingPace
from studio.table.seats import in_round
from studio.table.state import Phase

IMRAN = "Imran S."


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[DemoStudio]:
    wanted = Wanted(headless=True, sources=("shoe",))
    settings = settings_of(wanted, f"sqlite:///{tmp_path / 'demo.db'}")
    studio = DemoStudio(wanted, settings, ManualClock(NOON_US))
    studio.start()
    yield studio
    studio.stop()


def test_the_simulated_dealer_waits_while_a_person_has_the_seat_and_then_goes_on(
    studio: DemoStudio, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(studio.clock, ManualClock)
    pace = JumpingPace(studio.clock, studio, None)
    wait_for_devices(studio, pace)
    desk = studio.desk(TABLE)
    course = studio.course(pace).steps(6)
    for _ in course:
        if desk.table().phase is Phase.RESULT:
            break
    first = desk.table().round
    desk.ask(RelieveDealer(), who=IMRAN, role="dealer")
    assert desk.table().dealer == IMRAN
    told = len(studio.lines)
    # A coup that was open is dealt to its end, the seat is his between two of them.
    for _ in islice(course, 400):
        table = desk.table()
        if not in_round(table) and table.round is not None and not table.round.collected:
            break
    before = desk.table()
    for _ in islice(course, 20):
        pass
    assert desk.table() == before
    assert "is refused" not in capsys.readouterr().err
    desk.ask(LeaveTable(), who=IMRAN, role="dealer")
    for _ in course:
        pass
    assert desk.table().dealer == "Sim Dealer"
    assert first is not None
    assert len(studio.lines) == 6 > told
