"""Decisions of a shared hand over HTTP, with the money here or with a platform."""

from __future__ import annotations

from pathlib import Path

from tests.support.outside import Outside, eventually
from tests.support.platform import BLACKJACK, House, settings_in

# The burn's first card and what it burns; M1 D1 M2 D2: 11 against 6; then a ten and dealer's cards.
CARDS = ("2C", "3C", "4C", "5S", "6D", "6H", "TC", "TD", "5C", "9D", "8D")


def begin(house: House, bets: list[tuple[str, str, str, int]]) -> str:
    """Open a round, bet, and deal until players choose; the round's id."""
    round_id = house.open_round(cards=CARDS)
    assert house.caller().bets("ba1", round_id, bets).json["refused"] == []
    house.close_and_deal_until_choice()
    return round_id


def entries(house: House, kind: str) -> list[dict[str, object]]:
    feed = house.caller().get("/api/v1/tables/ba1/feed?after=0").json["entries"]
    return [entry["data"] for entry in feed if entry["type"] == kind]


def test_decisions_are_taken_or_refused_one_by_one_and_the_window_is_told(tmp_path: Path) -> None:
    with House(settings_in(tmp_path, other=BLACKJACK)) as house:
        house.players("ann", "bob")
        house.players("cid", money=1000)
        bets = [(f"b-{name}", name, "main", 1000) for name in ("ann", "bob", "cid")]
        round_id = begin(house, bets)
        caller = house.caller()
        opened = entries(house, "window.opened")[0]
        assert (opened["window"], opened["asked"]) == (1, 3)
        given = [
            ("d1", "ann", "M", "double"),
            ("d2", "bob", "M", "stand"),
            ("d3", "cid", "M", "double"),
            ("d4", "eve", "M", "hit"),
            ("d5", "bob", "M", "hit"),
            ("d6", "bob", "L", "hit"),
        ]
        answer = caller.decide("ba1", round_id, 1, given, "k")
        assert answer.json["accepted"] == 2
        assert [(r["id"], r["reason"]) for r in answer.json["refused"]] == [
            ("d3", "not_available"), ("d4", "not_seated"), ("d5", "known"), ("d6", "not_available"),
        ]  # fmt: skip
        assert all(r["text"] for r in answer.json["refused"])
        assert "no such choice" in answer.json["refused"][-1]["text"], "money is not the only cause"
        assert caller.decide("ba1", round_id, 1, given, "k").body == answer.body
        changed = caller.decide("ba1", round_id, 1, given[:1], "k")
        assert (changed.status, changed.json["code"]) == (422, "refused.id_used")
        wrong = caller.decide("ba1", round_id, 7, [("d9", "cid", "M", "hit")]).json
        assert [r["reason"] for r in wrong["refused"]] == ["window_closed"]
        target = f"/api/v1/tables/ba1/rounds/{round_id}/disconnected"
        gone = caller.post(target, {"players": ["cid", "eve", "cid"]}, idempotency="g")
        assert gone.json["accepted"] == 1
        assert [(r["id"], r["reason"]) for r in gone.json["refused"]] == [("eve", "not_seated")]
        eventually(lambda: bool(entries(house, "window.closed")))
        closed = entries(house, "window.closed")[0]
        assert (closed["by"], closed["extra"]) == ("all", {"count": 1, "total": 1000})
        done = {c["actions"][0]["action"]: c["players"] for c in closed["choices"]}  # type: ignore[attr-defined]
        assert done["double"] == 1
        assert done["stand"] >= 1
        assert house.studio.wallet is not None
        assert house.studio.wallet.balance("ann") == 98_000
        assert (
            caller.post(target, {"players": ["cid", "eve", "cid"]}, idempotency="g").body
            == gone.body
        )
        late = caller.decide("ba1", "nothing", 1, given)
        assert (late.status, late.json["code"]) == (404, "refused.round_unknown")


