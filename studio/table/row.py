"""What a row of the table of irregularities is: in which moments it applies, and what it answers.

The rows themselves are data (`rows`, `rows_shared`).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.faults import FaultCode


class Void(StrEnum):
    """What a row says about declaring the round not played."""

    LAST = "last"
    """Allowed, after every other answer."""
    FIRST = "first"
    """The policy's own answer; the others are lawful too."""
    ONLY = "only"
    """The only answer while a round is open."""
    NEVER = "never"
    """Not for this alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When something went wrong, as far as the rows look at it."""

    code: FaultCode
    phase: str = ""
    step: str = ""
    exposed: bool = True
    further: bool = False
    """A further card has left the shoe."""
    round_state: str = ""
    """``open``, ``settled``, ``voided``; empty if there is no round."""
    cause: str = ""
    """First word of what the device or the dealer said, as ``OVERDRAW``."""
    game: str = ""
    """Name of the game whose round it is about; empty if there is no round."""
    face: str = ""
    """Which face of a card was due; empty if none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """In which moments a row applies; what is left out does not matter."""

    phases: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    exposed: bool | None = None
    further: bool | None = None
    rounds: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()

    def fits(self, moment: Moment) -> bool:
        """Whether all that is named here is so."""
        named = (
            (self.phases, moment.phase),
            (self.steps, moment.step),
            (self.rounds, moment.round_state),
            (self.causes, moment.cause),
            (self.games, moment.game),
            (self.faces, moment.face),
        )
        flags = ((self.exposed, moment.exposed), (self.further, moment.further))
        return all(not wanted or given in wanted for wanted, given in named) and all(
            wanted is None or wanted == given for wanted, given in flags
        )


ALWAYS_SO: Final = When()
"""Matches every moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a house does about one kind of fault in one kind of moment."""

    row: str
    """Number of the row in the table of irregularities, or of the obligation."""
    code: FaultCode
    when: When = ALWAYS_SO
    holds: bool = True
    """False: the table goes on, with a note."""
    repairs: tuple[str, ...] = ()
    """Names of the repair commands that answer it, the policy's own answer first."""
    void: Void = Void.LAST
    device: bool = False
    """A device caused it: a void does not answer it, and the device is tested after one (F8)."""
    ends_shoe: bool = False
    """Ending the shoe after this round is offered as well."""
    refused: tuple[tuple[str, str], ...] = ()
    """(repair, message code of the reason) shown though not allowed."""
    say: str = ""
    """Stem of the dealer's sentences ``hold.<stem>.do`` and ``.what``; empty: the fault's code."""
    words: tuple[tuple[str, str], ...] = ()
    """(repair, name): its words are ``repair.<name>`` and ``effect.<name>`` here."""

    @property
    def stem(self) -> str:
        """The stem of the dealer's sentences."""
        return self.say or self.code.value

    def worded(self, repair: str) -> str:
        """The name under which a repair's words stand in the catalogue."""
        return next((name for known, name in self.words if known == repair), repair)


CALLED_FOREIGN: Final = "reason.call.foreign_card"
"""What a dealer says who calls for a damaged or foreign card (P11)."""
NOT_ASKED: Final = "not_asked"
"""A card too many lies in a hand that has no third card (P4)."""
OUTSIDE: Final = "outside"
"""A card too many that is in no round: dead, burned, or of a void (V5)."""
SHOWN_EARLY: Final = "shown_early"
"""A card that lies face down shows its face before it is turned (B10)."""
ACE_SHOWN: Final = "ace_shown"
"""A card that is dealt face down shows its face, and for this one the deal is given up (BL1)."""
BY_CLOCK: Final = "clock_chose"
"""The clock chose the card that is proven to be a revoke: no seat is at fault (BL9)."""
FROM_RACK: Final = "rack"
"""An open card was taken from a rack while nobody was to turn one (BL4)."""
UNNUMBERED: Final = "unnumbered"
"""What comes of a shoe that does not number its reports: a card may be missing among them, and
what came may be none."""
LEFT_OVER: Final = "left_over"
"""A card that was drawn in error and that the round, as it went on, had no use for (B3, B4)."""
OWN_SKIPPED: Final = "own_skipped"
"""The dealer's own card was passed over for one that would have followed (B6)."""
LANE_SKIPPED: Final = "lane_skipped"
"""A lane was passed over for the one that comes after it (B7)."""
