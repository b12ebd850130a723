"""The cells of the matrix through real bytes and rendered, encoded and read pixels.

Each demonstration deals about twenty coups with one cell each, and a clean one at the end. The
shoe is stacked so that every coup has six cards (or four) wherever it begins: a fault may shift it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from studio.domain.cards import PACK
from studio.simulate.demo import TABLE, DemoStudio, Wanted, headless, settings_of
from studio.simulate.faults import BURN, RESULT, SHOE_CHANGE, Planned
from studio.storage.journal import open_journal
from studio.storage.verify import verify
from tests.matrix.cells import SOURCES, Cell, possible_cells
from tests.matrix.course import Books, check_money

BURNED = ("AC", "KC")
"""An ace is shown, so one card goes down."""
COUPS = 20
"""Cells in one demonstration; fewer where each has a shoe of its own."""


def _ranks(ranks: str) -> list[str]:
    return [card.code for rank in ranks for card in PACK if card.code[0] == rank]


def low() -> tuple[str, ...]:
    """Tens, pictures and aces: nobody ever has more than 2, so both hands draw in every coup."""
    tens, aces = _ranks("TJQK") * 7, _ranks("A") * 7
    mixed = [
        card
        for at, card in enumerate(tens)
        for card in ([aces[at // 4], card] if at % 4 == 0 else [card])
    ]
    return (*BURNED, *mixed)


def high() -> tuple[str, ...]:
    """Nines and tens by turns: one hand has a natural in every coup, wherever it begins."""
    nines, tens = _ranks("9") * 8, _ranks("T") * 8
    return (*BURNED, *(card for pair in zip(nines, tens, strict=True) for card in pair))


def courses() -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """The cells in courses: by sources, with a shoe each, with results, and all others."""
    for sources in SOURCES:
        mine = [cell for cell in possible_cells() if cell.sources == sources]
        kinds = {
            "shoes": [cell for cell in mine if cell.moment in (BURN, SHOE_CHANGE)],
            "results": [cell for cell in mine if cell.moment == RESULT],
            "cards": [cell for cell in mine if cell.moment not in (BURN, SHOE_CHANGE, RESULT)],
        }
        for kind, cells in kinds.items():
            rest = iter(cells)
            size = 12 if kind == "results" else COUPS
            number = 0
            while some := tuple(islice(rest, size)):
                number += 1
                yield f"{'+'.join(sources)}-{kind}-{number}", some


ALL = dict(courses())


def deal(cells: tuple[Cell, ...], folder: Path, profile: str = "house") -> DemoStudio:
    """Deal one coup for each cell, and a clean one."""
    planned = tuple(Planned(c.fault, at, c.moment) for at, c in enumerate(cells, start=1))
    results = all(cell.moment == RESULT for cell in cells)
    wish = Wanted(
        headless=True,
        rounds=len(cells) + 1,
        sources=cells[0].sources,
        faults=planned,
        profile=profile,
        stacked=high() if results else low(),
    )
    return headless(wish, settings_of(wish, f"sqlite:///{folder}/matrix.db"))


def check(studio: DemoStudio, cells: tuple[Cell, ...], folder: Path, profile: str) -> None:
    """Each coup ended as policy says, money is right to the unit, and the journal verifies."""
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
    books = Books(profile).read(facts)
    for told, cell in zip(studio.lines, cells, strict=False):
        assert told["injected"] == [cell.fault], (told, str(cell))
        void = books.must_be_void(told["round"])
        assert told["state"] == ("voided" if void else "settled"), (told, str(cell))
        check_money(books, told["round"], studio.courses[TABLE].truths[told["round"]])
    assert studio.lines[-1]["faults"] == []


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("course", ALL)
def test_the_cells_end_as_policy_says_through_bytes_and_pixels(course: str, tmp_path: Path) -> None:
    """House profile, all sources."""
    check(deal(ALL[course], tmp_path), ALL[course], tmp_path, "house")


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("profile", ["agco-like", "singapore-like"])
def test_a_device_that_caused_a_void_is_tested_through_bytes_and_pixels(
    profile: str, tmp_path: Path
) -> None:
    """The coup is void, the device tests itself, and the table deals again."""
    names = ("unplug", "frozen", "kill")
    cells = tuple(Cell(name, "card_3", SOURCES[0]) for name in names)
    studio = deal(cells, tmp_path, profile)
    check(studio, cells, tmp_path, profile)
    assert studio.tally.voided >= 2


def test_every_cell_is_in_one_course() -> None:
    """None is forgotten on the way from the data to the demonstrations."""
    dealt = [cell for cells in ALL.values() for cell in cells]
    assert sorted(map(str, dealt)) == sorted(map(str, possible_cells()))
