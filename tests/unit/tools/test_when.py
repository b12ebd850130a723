"""The pages "What to do when …" are what the policy and the words of the console make them."""

from __future__ import annotations

import pytest

from studio.table import coverage
from studio.table.rows import HOUSE
from tools import when


def test_the_pages_in_the_manual_are_what_the_policy_says() -> None:
    assert when.DEALER.read_text(encoding="utf-8") == when.dealer_page(), "run make reference"
    assert when.SUPERVISOR.read_text(encoding="utf-8") == when.supervisor_page()


@pytest.mark.parametrize("number", coverage.ANSWERED)
def test_each_row_has_its_part_for_supervisors(number: str) -> None:
    assert f"## {number} · " in when.supervisor_page()


@pytest.mark.parametrize("game", coverage.GAMES)
def test_what_cannot_happen_where_a_game_is_dealt_says_why(game: str) -> None:
    head = f"## What cannot happen where {when.GAMES[game]} is dealt"
    part = when.supervisor_page().split(head)[1].split("\n## ")[0]
    for number, reason in coverage.IMPOSSIBLE[game].items():
        assert f"- {number}: {reason}." in part


def test_every_sentence_that_a_dealer_may_be_told_is_on_the_dealers_page() -> None:
    page = when.dealer_page()
    assert all(when.say(f"hold.{row.stem}.do") in page for row in HOUSE if row.holds)


def test_the_templates_are_marked_as_unofficial() -> None:
    page = when.supervisor_page()
    assert page.count("(unofficial)") == 4
