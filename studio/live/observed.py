"""What was dealt at the tables beside what the exact figures expect, for supervisors.

The counting reads a month of the journal, so it runs in a process of its own, as the figures do.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, Final

from studio.live.exact import Figures, Progress, in_process
from studio.odds.observed import ChiSquare, Counts, chi_square

log = logging.getLogger("cutcard.observed")

FRESH_US: Final = 60_000_000
"""For how long a count is shown before the journal is read again."""


SELDOM: Final = 0.05
"""Below this chance a row is told as seldom: one of twenty rows comes here by chance alone."""
HARDLY: Final = 0.001
"""Below this chance a row is told as hardly by chance: one of a thousand."""


class Reading(StrEnum):
    """What a test says, for a person who has learnt no statistics."""

    TOO_FEW = "too_few"
    AS_EXPECTED = "as_expected"
    SELDOM = "seldom"
    HARDLY = "hardly"


class Of(StrEnum):
    """Whose rounds were counted together."""

    TABLE = "table"
    DEALER = "dealer"
    SHIFT = "shift"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be counted."""

    table: str
    game: str
    rules: Mapping[str, Any]
    """By their public names."""
    digest: str
    """Rounds under other rules are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rounds that were counted together."""

    of: Of
    name: str
    """Staff number of the dealer, empty if nobody sat there; ``1`` to ``3`` for a shift."""
    rounds: int
    bets: tuple[tuple[str, Counts], ...]


Counter = Callable[[Asked], tuple[Group, ...]]
"""Counts the settled rounds of a table in the journal; it is run in another process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One bet of a group."""

    bet: str
    seen: Counts
    """Rounds in which it won, was a push, lost."""
    expected: tuple[float, float, float]
    """The same numbers as the exact figures have them."""
    test: ChiSquare | None
    """None where too few rounds were dealt to say anything."""

    @property
    def reading(self) -> Reading:
        """What the test says."""
        if self.test is None:
            return Reading.TOO_FEW
        if self.test.chance >= SELDOM:
            return Reading.AS_EXPECTED
        return Reading.SELDOM if self.test.chance >= HARDLY else Reading.HARDLY


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedGroup:
    """A group of rounds with all its bets."""

    of: Of
    name: str
    """As of `Group`; of a dealer who is known, the name with the staff number."""
    rounds: int
    bets: tuple[Compared, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Expected against observed at a table, as far as it is known."""

    table: str
    game: str
    progress: Progress
    at_us: int = 0
    """When it was counted, UTC in microseconds."""
    groups: tuple[ComparedGroup, ...] = ()


def compare(groups: tuple[Group, ...], figures: Figures) -> tuple[ComparedGroup, ...]:
    """Put what is expected beside what was counted; bets in the order of the figures."""
    return tuple(
        ComparedGroup(
            of=group.of,
            name=group.name,
            rounds=group.rounds,
            bets=tuple(_compared(dict(group.bets), figures)),
        )
        for group in groups
    )


def _compared(seen: Mapping[str, Counts], figures: Figures) -> list[Compared]:
    found = []
    for bet in figures.bets:
        if bet.bet not in seen:
            continue
        counts, shares = seen[bet.bet], (bet.win, bet.push, bet.lose)
        won, pushed, lost = (share * sum(counts) for share in shares)
        test = chi_square(counts, shares)
        found.append(Compared(bet=bet.bet, seen=counts, expected=(won, pushed, lost), test=test))
    return found


@dataclass(frozen=True, slots=True)
class _Count:
    progress: Progress
    at_us: int = 0
    groups: tuple[Group, ...] = ()


@dataclass(slots=True)
class Counted:
    """The newest count of each table. Any thread may ask; nobody waits."""

    counter: Counter | None = None
    """None where there is no journal to count in."""
    apart: Callable[..., tuple[Group, ...] | None] = in_process
    """Runs the counter; None where it gave nothing."""
    _known: dict[str, _Count] = field(default_factory=dict)
    _working: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def of(self, asked: Asked, now_us: int) -> _Count:
        """The newest count; one that is not fresh is counted again meanwhile."""
        with self._lock:
            found = self._known.get(asked.table, _Count(Progress.IN_WORK))
            fresh = found.at_us > 0 and 0 <= now_us - found.at_us < FRESH_US
            if self.counter is None:
                return _Count(Progress.FAILED)
            if fresh or asked.table in self._working:
                return found
            self._working.add(asked.table)
        work = partial(self._count, self.counter, asked, now_us)
        threading.Thread(target=work, name="counting", daemon=True).start()
        return found

    def _count(self, counter: Counter, asked: Asked, now_us: int) -> None:
        groups = None
        try:
            with self._turn:
                groups = self.apart(counter, asked)
        except Exception:  # nobody waits for an answer: what went wrong is told to the log
            log.exception("the rounds of %s could not be counted", asked.table)
        finally:
            progress = Progress.FAILED if groups is None else Progress.READY
            with self._lock:
                self._known[asked.table] = _Count(progress, now_us, groups or ())
                self._working.discard(asked.table)
