"""What people see of the coups of this shoe: results for the roads, and what may be put right.

The roads are drawn from the results, never patched: a coup that was corrected shows its true
result, one that was declared not played has none (FACES.md 10, live-dealer-systems.md F12, F13).
"""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from studio.games.roads import Roads, Told
from studio.table import correction
from studio.table.after_decisions import policy_of
from studio.table.ended import Ended, PastShoe
from studio.table.evolve_results import VOID
from studio.table.state import Setup, Table
from studio.table.views import CorrectionView, Message, PastRoundView, ResultView, ShoeView

Draw = Callable[[Sequence[Told]], Roads]
"""How a game draws the roads of a shoe."""


def result_views(table: Table) -> tuple[ResultView, ...]:
    """Results of this shoe, oldest first; the roads are drawn from these."""
    return tuple(_result(ended) for ended in table.results if ended.code != VOID)


def roads_view(setup: Setup, table: Table) -> Roads | None:
    """The roads of this shoe as its results are now; None for a game without roads."""
    draw = setup.game.roads
    return None if draw is None else _drawn(draw, result_views(table))


def shoe_views(setup: Setup, table: Table) -> tuple[ShoeView, ...]:
    """The shoes before this one with their roads, newest first; none for a game without roads."""
    draw = setup.game.roads
    if draw is None:
        return ()
    return tuple(_past_shoe(draw, past) for past in reversed(table.past_shoes))


@lru_cache(maxsize=64)
def _drawn(draw: Draw, results: tuple[ResultView, ...]) -> Roads:
    """Every screen of a table asks for the same roads."""
    return draw(results)


@lru_cache(maxsize=256)
def _past_shoe(draw: Draw, past: PastShoe) -> ShoeView:
    results = tuple(_result(ended) for ended in past.results if ended.code != VOID)
    return ShoeView(
        shoe_no=past.number,
        day=past.day,
        ended_us=past.ended_us,
        balance=past.balance,
        roads=draw(results),
    )


@lru_cache(maxsize=1024)
def _result(ended: Ended) -> ResultView:
    told: dict[str, Any] = json.loads(ended.outcome)
    return ResultView(
        round_no=ended.called,
        code=ended.code,
        totals=tuple((zone, total) for zone, total in told.get("totals", ())),
        natural=bool(told.get("natural", False)),
        marks=tuple(told.get("marks", ())),
        corrected=bool(ended.corrections),
    )


def correction_view(table: Table) -> CorrectionView | None:
    """The newest late correction of this shoe, as players are told of it; None if there is none."""
    corrected = [ended for ended in table.results if ended.corrections]
    if not corrected:
        return None
    newest = max(corrected, key=lambda ended: ended.corrections[-1])
    return CorrectionView(
        round_no=newest.called,
        old_code=newest.before,
        new_code=newest.code,
        at_us=newest.corrected_us,
        since=sum(ended.code != VOID for ended in table.results[newest.known :]),
    )


def past_views(setup: Setup, table: Table) -> tuple[PastRoundView, ...]:
    """The settled coups of this shoe, newest first, and whether each may be put right now."""
    return tuple(_past(setup, table, ended) for ended in reversed(table.results))


def _past(setup: Setup, table: Table, ended: Ended) -> PastRoundView:
    reason = correction.why_not(setup, table, ended)
    return PastRoundView(
        round_id=ended.id,
        round_no=ended.called,
        code=ended.code,
        cards=tuple((zone, card.code) for zone, card in ended.cards),
        staked=ended.staked,
        returned=ended.returned,
        owed=ended.owed,
        corrected=bool(ended.corrections),
        policy=policy_of(setup.profile) if setup.game.seat else "",
        enabled=reason is None,
        reason=Message(reason) if reason else None,
    )
