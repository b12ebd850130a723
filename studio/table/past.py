"""What a decision about an ended round is told of it: the facts that the table no longer holds."""

from dataclasses import dataclass

from studio.domain.columns import Columns
from studio.games.procedure import Input
from studio.table import ledger
from studio.table.seating import NOBODY_SEATED, Seating
from studio.table.state import Answered, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The bets of a round that was paid, what went back for each so far, and how it was played.

    Read from the journal by the owner of the table, before it decides.
    """

    round_id: str
    bets: Columns
    """All stakes of the round, as they were settled."""
    back: Columns
    """What has gone back for each of them, in the same order, corrections included."""
    inputs: tuple[Input, ...] = ()
    """Those of its procedure when it was settled."""
    windows: tuple[Answered, ...] = ()
    """In which players chose, with the digest of what they saw."""
    seating: Seating = NOBODY_SEATED
    """Who had a hand, and in which cohort each of them ended."""


def settled(table: Table, back: Columns) -> Past | None:
    """The past of the round that this table has just settled; None if it holds no round."""
    current, play = table.round, table.play
    if current is None:
        return None
    return Past(
        round_id=current.id,
        bets=ledger.accepted(current),
        back=back,
        inputs=play.inputs if play is not None else (),
        windows=current.windows,
        seating=current.seating,
    )
