"""What a decision about an ended round is told of it: the facts that the table no longer holds."""

from dataclasses import dataclass

from studio.domain.columns import Columns
from studio.domain.events import NO_BETS
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
    """All stakes that the round could end, in order: those it was given, then its own."""
    back: Columns
    """What has gone back for each of them, in the same order, corrections included: 0 for one that
    stands on."""
    carried: Columns = NO_BETS
    """The first of `bets`: those that earlier rounds left standing."""
    staying: Columns = NO_BETS
    """Those of `bets` that it did not end, corrections included."""
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
    bets, staying = ledger.standing(current), table.staying
    return Past(
        round_id=current.id,
        bets=bets,
        back=_with_staying(bets, back) if staying.count else back,
        carried=current.carried,
        staying=staying,
        inputs=play.inputs if play is not None else (),
        windows=current.windows,
        seating=current.seating,
    )


def _with_staying(bets: Columns, back: Columns) -> Columns:
    """What went back for each bet, also for those that stand on: nothing."""
    found = dict(zip(back.ids, back.amounts, strict=True))
    amounts = tuple(found.get(bet, 0) for bet in bets.ids)
    return bets.with_amounts(lambda first, last: amounts[first:last])
