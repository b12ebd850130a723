"""Several tables in one demonstration: each deals its own cards and keeps its own books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.simulate.demo import DemoStudio, Wanted, headless, settings_of, tables_of
from studio.simulate.faults import Planned
from studio.storage.journal import open_journal
from studio.storage.verify import verify


def deal(folder: Path, **wanted: Any) -> DemoStudio:
    """Deal without a browser, and check the books of each table and of the whole."""
    database = f"sqlite:///{folder}/demo.db"
    wish = Wanted(headless=True, **wanted)
    studio = headless(wish, settings_of(wish, database))
    assert verify(database).problems == ()
    for tally in (*studio.tallies.values(), studio.tally):
        assert tally.misreads == 0
    assert studio.lost == studio.tally.house, "the wallet tells of other money than the rounds"
    return studio


@pytest.mark.timeout(240)
def test_two_tables_with_eyes_deal_to_the_end_at_once_and_their_books_are_right(
    tmp_path: Path,
) -> None:
    studio = deal(tmp_path, rounds=2, tables=2, seed=11)
    assert tables_of(studio.wanted) == ("ba1", "ba2")
    assert {name: tally.settled for name, tally in studio.tallies.items()} == {"ba1": 2, "ba2": 2}
    cards = {name: [told["cards"] for told in lines] for name, lines in by_table(studio).items()}
    assert cards["ba1"] != cards["ba2"]


def by_table(studio: DemoStudio) -> dict[str, list[Any]]:
    """The lines of the rounds by the table that the round's name holds."""
    return {
        name: [told for told in studio.lines if f"-{name}-" in told["round"]]
        for name in studio.setups
    }


def test_the_books_of_each_table_are_in_its_own_streams_and_feed(tmp_path: Path) -> None:
    studio = deal(tmp_path, rounds=3, tables=3, seed=2, sources=("shoe",))
    journal = open_journal(f"sqlite:///{tmp_path}/demo.db")
    try:
        assert {stream.split("/")[1] for stream in journal.streams()} == {"ba1", "ba2", "ba3"}
        for name, lines in by_table(studio).items():
            feed = [each.entry for each in journal.feed(name)]
            settled = [entry for entry in feed if entry.type == "round.settled"]
            assert {entry.table for entry in feed} == {name}
            assert [entry.round_id for entry in settled] == [told["round"] for told in lines]
            assert [entry.data["staked"] for entry in settled] == [told["staked"] for told in lines]
    finally:
        journal.database.close()


def test_a_fault_at_the_first_table_leaves_the_rounds_of_the_second_as_they_were(
    tmp_path: Path,
) -> None:
    (tmp_path / "clean").mkdir()
    (tmp_path / "faulty").mkdir()
    clean = deal(tmp_path / "clean", rounds=3, tables=2, seed=4, sources=("shoe",))
    faults = (Planned("unplug", 1), Planned("unreadable", 2))
    faulty = deal(tmp_path / "faulty", rounds=3, tables=2, seed=4, sources=("shoe",), faults=faults)
    assert faulty.tallies["ba1"].holds > 0
    assert faulty.tallies["ba2"].holds == 0
    assert by_table(faulty)["ba2"] == by_table(clean)["ba2"]


def test_one_table_deals_the_same_cards_with_and_without_company(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    (tmp_path / "company").mkdir()
    alone = deal(tmp_path / "alone", rounds=3, seed=7, sources=("shoe",))
    company = deal(tmp_path / "company", rounds=3, tables=2, seed=7, sources=("shoe",))
    assert by_table(company)["ba1"] == alone.lines
