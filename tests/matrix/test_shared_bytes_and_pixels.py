"""The matrix of the shared hand through real bytes and rendered, encoded and read pixels.

As `test_bytes_and_pixels` has it for punto banco: about twenty rounds with one cell each, and a
clean one at the end. The simulated dealer's course stacks the shoe for the step that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from studio.simulate.demo import DemoStudio, Wanted, headless, settings_of
from studio.simulate.faults import BURN, SHOE_CHANGE, Planned
from studio.storage.journal import open_journal
from studio.storage.verify import verify
from tests.matrix.cells import SOURCES, Cell
from tests.matrix.course import Books
from tests.matrix.shared_cells import GAME, possible_cells

TABLE = "bb1"
ROUNDS = 20
PLAYERS = 40


def courses() -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """The cells in courses: by sources, those with a shoe each apart."""
    for sources in SOURCES:
        mine = [cell for cell in possible_cells() if cell.sources == sources]
        kinds = {
            "shoes": [cell for cell in mine if cell.moment in (BURN, SHOE_CHANGE)],
            "rounds": [cell for cell in mine if cell.moment not in (BURN, SHOE_CHANGE)],
        }
        for kind, cells in kinds.items():
            rest = iter(cells)
            number = 0
            while some := tuple(islice(rest, ROUNDS)):
                number += 1
                yield f"{'+'.join(sources)}-{kind}-{number}", some


ALL = dict(courses())


def deal(cells: tuple[Cell, ...], folder: Path) -> DemoStudio:
    """Deal one round for each cell, and a clean one."""
    wish = Wanted(
        game=GAME,
        headless=True,
        rounds=len(cells) + 1,
        sources=cells[0].sources,
        faults=tuple(Planned(c.fault, at, c.moment) for at, c in enumerate(cells, start=1)),
        players=PLAYERS,
    )
    return headless(wish, settings_of(wish, f"sqlite:///{folder}/matrix.db"))


def check(studio: DemoStudio, cells: tuple[Cell, ...], folder: Path) -> None:
    """Each round ended as policy says with the cards that were laid, and the journal verifies."""
    database = f"sqlite:///{folder}/matrix.db"
    assert verify(database).problems == ()
    assert studio.tally.misreads == 0
    journal = open_journal(database)
    try:
        facts = [
            (fact.event, fact.at_us)
            for stream in journal.streams()
            for fact in journal.read(stream, secrets=True)
        ]
    finally:
        journal.database.close()
    books = Books("house").read(facts)
    for told, cell in zip(studio.lines, cells, strict=False):
        assert told["injected"] == [cell.fault], (told, str(cell))
        void = books.must_be_void(told["round"])
        assert told["state"] == ("voided" if void else "settled"), (told, str(cell))
        assert told["staked"] == told["returned"] + told["refunded"] + told["house"]
        laid = studio.courses[TABLE].truths[told["round"]]
        assert [tuple(card) for card in told["cards"]] == laid, str(cell)
    assert studio.lines[-1]["faults"] == []


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("course", ALL)
def test_the_cells_of_the_shared_hand_end_as_policy_says_through_bytes_and_pixels(
    course: str, tmp_path: Path
) -> None:
    """House profile, all sources."""
    check(deal(ALL[course], tmp_path), ALL[course], tmp_path)


def test_every_cell_of_the_shared_hand_is_in_one_course() -> None:
    """None is forgotten on the way from the data to the demonstrations."""
    dealt = [cell for cells in ALL.values() for cell in cells]
    assert sorted(map(str, dealt)) == sorted(map(str, possible_cells()))
