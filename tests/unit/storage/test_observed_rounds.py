"""Rounds are counted from the journal: by table, dealer and shift, under the rules in force."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from studio.domain import events as e
from studio.live.exact import in_process
from studio.live.observed import Asked, Group, Of
from studio.storage.database import Database
from studio.storage.journal import SqlJournal
from studio.storage.observed import RoundsOf
from tests.unit.storage.stories import (
    NEXT_DAY,
    corrected,
    declared_void,
    first_coup,
    second_coup,
    write,
)

BACCARAT = Asked(table="ba1", game="baccarat", rules={}, digest="d")


@pytest.fixture
def journal(database: Database) -> SqlJournal:
    return SqlJournal(database)


@pytest.fixture
def counter(journal: SqlJournal) -> RoundsOf:
    return RoundsOf(database=journal.database.url, day_starts="06:00", zone="UTC")


def dealt_by(number: str, facts: list[e.Event]) -> list[e.Event]:
    """The same facts with a dealer in the seat."""
    return [
        replace(fact, dealer=number) if isinstance(fact, e.RoundOpened) else fact for fact in facts
    ]


def group(found: tuple[Group, ...], of: Of, name: str) -> Group:
    (only,) = (each for each in found if (each.of, each.name) == (of, name))
    return only


def test_a_settled_coup_is_counted_for_table_dealer_and_shift(
    journal: SqlJournal, counter: RoundsOf
) -> None:
    write(journal, dealt_by("101", first_coup()))
    found = counter(BACCARAT)
    assert [each.of for each in found] == [Of.TABLE, Of.DEALER, Of.SHIFT]
    assert {each.rounds for each in found} == {1}
    bets = dict(group(found, Of.DEALER, "101").bets)
    # P 4H TS, B 3H 6C: 4 against 9.
    assert bets["banker"] == (1, 0, 0)
    assert bets["player"] == (0, 0, 1)
    assert len(bets) == 12


def test_a_void_and_other_rules_are_not_counted(journal: SqlJournal, counter: RoundsOf) -> None:
    write(journal, second_coup())
    assert counter(BACCARAT) == ()
    write(journal, first_coup(), stream=NEXT_DAY)
    assert counter(replace(BACCARAT, digest="other")) == ()
    assert counter(replace(BACCARAT, table="ba")) == ()
    assert group(counter(BACCARAT), Of.TABLE, "").rounds == 1


def test_a_correction_of_the_next_day_is_heeded(journal: SqlJournal, counter: RoundsOf) -> None:
    write(journal, first_coup())
    before = dict(group(counter(BACCARAT), Of.TABLE, "").bets)
    right = corrected(1)
    write(journal, [right], stream=NEXT_DAY)
    after = dict(group(counter(BACCARAT), Of.TABLE, "").bets)
    assert before["banker"] == (1, 0, 0)
    assert after[right.new_code] != (0, 0, 1)
    assert after != before
    write(journal, [declared_void(1)], stream=NEXT_DAY)
    assert counter(BACCARAT) == ()


def test_a_shift_is_a_third_of_the_gaming_day_by_the_clock_on_the_wall() -> None:
    counter = RoundsOf(database="", day_starts="06:30", zone="Asia/Karachi")
    hour = 3_600_000_000
    # 1970-01-01 00:00 UTC is 05:00 in Karachi.
    assert counter.shift(hour) == "3"
    assert counter.shift(2 * hour) == "1"
    assert counter.shift(9 * hour) == "1"
    assert counter.shift(10 * hour) == "2"
    assert counter.shift(18 * hour) == "3"


def test_a_database_that_is_not_there_is_told(tmp_path: Path) -> None:
    counter = RoundsOf(database=f"sqlite:///{tmp_path}/none.db", day_starts="06:00", zone="UTC")
    with pytest.raises(Exception, match="there is no database"):
        counter(BACCARAT)


def test_the_count_in_a_process_of_its_own_is_the_same(
    journal: SqlJournal, counter: RoundsOf
) -> None:
    write(journal, first_coup())
    assert in_process(counter, BACCARAT) == counter(BACCARAT)
