"""Bets that stand over rounds: no money moves until a round ends them, whatever comes between."""

from __future__ import annotations

from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.live import replay as replaying
from studio.live.replay import corrections_of, digest_of, facts_of, replay
from studio.live.wallets import MemoryWallet
from studio.table import ledger
from tests.support.evening import GAME, HIGH, LOW, PLAYER, evening_setup
from tests.support.live.bench import PLATFORM, SUPERVISOR, Bench, baccarat

DAY_US = 24 * 3600 * 1_000_000
OPENING = 10_000
REASON = "reason.camera_proves"


def bench_of(**more: Any) -> Bench:
    """A table in play; Ann and Bob have 100.00 each."""
    setup = evening_setup()
    bench = Bench(
        setup=evening_setup(rules_digest=digest_of(setup.rules)),
        purse=MemoryWallet({"ann": OPENING, "bob": OPENING}),  # type: ignore[arg-type]
        **more,
    )
    bench.open_shoe()
    return bench


def played(bench: Bench, coup: str, *bets: tuple[str, str, int], batch: str = "x") -> None:
    """A whole coup with these bets; its result is shown."""
    if bench.table.phase.value == "result":
        bench.collect()
    if bench.table.phase.value == "idle":
        bench.do(c.OpenBets())
    if bets:
        bench.bet(batch, *bets)
    bench.do(c.CloseBets())
    bench.deal(coup)
    assert bench.table.phase.value == "result", bench.table.hold


def void(bench: Bench) -> None:
    """Call the supervisor, who voids the open round."""
    bench.do(c.CallSupervisor("reason.call.bets"))
    hold, current = bench.table.hold, bench.table.round
    assert hold is not None
    assert current is not None
    fault = hold.faults[0].id
    bench.do(c.VoidRound(fault=fault, reason="reason.other", round_id=current.id), SUPERVISOR)


def money(bench: Bench) -> tuple[int, int]:
    """What Ann and Bob have."""
    has = [bench.purse.balance(name) for name in ("ann", "bob")]  # type: ignore[attr-defined]
    return has[0], has[1]


def settled(bench: Bench) -> list[e.RoundSettled]:
    return [each for each in bench.events() if isinstance(each, e.RoundSettled)]


def corrected(bench: Bench, cards: str, at: int = -1) -> None:
    """Put an ended round right; no cards: it was not played."""
    named = tuple(map(c.Card.parse, cards.split())) if cards else ()
    ended = bench.table.results[at]
    bench.do(
        c.CorrectResult(round_id=ended.id, cards=named, void=not cards, reason=REASON), SUPERVISOR
    )


def test_a_bet_stands_until_a_round_ends_it_and_is_paid_once() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000), ("bob", "player", 500))
    assert money(bench) == (9000, 10_500)
    played(bench, PLAYER)
    assert money(bench) == (9000, 10_500)
    played(bench, HIGH)
    assert money(bench) == (11_000, 10_500)
    played(bench, HIGH)
    assert money(bench) == (11_000, 10_500)


def test_it_counts_as_staked_in_the_round_that_ends_it_alone() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000), ("bob", "player", 500))
    played(bench, HIGH, ("bob", "tie", 100), batch="y")
    first, last = settled(bench)
    assert (first.staked, first.returned) == (500, 1000)
    assert (last.staked, last.returned) == (1100, 2900)
    assert [row.bet for row in last.rows] == ["evening:high", "tie"]


def test_the_wallet_hears_nothing_of_it_between() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    before = len(bench.purse._store.movements("ann"))  # type: ignore[attr-defined]
    played(bench, PLAYER)
    played(bench, PLAYER)
    after = len(bench.purse._store.movements("ann"))  # type: ignore[attr-defined]
    assert after == before


def test_a_void_gives_back_the_bets_of_its_own_round_and_leaves_the_others() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    bench.collect()
    bench.bet("y", ("bob", "evening:low", 700), ("ann", "player", 300))
    bench.do(c.CloseBets())
    void(bench)
    assert money(bench) == (9000, OPENING)
    assert ledger.open_stakes(bench.table) == 1000
    voided = next(each for each in bench.events() if isinstance(each, e.RoundVoided))
    assert (voided.staked, voided.refunded) == (1000, 1000)


def test_a_bet_that_stands_cannot_be_taken_back_and_its_id_is_taken() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    bench.collect()
    taken_back = bench.ask(c.WithdrawBets(batch="w", ids=("x-0",)), PLATFORM)
    assert taken_back.code == "refused.no_such_bet"
    bench.bet("x", ("ann", "evening:high", 50))
    refused = [each for each in bench.events() if isinstance(each, e.BetsRefused)]
    assert refused[-1].refused == (("x-0", "refused.bet_known"),)


def test_what_stands_counts_for_the_greatest_stake_of_its_player() -> None:
    bench = bench_of()
    limits = dict(bench.setup.limits)
    assert limits["evening:low"] is not None
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    bench.collect()
    bench.bet("y", ("ann", "evening:high", limits["evening:low"].most - 999))
    refused = [each for each in bench.events() if isinstance(each, e.BetsRefused)]
    assert refused[-1].refused == (("y-0", "refused.limits"),)


def test_no_batch_takes_the_name_under_which_standing_bets_are_kept() -> None:
    bench = bench_of()
    bench.do(c.OpenBets())
    bets = (c.Bet("b", "ann", "player", 100),)
    assert bench.ask(c.PlaceBets("carried/", bets), PLATFORM).code == "refused.malformed"


