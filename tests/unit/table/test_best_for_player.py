"""What a void gives back under each profile, from one script (F1, F4, F14)."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.table import ledger
from studio.table.casework import supervisor_view
from studio.table.laws import check_laws
from studio.table.profiles import PROFILES
from studio.table.views import VoidPreview
from tests.support.rig import SECOND, Rig

REASON = "reason.not_provable"
PAIR = (("P", "9C"), ("B", "KD"), ("P", "9D"))
"""Player has a pair and a natural 8: the pair is won, big is lost, lucky six is lost."""


def dealt(profile: str, cards: tuple[tuple[str, str], ...] = PAIR) -> Rig:
    """Ann and bob have bet, these cards lie, and the table is held."""
    rig = Rig().in_play()
    rig.setup = replace(rig.setup, profile=profile)
    rig.betting()
    rig.bet("ann", player=1000, player_pair=100)
    rig.bet("bob", big=500, player=200)
    rig.bet("cid", big=50, lucky_six=50)
    rig.wait(15)
    for zone, code in cards:
        rig.deal(zone, code)
    rig.give(c.CallSupervisor())
    return rig


def void(rig: Rig) -> e.RoundVoided:
    """Void the open coup; the laws hold."""
    assert rig.table.round is not None
    command = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    rig.give(command, second=False)
    before = rig.table
    assert before.approval is not None
    new = rig.give(c.Approve(approval=before.approval.id), SECOND)
    check_laws(before, rig.table, new)
    return next(event for event in new if isinstance(event, e.RoundVoided))


@pytest.mark.parametrize("profile", sorted(set(PROFILES) - {"agco-like"}))
def test_a_void_returns_every_stake_and_nothing_else(profile: str) -> None:
    event = void(dealt(profile))
    assert ledger.by_player(event.columns) == {"ann": 1100, "bob": 700, "cid": 100}
    assert (event.staked, event.refunded) == (1900, 1900)


def test_under_best_for_player_a_pair_that_lies_there_is_paid() -> None:
    """Ann keeps 12 × 100 and the stake that is undecided; bob and cid lose nothing."""
    event = void(dealt("agco-like"))
    assert ledger.by_player(event.columns) == {"ann": 2200, "bob": 700, "cid": 100}
    assert (event.staked, event.refunded) == (1900, 3000)


def test_before_anything_is_decided_it_returns_the_stakes() -> None:
    event = void(dealt("agco-like", PAIR[:2]))
    assert event.refunded == event.staked == 1900


def test_a_round_whose_procedure_is_gone_proves_nothing() -> None:
    rig = dealt("agco-like")
    rig.setup = replace(rig.setup, game=replace(rig.setup.game, version="baccarat@2"))
    assert void(rig).refunded == 1900


@pytest.mark.parametrize(("profile", "returned"), [("house", 1900), ("agco-like", 3000)])
def test_the_preview_is_what_the_void_then_does(profile: str, returned: int) -> None:
    rig = dealt(profile)
    preview = supervisor_view(rig.setup, rig.table, rig.at_us).void
    assert isinstance(preview, VoidPreview)
    assert preview.method == ledger.void_method(profile)
    assert all(holds for _, holds in preview.proof)
    assert (preview.accepted, preview.returned) == (1900, returned)
    assert sum(preview.returns) == returned
    by_bet = dict(zip([row.bet for row in preview.rows], preview.returns, strict=True))
    event = void(rig)
    assert {bet: total for bet, (_, total) in ledger.rows(event.columns).items()} == {
        bet: total for bet, total in by_bet.items() if total
    } | {bet: 0 for bet, total in ledger.rows(event.columns).items() if not total[1]}


def test_a_held_table_answers_screens_at_once_though_everything_is_tried() -> None:
    """The last answers are kept; a view asks for them again and again."""
    rig = dealt("agco-like")
    rig.setup.game.certain.cache_clear()  # type: ignore[attr-defined]
    for _ in range(5):
        supervisor_view(rig.setup, rig.table, rig.at_us)
    assert rig.setup.game.certain.cache_info().misses == 1  # type: ignore[attr-defined]
