"""The bet record is read on beside the tables, in portions, and a question hurries it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import select

from studio.storage import ahead, betrecord
from studio.storage.ahead import ReadingAhead
from studio.storage.betrecord import BETS, BetRecord
from studio.storage.database import Database
from studio.storage.journal import SqlJournal
from tests.unit.storage.stories import corrected, declared_void, first_coup, second_coup, write

FIRST = {("r1", "b1", 1_950, "settled"), ("r1", "b2", 0, "settled")}
VOIDED = {("r2", "b1", 1_000, "voided"), ("r2", "b2", 250, "voided")}


@pytest.fixture
def journal(database: Database) -> SqlJournal:
    return SqlJournal(database)


def recorded(database: Database) -> set[tuple[str, str, int, str]]:
    """Round, bet, what went back and state of each bet in the record."""
    query = select(BETS.c.round_id, BETS.c.bet_id, BETS.c.returned, BETS.c.state)
    with database.reading() as connection:
        return {(row[0], row[1], row[2], row[3]) for row in connection.execute(query)}


def test_bets_are_in_the_record_before_anybody_asks(
    journal: SqlJournal, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "EVERY_S", 0.001)
    reading = ReadingAhead(BetRecord(journal))
    write(journal, first_coup())
    reading.start()
    until(lambda: recorded(database) == FIRST)
    write(journal, second_coup())
    until(lambda: recorded(database) == FIRST | VOIDED)
    reading.stop()


@pytest.mark.parametrize("portions", range(8))
def test_a_record_that_is_ended_anywhere_reads_on_to_the_same(
    journal: SqlJournal, database: Database, monkeypatch: pytest.MonkeyPatch, portions: int
) -> None:
    monkeypatch.setattr(betrecord, "AT_ONCE", 1)
    write(journal, first_coup(), second_coup(), [corrected(1)], [declared_void(1)])
    left = portions

    def end(_took_s: float) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        BetRecord(journal).refresh(end)
    BetRecord(journal).refresh()
    wanted = {("r1", "b1", 1_000, "voided"), ("r1", "b2", 250, "voided")}
    assert recorded(database) == wanted | VOIDED


def test_who_asks_meanwhile_is_seen_and_waits_for_no_rest(
    journal: SqlJournal, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "EVERY_S", 0.001)
    monkeypatch.setattr(ahead, "REST", 1e9)
    monkeypatch.setattr(ahead, "LONGEST_REST_S", 600.0)
    record = BetRecord(journal)
    write(journal, first_coup())
    seen, asking = threading.Event(), threading.Thread(target=record.refresh)
    rest = ReadingAhead._rest

    def asked(reading: ReadingAhead, took_s: float) -> None:
        if not seen.is_set():
            asking.start()
            until(lambda: record.wanted)
            seen.set()
        rest(reading, took_s)

    monkeypatch.setattr(ReadingAhead, "_rest", asked)
    reading = ReadingAhead(record)
    reading.start()
    assert seen.wait(20)
    asking.join(20)
    assert not asking.is_alive()
    assert recorded(database) == FIRST
    reading.stop()


def test_what_cannot_be_read_is_logged_once_and_tried_again(
    journal: SqlJournal,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(ahead, "EVERY_S", 0.001)
    record, tries, read = BetRecord(journal), threading.Semaphore(0), threading.Event()
    whole = record.refresh
    broken = True

    def refresh(written: Callable[[float], None] | None = None) -> None:
        tries.release()
        if broken:
            raise OSError("the disk is full")
        whole(written)
        read.set()

    monkeypatch.setattr(record, "refresh", refresh)
    write(journal, first_coup())
    reading = ReadingAhead(record)
    reading.start()
    for _ in range(3):
        assert tries.acquire(timeout=20)
    broken = False
    assert read.wait(20)
    reading.stop()
    assert recorded(database) == FIRST
    assert len([r for r in caplog.records if "cannot be read on" in r.message]) == 1


def until(wanted: Callable[[], bool]) -> None:
    """Wait until something is so."""
    pause = threading.Event()
    for _ in range(2_000):
        if wanted():
            return
        pause.wait(0.01)
    raise AssertionError("it did not come")
