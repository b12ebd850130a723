"""A whole embedded studio without a browser: real bytes, real pixels, simulated people.

The demonstrations here deal few rounds; `make soak` deals whole shoes and every fault.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from click.testing import CliRunner

from studio.configuration import SettingsError
from studio.live.clock import ManualClock
from studio.live.wallets import EmbeddedWallet
from studio.simulate.demo import (
    NOON_US,
    DemoStudio,
    Wanted,
    _not_as_told,
    command,
    headless,
    settings_of,
    wait_for_devices,
)
from studio.simulate.faults import Planned, possible
from studio.simulate.pace import JumpingPace
from studio.storage.verify import verify

EIGHT = (
    "split_frame",
    "bad_checksum",
    "unplug",
    "wrong_card",
    "frozen",
    "early_card",
    "kill",
    "platform_down",
)
"""The simplest faults of each kind, one a round."""


def deal(database: str, **wanted: Any) -> DemoStudio:
    """Deal a demonstration and check what every one must keep."""
    wish = Wanted(headless=True, **wanted)
    studio = headless(wish, settings_of(wish, database))
    tally = studio.tally
    assert tally.misreads == 0
    assert studio.lost == tally.house, "the wallet tells of other money than the rounds"
    assert verify(database).problems == ()
    for told in studio.lines:
        assert told["staked"] == told["returned"] + told["refunded"] + told["house"]
    return studio


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> DemoStudio:
    """Nine rounds: the eight simplest faults, and a clean one."""
    database = f"sqlite:///{tmp_path_factory.mktemp('demo')}/faulty.db"
    faults = tuple(Planned(name, at) for at, name in enumerate(EIGHT, start=1))
    return deal(database, rounds=9, seed=3, faults=faults)


def line(studio: DemoStudio, fault: str) -> dict[str, Any]:
    """The round into which a fault was put."""
    return next(told for told in studio.lines if told["injected"] == [fault])


@pytest.mark.timeout(240)
@pytest.mark.parametrize("fault", ["split_frame", "bad_checksum"])
def test_a_broken_frame_is_absorbed(faulty: DemoStudio, fault: str) -> None:
    """A frame in pieces is whole in the end; a wrong check sum is asked for again."""
    told = line(faulty, fault)
    assert (told["state"], told["faults"]) == ("settled", [])


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("unplug", "device_lost"),
        ("wrong_card", "reader_mismatch"),
        ("frozen", "camera_unfit"),
        ("early_card", "early_card"),
        ("kill", "recovered"),
    ],
)
def test_a_fault_holds_the_table_and_the_coup_ends_right(
    faulty: DemoStudio, fault: str, code: str
) -> None:
    """The simulated supervisor repairs by the policy's first lawful option."""
    told = line(faulty, fault)
    assert code in told["faults"]
    assert told["state"] == "settled"


@pytest.mark.timeout(240)
def test_bets_that_the_platform_did_not_answer_are_not_in_the_coup(faulty: DemoStudio) -> None:
    """The coup is dealt all the same; nothing is staked, and nothing is owed."""
    told = line(faulty, "platform_down")
    assert (told["state"], told["staked"], told["returned"]) == ("settled", 0, 0)


@pytest.mark.parametrize(
    ("fault", "sources", "why"),
    [
        ("frozen@2", "shoe", "is a fault of the camera, and this table has none"),
        ("unplug@2", "camera", "is a fault of the shoe, and this table has none"),
        ("wrong_hand@2", "shoe", "without a camera this table does not see it"),
        ("wrong_card@2", "shoe", "is contradicted by nothing but a camera"),
        ("no_such@2", "shoe,camera", "there is no fault 'no_such'"),
        ("kill", "shoe,camera", "write kill@ROUND"),
        ("kill@21", "shoe,camera", "--fault kill@21: 20 rounds are dealt; add --rounds 21"),
    ],
)
def test_a_fault_that_a_table_cannot_have_is_one_sentence(
    fault: str, sources: str, why: str
) -> None:
    """A wrong call: exit status 2, and what to do."""
    asked = ["--headless", "--fault", fault, "--sources", sources]
    ended = CliRunner().invoke(command, asked)
    assert ended.exit_code == 2
    assert why in ended.output


def test_all_faults_leave_out_those_that_a_table_cannot_have_and_say_so() -> None:
    """`--fault all` with one source."""
    asked = ["--headless", "--fault", "all", "--sources", "shoe", "--rounds", "1"]
    ended = CliRunner().invoke(command, asked)
    assert ended.exit_code == 0, ended.output
    assert "left out: dark is a fault of the camera, and this table has none" in ended.output
    assert "left out: kill" not in ended.output


