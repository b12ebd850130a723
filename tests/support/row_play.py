"""What the tests of the rows share: a table under a profile, its first fault, and the money."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from studio.domain import commands as c
from studio.table import policy
from studio.table.row import Row
from tests.support.rig import BOTH, Rig

REASON = "reason.dealing_error"
SHOE = ("shoe",)
CAMERA = ("camera",)
STAKES = {"player": 1000, "tie": 100, "player_pair": 50}
STAKED = 1150
BANKER_WINS = (("P", "4C"), ("B", "9D"), ("P", "2H"), ("B", "TS"))
"""A natural nine of the Banker: every bet of `STAKES` is lost."""
PLAYER_DRAWS = (("P", "2C"), ("B", "3D"), ("P", "TH"), ("B", "4S"))
"""2 against 7: the Player draws, the Banker stands."""


def table(sources: tuple[str, ...] = BOTH, profile: str = "house") -> Rig:
    """A table in play under a profile."""
    rig = Rig(sources=sources)
    rig.setup = replace(rig.setup, profile=profile)
    return rig.in_play()


def dealing(sources: tuple[str, ...] = BOTH, profile: str = "house") -> Rig:
    """A table that deals, with bets on it."""
    return table(sources, profile).dealing(**STAKES)


def play(rig: Rig, *cards: tuple[str, str]) -> Rig:
    """Deal these cards without trouble."""
    for zone, code in cards:
        rig.deal(zone, code)
    return rig


def row(rig: Rig) -> Row:
    """The row of the first open fault."""
    assert rig.table.hold is not None
    return policy.row_of(rig.setup.profile, rig.table.hold.faults[0], rig.table)


def noted(rig: Rig) -> str:
    """The row of the newest fault that was noted and held nothing."""
    return policy.row_of(rig.setup.profile, rig.table.notes[-1], rig.table).row


def answer(rig: Rig, kind: Callable[..., Any] | None = None, **fields: Any) -> str | None:
    """Answer the first fault by the policy's own repair, or by this one; the refusal."""
    chosen = kind or getattr(c, row(rig).repairs[0])
    return rig.refused(chosen(fault=rig.fault(), reason=REASON, **fields))


def gone(rig: Rig) -> int:
    """Cards that left the shoe."""
    assert rig.table.shoe is not None
    return rig.table.shoe.cards.gone


def settled(rig: Rig) -> tuple[str, int, int]:
    """State of the round, what was staked and what went back."""
    assert rig.table.round is not None
    assert rig.table.round.staked == STAKED
    return rig.table.round.state, rig.table.round.returned, rig.table.round.refunded


LOST = ("settled", 0, 0)
REFUNDED = ("voided", 0, STAKED)


def void(rig: Rig) -> tuple[str, int, int]:
    """Void the open round, with the money that moved."""
    assert rig.table.round is not None
    refusal = rig.refused(
        c.VoidRound(fault=rig.fault(), reason="reason.not_provable", round_id=rig.table.round.id)
    )
    assert refusal is None
    return settled(rig)
