"""Two platforms at one table, and bet ids that come twice: nobody speaks for another's players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.integration.platform.test_decisions import CARDS, entries
from tests.support.outside import Outside, eventually
from tests.support.platform import BLACKJACK, Caller, House, settings_in


def house_in(folder: Path, **sections: Any) -> House:
    return House(settings_in(folder, other=BLACKJACK, **sections))


def other(house: House) -> Caller:
    return house.caller(key="other", secret="another-key-0123456789")


def record(caller: Caller, player: str) -> dict[str, tuple[str, str]]:
    """State of each bet of a player and what was played for it, by kind and stake."""
    answer = caller.get(f"/api/v1/players/{player}/bets")
    assert answer.status == 200
    return {
        f"{bet['bet']} {bet['stake']}": (bet["state"], bet["played"]) for bet in answer.json["bets"]
    }


@pytest.mark.parametrize(
    "first",
    [
        pytest.param([("b1", "ann", "main", 150_000)], id="its id was refused before"),
        pytest.param([], id="its id comes twice in the batch"),
    ],
)
def test_the_bet_record_is_read_on_whatever_ids_a_batch_repeats(
    tmp_path: Path, first: list[tuple[str, str, str, int]]
) -> None:
    with house_in(tmp_path) as house:
        house.players("ann", "bob", "cid")
        caller, round_id = house.caller(), house.open_round(cards=CARDS)
        if first:
            assert caller.bets("ba1", round_id, first).json["accepted"] == 0
        assert caller.bets("ba1", round_id, [("b0", "bob", "main", 1000)]).json["accepted"] == 1
        bets = [("b1", "ann", "main", 5000), ("b1", "bob", "main", 700), ("b3", "cid", "main", 900)]
        answer = caller.bets("ba1", round_id, bets).json
        assert [(r["id"], r["reason"]) for r in answer["refused"]] == [("b1", "bet_known")]
        assert record(caller, "ann") == {"main 5000": ("accepted", "")}
        house.close_and_deal_until_choice()
        plays = [
            ("d1", "ann", "M", "stand"),
            ("d2", "bob", "M", "hit"),
            ("d3", "cid", "M", "stand"),
        ]
        assert caller.decide("ba1", round_id, 1, plays).json["accepted"] == 3
        eventually(lambda: bool(entries(house, "window.closed")))
        target = f"/api/v1/tables/ba1/rounds/{round_id}/disconnected"
        assert caller.post(target, {"players": ["bob"]}).json["accepted"] == 1
        house.deal_to_the_end()
        assert record(caller, "ann") == {"main 5000": ("settled", "M:stand")}
        assert record(caller, "cid") == {"main 900": ("settled", "M:stand")}
        assert record(caller, "bob")["main 1000"][1].startswith("M:hit")


def test_a_refused_bet_lets_no_platform_read_what_another_ones_player_bets(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        house.players("ann")
        round_id = house.open_round(cards=CARDS)
        assert house.caller().bets("ba1", round_id, [("b1", "ann", "main", 50_000)]).status == 200
        refused = other(house).bets("ba1", round_id, [("x1", "ann", "main", 80_000)])
        assert refused.json["accepted"] == 0
        assert record(other(house), "ann") == {"main 80000": ("refused", "")}
        assert other(house).bets("ba1", round_id, [("x2", "ann", "pair", 100)]).json["accepted"]
        assert set(record(other(house), "ann")) == {"main 80000", "pair 100"}
        assert set(record(house.caller(), "ann")) == {"main 50000"}


def test_a_bet_beside_another_platforms_hand_gives_no_word_in_it(tmp_path: Path) -> None:
    """Else a small one would double a large one."""
    with house_in(tmp_path) as house:
        house.players("ann")
        caller, round_id = house.caller(), house.open_round(cards=CARDS)
        assert caller.bets("ba1", round_id, [("b1", "ann", "main", 40_000)]).json["accepted"]
        beside = [("x1", "ann", "pair", 100), ("x2", "ann", "main", 100)]
        assert other(house).bets("ba1", round_id, beside).json["accepted"] == 2
        house.close_and_deal_until_choice()
        told = other(house).decide("ba1", round_id, 1, [("d1", "ann", "M", "double")]).json
        assert [r["reason"] for r in told["refused"]] == ["not_seated"]
        assert caller.decide("ba1", round_id, 1, [("d2", "ann", "M", "stand")]).json["accepted"]


def test_no_platform_names_players_of_another_one_as_gone_before_they_have_bet(
    tmp_path: Path,
) -> None:
    with house_in(tmp_path) as house:
        house.players("ann", "bob")
        caller, round_id = house.caller(), house.open_round(cards=CARDS)
        assert other(house).bets("ba1", round_id, [("x1", "bob", "main", 1000)]).json["accepted"]
        target = f"/api/v1/tables/ba1/rounds/{round_id}/disconnected"
        gone = other(house).post(target, {"players": ["ann", "bob"]}).json
        assert (gone["accepted"], [r["id"] for r in gone["refused"]]) == (1, ["ann"])
        assert caller.bets("ba1", round_id, [("b1", "ann", "main", 1000)]).json["accepted"] == 1
        house.close_and_deal_until_choice()
        assert caller.decide("ba1", round_id, 1, [("d1", "ann", "M", "stand")]).json["accepted"]


def test_a_bet_that_the_wallet_refuses_later_makes_no_platform_speak_for_its_player(
    tmp_path: Path,
) -> None:
    with (
        Outside(tmp_path) as outside,
        house_in(tmp_path, wallet=outside.wallet()) as house,
    ):
        outside.rich("ann")
        caller, round_id = house.caller(), house.open_round(cards=CARDS)
        assert caller.bets("ba1", round_id, [("b1", "ann", "main", 50_000)]).json["accepted"] == 1
        platform, desk = house.studio.platform, house.studio.desk("ba1")
        owners = platform._owners["ba1"]
        asked: list[frozenset[str]] = []

        def while_asked(target: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            if target == "/wallet/reserve":
                asked.append(owners.strangers("other", desk.table().round, ["ann"]))
            return answer(target, given)

        answer = outside.server.answer
        outside.server.answer = while_asked  # type: ignore[method-assign]
        assert (
            other(house).bets("ba1", round_id, [("x1", "ann", "main", 80_000)]).json["accepted"]
            == 0
        )
        assert asked == [frozenset({"ann"})]
        house.close_and_deal_until_choice()
        plays = [("d1", "ann", "M", "double")]
        refused = other(house).decide("ba1", round_id, 1, plays).json["refused"]
        assert [r["reason"] for r in refused] == ["not_seated"]


def test_no_bet_is_called_as_what_a_play_costs_is_called(tmp_path: Path) -> None:
    """Two stakes of one name would be one for a later correction."""
    with house_in(tmp_path) as house:
        house.players("ann")
        caller, round_id = house.caller(), house.open_round(cards=CARDS)
        answer = caller.bets("ba1", round_id, [("window/1/0/double:M", "ann", "main", 1000)])
        assert [r["reason"] for r in answer.json["refused"]] == ["malformed"]
