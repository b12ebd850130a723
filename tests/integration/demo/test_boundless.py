"""A demonstration of the shared hand without a browser: real bytes, real pixels, a crowd.

Few rounds with few hundred players here; `make soak` plays every fault, with thousands.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner

from studio.domain import events as e
from studio.domain.cards import HIDDEN
from studio.simulate.demo import DemoStudio, Wanted, _not_as_told, command, headless, settings_of
from studio.simulate.faults import Planned, at_game, possible
from studio.storage.database import open_existing
from studio.storage.journal import SqlJournal
from studio.storage.verify import verify

GAME = "boundless-blackjack"
BOTH = ("shoe", "camera")
SIX = ("unplug", "frozen", "exposed_card", "wrong_card", "kill", "platform_down")
"""One fault of each kind: the shoe while players are asked for insurance, the camera while they
decide, the hidden card shown, sources that disagree, a restart in a wave, a silent wallet."""

pytestmark = pytest.mark.timeout(420)


def deal(database: str, **wanted: Any) -> DemoStudio:
    """Deal a demonstration and check what every one must keep."""
    wish = Wanted(headless=True, game=GAME, **{"players": 300, **wanted})
    studio = headless(wish, settings_of(wish, database))
    tally = studio.tally
    assert list(_not_as_told(studio)) == []
    assert tally.misreads == 0
    assert studio.lost == tally.house, "the wallet tells of other money than the rounds"
    assert verify(database).problems == ()
    for told in studio.lines:
        assert told["staked"] == told["returned"] + told["refunded"] + told["house"]
    return studio


def planned(*names: str, sources: tuple[str, ...] = BOTH) -> tuple[Planned, ...]:
    """One fault a round, each at its own step of this game."""
    return tuple(
        at_game(Planned(name, number), GAME, sources) for number, name in enumerate(names, start=1)
    )


@contextmanager
def facts(database: str) -> Iterator[list[Any]]:
    """All facts of a demonstration that has ended, as the outside may read them."""
    with open_existing(database) as opened:
        journal = SqlJournal(opened)
        yield [fact.event for stream in journal.streams() for fact in journal.read(stream)]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> tuple[DemoStudio, str]:
    """Ten rounds with both sources."""
    database = f"sqlite:///{tmp_path_factory.mktemp('shared')}/clean.db"
    return deal(database, rounds=10, seed=1, players=600), database


def test_ten_rounds_are_dealt_and_nobody_is_asked_for_a_card(
    clean: tuple[DemoStudio, str],
) -> None:
    studio, _ = clean
    tally = studio.tally
    assert (tally.rounds, tally.settled, tally.holds) == (10, 10, 0)
    assert tally.asked * 100 <= tally.cards
    assert all(HIDDEN not in [code for _, code in told["cards"]] for told in studio.lines)
    assert {zone for told in studio.lines for zone, _ in told["cards"]} >= {"M", "D", "L", "R"}


def test_players_of_all_kinds_take_part(clean: tuple[DemoStudio, str]) -> None:
    with facts(clean[1]) as told:
        taken = [fact for fact in told if isinstance(fact, e.DecisionsTaken)]
        does = {text.rpartition(":")[2] for fact in taken for text in fact.columns.bets}
        refused = [r for f in told if isinstance(f, e.DecisionsRefused) for _, r in f.refused]
        extra = {b for f in told if isinstance(f, e.ActionsExecuted) for b in f.columns.bets}
        gone = [fact for fact in told if isinstance(fact, e.PlayersDisconnected)]
        by = {fact.by for fact in told if isinstance(fact, e.WindowClosed)}
    assert does >= {"hit", "stand", "double", "split", "surrender"}
    assert "refused.not_available" in refused
    assert extra >= {"split", "double:M"}
    assert gone
    assert "clock" in by, "somebody who says nothing is waited for"


def test_the_hidden_card_is_told_by_nothing_before_it_is_turned(
    clean: tuple[DemoStudio, str],
) -> None:
    with facts(clean[1]) as told:
        down = [f for f in told if isinstance(f, e.CardDealt) and f.face == "down" and f.to == "D"]
        turned = [fact for fact in told if isinstance(fact, e.CardTurned)]
    assert len(down) == len(turned) == 10
    assert all(fact.card is None and fact.sealed is not None for fact in down)
    assert all(fact.revealed is not None for fact in turned)


def test_a_camera_alone_turns_a_card_that_nobody_knew(tmp_path: Any) -> None:
    """The dealer looks, says yes or no, and the card is named when it lies face up."""
    database = f"sqlite:///{tmp_path}/camera.db"
    studio = deal(database, rounds=4, seed=1, sources=("camera",))
    assert (studio.tally.settled, studio.tally.asked) == (4, 0)
    with facts(database) as told:
        said = [fact for fact in told if isinstance(fact, e.PeekAnswered)]
        turned = [fact for fact in told if isinstance(fact, e.CardTurned)]
    assert said
    assert all(fact.sources == ("camera",) and fact.revealed is None for fact in turned)


def test_a_shoe_alone_can_deal_and_equal_seeds_deal_equal_rounds(tmp_path: Any) -> None:
    first = deal(f"sqlite:///{tmp_path}/a.db", rounds=3, seed=9, sources=("shoe",))
    second = deal(f"sqlite:///{tmp_path}/b.db", rounds=3, seed=9, sources=("shoe",))
    assert first.lines == second.lines


def test_two_tables_deal_at_once(tmp_path: Any) -> None:
    studio = deal(f"sqlite:///{tmp_path}/two.db", rounds=2, tables=2, sources=("shoe",))
    assert {name: tally.settled for name, tally in studio.tallies.items()} == {"bb1": 2, "bb2": 2}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> DemoStudio:
    """Seven rounds: six kinds of faults, and a clean one."""
    database = f"sqlite:///{tmp_path_factory.mktemp('shared')}/faulty.db"
    return deal(database, rounds=len(SIX) + 1, seed=3, faults=planned(*SIX))


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("unplug", "device_lost"),
        ("frozen", "camera_unfit"),
        ("exposed_card", "wrong_face"),
        ("wrong_card", "reader_mismatch"),
        ("kill", "recovered"),
        ("platform_down", ""),
    ],
)
def test_a_fault_in_the_middle_of_a_round_ends_right(
    faulty: DemoStudio, fault: str, code: str
) -> None:
    """The simulated supervisor repairs by policy; what was staked goes where it belongs."""
    told = next(line for line in faulty.lines if line["injected"] == [fault])
    assert told["state"] in ("settled", "voided")
    assert code in (*told["faults"], "")


def test_a_clean_round_after_the_faults_is_clean(faulty: DemoStudio) -> None:
    last = faulty.lines[-1]
    assert (last["injected"], last["faults"], last["state"]) == ([], [], "settled")


def test_all_faults_of_a_lone_shoe_end_with_status_0(tmp_path: Any) -> None:
    """`--fault all --sources shoe`: what a camera would have is named and left out."""
    asked = ["--game", GAME, "--headless", "--fault", "all", "--sources", "shoe", "--players", "60"]
    ended = CliRunner().invoke(command, asked)
    assert ended.exit_code == 0, ended.output
    assert "left out: dark is a fault of the camera" in ended.output


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("sources", [BOTH, ("camera",)])
def test_every_fault_once_ends_right_through_bytes_and_pixels(
    tmp_path: Any, sources: tuple[str, ...]
) -> None:
    """`--fault all`, with thousands of players."""
    names = possible(sources)
    faults = planned(*names, sources=sources)
    studio = deal(
        f"sqlite:///{tmp_path}/all.db",
        rounds=len(names) + 1,
        seed=4,
        sources=sources,
        faults=faults,
        players=3_000,
    )
    assert studio.lines[-1]["faults"] == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_whole_shoe_is_dealt_to_its_closing_count(tmp_path: Any) -> None:
    """Sixty rounds cross the limits of the side bets, the cut card, the count and a new shoe."""
    studio = deal(f"sqlite:///{tmp_path}/shoe.db", rounds=60, seed=6, players=2_000)
    assert studio.tally.asked * 100 <= studio.tally.cards
