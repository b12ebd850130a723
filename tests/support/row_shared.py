"""What the tests of the rows of the shared hand share: four cards that lie, and the ends."""

from studio.games.procedure import Deal
from studio.table.turn import due
from tests.support.row_play import answer
from tests.support.shared import SharedRig

BOTH = ("shoe", "camera")
SHOE = ("shoe",)
CAMERA = ("camera",)
FIRST_FOUR = "TS 6D 8C 7H"
"""M has 18, the dealer shows 6 and has 13."""


def table(sources: tuple[str, ...] = BOTH, cards: str = FIRST_FOUR, **mains: int) -> SharedRig:
    """These cards lie; without other stakes Ann has 1000 on the hand."""
    rig = SharedRig(sources=sources).seated(**(mains or {"ann": 1000}))
    rig.cards(cards)
    return rig


def repaired(rig: SharedRig, kind: type | None = None) -> SharedRig:
    """Answer the one fault by the policy's own repair, or by this one, and lift the hold."""
    assert answer(rig, kind) is None
    rig.lift()
    assert rig.faults() == []
    return rig


def ended(rig: SharedRig) -> tuple[str, dict[str, int]]:
    """State of the round and what each player has back."""
    assert rig.table.round is not None
    return rig.table.round.state, rig.paid()


def zone(rig: SharedRig) -> str:
    """Where a card is due."""
    now = due(rig.setup, rig.table)
    assert isinstance(now, Deal)
    return now.to
