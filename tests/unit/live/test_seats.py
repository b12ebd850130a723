"""What a seat of Baloot is given of its own: after a stop, out of turn, and where nobody reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from studio.domain import commands as c
from studio.games.procedure import Confirm, Deal
from studio.games.registry import game
from studio.live.desk import Desk
from studio.live.people import SeatToken
from studio.live.replay import digest_of
from studio.live.seats import Seats, seats_of
from studio.table.state import Limit, Setup, Table
from studio.table.turn import due
from tests.support.live.bench import SUPERVISOR, Bench

GAME = game("baloot")
POOR = ("7S 8S 9S", "AH KH QH", "AD KD QD", "AC KC QC", "7H 8H", "JH TH", "JD TD", "JC TC", "9H")
"""Packets from seat 0 on, and the open card; seat 0 holds nothing above a nine."""
WEAK_THIRD = ("AS KS QS", "AH KH QH", "7D 8D 9D", "AC KC QC", "JS TS", "JH TH", "7C 8C", "JC TC")


def setup_of(**rules: Any) -> Setup:
    made = GAME.rules(rules)
    return Setup(
        table="bl1",
        game=GAME,
        rules=made,
        rules_digest=digest_of(made),
        sources=("shoe",),
        limits=tuple((bet, Limit(1, 50_000)) for bet in GAME.bets),
    )


def dealt(setup: Setup, packets: tuple[str, ...]) -> Bench:
    """A table at which these cards were dealt; the first seat is asked for its call."""
    bench = Bench(setup=setup)
    bench.do(c.OpenTable(), SUPERVISOR)
    bench.shoe_online()
    bench.do(c.StartShoe())
    while isinstance(due(setup, bench.table), Confirm):
        bench.do(c.ConfirmStep())
    bench.do(c.OpenBets())
    bench.do(c.CloseBets())
    for card in " ".join(packets).split():
        assert isinstance(due(setup, bench.table), Deal)
        bench.deal(card)
    return bench


def seats_at(bench: Bench) -> Seats:
    seats = Seats()
    seats.seat([Desk(bench.runner, device=None, camera=None)])
    return seats


@dataclass
class Unread:
    """A table whose cards in the racks nobody has read."""

    name: str
    setup: Setup
    state: Table

    def table(self) -> Table:
        return self.state


def token(seat: int) -> SeatToken:
    return SeatToken(f"token-{seat}", "bl1", seat)


def codes(seats: Seats, seat: int) -> list[str]:
    return [each["card"] for each in seats.hand(token(seat))["cards"]]


def test_a_hand_is_the_same_after_a_stop_and_nothing_is_asked_until_the_table_goes_on() -> None:
    bench = dealt(setup_of(), POOR)
    before = codes(seats_at(bench), 0)
    assert before == ["7S", "8S", "9S", "7H", "8H"]
    again = Bench(
        bench.journal, clock=bench.clock, purse=bench.purse, setup=bench.setup, prefix="again-"
    )
    seats = seats_at(again)
    assert codes(seats, 0) == before
    if again.table.held:
        assert seats.hand(token(0))["asked"] is None


def test_who_may_say_something_out_of_turn_is_asked_so_and_nobody_else() -> None:
    flagged = setup_of(kawesh="same_dealer")
    bench = dealt(flagged, (*WEAK_THIRD, "9S"))
    seats = seats_at(bench)
    asked = [seats.hand(token(seat))["asked"] for seat in range(4)]
    assert asked[0]["in_turn"] is True
    assert asked[1] is None
    assert asked[3] is None
    assert asked[2] == {
        "window": 1,
        "step": "bidding",
        "in_turn": False,
        "options": [{"choice": "kawesh", "card": ""}],
        "deadline": asked[0]["deadline"],
    }
    assert seats.choose(token(1), 1, "kawesh").code == "refused.not_allowed"
    assert seats.choose(token(2), 1, "kawesh").status == "done"


def test_a_card_that_no_reader_named_is_told_as_hidden() -> None:
    bench = dealt(setup_of(), POOR)
    play = bench.table.play
    assert play is not None
    places = tuple(replace(place, card=None, sealed=None) for place in play.places)
    blind = replace(bench.table, play=replace(play, places=places))
    seats = Seats()
    seats.seat([cast("Desk", Unread("bl1", bench.setup, blind))])
    assert codes(seats, 0) == ["XX"] * 5


def test_a_card_that_a_seat_names_in_vain_is_in_no_log_of_commands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = dealt(setup_of(), POOR)
    kept: list[str] = []
    record = bench.journal.record_command

    def keep(each: Any) -> None:
        kept.append(each.body)
        record(each)

    monkeypatch.setattr(bench.journal, "record_command", keep)
    seats = seats_at(bench)
    for named in ("AH", "ah ", "TD"):
        assert seats.choose(token(0), 1, named).code == "refused.not_allowed"
    assert len(kept) == len(("AH", "ah ", "TD"))
    assert not [body for body in kept if "AH" in body.upper() or "TD" in body]


def test_a_window_of_before_and_a_seat_out_of_turn_choose_nothing() -> None:
    bench = dealt(setup_of(), POOR)
    seats = seats_at(bench)
    assert seats.choose(token(1), 1, "pass").code == "refused.not_allowed"
    assert seats.choose(token(0), 1, "pass", key="k").status == "done"
    assert seats.choose(token(0), 1, "pass", key="k").status == "done"
    assert seats.choose(token(0), 1, "pass").code == "refused.window_closed"
    assert seats.choose(token(1), 1, "pass").code == "refused.window_closed"
    assert seats.choose(token(1), 2, "pass", key="k").status == "done"


def test_only_games_whose_seats_choose_have_seats() -> None:
    assert seats_of(GAME) == 4
    assert [seats_of(game(name)) for name in ("baccarat", "blackjack")] == [0, 0]
    seats = seats_at(dealt(setup_of(), POOR))
    assert seats.knows(token(3))
    assert not seats.knows(token(4))
    assert not seats.knows(SeatToken("t", "other", 0))
