"""One decision in the making: the events so far, and the table as they leave it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from studio.domain.envelope import Sealed
from studio.domain.events import Event, FaultRaised
from studio.domain.faults import Fault, FaultCode, Sighting
from studio.domain.values import quick
from studio.games.procedure import Deal, Input, Move, Request, Standing, run
from studio.games.spec import Game
from studio.table import policy
from studio.table.book import NOTHING_RUNS, Book, starts
from studio.table.evolve import evolve
from studio.table.past import Past
from studio.table.state import Phase, Script, Setup, Table


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What the outside gives to a decision: the instant and a salt that was never used."""

    at_us: int
    salt: str = "unsalted"


@dataclass(slots=True)
class Turn:
    """Collects events; each is applied at once, so that what follows sees it."""

    setup: Setup
    table: Table
    stamp: Stamp
    events: list[Event] = field(default_factory=list)
    past: Past | None = None
    """The facts of the ended round that the command is about; None for all other commands."""
    book: Book = field(default_factory=Book)
    """Look-up beside the table; its owner gives one that is kept."""
    short: Mapping[str, str] = field(default_factory=dict)
    """Ids of decisions whose cost the wallet does not cover, with the reason for each."""

    @property
    def at_us(self) -> int:
        """The instant of this decision."""
        return self.stamp.at_us

    @property
    def standing(self) -> Standing[Any]:
        """Where the running procedure stands now."""
        return self.book.standing(self.setup, self.table)

    @property
    def due(self) -> Request | None:
        """What the table waits for now; None where no procedure runs."""
        return self.standing.due

    def emit(self, event: Event) -> None:
        """Add an event and apply it."""
        self.table = evolve(self.table, event, self.stamp.at_us)
        self.events.append(event)

    def seal(self, card: Any, *, part: int = 0) -> Sealed:
        """Seal a card with a salt of its own, which one revealed salt says nothing about.

        `part` numbers the seals of one event from 0.
        """
        more = f"-{part}" if part else ""
        own = sha256(f"{self.stamp.salt}-{len(self.events)}{more}".encode()).hexdigest()
        return Sealed(card, own)

    def fault(
        self,
        code: FaultCode,
        *,
        sightings: tuple[Sighting, ...] = (),
        device: str = "",
        text: str = "",
        index: int | None = None,
        exposed: bool = True,
        step: str = "",
    ) -> None:
        """Raise a fault; policy says whether it holds the table.

        `step` names the step that the fault is about where none is due any more.
        """
        due = self.due
        sensing = self.table.sensing
        raised = Fault(
            id=str(self.table.version + 1),
            code=code,
            at_us=self.at_us,
            step=due.step if due else step,
            due_to=due.to if isinstance(due, Deal | Move) else "",
            due_face=due.face.value if isinstance(due, Deal | Move) else "",
            index=index,
            sightings=sightings,
            device=device,
            phase=self.table.phase.value,
            exposed=exposed,
            further=len(sensing.reads) + len(sensing.parked) > 1,
            text=text,
        )
        row = policy.row_of(self.setup.profile, raised, self.table)
        holds = row.holds and self.table.phase is not Phase.CLOSED
        stopped = self._remaining() if holds else None
        self.emit(FaultRaised(fault=raised, holds=holds, remaining_us=stopped))

    def _remaining(self) -> int | None:
        window = self.table.window
        if window is None or window.remaining_us is not None:
            return None
        return max(0, window.deadline_us - self.at_us)

    def has_fault(self, code: FaultCode, device: str = "") -> bool:
        """Whether such a fault is open already."""
        faults = self.table.hold.faults if self.table.hold else ()
        return any(f.code is code and f.device == device for f in faults)


def standing(setup: Setup, table: Table) -> Standing[Any]:
    """Where the running procedure stands, by running it through its inputs."""
    if table.play is None:
        return NOTHING_RUNS
    return _standing(setup.game, setup.rules, table.play.script, table.play.inputs)


@lru_cache(maxsize=64)
def _standing(game: Game, rules: Any, script: Script, inputs: tuple[Input, ...]) -> Standing[Any]:
    """The same, kept: a view asks for it a dozen times."""
    return run(partial(starts(game)[script], rules), inputs)


def due(setup: Setup, table: Table) -> Request | None:
    """What the table waits for now."""
    return standing(setup, table).due if table.play else None
