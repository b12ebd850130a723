"""A wallet that is away for days: what it owes is paid when it is back, whatever comes between."""

from __future__ import annotations

from studio.domain import commands as c
from tests.support.live.bench import Bench

DAY_US = 24 * 3600 * 1_000_000
FIRST = "r-2027-01-15-ba1-1/settled"


def settled_while_the_wallet_is_away() -> Bench:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    bench.purse.broken = True
    bench.deal("9S 2D KH 5D")
    return bench


def days_without_bets(bench: Bench, days: int) -> None:
    """The table goes on as far as it can without a wallet."""
    bench.do(c.ConfirmStep())
    for _ in range(days):
        bench.clock.advance(DAY_US)
        bench.runner.tick()
        bench.runner.flush()
        if bench.table.phase.value == "betting":
            bench.do(c.CloseBets())
            bench.deal("9S 2D KH 5D")
            bench.do(c.ConfirmStep())


def test_a_payment_that_waits_for_days_is_made_after_a_stop() -> None:
    bench = settled_while_the_wallet_is_away()
    days_without_bets(bench, 4)
    bench.purse.broken = False
    Bench(bench.journal, clock=bench.clock, purse=bench.purse, prefix="again-")
    assert bench.purse.paid.get(FIRST) == (("ann", 2000),)


def test_a_new_day_begins_once_the_wallet_has_paid_what_the_old_one_made_due() -> None:
    bench = settled_while_the_wallet_is_away()
    days_without_bets(bench, 1)
    assert bench.table.day == "2027-01-15"
    bench.purse.broken = False
    bench.clock.advance(DAY_US)
    bench.runner.tick()
    bench.runner.flush()
    assert bench.purse.paid[FIRST] == (("ann", 2000),)
    if bench.table.phase.value == "betting":
        bench.do(c.CloseBets())
        bench.deal("9S 2D KH 5D")
    bench.do(c.ConfirmStep())
    bench.runner.tick()
    bench.runner.flush()
    assert bench.table.day > "2027-01-15"
