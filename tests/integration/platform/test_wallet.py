"""A studio whose players' money is with a platform: silent, late, broken, wrong, and twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from studio.launch import LaunchError, Studio
from studio.live.teller import State
from studio.settings import parse
from studio.storage.tellers import SqlTellerStore
from tests.support.outside import Outside, eventually
from tests.support.platform import House, settings_in

BETS = [("b1", "ann", "player", 1000), ("b2", "bob", "banker", 1000)]
OPENING = 200_000


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with Outside(tmp_path) as running:
        running.rich("ann", "bob")
        yield running


def house_in(tmp_path: Path, outside: Outside, funds_s: float = 0.5, **sections: Any) -> House:
    return House(settings_in(tmp_path, wallet=outside.wallet(funds_s), **sections))


def states(house: House) -> dict[str, State]:
    """The state of each call to the wallet, by what was asked."""
    assert house.studio.journal is not None
    store = SqlTellerStore(house.studio.journal.database)
    with house.studio.journal.database.reading() as connection:
        keys = [row[0] for row in connection.exec_driver_sql("SELECT key FROM wallet_batches")]
    found = {key: store.get(key) for key in keys}
    return {key.rpartition("/")[2]: kept.state for key, kept in found.items() if kept is not None}


def reserved(house: House) -> State:
    """The state of the one reservation that there is."""
    return next(state for key, state in states(house).items() if key.startswith("house."))


def money_adds_up(house: House, outside: Outside, table: str = "ba1") -> None:
    """What the wallet holds is what it held, less the stakes, plus what went back."""
    rounds = house.caller().get(f"/api/v1/tables/{table}/rounds?limit=100").json["rounds"]
    change = sum(each["returned"] + each["refunded"] - each["staked"] for each in rounds)
    eventually(lambda: outside.books.total() == OPENING + change)


def test_a_round_is_reserved_and_paid_over_http(tmp_path: Path, outside: Outside) -> None:
    with house_in(tmp_path, outside, 5.0) as house:
        round_id = house.open_round()
        placed = house.caller().bets("ba1", round_id, [*BETS, ("b3", "eve", "player", 100)]).json
        assert placed["accepted"] == 2
        assert [(r["id"], r["reason"]) for r in placed["refused"]] == [("b3", "balance")]
        assert outside.books.total() == OPENING - 2000
        assert reserved(house) is State.RESERVED
        house.close_and_deal()
        money_adds_up(house, outside)
        eventually(lambda: reserved(house) is State.CAPTURED)
        assert (outside.books.balance("ann"), outside.books.balance("bob")) == (101_000, 99_000)


def test_no_answer_means_no_and_a_late_yes_goes_back_once(tmp_path: Path, outside: Outside) -> None:
    with house_in(tmp_path, outside) as house:
        round_id = house.open_round()
        outside.server.silent = True
        placed = house.caller().bets("ba1", round_id, BETS, "k").json
        assert placed["accepted"] == 0
        assert {r["reason"] for r in placed["refused"]} == {"funds_unanswered"}
        assert outside.books.total() == OPENING - 2000, "the wallet has it, and nobody knows"
        assert reserved(house) is State.UNKNOWN
        assert any("it is not known" in each for each in house.studio.health().findings)
        outside.server.silent = False
        outside.server.may_answer.set()
        eventually(lambda: reserved(house) is State.RELEASED)
        assert outside.books.total() == OPENING
        again = house.caller().bets("ba1", round_id, BETS, "k").json
        assert again == placed
        house.close_and_deal()
        money_adds_up(house, outside)
        assert house.caller().get("/api/v1/players/ann/bets").json["bets"][0]["reason"] == (
            "funds_unanswered"
        )
        assert not any("not known" in each for each in house.studio.health().findings)


def test_what_is_unknown_at_a_stop_is_asked_for_at_the_next_start(
    tmp_path: Path, outside: Outside
) -> None:
    settings = settings_in(tmp_path, wallet=outside.wallet(0.5))
    with House(settings) as house:
        round_id = house.open_round()
        outside.server.silent = True
        assert house.caller().bets("ba1", round_id, BETS).json["accepted"] == 0
        outside.server.broken = True
        outside.server.silent = False
        outside.server.may_answer.set()
    assert outside.books.total() == OPENING - 2000
    outside.server.broken = False
    with House(settings) as house:
        eventually(lambda: reserved(house) is State.RELEASED)
    assert outside.books.total() == OPENING


def test_a_wallet_that_does_it_and_answers_500_has_done_it_once(
    tmp_path: Path, outside: Outside
) -> None:
    """R-03: the key is kept through every try."""
    with house_in(tmp_path, outside, 10.0) as house:
        round_id = house.open_round()
        outside.server.broken = True
        asked = outside.server.heard
        caller, found = house.caller(), []
        waiting = Thread(target=lambda: found.append(caller.bets("ba1", round_id, BETS).json))
        waiting.start()
        eventually(lambda: len([w for w, _ in asked if w == "/wallet/reserve"]) >= 2)
        outside.server.broken = False
        waiting.join(timeout=15)
        assert found[0]["accepted"] == 2
        keys = {given["key"] for given in outside.calls("/wallet/reserve")}
        assert len(keys) == 1
        assert outside.books.total() == OPENING - 2000


def test_a_table_goes_on_while_the_wallet_is_gone_and_players_are_paid_once_it_is_back(
    tmp_path: Path, outside: Outside
) -> None:
    settings = settings_in(tmp_path, wallet=outside.wallet(5.0))
    with House(settings) as house:
        round_id = house.open_round()
        assert house.caller().bets("ba1", round_id, BETS).json["accepted"] == 2
        outside.server.down = True
        house.close_and_deal()
        eventually(lambda: len(outside.calls("/wallet/settle")) >= 2)
        assert outside.books.total() == OPENING - 2000
        assert any("does not answer" in each for each in house.studio.health().findings)
        desk = house.studio.desk("ba1")
        assert desk.view("supervisor", "e", 0).view["wallet"]["params"]
        assert desk.table().phase.value in {"idle", "result"}
    outside.server.down = False
    with House(settings) as house:
        money_adds_up(house, outside)
        eventually(lambda: states(house).get("settled") is State.PAID)
    with House(settings) as house:
        money_adds_up(house, outside)


def test_a_wallet_that_says_no_is_believed(tmp_path: Path, outside: Outside) -> None:
    with house_in(tmp_path, outside, 5.0) as house:
        round_id = house.open_round()
        placed = house.caller().bets("ba1", round_id, [("b1", "poor", "player", 1000)]).json
        assert [r["reason"] for r in placed["refused"]] == ["balance"]
        assert reserved(house) is State.REFUSED
        house.close_and_deal()
        money_adds_up(house, outside)


def test_a_wrong_key_or_a_wrong_clock_moves_nothing(tmp_path: Path, outside: Outside) -> None:
    outside.server.now = lambda: time.time() + 3600
    with house_in(tmp_path, outside) as house:
        round_id = house.open_round()
        placed = house.caller().bets("ba1", round_id, BETS).json
        assert {r["reason"] for r in placed["refused"]} == {"funds_unanswered"}
        assert outside.server.heard == []
        assert outside.books.total() == OPENING
        assert any("status 401" in each for each in house.studio.health().findings)
        outside.server.now = time.time
        eventually(lambda: reserved(house) is State.RELEASED)
        assert outside.books.total() == OPENING
    (tmp_path / "other").mkdir()
    outside.server.keys = {"wallet": "quite-another-key"}
    with house_in(tmp_path / "other", outside) as house:
        round_id = house.open_round()
        assert house.caller().bets("ba1", round_id, BETS).json["accepted"] == 0
        assert outside.books.total() == OPENING


def test_an_answer_that_names_what_was_not_asked_is_no_answer(
    tmp_path: Path, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house_in(tmp_path, outside) as house:
        round_id = house.open_round()
        monkeypatch.setattr(outside.server, "answer", lambda *_: (200, {"refused": ["who"]}))
        placed = house.caller().bets("ba1", round_id, BETS).json
        assert {r["reason"] for r in placed["refused"]} == {"funds_unanswered"}


def test_another_table_is_not_slowed_by_a_silent_wallet(tmp_path: Path, outside: Outside) -> None:
    with House(settings_in(tmp_path, tables=2, wallet=outside.wallet(30.0))) as house:
        first, second = house.open_round("ba1"), house.open_round("ba2")
        outside.server.silent = True
        waiting = Thread(target=lambda: house.caller().bets("ba1", first, BETS))
        waiting.start()
        eventually(lambda: len(outside.calls("/wallet/reserve")) == 1)
        house.close_and_deal(table="ba2")
        assert house.studio.desk("ba2").table().round is not None
        house.close_and_deal(table="ba1")
        assert second
        outside.server.may_answer.set()
        waiting.join(timeout=20)
        eventually(lambda: outside.books.total() == OPENING)


def test_an_http_wallet_without_a_key_is_refused_with_one_sentence(tmp_path: Path) -> None:
    values = {
        "studio": {"database": "sqlite:///cutcard.db"},
        "wallet": {"kind": "http", "url": "http://127.0.0.1:1/wallet"},
        "tables": {
            "ba1": {
                "game": "baccarat",
                "sources": ["shoe"],
                "limits": {"player": [1, 2]},
                "shoe": {"url": "sim:"},
            }
        },
    }
    with pytest.raises(LaunchError, match="CUTCARD_WALLET_KEY"):
        Studio(parse(values, tmp_path / "config.toml", {})).inspect()
