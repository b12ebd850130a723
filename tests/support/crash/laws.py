"""What must hold after any end of a process: nothing lost, nothing doubled, nothing invented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.envelope import ActorKind, Recorded
from studio.domain.faults import FaultCode
from studio.live.recovery import restore
from studio.storage.journal import SqlJournal
from studio.storage.verify import verify
from studio.table import ledger
from tests.support.crash.course import Course
from tests.support.crash.doom import OPENING, PLAYERS

OWN = (ActorKind.SYSTEM, ActorKind.TIMER, ActorKind.DEVICE)


@dataclass(frozen=True, slots=True)
class Told:
    """What a process asked and was told before it ended."""

    asked: frozenset[str]
    answered: tuple[str, ...]
    read: frozenset[tuple[str, int]]


def told_in(folder: Path) -> Told:
    """Read the notes of all lives so far; half a last line is no word."""
    file = folder / "told"
    text = file.read_text() if file.exists() else ""
    lines = [line.split() for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return Told(
        asked=frozenset(words[1] for words in lines if words[0] == "?"),
        answered=tuple(words[1] for words in lines if words[0] == "!"),
        read=frozenset((words[1], int(words[2])) for words in lines if words[0] == "read"),
    )


def facts_of(journal: SqlJournal) -> list[Recorded]:
    """All facts of all days."""
    return [fact for stream in journal.streams() for fact in journal.read(stream)]


def check_came_back(course: Course, journal: SqlJournal, folder: Path) -> None:
    """All laws, on a studio that has just come back."""
    table = course.bench.table
    assert table.held is (table.phase.value != "closed")
    if table.hold is not None:
        assert FaultCode.RECOVERED in {fault.code for fault in table.hold.faults}
    check_journal(course, journal, folder)


def check_journal(course: Course, journal: SqlJournal, folder: Path) -> None:
    """The laws that hold at any moment at which everything due was delivered."""
    report = verify(journal.database.url)
    assert report.ok, report.lines()
    assert restore(journal, "ba1").table == course.bench.table
    facts = facts_of(journal)
    told = told_in(folder)
    _nothing_lost(journal, facts, told)
    _nothing_doubled(facts)
    _nothing_invented(facts, told)
    instants = [fact.at_us for fact in facts]
    assert instants == sorted(instants)
    course.wallet.down = False
    course.bench.clock.advance(2_000_000)
    course.bench.runner.tick()
    course.bench.runner.flush()
    assert course.wallet.balances() == balances_by(facts_of(journal))
    course.courier.carry()
    _each_sent_once(journal, folder)


def _nothing_lost(journal: SqlJournal, facts: list[Recorded], told: Told) -> None:
    for command_id in told.answered:
        kept = journal.answer_of(command_id)
        assert kept is not None, f"{command_id} was answered and is not kept"
        assert kept.accepted
    read = {
        (fact.event.boot, fact.event.sequence)
        for fact in facts
        if isinstance(fact.event, e.ShoeRead)
    }
    assert told.read <= read, "a card that was taken is gone"


def _nothing_doubled(facts: list[Recorded]) -> None:
    read = Counter(
        (fact.event.boot, fact.event.sequence)
        for fact in facts
        if isinstance(fact.event, e.ShoeRead)
    )
    assert all(count == 1 for count in read.values())
    ends = Counter(
        fact.event.round_id
        for fact in facts
        if isinstance(fact.event, e.RoundSettled | e.RoundVoided)
    )
    assert all(count == 1 for count in ends.values())
    placed = Counter(
        (fact.event.round_id, fact.event.batch)
        for fact in facts
        if isinstance(fact.event, e.BetsPlaced)
    )
    assert all(count == 1 for count in placed.values())


def _nothing_invented(facts: list[Recorded], told: Told) -> None:
    for fact in facts:
        if fact.actor.kind is ActorKind.PERSON:
            assert fact.command_id in told.asked, f"nobody asked for {fact}"
    opened = [fact.event.round_id for fact in facts if isinstance(fact.event, e.RoundOpened)]
    assert len(opened) == len(set(opened))


def balances_by(facts: list[Recorded]) -> dict[str, int]:
    """What each player must have, by the facts alone."""
    has = {player: 0 if player == "poor" else OPENING for player in PLAYERS}
    placed: dict[tuple[str, str], Columns] = {}
    bets: dict[str, tuple[str, int]] = {}
    for fact in facts:
        for player, amount in _moved(fact.event, placed, bets):
            has[player] += amount
    return has


def _moved(
    event: object, placed: dict[tuple[str, str], Columns], bets: dict[str, tuple[str, int]]
) -> Iterator[tuple[str, int]]:
    """What one fact gives to players or takes from them."""
    match event:
        case e.BetsPlaced(round_id=round_id, batch=batch, columns=columns):
            placed[round_id, batch] = columns
            rows = zip(columns.ids, columns.players, columns.amounts, strict=True)
            bets |= {bet: (player, amount) for bet, player, amount in rows}
        case e.BetsConfirmed(round_id=round_id, batch=batch, refused=refused):
            kept = placed[round_id, batch].without(frozenset(refused))
            yield from ((player, -amount) for player, amount in ledger.by_player(kept).items())
        case e.BetsWithdrawn(ids=ids):
            yield from (bets[bet] for bet in ids)
        case e.RoundSettled(columns=back) | e.RoundVoided(columns=back):
            yield from ledger.by_player(back).items()
        case e.ResultCorrected(columns=back, debits=debits, set_off=owed_before):
            yield from ledger.by_player(back).items()
            yield from ((player, -amount) for player, amount in owed_before)
            yield from ((player, -amount) for _, player, _, amount in debits)
        case e.ReceivableNoted(owed=owed):
            yield from owed
        case _:
            pass


def _each_sent_once(journal: SqlJournal, folder: Path) -> None:
    """The receiver has every entry in order; one that came twice has the id that tells so."""
    file = folder / "received"
    received = file.read_text().split("\n")[:-1] if file.exists() else []
    feed = [f"{each.n} {each.entry.id}" for each in journal.feed("ba1", limit=100_000)]
    assert len({line.split()[1] for line in feed}) == len(feed)
    kept: list[str] = []
    for line in received:
        if line not in kept:
            kept.append(line)
        else:
            assert line == kept[-1], "only what was not confirmed is sent again"
    assert kept == feed
