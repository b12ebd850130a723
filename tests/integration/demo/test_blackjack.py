"""A demonstration of blackjack without a browser: seats that split, real bytes and pixels.

Few rounds here; `make soak` plays every fault.
"""

from __future__ import annotations

from typing import Any

import pytest

from studio.simulate.demo import DemoStudio, Wanted, _not_as_told, headless, settings_of
from studio.simulate.faults import Planned, at_game
from studio.storage.verify import verify

GAME = "blackjack"

pytestmark = pytest.mark.timeout(300)


def deal(database: str, **wanted: Any) -> DemoStudio:
    """Deal a demonstration and check what every one must keep."""
    wish = Wanted(headless=True, game=GAME, **wanted)
    studio = headless(wish, settings_of(wish, database))
    tally = studio.tally
    assert list(_not_as_told(studio)) == []
    assert (tally.misreads, tally.voided) == (0, 0)
    assert studio.lost == tally.house, "the wallet tells of other money than the rounds"
    assert verify(database).problems == ()
    return studio


def test_seats_split_and_double_and_the_cut_card_ends_the_shoe(tmp_path: Any) -> None:
    studio = deal(f"sqlite:///{tmp_path}/demo.db", rounds=18, sources=("shoe",), players=7)
    assert studio.tally.settled == 18
    zones = {zone for told in studio.lines for zone, _ in told["cards"]}
    assert zones == {"D", *(f"S{n}" for n in range(1, 8))}
    (desk,) = studio.desks()
    assert desk.runner.shown.table.shoes == 2


def test_the_camera_sees_every_card_of_every_seat(tmp_path: Any) -> None:
    sources = ("shoe", "camera")
    fault = at_game(Planned("wrong_card", 2), GAME, sources)
    studio = deal(
        f"sqlite:///{tmp_path}/demo.db", rounds=2, sources=sources, players=3, faults=(fault,)
    )
    assert studio.tally.settled == 2
    assert [told["injected"] for told in studio.lines] == [[], ["wrong_card"]]
    assert studio.tally.holds == 1
