"""Events of the table's own course: days, shoes, steps, and who sits there."""

from dataclasses import dataclass
from typing import ClassVar

from studio.domain.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """The table takes rounds from now on."""

    NAME: ClassVar[str] = "table_opened"
    VERSION: ClassVar[int] = 1
    config_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosing:
    """The table closes when the open round has ended."""

    NAME: ClassVar[str] = "table_closing"
    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """The table takes nothing."""

    NAME: ClassVar[str] = "table_closed"
    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOpened:
    """A stream begins that goes on where another ended; the table's state crosses with it."""

    NAME: ClassVar[str] = "day_opened"
    VERSION: ClassVar[int] = 1
    day: str
    previous: str
    """Name of the stream before, empty for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeProcedureStarted:
    """A shoe procedure began: ``new_shoe`` or ``end_shoe``."""

    NAME: ClassVar[str] = "shoe_procedure_started"
    VERSION: ClassVar[int] = 2
    procedure: str
    procedure_version: str
    shoe_no: int
    decks: int
    rules_digest: str
    ranks: str = ""
    """Ranks of which a pack has the four cards, as ``A789TJQK``; empty: all 13."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepConfirmed:
    """A step that no device proves alone is done (`Confirm`, `Clear`)."""

    NAME: ClassVar[str] = "step_confirmed"
    VERSION: ClassVar[int] = 2
    step: str
    by: str
    """``dealer`` or the device that saw it."""
    zones: tuple[str, ...] = ()
    """Zones of which the cards were taken away (`Clear`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEntered:
    """A person counted cards."""

    NAME: ClassVar[str] = "count_entered"
    VERSION: ClassVar[int] = 1
    step: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeOpened:
    """The new shoe is ready for its first round.

    `unknown_gone`: cards that left before, unseen by us (scripted rounds in mid-shoe).
    """

    NAME: ClassVar[str] = "shoe_opened"
    VERSION: ClassVar[int] = 2
    shoe_no: int
    decks: int
    unknown_gone: int = 0
    round_no: int = 0
    """Number of the round before the first; above 0 only where a shoe is entered midway."""
    ranks: str = ""
    """Ranks of which a pack has the four cards, as ``A789TJQK``; empty: all 13."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeEnding:
    """The open round is the last of this shoe by a person's word."""

    NAME: ClassVar[str] = "shoe_ending"
    VERSION: ClassVar[int] = 2
    reason: str
    note: str = ""
    """Words of the person's own, on top of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeEnded:
    """The shoe was counted and is done with."""

    NAME: ClassVar[str] = "shoe_ended"
    VERSION: ClassVar[int] = 2
    shoe_no: int
    remainder: int
    gone: int
    loaded: int
    balance: str
    """``balanced``, ``unverified`` or ``mismatch``."""
    since: tuple[str, ...] = ()
    """Ids of the rounds since the last count that balanced; empty if this one did."""
    unknown: int = 0
    """Cards that are gone and that nobody saw: what keeps a count from being verified."""
    off: tuple[tuple[Card, int], ...] = ()
    """(card, how many too many) of cards that turned up more often than they were loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardSeen:
    """The cut card came out."""

    NAME: ClassVar[str] = "cut_card_seen"
    VERSION: ClassVar[int] = 1
    by: str
    cards_of_round: int
    """Cards of the open round dealt before it; 0 between rounds."""
    rounds_left: int
    """Whole rounds still to be opened after the open one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardsShuffled:
    """The cards of earlier rounds are in the shoe again, so that the open one can end (B9)."""

    NAME: ClassVar[str] = "discards_shuffled"
    VERSION: ClassVar[int] = 1
    round_id: str
    back: int
    """Cards that went back into the shoe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerSeated:
    """This person deals from now on."""

    NAME: ClassVar[str] = "dealer_seated"
    VERSION: ClassVar[int] = 1
    number: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerLeft:
    """Nobody deals here now."""

    NAME: ClassVar[str] = "dealer_left"
    VERSION: ClassVar[int] = 1
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClaimed:
    """This supervisor answers for the table from now on."""

    NAME: ClassVar[str] = "table_claimed"
    VERSION: ClassVar[int] = 1
    number: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReleased:
    """Nobody answers for the table now."""

    NAME: ClassVar[str] = "table_released"
    VERSION: ClassVar[int] = 1
    number: str