def test_it_stands_over_a_restart_a_closed_table_another_shoe_and_another_day() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000), ("bob", "player", 500))
    bench.do(c.CloseTable(), SUPERVISOR)
    bench.collect()
    assert bench.table.phase.value == "closed"
    bench.clock.advance(DAY_US)
    again = Bench(
        bench.journal, clock=bench.clock, purse=bench.purse, setup=bench.setup, prefix="again-"
    )
    assert ledger.open_stakes(again.table) == 1000
    again.do(c.OpenTable(), SUPERVISOR)
    again.shoe_online("B2")
    assert again.table.shoe is not None
    assert again.table.staying.ids == ("x-0",)
    assert money(again) == (9000, 10_500)


def test_after_a_stop_and_a_void_in_a_later_round_it_still_stands() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    bench.collect()
    bench.do(c.CloseBets())
    bench.deal("9S 9D")
    again = Bench(
        bench.journal, clock=bench.clock, purse=bench.purse, setup=bench.setup, prefix="again-"
    )
    again._sequence = bench._sequence
    again.shoe_online()
    fault = again.table.hold.faults[0].id if again.table.hold else ""
    open_now = again.table.round
    assert open_now is not None
    again.do(c.VoidRound(fault=fault, reason="reason.other", round_id=open_now.id), SUPERVISOR)
    assert money(again)[0] == 9000
    assert again.table.staying.ids == ("x-0",)


def test_a_correction_of_the_round_that_ended_it_gives_the_difference() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000), ("bob", "evening:low", 400))
    played(bench, LOW)
    assert money(bench) == (9000, 9600 + 1000)
    corrected(bench, HIGH)
    assert money(bench) == (11_000, 9600)


def test_a_correction_by_which_nothing_ended_takes_back_what_was_paid_and_the_bet_stands() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000), ("bob", "evening:low", 400))
    played(bench, HIGH)
    corrected(bench, PLAYER)
    assert money(bench) == (9000, 9600)
    assert ledger.open_stakes(bench.table) == 1400
    assert (bench.table.results[-1].staked, bench.table.results[-1].returned) == (0, 0)
    played(bench, LOW)
    assert money(bench) == (9000, 9600 + 1000)


def test_a_correction_by_which_the_bet_had_ended_pays_it() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    corrected(bench, HIGH)
    assert money(bench) == (11_000, OPENING)
    assert ledger.open_stakes(bench.table) == 0
    played(bench, LOW)
    assert money(bench) == (11_000, OPENING)


def test_a_round_that_was_not_played_after_all_leaves_what_it_was_given() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    played(bench, HIGH, ("bob", "evening:low", 400), ("bob", "tie", 100), batch="y")
    assert money(bench) == (11_000, 9500 + 900)
    corrected(bench, "")
    assert money(bench) == (9000, OPENING)
    assert bench.table.staying.ids == ("x-0",)


def test_a_round_whose_bets_a_later_one_was_given_is_not_corrected_to_end_them() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    played(bench, PLAYER)
    ended = bench.table.results[0]
    cards = tuple(map(c.Card.parse, HIGH.split()))
    wrong = c.CorrectResult(round_id=ended.id, cards=cards, void=False, reason=REASON)
    answer = bench.ask(wrong, SUPERVISOR)
    assert answer.code == "refused.carried_on"
    corrected(bench, "9S 2D KH 6D", at=0)
    assert bench.table.staying.ids == ("x-0",)


@pytest.mark.parametrize("true", ["", PLAYER, LOW])
def test_a_replay_gives_the_same_money_and_the_same_standing_bets(
    true: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replaying, "game", lambda _: GAME)
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000), ("bob", "player", 400))
    played(bench, HIGH, ("bob", "tie", 100), batch="y")
    corrected(bench, true)
    stream = next(iter(bench.journal.streams()))
    for ended in bench.table.results:
        facts = facts_of(bench.journal.read(stream, secrets=True), ended.id)
        again = replay("ba1", facts, [bench.setup.rules])
        assert again.same, again
    assert corrections_of(bench.journal.read(stream), ended.id)[-1].event.new_code


def test_bets_of_a_game_that_the_table_deals_no_more_wait_until_it_does_again() -> None:
    bench = bench_of()
    played(bench, PLAYER, ("ann", "evening:high", 1000))
    bench.do(c.CloseTable(), SUPERVISOR)
    bench.collect()
    other = Bench(
        bench.journal, clock=bench.clock, purse=bench.purse, setup=baccarat(), prefix="other-"
    )
    other._sequence = bench._sequence
    other.do(c.OpenTable(), SUPERVISOR)
    other.shoe_online()
    played(other, HIGH, ("bob", "tie", 100), batch="y")
    assert money(other) == (9000, OPENING + 800)
    assert other.table.staying.ids == ("x-0",)
    corrected(other, LOW)
    assert money(other) == (9000, OPENING + 800)
    other.do(c.CloseTable(), SUPERVISOR)
    other.collect()
    again = Bench(
        bench.journal, clock=bench.clock, purse=bench.purse, setup=bench.setup, prefix="again-"
    )
    again._sequence = other._sequence
    again.do(c.OpenTable(), SUPERVISOR)
    again.shoe_online()
    played(again, HIGH)
    assert money(again) == (11_000, OPENING + 800)
