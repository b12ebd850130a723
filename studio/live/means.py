"""What a table's thread works with, what it holds in its inbox, and what it shows."""

import itertools
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind, Recorded
from studio.domain.events import Event
from studio.domain.observations import Observation
from studio.domain.values import quick
from studio.live.answers import Answer
from studio.live.gaming_day import GamingDay
from studio.live.ports import Clock, Ids, Journal, JournalError
from studio.live.treasury import Treasury
from studio.table.laws import LawBroken
from studio.table.state import Table

if TYPE_CHECKING:
    from studio.metrics import Metrics

SYSTEM: Final = Actor(ActorKind.SYSTEM, "studio")
TIMER: Final = Actor(ActorKind.TIMER, "timer")
STOPPED: Final = "refused.table_stopped"
STOPPED_TEXT: Final = "this table has stopped: tell the engineer, then start the studio again"
BUSY: Final = "refused.busy"
BUSY_TEXT: Final = "the table has too much to do: try again in a moment"
CLOCK_JUMP_US: Final = 2_000_000
"""A wall clock that moves by more than this against the other one was set."""
WALLET_RETRY_US: Final = 1_000_000
"""A wallet that failed is asked again at most so often."""


class TableStopped(Exception):  # noqa: N818  what is told is the state of the table
    """The table has stopped: its journal failed, or a law was broken. It takes nothing any more."""


def told_of(failure: BaseException) -> str:
    """Only our own sentences: the text of anything else may hold a card that is sealed."""
    known = isinstance(failure, JournalError | LawBroken | OSError)
    return str(failure) if known else f"{type(failure).__name__}, see the log"


@dataclass(frozen=True, slots=True)
class Room:
    """How much an inbox holds."""

    observations: int = 10_000
    """Beyond this an observation is lost and the table held."""
    commands: int = 256
    """Beyond this a command is answered "busy"."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The newest state that may be shown. Immutable: any thread builds views from it."""

    table: Table
    seq: int
    """Rises with each change of what a screen may show."""
    step_seq: int
    """The `seq` at which the dealer's step last changed."""
    heard_us: int
    """Instant up to which everything that was due has been looked at."""
    records: tuple[Recorded, ...]
    """Facts since the newest round was opened."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing in the inbox."""

    given: c.Command | Observation
    actor: Actor
    command_id: str
    by: c.Asker = c.NOBODY
    seen_seq: int | None = None
    arrived_us: int
    """By the monotonic clock."""
    reply: "Future[Answer] | None" = None
    order: int = field(default_factory=itertools.count().__next__)
    """Rises with each note: the order of arrival."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a runner works with."""

    journal: Journal
    treasury: Treasury
    clock: Clock
    ids: Ids
    day: GamingDay
    metrics: "Metrics | None" = None
    salt: Callable[[], str] = lambda: secrets.token_hex(16)
    """Gives a salt that was never used; replaced only where the same seed must give the same."""
    room: Room = Room()
    threaded: bool = True
    """Without a thread of its own, `flush` does the work in the caller's thread."""
    at_point: Callable[[str], None] = lambda _point: None
    """Called at ``before_decide before_commit after_commit after_adopt after_publish`` by the
    table's thread; for crash tests and simulated faults."""
    told: Callable[[str, str, Sequence[Event]], None] = lambda _table, _day, _events: None
    """Told of each commit (table, gaming day, events) by the table's thread; must return at once.
    For the keeper of evidence."""


def asker_of(actor: Actor) -> c.Asker:
    """Who asks where no sign-in is told: a person without a session, or nobody."""
    if actor.kind is not ActorKind.PERSON:
        return c.NOBODY
    return c.Asker(number=actor.name, name=actor.name, role=actor.role)