def test_a_platform_speaks_only_for_players_whose_bets_are_its_own(tmp_path: Path) -> None:
    """Neither does it decide for them, nor name them as gone, nor read what they have bet."""
    with House(settings_in(tmp_path, other=BLACKJACK)) as house:
        house.players("ann", "bob")
        ours, theirs = house.caller(), house.caller(key="other", secret="another-key-0123456789")
        round_id = house.open_round(cards=CARDS)
        assert ours.bets("ba1", round_id, [("b-ann", "ann", "main", 1000)]).json["accepted"] == 1
        assert theirs.bets("ba1", round_id, [("b-bob", "bob", "main", 1000)]).json["accepted"] == 1
        house.close_and_deal_until_choice()
        target = f"/api/v1/tables/ba1/rounds/{round_id}/disconnected"
        gone = theirs.post(target, {"players": ["ann"]}).json
        assert (gone["accepted"], gone["refused"][0]["reason"]) == (0, "not_seated")
        given = [("d1", "ann", "M", "stand"), ("d2", "bob", "M", "double")]
        answer = theirs.decide("ba1", round_id, 1, given, "k")
        assert answer.json["accepted"] == 1
        assert [(r["id"], r["reason"]) for r in answer.json["refused"]] == [("d1", "not_seated")]
        again = theirs.decide("ba1", round_id, 1, given, "k")
        assert again.body == answer.body
        assert ours.decide("ba1", round_id, 1, [("d1", "ann", "M", "stand")]).json["accepted"] == 1
        eventually(lambda: bool(entries(house, "window.closed")))
        house.deal_to_the_end()
        assert theirs.decide("ba1", round_id, 1, given, "k").body == answer.body
        assert theirs.get("/api/v1/players/ann/bets").json["bets"] == []
        assert [b["bet"] for b in ours.get("/api/v1/players/ann/bets").json["bets"]] == ["main"]
        bets = theirs.get("/api/v1/players/bob/bets").json["bets"]
        assert {bet["bet"] for bet in bets} == {"main", "double:M"}


def test_the_bet_record_says_what_was_chosen_and_what_was_played_by_rule(tmp_path: Path) -> None:
    """R-07."""
    with House(settings_in(tmp_path, other=BLACKJACK)) as house:
        house.players("ann", "bob")
        round_id = begin(house, [(f"b-{name}", name, "main", 1000) for name in ("ann", "bob")])
        caller = house.caller()
        assert caller.decide("ba1", round_id, 1, [("d1", "ann", "M", "double")]).json["accepted"]
        target = f"/api/v1/tables/ba1/rounds/{round_id}/disconnected"
        assert caller.post(target, {"players": ["bob"]}).status == 200
        eventually(lambda: bool(entries(house, "window.closed")))
        house.deal_to_the_end()
        ann = caller.get("/api/v1/players/ann/bets").json["bets"]
        assert {bet["bet"]: bet["state"] for bet in ann} == {
            "main": "settled", "double:M": "settled",
        }  # fmt: skip
        main = next(bet for bet in ann if bet["bet"] == "main")
        assert (main["chosen"], main["played"]) == ("1/M:double", "M:double")
        bob = caller.get("/api/v1/players/bob/bets").json["bets"]
        assert [(bet["chosen"], bet["played"][:4]) for bet in bob] == [("", "M:hi")]
        result = caller.get(f"/api/v1/tables/ba1/rounds/{round_id}/result").json
        assert result["staked"] == 3000
        assert sum(bet["returned"] for bet in (*ann, *bob)) == result["returned"]


def test_a_hidden_card_is_nowhere_before_it_is_turned(tmp_path: Path) -> None:
    with House(settings_in(tmp_path, other=BLACKJACK)) as house:
        house.players("ann")
        round_id = begin(house, [("b1", "ann", "main", 1000)])
        caller = house.caller()
        for target in ("feed?after=0", f"rounds/{round_id}", "rounds"):
            assert b"TC" not in caller.get(f"/api/v1/tables/ba1/{target}").body
        cards = caller.get(f"/api/v1/tables/ba1/rounds/{round_id}").json["cards"]
        assert [(card["to"], card["card"]) for card in cards] == [
            ("M", "5S"), ("D", "6D"), ("M", "6H"), ("D", "XX"),
        ]  # fmt: skip


def test_a_play_that_a_far_wallet_does_not_cover_is_refused_and_the_table_never_waits(
    tmp_path: Path,
) -> None:
    with Outside(tmp_path) as outside:
        outside.rich("ann", "bob", money=5000)
        outside.rich("cid", money=1000)
        settings = settings_in(tmp_path, other=BLACKJACK, wallet=outside.wallet(2.0))
        with House(settings) as house:
            bets = [(f"b-{name}", name, "main", 1000) for name in ("ann", "bob", "cid")]
            round_id = begin(house, bets)
            caller = house.caller()
            given = [("d1", "ann", "M", "double"), ("d3", "cid", "M", "double")]
            answer = caller.decide("ba1", round_id, 1, given).json
            assert answer["accepted"] == 1
            assert [r["reason"] for r in answer["refused"]] == ["not_available"]
            outside.server.down = True
            answer = caller.decide("ba1", round_id, 1, [("d2", "bob", "M", "double")]).json
            assert [r["reason"] for r in answer["refused"]] == ["funds_unanswered"]
            outside.server.down = False
            given = [("d4", "bob", "M", "stand"), ("d5", "cid", "M", "stand")]
            assert caller.decide("ba1", round_id, 1, given).json["accepted"] == 2
            eventually(lambda: outside.books.balance("ann") == 3000)
            eventually(lambda: bool(entries(house, "window.closed")))
            assert entries(house, "window.closed")[0]["extra"] == {"count": 1, "total": 1000}
