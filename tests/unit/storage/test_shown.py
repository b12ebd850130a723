"""A round as it is printed: every fact, no secret."""

from __future__ import annotations

import json

import pytest

from studio.domain import events as e
from studio.live.ports import JournalError
from studio.storage.database import open_database
from studio.storage.journal import SqlJournal
from studio.storage.shown import ShownFact, instant, show_round
from tests.unit.storage.stories import BURNED, READ, corrected, dealt, opened, shoe_end, write


def shown(url: str, round_id: str, *parts: list[e.Event]) -> tuple[ShownFact, ...]:
    """Write facts and show a round."""
    with open_database(url) as database:
        write(SqlJournal(database), *parts)
    return show_round(url, round_id)


def story() -> list[e.Event]:
    """A round with a card that stays sealed and one that is revealed."""
    return [
        opened(1),
        e.ShoeRead(device="shoe", boot="9F", sequence=1, status="read", sealed=READ),
        e.CardDead(fate="burned", card=None, sealed=BURNED),
        e.RoundCleared(round_id="r1", by="dealer"),
    ]


def sealed_cards(facts: tuple[ShownFact, ...]) -> list[str]:
    """What is printed for the sealed cards, in order."""
    return [fact.body["sealed"]["card"] for fact in facts if fact.body.get("sealed")]


def test_a_round_is_shown_from_its_opening_to_its_clearing(url: str) -> None:
    facts = shown(url, "r1", [e.TableOpened()], story(), [opened(2)])
    assert [fact.event for fact in facts] == [
        "round_opened",
        "shoe_read",
        "card_dead",
        "round_cleared",
    ]
    assert facts[0].at == "2025-11-30T10:53:20.000001Z"
    assert facts[0].actor == "person 17 (dealer)"


def test_a_sealed_card_of_an_open_shoe_is_shown_to_nobody(url: str) -> None:
    facts = shown(url, "r1", story())
    assert sealed_cards(facts) == ["XX", "XX"]
    printed = "\n".join(
        [*(fact.line() for fact in facts), *(json.dumps(f.as_dict()) for f in facts)]
    )
    for secret in ("KS", "4H", "salt-1", "salt-2"):
        assert f'"{secret}"' not in printed
        assert f"={secret}" not in printed


def test_a_revealed_card_is_shown_and_the_others_are_not(url: str) -> None:
    facts = shown(url, "r1", story(), [opened(2), dealt(0, "P", "4H", revealed=READ.reveal())])
    assert sealed_cards(facts) == ["4H", "XX"]


def test_when_the_shoe_has_ended_its_cards_are_shown(url: str) -> None:
    assert sealed_cards(shown(url, "r1", story(), shoe_end())) == ["4H", "KS"]


def test_a_card_of_the_next_shoe_stays_secret_when_the_one_before_has_ended(url: str) -> None:
    later: list[e.Event] = [opened(2), e.CardDead(fate="burned", card=None, sealed=BURNED)]
    facts = shown(url, "r2", [opened(1)], shoe_end(), later)
    assert sealed_cards(facts) == ["XX"]


def test_a_round_that_is_not_there_is_told(url: str) -> None:
    with pytest.raises(JournalError, match="there is no round r7"):
        show_round(url, "r7")


def test_a_round_is_not_found_by_a_part_of_its_name(url: str) -> None:
    with pytest.raises(JournalError, match="there is no round r"):
        shown(url, "r", [opened(1)])


def test_an_instant_is_written_with_all_its_microseconds() -> None:
    assert instant(1_767_225_600_000_000) == "2026-01-01T00:00:00.000000Z"
    assert instant(1_767_225_600_000_007) == "2026-01-01T00:00:00.000007Z"


def test_a_correction_long_after_is_shown_with_its_round_and_with_no_other(url: str) -> None:
    owed = e.ReceivableNoted(round_id="r1", number=1, owed=(("amina", 950),))
    later = [opened(2), corrected(1), owed, corrected(10)]
    facts = shown(url, "r1", story(), later)
    assert [fact.event for fact in facts][-2:] == ["result_corrected", "receivable_noted"]
    assert [fact.event for fact in facts].count("result_corrected") == 1
    assert facts[-1].body["owed"] == [["amina", 950]]
