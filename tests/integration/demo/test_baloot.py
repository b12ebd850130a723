"""A demonstration of Baloot without a browser: a game to 152 through real bytes and real pixels.

The game is a short one, by its seed; `make soak` plays ten games and every fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner

from studio.domain import events as e
from studio.domain.cards import HIDDEN
from studio.domain.faults import FaultCode
from studio.games.baloot import GAME as BALOOT
from studio.simulate.demo import DemoStudio, Wanted, _not_as_told, command, headless, settings_of
from studio.simulate.faults import Planned, at_game, possible
from studio.storage.database import open_existing
from studio.storage.journal import SqlJournal
from studio.storage.verify import verify

GAME = BALOOT.name
BOTH = ("shoe", "camera")
SHORT = 30
"""The game of this seed is won in three rounds."""
TO = 152

pytestmark = pytest.mark.timeout(420)


def deal(database: str, **wanted: Any) -> DemoStudio:
    """Deal a demonstration and check what every one must keep."""
    wish = Wanted(headless=True, game=GAME, **wanted)
    studio = headless(wish, settings_of(wish, database))
    tally = studio.tally
    assert list(_not_as_told(studio)) == []
    assert tally.misreads == 0
    assert studio.lost == tally.house, "the wallet tells of other money than the rounds"
    assert verify(database).problems == ()
    for told in studio.lines:
        assert told["staked"] == told["returned"] + told["refunded"] + told["house"]
    return studio


@contextmanager
def facts(database: str) -> Iterator[list[Any]]:
    """All facts of a demonstration that has ended, as the outside may read them."""
    with open_existing(database) as opened:
        journal = SqlJournal(opened)
        yield [fact.event for stream in journal.streams() for fact in journal.read(stream)]


def planned(*names: str, sources: tuple[str, ...] = BOTH) -> tuple[Planned, ...]:
    """One fault a round, each at its own step of this game."""
    return tuple(
        at_game(Planned(name, number), GAME, sources) for number, name in enumerate(names, start=1)
    )


def test_a_game_is_played_to_its_end_by_bytes_and_pixels_and_all_of_it_is_right(
    tmp_path: Any,
) -> None:
    """One test for all that is looked at, as a game takes half a minute to deal."""
    database = f"sqlite:///{tmp_path}/whole.db"
    studio = deal(database, rounds=3, seed=SHORT)
    assert (studio.tally.settled, studio.tally.holds, studio.tally.asked) == (3, 0, 0)
    with facts(database) as told:
        _is_won(told)
        _has_all_32_cards(studio)
        _keeps_hands_secret(told)
        _is_played_by_its_seats(told)
        _pays_bets_on_the_game_at_its_end(studio, told)


def _is_won(told: list[Any]) -> None:
    """By the side that has more of at least 152; the next game begins level."""
    ended = [fact for fact in told if isinstance(fact, e.RoundFinished)]
    last = json.loads(ended[-1].outcome)
    assert max(last["game_scores"]) >= TO
    assert last["game_winner"] == last["game_scores"].index(max(last["game_scores"]))
    assert ended[-1].carried == (0, 0, 2, 2, 1), "the deal passes to the right"


def _has_all_32_cards(studio: DemoStudio) -> None:
    """Each was seen, and is told by the place to which it was dealt."""
    for told in studio.lines:
        assert sorted(code for _, code in told["cards"]) == sorted(c.code for c in BALOOT.pack)
        assert {zone for zone, _ in told["cards"]} == {"H0", "H1", "H2", "H3", "FACE"}


def _keeps_hands_secret(told: list[Any]) -> None:
    """A card of a rack is sealed when it is dealt; the seal is opened where it lies in a trick."""
    down = [f for f in told if isinstance(f, e.CardDealt) and f.face == "down"]
    moved = [f for f in told if isinstance(f, e.CardMoved) and f.step == "turn_card"]
    asked = [f for f in told if isinstance(f, e.SeatAsked) and f.step == "play"]
    assert (len(down), len(moved), len(asked)) == (3 * 31, 3 * 32, 3 * 32)
    assert all(fact.card is None and fact.sealed is not None for fact in down)
    assert sum(fact.revealed is not None for fact in moved) == 3 * 31, "one lay open before"


def _is_played_by_its_seats(told: list[Any]) -> None:
    """They choose themselves, and say some of it to the dealer."""
    chose = [f for f in told if isinstance(f, e.SeatChose)]
    assert {fact.by for fact in chose} >= {"seat", "dealer"}
    assert {fact.seat for fact in chose} == {0, 1, 2, 3}


def _pays_bets_on_the_game_at_its_end(studio: DemoStudio, told: list[Any]) -> None:
    """Until then they stay."""
    settled = [f for f in told if isinstance(f, e.RoundSettled)]
    kinds = [set(fact.columns.bets) for fact in settled]
    assert not any(bet.startswith("game") for bets in kinds[:-1] for bet in bets)
    assert {"game:0", "game:1"} <= kinds[-1]
    assert studio.lying == 0


def test_a_camera_alone_reads_what_nobody_knew_before(tmp_path: Any) -> None:
    database = f"sqlite:///{tmp_path}/camera.db"
    studio = deal(database, rounds=1, seed=SHORT, sources=("camera",))
    assert (studio.tally.settled, studio.tally.asked, studio.tally.holds) == (1, 0, 0)
    assert HIDDEN not in [code for _, code in studio.lines[0]["cards"]]
    with facts(database) as told:
        down = [f for f in told if isinstance(f, e.CardDealt) and f.face == "down"]
    assert all(fact.card is None and fact.sealed is None for fact in down)


def test_a_shoe_alone_can_deal_and_equal_seeds_deal_equal_rounds(tmp_path: Any) -> None:
    first = deal(f"sqlite:///{tmp_path}/a.db", rounds=4, seed=SHORT, sources=("shoe",))
    second = deal(f"sqlite:///{tmp_path}/b.db", rounds=4, seed=SHORT, sources=("shoe",))
    assert first.lines == second.lines
    assert first.lying == second.lying


@pytest.mark.soak
def test_all_faults_of_a_lone_shoe_end_with_status_0(tmp_path: Any) -> None:
    """`--fault all --sources shoe`: what a camera would have is named and left out."""
    asked = ["--game", GAME, "--headless", "--fault", "all", "--sources", "shoe"]
    ended = CliRunner().invoke(command, asked)
    assert ended.exit_code == 0, ended.output
    assert "left out: dark is a fault of the camera" in ended.output
    assert "left out: missing_burn is a fault of the burn" in ended.output


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_ten_games_are_played_to_their_end(tmp_path: Any) -> None:
    database = f"sqlite:///{tmp_path}/ten.db"
    studio = deal(database, rounds=85, seed=2)
    with facts(database) as told:
        ended = [json.loads(f.outcome) for f in told if isinstance(f, e.RoundFinished)]
    won = [outcome for outcome in ended if outcome.get("game_winner") is not None]
    assert len(won) >= 10
    assert (studio.tally.settled, studio.tally.asked) == (85, 0)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("sources", [BOTH, ("camera",)])
def test_every_fault_once_ends_right_through_bytes_and_pixels(
    tmp_path: Any, sources: tuple[str, ...]
) -> None:
    """`--fault all`; the round after them has no trace of any.

    But a camera alone may find out there what the clock chose for a silent seat (BL9).
    """
    names = possible(sources, GAME)
    faults = planned(*names, sources=sources)
    studio = deal(
        f"sqlite:///{tmp_path}/all.db",
        rounds=len(names) + 1,
        seed=4,
        sources=sources,
        faults=faults,
    )
    by_clock = set() if "shoe" in sources else {FaultCode.REVOKE.value}
    assert set(studio.lines[-1]["faults"]) <= by_clock
