"""Any corrections of any coups in any order: money adds up, the roads are those of the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK, Card
from studio.games.procedure import Dealt, run
from studio.table.book import procedure
from studio.table.evolve import fold
from studio.table.laws import check_laws
from studio.table.results import past_views, result_views
from studio.table.show import overlay_view
from studio.table.state import Phase, Script
from tests.support.coups import coup_of
from tests.support.past import past_of
from tests.support.rig import Rig

CARDS = st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True)
STAKES = st.dictionaries(
    st.sampled_from(["player", "banker", "tie", "player_pair", "big", "dragon_player"]),
    st.integers(1, 5000),
    min_size=1,
    max_size=4,
)
TIMES = st.lists(st.tuples(st.integers(0, 2), CARDS, st.booleans()), max_size=6)


def played(rig: Rig, cards: list[Card], stakes: dict[str, int]) -> None:
    """One coup from bets to its end, and its cards off the felt."""
    rig.wait(8) if rig.table.phase is Phase.RESULT else None
    if rig.table.phase is Phase.IDLE:
        rig.give(c.OpenBets())
    rig.bet("ann", **stakes)
    rig.bet("bob", **stakes)
    rig.wait(15)
    for card in coup_of(rig.setup, cards):
        rig.read(card.code)
    rig.give(c.ConfirmStep())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CARDS, min_size=3, max_size=3), STAKES, TIMES)
def test_corrections_add_up_and_leave_the_roads_of_the_true_coups(
    coups: list[list[Card]], stakes: dict[str, int], times: list[tuple[int, list[Card], bool]]
) -> None:
    rig = Rig(sources=("shoe",)).in_play()
    for cards in coups:
        played(rig, cards, stakes)
    truth: list[tuple[Card, ...] | None] = [coup_of(rig.setup, cards) for cards in coups]
    net: Counter[str] = Counter()
    for at, cards, void in times:
        ended = rig.table.results[at]
        told = () if void else coup_of(rig.setup, cards)
        command = c.CorrectResult(
            round_id=ended.id, cards=told, void=void, reason="reason.camera_proves"
        )
        before = rig.table
        if rig.refused(command) is not None:
            assert rig.table == before
            continue
        truth[at] = told or None
        event = rig.events[-1][0]
        assert isinstance(event, e.ResultCorrected)
        check_laws(*_only(rig, event))
        net[ended.id] += event.columns.total - sum(amount for *_, amount in event.debits)
    _money_is_right(rig, truth, net)
    _roads_are_right(rig, truth)
    assert fold(type(rig.table)(), rig.events) == rig.table


def _only(rig: Rig, event: e.ResultCorrected) -> tuple[object, object, list[e.Event]]:
    """The table before and after the correction alone."""
    before = fold(type(rig.table)(), rig.events[:-1])
    return before, rig.table, [event]


def _money_is_right(rig: Rig, truth: list[tuple[Card, ...] | None], net: Counter[str]) -> None:
    """What has gone back of each coup is what its true cards pay, and the sums lead there."""
    for ended, cards in zip(rig.table.results, truth, strict=True):
        past = past_of(rig.events, ended.id)
        assert past is not None
        first = next(
            event
            for event, _ in rig.events
            if isinstance(event, e.RoundSettled) and event.round_id == ended.id
        )
        assert past.back.total == ended.returned == first.returned + net[ended.id]
        if cards is None:
            assert past.back == past.bets
            continue
        inputs = [Dealt(card) for card in cards]
        outcome = run(procedure(rig.setup, Script.ROUND), inputs).outcome
        pays = rig.setup.game.pays(rig.setup.rules, outcome)
        due = [
            pays[bet].returned(stake)
            for bet, stake in zip(past.bets.bets, past.bets.amounts, strict=True)
        ]
        assert list(past.back.amounts) == due


def _roads_are_right(rig: Rig, truth: list[tuple[Card, ...] | None]) -> None:
    """The scoreboard is that of a table at which the true cards fell (9.2, law 9)."""
    fresh = Rig(sources=("shoe",)).in_play()
    for cards in truth:
        if cards is not None:
            played(fresh, list(cards), {"player": 1})
    shown = [(v.code, v.totals, v.natural, v.marks) for v in result_views(rig.table)]
    assert shown == [(v.code, v.totals, v.natural, v.marks) for v in result_views(fresh.table)]
    assert overlay_view(rig.setup, rig.table).results == result_views(rig.table)
    drawn = [overlay_view(each.setup, each.table).roads for each in (rig, fresh)]
    assert drawn[0] is not None
    assert replace(drawn[0], corrected=()) == drawn[1]
    rows = past_views(rig.setup, rig.table)
    assert [row.round_no for row in rows] == [3, 2, 1]
    for row, cards in zip(reversed(rows), truth, strict=True):
        if cards is not None:
            assert tuple(code for _, code in row.cards) == tuple(card.code for card in cards)
    assert rig.table.shoe is not None
    shoe = rig.table.shoe.cards
    assert shoe.gone == shoe.dealt + shoe.burned + shoe.dead
    assert sum(shoe.seen) + shoe.unknown == shoe.gone
