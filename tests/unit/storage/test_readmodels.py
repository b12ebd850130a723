"""The table of rounds says what the journal says, however often it is made."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from studio.domain import events as e
from studio.domain.envelope import Actor, ActorKind, Recorded
from studio.storage.database import Database
from studio.storage.journal import SqlJournal
from studio.storage.memory import MemoryJournal
from studio.storage.readmodels import Rounds, rounds_of
from tests.support.shared import SharedRig
from tests.unit.storage.stories import (
    NEXT_DAY,
    STREAM,
    corrected,
    declared_void,
    first_coup,
    opened,
    placed,
    second_coup,
    write,
)


def recorded(rig: SharedRig) -> list[Recorded]:
    """The facts of a table without a journal, as one would give them."""
    actor = Actor(ActorKind.SYSTEM, "test")
    return [
        Recorded(version=number, at_us=at_us, actor=actor, command_id=str(number), event=event)
        for number, (event, at_us) in enumerate(rig.events, 1)
    ]


@pytest.fixture
def journal(database: Database) -> SqlJournal:
    return SqlJournal(database)


@pytest.fixture
def rounds(journal: SqlJournal) -> Rounds:
    return Rounds(journal)


def test_a_settled_round_is_one_line_with_its_correction(
    journal: SqlJournal, rounds: Rounds
) -> None:
    write(journal, first_coup())
    assert rounds.rebuild() == 1
    (only,) = rounds.all()
    assert only.line() == {
        "round": "r1",
        "game": "baccarat",
        "outcome": "banker",
        "cards": [["P", "4H"], ["B", "3H"], ["P", "TS"], ["B", "6C"]],
        "staked": 1_250,
        "returned": 1_950,
        "refunded": 0,
        "house": -700,
        "state": "settled",
        "faults": [],
    }
    assert (only.table, only.shoe_no, only.round_no) == ("ba1", 1, 1)
    assert (only.first_version, only.last_version) == (3, 16)


def test_a_turned_card_is_in_the_record_of_its_round_and_one_that_was_not_is_not() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C 7H")
    rig.answer("ann M stand")
    (before,) = rounds_of("table/bb1/d", recorded(rig))
    assert before.cards == (("M", "TS"), ("D", "6D"), ("M", "8C"), ("D", "XX"))
    rig.turn_hole("7H")
    (after,) = rounds_of("table/bb1/d", recorded(rig))
    assert after.cards == (("M", "TS"), ("D", "6D"), ("M", "8C"), ("D", "7H"))


def test_a_voided_round_gives_every_stake_back_and_names_its_faults(
    journal: SqlJournal, rounds: Rounds
) -> None:
    write(journal, second_coup())
    rounds.rebuild()
    (only,) = rounds.all("ba1")
    line = only.line()
    assert (line["state"], line["outcome"], line["faults"]) == ("voided", "", ["extra_card"])
    assert (line["staked"], line["refunded"], line["returned"], line["house"]) == (
        1_250,
        1_250,
        0,
        0,
    )


def test_an_open_round_is_listed_as_open(journal: SqlJournal, rounds: Rounds) -> None:
    write(journal, [opened(1), *placed(1)])
    rounds.refresh()
    (only,) = rounds.all()
    assert (only.state, only.staked, only.house, only.ended_us) == ("open", 1_250, 0, None)


def test_refreshing_reads_what_is_new_and_gives_what_rebuilding_gives(
    journal: SqlJournal, rounds: Rounds
) -> None:
    write(journal, first_coup(), [opened(2), *placed(2)])
    rounds.refresh()
    write(journal, second_coup()[4:])
    write(journal, [e.TableOpened(), opened(3)], stream=NEXT_DAY)
    rounds.refresh()
    refreshed = rounds.all()
    assert [each.state for each in refreshed] == ["settled", "voided", "open"]
    assert rounds.rebuild() == 3
    assert rounds.all() == refreshed


def test_a_table_of_another_version_is_made_again(
    journal: SqlJournal, rounds: Rounds, database: Database
) -> None:
    write(journal, first_coup())
    rounds.refresh()
    with database.writing() as connection:
        connection.execute(text("UPDATE read_models SET version = 0"))
        connection.execute(text("UPDATE rounds SET outcome = 'wrong'"))
    rounds.refresh()
    assert [each.outcome for each in rounds.all()] == ["banker"]


def test_one_round_is_found_with_its_stream(journal: SqlJournal, rounds: Rounds) -> None:
    write(journal, first_coup())
    rounds.refresh()
    found = rounds.one("r1")
    assert found is not None
    assert found[0] == STREAM
    assert rounds.one("r9") is None


def test_other_tables_rounds_are_not_listed(journal: SqlJournal, rounds: Rounds) -> None:
    write(journal, first_coup())
    rounds.refresh()
    assert rounds.all("ba2") == []


def test_rounds_are_read_from_any_journal() -> None:
    journal = MemoryJournal()
    write(journal, first_coup(), second_coup())
    assert [each.state for each in rounds_of(STREAM, journal.read(STREAM))] == [
        "settled",
        "voided",
    ]


def test_a_late_correction_is_in_the_line_of_its_round(journal: SqlJournal, rounds: Rounds) -> None:
    """The true cards and result; staked = returned + refunded + house as ever."""
    write(journal, first_coup())
    rounds.refresh()
    write(journal, [corrected(1)])
    rounds.refresh()
    (only,) = rounds.all()
    assert (only.outcome, only.state) == ("tie", "settled")
    assert only.cards == (("P", "4H"), ("B", "3H"), ("P", "2S"), ("B", "3C"))
    assert (only.staked, only.returned, only.refunded, only.house) == (1_250, 3_250, 0, -2_000)
    write(journal, [declared_void(1)])
    rounds.refresh()
    (only,) = rounds.all()
    assert (only.outcome, only.state) == ("", "voided")
    assert (only.returned, only.refunded, only.house) == (0, 1_250, 0)


def test_a_correction_on_the_next_day_reaches_the_round_of_the_day_before(
    journal: SqlJournal, rounds: Rounds
) -> None:
    """A shoe goes over the end of the gaming day; making the table again changes nothing."""
    write(journal, first_coup())
    rounds.refresh()
    write(journal, [opened(2), corrected(1)], stream=NEXT_DAY)
    rounds.refresh()
    found = rounds.one("r1")
    assert found is not None
    stream, first = found
    assert stream == STREAM
    assert (first.outcome, first.returned, first.house) == ("tie", 3_250, -2_000)
    assert first.cards[2:] == (("P", "2S"), ("B", "3C"))
    rounds.rebuild()
    assert rounds.one("r1") == found
