"""What one who sits at the table is asked."""

from dataclasses import dataclass
from typing import Final

from studio.domain.values import quick

CLOCK: Final = "clock"
"""Who chose for a seat whose time was up."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The open question."""

    number: int
    """Of the question in the round, from 1."""
    step: str
    seat: int
    options: tuple[str, ...]
    besides: tuple[tuple[int, str], ...] = ()
    """(seat, option) that may come from another seat, out of turn."""
