"""Events of games in which people sit at the table: who is asked, what they choose, verdicts."""

from dataclasses import dataclass
from typing import ClassVar

from studio.domain.values import quick


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresCarried:
    """The round was told what the rounds before it left, as a score; first of all."""

    NAME: ClassVar[str] = "figures_carried"
    VERSION: ClassVar[int] = 1
    figures: tuple[int, ...]
    """Their meaning is the game's."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAsked:
    """One who sits at the table chooses from now on. It is the same whatever the seat holds."""

    NAME: ClassVar[str] = "seat_asked"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    """Number of the question in the round, from 1."""
    step: str
    seat: int
    options: tuple[str, ...]
    """All that the open cards allow; a card of a rack by its place in it, from ``1``."""
    besides: tuple[tuple[int, str], ...]
    """(seat, option) that may come from another seat, out of turn."""
    deadline_us: int
    """Silence until then is answered by the rules."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChose:
    """What the seat that was asked chose, or another one out of turn."""

    NAME: ClassVar[str] = "seat_chose"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    seat: int
    option: str
    by: str
    """``seat`` (it said so itself), ``dealer`` (who heard it), or ``clock``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictGiven:
    """One side was found at fault: the round ends by that (qayd)."""

    NAME: ClassVar[str] = "verdict_given"
    VERSION: ClassVar[int] = 1
    round_id: str
    against: int
    """Number of the side."""
    fault: str
    """The fault that it answers."""
