"""What `journal verify` finds, and what it does not complain of."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Revealed, Sealed
from studio.live.ports import JournalError
from studio.live.signing import Signer
from studio.storage.database import open_database, open_existing, sqlite_path
from studio.storage.journal import SqlJournal
from studio.storage.verify import check_journal, verify
from tests.unit.storage.stories import (
    NEXT_DAY,
    corrected,
    declared_void,
    first_coup,
    opened,
    second_coup,
    settled,
    shoe_end,
    voided,
    write,
)

TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
SIGNER = Signer(Ed25519PrivateKey.generate())


@pytest.fixture
def evening(url: str) -> str:
    """A database with two coups of one day and a fact of the next."""
    with open_database(url) as database:
        journal = SqlJournal(database)
        write(journal, first_coup(), second_coup())
        write(journal, [e.TableOpened()], stream=NEXT_DAY)
    return url


@pytest.fixture
def signed_evening(url: str) -> str:
    """A database whose shoe has ended and whose head was signed, with one fact after it."""
    with open_database(url) as database:
        journal = SqlJournal(database, signer=SIGNER)
        write(journal, first_coup(), second_coup(), shoe_end(), [e.TableClosed()])
    return url


def tamper(url: str, *statements: str) -> None:
    """Change the file as somebody would who knows SQL: triggers off, change, triggers on."""
    path = sqlite_path(url)
    assert path is not None
    with sqlite3.connect(path) as raw:
        triggers = raw.execute(
            "SELECT name, sql FROM sqlite_master WHERE type='trigger'"
        ).fetchall()
        for name, _ in triggers:
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert raw.execute(statement).rowcount != 0, "the change must hit something"
        for _, sql in triggers:
            raw.execute(sql)
    raw.close()


def test_an_evening_verifies_unsigned(evening: str) -> None:
    report = verify(evening)
    assert report.ok, report.lines()
    assert (report.streams, report.facts, report.rounds) == (2, 24, 2)
    assert report.lines() == (
        "2 streams, 24 facts, 2 rounds",
        "the chain holds",
        "unsigned",
        "the journal verifies",
    )


def test_an_empty_journal_verifies(url: str) -> None:
    assert verify(url).ok


def test_a_signed_shoe_verifies_and_says_what_is_not_covered(signed_evening: str) -> None:
    report = verify(signed_evening, public_key=SIGNER.public_key)
    assert report.ok, report.lines()
    assert (report.heads, report.unsigned) == (1, 1)
    assert report.keys == (SIGNER.public_key,)
    assert "signed: 1 heads, 1 facts after the last one" in report.lines()


def test_a_head_that_was_signed_with_another_key_is_found(signed_evening: str) -> None:
    other = Signer(Ed25519PrivateKey.generate())
    report = verify(signed_evening, public_key=other.public_key)
    assert "signed with another key" in report.problems[0]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE journal SET body = replace(body, '\"4H\"', '\"5H\"') WHERE version = 8",
            "fact 8: it was changed after it was written",
        ),
        (
            "UPDATE journal SET meta = replace(meta, '\"17\"', '\"18\"') WHERE version = 3",
            "fact 3: it was changed after it was written",
        ),
        ("UPDATE journal SET body = body || ' ' WHERE version = 5", "fact 5: it was changed"),
        ("DELETE FROM journal WHERE version = 4", "fact 5: fact 4 is missing"),
        (
            "UPDATE journal SET recorded_us = 1 WHERE version = 5",
            "fact 5: it is older than the fact before it",
        ),
        (
            "UPDATE journal SET prev_hash = hash WHERE version = 6",
            "fact 6: it does not follow the fact before it",
        ),
        (
            "DELETE FROM journal WHERE stream LIKE '%30' AND version = 23",
            "2026-12-01 fact 1: it does not follow the fact before it",
        ),
        ("UPDATE seals SET card = 'QS' WHERE card = 'KS'", "the card of its seal was changed"),
        ("DELETE FROM seals WHERE card = 'KS'", "fact 2: the card of its seal is lost"),
        ("DELETE FROM attachments WHERE version = 4", "fact 4: its columns are lost"),
        ("UPDATE attachments SET packed = x'00'", "fact 4: its columns cannot be read"),
        ("UPDATE attachments SET digest = 'x'", "fact 4: its columns were changed"),
        (
            "UPDATE attachments SET packed = (SELECT max(packed) FROM attachments)",
            "fact 4: its columns were changed",
        ),
        (
            "UPDATE attachments SET version = 9 WHERE version = 4",
            "fact 9: there are columns that no fact names",
        ),
    ],
)
def test_a_change_behind_the_studios_back_is_found(
    evening: str, statement: str, sentence: str
) -> None:
    tamper(evening, statement)
    report = verify(evening)
    assert not report.ok
    assert any(sentence in problem for problem in report.problems), report.problems
    assert report.lines()[-1] == "the journal does NOT verify"


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE heads SET signature = replace(signature, '0', '1')", "does not hold"),
        ("UPDATE heads SET hash = replace(hash, '0', '1')", "is not what is written"),
        ("DELETE FROM journal", "is not what is written"),
    ],
)
def test_a_change_against_the_signature_is_found(
    signed_evening: str, statement: str, sentence: str
) -> None:
    tamper(signed_evening, statement)
    assert any(sentence in problem for problem in verify(signed_evening).problems)


def test_a_check_of_the_last_day_begins_where_the_day_before_ended(evening: str) -> None:
    with open_existing(evening) as database, database.reading() as connection:
        report = check_journal(connection, days=1)
    assert report.ok, report.lines()
    assert (report.streams, report.facts) == (1, 1)


def test_a_check_of_the_last_day_finds_what_was_changed_there_only(evening: str) -> None:
    tamper(
        evening,
        "UPDATE journal SET body = '{}' WHERE version = 3",
        "UPDATE journal SET recorded_us = 2 WHERE stream LIKE '%12-01'",
    )
    with open_existing(evening) as database, database.reading() as connection:
        problems = check_journal(connection, days=1).problems
    assert all("2026-12-01 fact 1" in problem for problem in problems)
    assert len(problems) == 2


def broken(url: str, *events: e.Event) -> tuple[str, ...]:
    """Write what no table would write, and verify."""
    with open_database(url) as database:
        write(SqlJournal(database), list(events))
    return verify(url).problems


def test_a_round_that_is_opened_twice_is_found(url: str) -> None:
    (problem,) = broken(url, opened(1), opened(1))
    assert "round r1 was opened before" in problem


def test_a_round_that_is_paid_and_refunded_is_found(url: str) -> None:
    (problem,) = broken(url, opened(1), settled(1), voided(1))
    assert "round r1 had ended before" in problem


def test_a_payment_that_does_not_add_up_is_found(url: str) -> None:
    right = settled(1)
    wrong = e.RoundSettled(
        round_id="r1",
        staked=right.staked,
        returned=right.returned + 1,
        rows=right.rows,
        packed=right.packed,
        deadline_us=1,
        columns=right.columns,
    )
    (problem,) = broken(url, opened(1), wrong)
    assert "the payments do not add up" in problem


def test_a_refund_that_does_not_add_up_is_found(url: str) -> None:
    right = voided(1)
    wrong = e.RoundVoided(
        round_id="r1",
        reason="x",
        refunded=1,
        packed=right.packed,
        deadline_us=1,
        columns=right.columns,
    )
    (problem,) = broken(url, opened(1), wrong)
    assert "the refunds do not add up" in problem


def test_corrections_that_build_on_each_other_add_up(url: str) -> None:
    facts = (opened(1), settled(1), corrected(1), declared_void(1))
    with open_database(url) as database:
        write(SqlJournal(database), list(facts))
    assert verify(url).problems == ()


def test_a_correction_that_does_not_add_up_is_found(url: str) -> None:
    wrong = replace(corrected(1), returned=3_251)
    (problem,) = broken(url, opened(1), settled(1), wrong)
    assert "the correction does not add up" in problem


def test_a_correction_that_forgets_the_one_before_is_found(url: str) -> None:
    again = replace(corrected(1), number=2)
    (problem,) = broken(url, opened(1), settled(1), corrected(1), again)
    assert "the correction does not add up" in problem


def test_a_correction_of_a_round_that_was_not_paid_is_found(url: str) -> None:
    (problem,) = broken(url, opened(1), voided(1), corrected(1))
    assert "which was not paid" in problem


def test_a_reveal_of_a_card_that_was_never_sealed_is_found(url: str) -> None:
    revealed = Revealed(Card.parse("AS"), "no such salt")
    card = e.CardDealt(
        index=0,
        to="P",
        face="up",
        step="first_four",
        sideways=False,
        card=revealed.card,
        revealed=revealed,
    )
    (problem,) = broken(url, card)
    assert "reveals a card that was not sealed" in problem


def test_a_fact_that_is_nothing_but_a_seal_verifies(url: str) -> None:
    """The dealer's answer to the secret look."""
    answered = e.PeekAnswered(sealed=Sealed(Card.parse("2S"), "a salt"))
    assert broken(url, answered) == ()


def test_of_many_problems_the_first_twenty_are_named_and_the_rest_counted(evening: str) -> None:
    tamper(evening, "UPDATE journal SET hash = 'x'")
    report = verify(evening)
    assert len(report.problems) == 20
    assert report.count > 20
    assert report.lines()[-2] == f"and {report.count - 20} more"


def test_there_must_be_a_journal_to_verify(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no database"):
        verify(f"sqlite:///{tmp_path}/none.db")
