"""Events of bets that one round does not end: they stand until a later round of the table does."""

from dataclasses import dataclass
from typing import ClassVar

from studio.domain.columns import Columns
from studio.domain.envelope import Packed
from studio.domain.events.rounds import NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsCarried:
    """Bets that earlier rounds left standing are in this round too; no wallet is asked for them.

    Follows the opening of the round in the same commit. `columns` travel beside the body.
    """

    NAME: ClassVar[str] = "bets_carried"
    VERSION: ClassVar[int] = 1
    round_id: str
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsStayed:
    """All bets that stand at this table after a round, with their stakes: it does not end them.

    Comes before the payment of the round, or before its correction, in the same commit; only where
    bets stand or stood. No column at all says that none stands any more.
    """

    NAME: ClassVar[str] = "bets_stayed"
    VERSION: ClassVar[int] = 1
    round_id: str
    packed: Packed
    columns: Columns = NO_BETS
