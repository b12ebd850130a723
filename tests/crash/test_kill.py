"""A process is killed at each named point: nothing is lost, doubled, invented or sent twice."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.support.crash.child import Mother, Order
from tests.support.crash.doom import OUTBOX, POINTS, WALLET

FOREVER = 5000
"""Steps of a course that is to be killed long before its end."""
RANDOM_KILLS = 200

NAMED = [
    ("before_decide", 9, "a shoe is being burned"),
    ("before_decide", 90, "what was asked is not decided"),
    ("before_commit", 1, "nothing was ever written"),
    ("before_commit", 40, "what was decided is not written"),
    ("before_commit", 101, "what was decided is not written, later"),
    ("after_commit", 30, "what was written is not believed"),
    ("after_commit", 77, "what was written is not believed, later"),
    ("after_adopt", 35, "what is believed is not shown"),
    ("after_adopt", 80, "what is believed is not shown, later"),
    ("after_publish", 33, "what is shown is not paid"),
    ("after_publish", 85, "what is shown is not paid, later"),
    ("before_wallet", 1, "bets are written and the wallet was not asked"),
    ("before_wallet", 6, "the payment of the round is written and nobody was paid"),
    ("after_wallet", 1, "the wallet has reserved and its answer is not written"),
    ("after_wallet", 7, "players were paid and that is not known"),
    ("before_send", 12, "an entry of the outbox was not sent"),
    ("after_send", 1, "the first entry was sent and is not confirmed"),
    ("after_send", 25, "an entry was sent and is not confirmed"),
    ("after_mark", 20, "an entry is confirmed and the next one not sent"),
]


@pytest.mark.parametrize(("point", "nth", "_moment"), NAMED)
def test_a_killed_table_comes_back_held_with_every_law_kept(
    mother: Mother,
    come_back: Callable[[str], None],
    folder: Path,
    point: str,
    nth: int,
    _moment: str,
) -> None:
    order = Order(folder=str(folder), seed=f"{point}-{nth}", steps=FOREVER, point=point, nth=nth)
    assert mother.let_live(order) == -signal.SIGKILL
    come_back("second")


def test_a_table_that_is_killed_while_it_comes_back_comes_back_all_the_same(
    mother: Mother, come_back: Callable[[str], None], folder: Path
) -> None:
    first = Order(folder=str(folder), seed="first", steps=FOREVER, point="after_adopt", nth=50)
    assert mother.let_live(first) == -signal.SIGKILL
    for life, point in enumerate(("before_commit", "after_commit", "after_publish")):
        again = Order(folder=str(folder), seed=f"again-{life}", steps=FOREVER, point=point, nth=1)
        assert mother.let_live(again) == -signal.SIGKILL
    come_back("last")


@pytest.mark.soak
@pytest.mark.parametrize("number", range(RANDOM_KILLS))
def test_a_table_that_is_killed_anywhere_and_often_keeps_every_law(
    mother: Mother, come_back: Callable[[str], None], folder: Path, number: int
) -> None:
    random = Random(f"kill-{number}")
    for life in range(random.randrange(1, 4)):
        point = random.choice(POINTS)
        rare = point in (*WALLET, *OUTBOX)
        order = Order(
            folder=str(folder),
            seed=f"{number}-{life}",
            steps=FOREVER,
            point=point,
            nth=random.randrange(1, 40 if rare else 160),
        )
        assert mother.let_live(order) == -signal.SIGKILL
    come_back(f"{number}-last")
