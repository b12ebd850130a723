"""What a real table decides goes through the journal and comes out as it was."""

from __future__ import annotations

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.envelope import Actor, ActorKind, Envelope
from studio.storage.database import open_database
from studio.storage.journal import SqlJournal
from studio.storage.memory import MemoryJournal
from studio.storage.readmodels import Rounds, rounds_of
from studio.storage.shown import show_round
from studio.storage.verify import verify
from studio.table.evolve import fold
from studio.table.state import Table
from tests.support.rig import Rig

STREAM = "table/ba1/2026-11-30"
NATURAL = (("P", "9H"), ("B", "2C"), ("P", "KD"), ("B", "5S"))


@pytest.fixture
def rig() -> Rig:
    """A table that has settled one coup and voided the next."""
    rig = Rig()
    rig.online()
    rig.give(c.OpenTable())
    rig.record(e.ShoeOpened(shoe_no=1, decks=8, unknown_gone=6))
    rig.dealing(player=1_000, banker=500)
    for zone, code in NATURAL:
        rig.deal(zone, code)
    rig.wait(9)
    for zone in "PB":
        rig.take(zone)
    rig.bet("ann", tie=250)
    rig.wait(15)
    rig.deal("P", "4H")
    assert rig.table.round is not None
    rig.give(c.CallSupervisor(reason="reason.other"))
    rig.give(c.VoidRound(fault=rig.fault(), reason="reason.other", round_id=rig.table.round.id))
    return rig


def write(journal: SqlJournal | MemoryJournal, rig: Rig) -> None:
    """Append every fact of the rig as one commit each."""
    for version, (event, at_us) in enumerate(rig.events):
        envelope = Envelope(
            command_id=f"c{version}", actor=Actor(ActorKind.SYSTEM, "rig"), at_us=at_us
        )
        journal.append(STREAM, version, envelope, (event,))


def test_the_folded_journal_is_the_table(url: str, rig: Rig) -> None:
    with open_database(url) as database:
        journal = SqlJournal(database)
        write(journal, rig)
        facts = [(fact.event, fact.at_us) for fact in journal.read(STREAM, secrets=True)]
    assert facts == rig.events
    assert fold(Table(), facts) == rig.table


def test_it_verifies_and_its_rounds_add_up(url: str, rig: Rig) -> None:
    with open_database(url) as database:
        journal = SqlJournal(database)
        write(journal, rig)
        rounds = Rounds(journal)
        rounds.rebuild()
        settled, voided = rounds.all()
    report = verify(url)
    assert report.ok, report.lines()
    assert report.rounds == 2
    assert settled.cards == NATURAL
    assert (settled.state, settled.outcome, settled.staked) == ("settled", "player", 1_500)
    assert (settled.returned, settled.refunded, settled.house) == (2_000, 0, -500)
    assert (voided.state, voided.outcome, voided.refunded, voided.house) == ("voided", "", 250, 0)
    assert voided.faults == ("dealer_call",)
    assert show_round(url, settled.round_id)[0].event == "round_opened"


def test_a_journal_in_memory_says_the_same(rig: Rig) -> None:
    journal = MemoryJournal()
    write(journal, rig)
    facts = [(fact.event, fact.at_us) for fact in journal.read(STREAM, secrets=True)]
    assert facts == rig.events
    assert [each.state for each in rounds_of(STREAM, journal.read(STREAM))] == [
        "settled",
        "voided",
    ]
