"""What a decision about an ended round is told of it: the facts that the table no longer holds."""

from dataclasses import dataclass

from studio.domain.columns import Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The bets of a round that was paid, and what went back for each so far.

    Read from the journal by the owner of the table, before it decides.
    """

    round_id: str
    bets: Columns
    """All stakes of the round, as they were settled."""
    back: Columns
    """What has gone back for each of them, in the same order, corrections included."""
