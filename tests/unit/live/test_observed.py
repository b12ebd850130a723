"""Counting rounds keeps nobody waiting, and what is expected stands beside what was counted."""

import threading
from typing import Any

import pytest

from studio.live.exact import BetFigures, Figures, Progress
from studio.live.observed import (
    FRESH_US,
    Asked,
    Counted,
    Group,
    Of,
    Reading,
    compare,
)

ASKED = Asked(table="ba1", game="baccarat", rules={}, digest="d")
NOW = 1_000_000_000


def one_group(won: int, lost: int) -> Group:
    return Group(of=Of.TABLE, name="", rounds=won + lost, bets=(("tie", (won, 0, lost)),))


def join() -> None:
    for thread in threading.enumerate():
        if thread.name == "counting":
            thread.join(20)


def counting(*answers: Any) -> Counted:
    """Counts in turn what is given; an exception is raised."""
    left = list(answers)

    def apart(_counter: Any, asked: Asked) -> Any:
        assert asked == ASKED
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Counted(counter=lambda _asked: (), apart=apart)


def test_the_first_to_ask_is_told_to_wait_and_then_it_is_there() -> None:
    counted = counting((one_group(1, 9),))
    assert counted.of(ASKED, NOW).progress is Progress.IN_WORK
    join()
    found = counted.of(ASKED, NOW + FRESH_US - 1)
    assert (found.progress, found.groups, found.at_us) == (
        Progress.READY,
        (one_group(1, 9),),
        NOW,
    )


def test_an_old_count_is_shown_until_there_is_a_newer_one() -> None:
    counted = counting((one_group(1, 9),), (one_group(2, 18),))
    counted.of(ASKED, NOW)
    join()
    assert counted.of(ASKED, NOW + FRESH_US).groups == (one_group(1, 9),)
    join()
    assert counted.of(ASKED, NOW + FRESH_US).groups == (one_group(2, 18),)


@pytest.mark.parametrize("answer", [None, OSError("no disk")])
def test_a_count_that_fails_is_told(answer: Any) -> None:
    counted = counting(answer)
    counted.of(ASKED, NOW)
    join()
    assert counted.of(ASKED, NOW).progress is Progress.FAILED


def test_without_a_journal_nothing_is_counted() -> None:
    assert Counted().of(ASKED, NOW).progress is Progress.FAILED


@pytest.mark.parametrize(
    ("won", "lost", "reading"),
    [
        (1, 9, Reading.TOO_FEW),
        (100, 900, Reading.AS_EXPECTED),
        (122, 878, Reading.SELDOM),
        (150, 850, Reading.HARDLY),
    ],
)
def test_the_reading_follows_from_the_chance(won: int, lost: int, reading: Reading) -> None:
    tie = BetFigures(bet="tie", win=0.1, push=0.0, lose=0.9, returned=0.9)
    other = BetFigures(bet="player", win=0.5, push=0.0, lose=0.5, returned=1.0)
    figures = Figures(progress=Progress.READY, bets=(other, tie))
    (group,) = compare((one_group(won, lost),), figures)
    (row,) = group.bets
    assert row.bet == "tie"
    assert row.expected == pytest.approx(((won + lost) / 10, 0, (won + lost) * 0.9))
    assert row.reading is reading
