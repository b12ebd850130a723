"""What every journal promises, in SQL and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.envelope import (
    Actor,
    ActorKind,
    CommandRecord,
    Envelope,
    OutboxEntry,
    Sealed,
)
from studio.domain.events import BetsPlaced, CardDead, ShoeEnding, TableClosed, TableOpened
from studio.live.ports import Journal, JournalError, RepeatedAppend, VersionConflict
from studio.storage.journal import open_journal
from studio.storage.memory import MemoryJournal

STREAM = "table/ba1/2026-11-30"
DEALER = Actor(ActorKind.PERSON, "17", "dealer")
SEVEN = Card.parse("7H")


@pytest.fixture(params=["sqlite", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """One of the journals, empty."""
    if request.param == "memory":
        yield MemoryJournal()
        return
    opened = open_journal(f"sqlite:///{tmp_path}/cutcard.db")
    yield opened
    opened.database.close()


def envelope(command: str = "c1", at_us: int = 1_000) -> Envelope:
    return Envelope(command_id=command, actor=DEALER, cause="test", at_us=at_us)


def entry(number: int, table: str = "ba1") -> OutboxEntry:
    return OutboxEntry(
        id=f"o{number}", type="round.settled", table=table, at_us=number, data={"n": number}
    )


def asked(command: str = "c1", **changes: Any) -> CommandRecord:
    record = CommandRecord(
        command_id=command, actor=DEALER, name="OpenTable", body="{}", outcome='"ok"', at_us=5
    )
    return replace(record, **changes)


def test_what_was_appended_is_read_back_with_its_author(journal: Journal) -> None:
    events = (TableOpened(config_digest="d"), ShoeEnding(reason="worn “card”"))
    assert journal.append(STREAM, 0, envelope(), events) == 2
    facts = list(journal.read(STREAM))
    assert tuple(fact.event for fact in facts) == events
    assert [(fact.version, fact.at_us) for fact in facts] == [(1, 1_000), (2, 1_000)]
    assert {(fact.actor, fact.command_id, fact.cause) for fact in facts} == {(DEALER, "c1", "test")}


def test_reading_begins_after_the_version_that_is_known(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(), TableClosed()))
    assert [fact.version for fact in journal.read(STREAM, after=1)] == [2]
    assert list(journal.read(STREAM, after=2)) == []


def test_a_stream_that_does_not_exist_is_empty_and_at_version_0(journal: Journal) -> None:
    assert list(journal.read("table/none/2026-01-01")) == []
    assert journal.version("table/none/2026-01-01") == 0


def test_a_writer_that_expects_another_version_writes_nothing(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),))
    with pytest.raises(VersionConflict, match="is at version 1, not 0"):
        journal.append(STREAM, 0, envelope("c2"), (TableClosed(),), outbox=(entry(1),))
    assert journal.version(STREAM) == 1
    assert journal.pending("anybody") == []


def test_the_same_command_never_writes_twice(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),))
    with pytest.raises(RepeatedAppend):
        journal.append(STREAM, 1, envelope(), (TableOpened(),))
    assert journal.version(STREAM) == 1


def test_a_record_never_goes_backwards_even_if_the_clock_does(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope("c1", 5_000), (TableOpened(),))
    journal.append(STREAM, 1, envelope("c2", 3_000), (TableClosed(),))
    assert [fact.at_us for fact in journal.read(STREAM)] == [5_000, 5_000]


def test_the_next_day_goes_on_from_the_instant_of_the_day_before(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope("c1", 5_000), (TableOpened(),))
    following = "table/ba1/2026-12-01"
    journal.append(following, 0, envelope("c1", 4_000), (TableOpened(),))
    assert [fact.at_us for fact in journal.read(following)] == [5_000]
    assert list(journal.streams()) == [STREAM, following]


def test_an_event_that_holds_a_float_is_refused_and_nothing_is_written(journal: Journal) -> None:
    wrong = TableOpened(config_digest=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="config_digest"):
        journal.append(STREAM, 0, envelope(), (TableOpened(), wrong))
    assert journal.version(STREAM) == 0


def test_columns_travel_beside_their_event(journal: Journal) -> None:
    columns = Columns(("b1", "b2"), ("p1", "p2"), ("banker", "tie"), (1_000, 250))
    placed = BetsPlaced(
        round_id="r1", batch="x", packed=columns.packed("bets", "x"), columns=columns
    )
    journal.append(STREAM, 0, envelope(), (TableOpened(), placed))
    assert [fact.event for fact in journal.read(STREAM)] == [TableOpened(), placed]


def test_an_event_that_describes_other_columns_is_refused(journal: Journal) -> None:
    columns = Columns(("b1",), ("p1",), ("banker",), (1_000,))
    other = Columns(("b1",), ("p1",), ("banker",), (1_001,))
    placed = BetsPlaced(round_id="r1", batch="x", packed=other.packed("bets", "x"), columns=columns)
    with pytest.raises(TypeError, match="other columns"):
        journal.append(STREAM, 0, envelope(), (placed,))


def test_a_sealed_card_is_closed_to_everybody_but_the_tables_own_recovery(
    journal: Journal,
) -> None:
    sealed = Sealed(SEVEN, "salt-1")
    burned = CardDead(fate="burned", card=None, sealed=sealed)
    journal.append(STREAM, 0, envelope(), (burned,))
    (public,) = (fact.event for fact in journal.read(STREAM))
    assert public.sealed == Sealed.closed(sealed.digest)
    assert not public.sealed.known
    (private,) = (fact.event for fact in journal.read(STREAM, secrets=True))
    assert private == burned


def test_a_seal_is_opened_on_the_next_day_too(journal: Journal) -> None:
    burned = CardDead(fate="burned", card=None, sealed=Sealed(SEVEN, "salt-1"))
    journal.append(STREAM, 0, envelope(), (burned,))
    following = "table/ba1/2026-12-01"
    journal.append(following, 0, envelope(), (burned,))
    assert [fact.event for fact in journal.read(following, secrets=True)] == [burned]


def test_a_sealed_card_of_unknown_identity_is_read_back_as_such(journal: Journal) -> None:
    burned = CardDead(fate="burned", card=None, sealed=Sealed(None, "salt-2"))
    journal.append(STREAM, 0, envelope(), (burned,))
    assert [fact.event for fact in journal.read(STREAM, secrets=True)] == [burned]


def test_a_rejected_command_is_kept_and_makes_no_fact(journal: Journal) -> None:
    record = asked(outcome='"table_held"', accepted=False)
    journal.record_command(record)
    assert journal.answer_of("c1") == record
    assert list(journal.streams()) == []


def test_a_repeated_id_keeps_the_first_answer(journal: Journal) -> None:
    journal.record_command(asked(outcome='"first"'))
    journal.record_command(asked(outcome='"second"'))
    kept = journal.answer_of("c1")
    assert kept is not None
    assert kept.outcome == '"first"'


def test_an_id_that_was_never_asked_has_no_answer(journal: Journal) -> None:
    assert journal.answer_of("nobody") is None


def test_an_accepted_command_is_kept_in_the_commit_of_its_facts(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),), command=asked(stream=STREAM))
    assert journal.answer_of("c1") == asked(stream=STREAM)


def test_a_command_id_that_two_tables_were_sent_stops_neither(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),), command=asked(stream=STREAM))
    other = "table/ba2/2026-11-30"
    journal.append(other, 0, envelope(), (TableOpened(),), command=asked(stream=other))
    kept = journal.answer_of("c1")
    assert kept is not None
    assert kept.stream == STREAM
    assert journal.version(other) == 1


def test_the_outbox_is_read_in_order_and_by_table(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),), outbox=(entry(1), entry(2, "ba2")))
    journal.append(STREAM, 1, envelope("c2"), (TableClosed(),), outbox=(entry(3),))
    feed = journal.feed("ba1")
    assert [each.entry.id for each in feed] == ["o1", "o3"]
    assert [each.entry.id for each in journal.feed("ba1", after=feed[0].n)] == ["o3"]
    assert feed[0].entry == entry(1)


def test_an_id_of_the_outbox_is_never_used_twice(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),), outbox=(entry(1),))
    with pytest.raises(JournalError, match="there already"):
        journal.append(STREAM, 1, envelope("c2"), (TableClosed(),), outbox=(entry(1),))
    assert journal.version(STREAM) == 1


def test_each_receiver_goes_on_where_it_confirmed(journal: Journal) -> None:
    journal.append(STREAM, 0, envelope(), (TableOpened(),), outbox=(entry(1), entry(2), entry(3)))
    second = journal.pending("house")[1].n
    journal.mark("house", second)
    assert [each.entry.id for each in journal.pending("house")] == ["o3"]
    assert len(journal.pending("other")) == 3
    journal.mark("house", second - 1)
    assert [each.entry.id for each in journal.pending("house")] == ["o3"]


def test_two_tables_write_at_once_and_nothing_is_lost(journal: Journal) -> None:
    def deal(table: int) -> None:
        for version in range(25):
            stream = f"table/t{table}/2026-11-30"
            journal.append(stream, version, envelope(f"{table}-{version}"), (TableOpened(),))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(deal, range(4)))
    assert [journal.version(stream) for stream in journal.streams()] == [25] * 4


def test_of_two_writers_of_one_stream_one_learns_that_it_is_the_second(
    journal: Journal,
) -> None:
    def write(number: int) -> int:
        try:
            journal.append(STREAM, 0, envelope(f"c{number}"), (TableOpened(),))
        except VersionConflict:
            return 0
        return 1

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(write, range(8))) == 1
    assert journal.version(STREAM) == 1
