"""The quick journal of `play`, and canonical text."""

from __future__ import annotations

from typing import Any

import pytest

from studio.domain.cards import Card
from studio.domain.envelope import Sealed, canonical
from studio.domain.events import CardDead, TableOpened
from studio.storage.memory import MemoryJournal
from tests.unit.storage.stories import STREAM, first_coup, write


def test_the_quick_journal_gives_the_same_facts_as_the_checked_one() -> None:
    quick, checked = MemoryJournal(checked=False), MemoryJournal()
    for journal in (quick, checked):
        write(journal, first_coup())
    for secrets in (False, True):
        assert list(quick.read(STREAM, secrets=secrets)) == list(
            checked.read(STREAM, secrets=secrets)
        )


def test_the_quick_journal_keeps_secrets_too() -> None:
    journal = MemoryJournal(checked=False)
    sealed = Sealed(Card.parse("AS"), "salt")
    write(journal, [CardDead(fate="burned", card=None, sealed=sealed)])
    (fact,) = journal.read(STREAM)
    assert fact.event.sealed == Sealed.closed(sealed.digest)


def test_what_has_no_canonical_form_is_found_at_the_latest_when_it_is_read() -> None:
    journal = MemoryJournal(checked=False)
    write(journal, [TableOpened(config_digest=0.5)])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="config_digest"):
        list(journal.read(STREAM))


def test_canonical_text_is_the_same_whatever_the_order() -> None:
    assert canonical({"b": [1, None, True], "a": {"y": "é", "x": ()}}) == (
        '{"a":{"x":[],"y":"\\u00e9"},"b":[1,null,true]}'
    )


@pytest.mark.parametrize("wrong", [0.5, float("nan"), {1: 2}, [{"a": 0.5}], {"a", "b"}, b"x"])
def test_what_has_no_single_written_form_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError):
        canonical(wrong)