@pytest.mark.parametrize("amount", [1, -1])
def test_a_wallet_that_tells_of_other_money_is_a_bad_answer(
    monkeypatch: pytest.MonkeyPatch, amount: int
) -> None:
    """One unit is enough: exit status 1, and one sentence."""
    honest = EmbeddedWallet.total

    def total(wallet: EmbeddedWallet, players: Iterable[str]) -> int:
        names = list(players)
        played = any(len(wallet.movements(name)) > 1 for name in names)
        return honest(wallet, names) + (amount if played else 0)

    monkeypatch.setattr(EmbeddedWallet, "total", total)
    ended = CliRunner().invoke(command, ["--headless", "--sources", "shoe", "--rounds", "1"])
    assert ended.exit_code == 1
    assert "the money does not add up: players lost" in ended.output


def test_a_fault_whose_step_never_came_is_a_bad_answer(tmp_path: Any) -> None:
    """A check that did not check is none."""
    never = Planned("noise", 1, moment="no such step")
    studio = deal(f"sqlite:///{tmp_path}/never.db", rounds=1, sources=("shoe",), faults=(never,))
    assert list(_not_as_told(studio)) == ["ba1: noise@1 never struck: its step did not come"]


@pytest.mark.timeout(240)
def test_a_clean_round_after_all_faults_is_clean(faulty: DemoStudio) -> None:
    """Nothing of a fault stays behind."""
    assert faulty.lines[-1]["injected"] == []
    assert faulty.lines[-1]["faults"] == []


@pytest.mark.timeout(240)
def test_a_camera_alone_can_deal(tmp_path: Any) -> None:
    """`--sources camera`: the cards are known through pixels only."""
    studio = deal(f"sqlite:///{tmp_path}/camera.db", rounds=3, seed=5, sources=("camera",))
    assert studio.tally.settled == 3
    assert studio.tally.asked == 0


def test_a_shoe_alone_can_deal(tmp_path: Any) -> None:
    """`--sources shoe`: the cards are known through bytes only."""
    studio = deal(f"sqlite:///{tmp_path}/shoe.db", rounds=5, seed=5, sources=("shoe",))
    assert studio.tally.settled == 5


def test_equal_seeds_deal_equal_rounds(tmp_path: Any) -> None:
    """A demonstration can be told again."""
    first = deal(f"sqlite:///{tmp_path}/a.db", rounds=3, seed=9, sources=("shoe",))
    second = deal(f"sqlite:///{tmp_path}/b.db", rounds=3, seed=9, sources=("shoe",))
    assert first.lines == second.lines


def test_bets_that_were_placed_before_a_stop_are_not_placed_twice(tmp_path: Any) -> None:
    """The people of the next demonstration find a window open with the bets of the last one."""
    database = f"sqlite:///{tmp_path}/window.db"
    wish = Wanted(headless=True, rounds=1, sources=("shoe",))
    clock = ManualClock(NOON_US)
    first = DemoStudio(wish, settings_of(wish, database), clock)
    first.start()
    pace = JumpingPace(clock, first, None)
    wait_for_devices(first, pace)
    for _ in first.course(pace).steps(1):
        current = first.desk("ba1").table().round
        if current is not None and current.batches:
            break
    first.stop()
    assert current is not None
    assert not current.bets_closed
    second = deal(database, rounds=1, sources=("shoe",))
    assert [told["round"] for told in second.lines] == [current.id]


def test_a_game_that_does_not_exist_is_one_sentence(tmp_path: Any) -> None:
    """Nothing is opened for it."""
    wish = Wanted(headless=True, game="dragon-tiger", rounds=1)
    with pytest.raises(SettingsError, match="game: must be one of 'baccarat'"):
        headless(wish, settings_of(wish, f"sqlite:///{tmp_path}/none.db"))


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_every_fault_once_ends_right_through_bytes_and_pixels(tmp_path: Any) -> None:
    """`--fault all`."""
    names = possible(("shoe", "camera"))
    faults = tuple(Planned(name, at) for at, name in enumerate(names, start=1))
    studio = deal(f"sqlite:///{tmp_path}/all.db", rounds=len(names) + 1, seed=4, faults=faults)
    assert studio.lines[-1]["faults"] == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_whole_shoe_is_dealt_to_its_closing_count(tmp_path: Any) -> None:
    """Ninety coups cross the cut card, the count and a new shoe."""
    studio = deal(f"sqlite:///{tmp_path}/shoe.db", rounds=90, seed=6)
    assert studio.tally.asked * 100 <= studio.tally.cards


@pytest.mark.parametrize("name", ["poker", "dragon-tiger"])
def test_a_game_that_cannot_be_dealt_is_refused_with_those_that_can(name: str) -> None:
    """No file is named that does not exist."""
    ended = CliRunner().invoke(command, ["--headless", "--game", name])
    assert ended.exit_code == 2
    assert f"there is no game '{name}'; the games are: baccarat" in ended.output
    assert "demo.toml" not in ended.output
