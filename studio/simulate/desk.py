"""What the simulated people have before them: one table, its shoe, its felt, and their own pace."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from studio.domain.cards import CUT, HIDDEN, Card
from studio.domain.commands import Command
from studio.live.ports import SimulatedWire, Stage
from studio.table.show import step_view
from studio.table.state import Setup, Table
from studio.table.views import StepView

BEAT_S: Final = 0.25
PATIENT_S: Final = 4.0
"""Real seconds in which a studio that hears the shoe has answered, however busy the machine is."""
REPEATS = 6
"""How often a frame that nobody acknowledged is given time to be sent again."""
FRAMES = 6
"""Frames after which a card that is read well has been reported."""
SOONEST = 4
"""Frames after which that may have happened."""


class Desk(Protocol):
    """The table as people reach it: they look at the console and press buttons."""

    @property
    def setup(self) -> Setup:
        """What is fixed at this table."""

    def table(self) -> Table:
        """The newest state; simulated people look at it through the views only."""

    def ask(self, command: Command, *, who: str, role: str) -> None:
        """Press a button.

        Raises:
            Rejected: if the table refuses.
        """

    def flush(self) -> None:
        """Wait until all that was reported and asked has been decided."""


class Pace(Protocol):
    """How time passes for simulated people: by the clock, or by jumps where none waits."""

    def pause(self, seconds: float) -> None:
        """Take so long over something."""

    def idle(self) -> bool:
        """Nothing to do: let time pass until something may follow. False if nothing ever will."""

    def frames(self, count: int) -> None:
        """Let the camera look so many times."""

    stage: Stage | None
    """The camera that looks."""

    @property
    def stopped(self) -> bool:
        """Whether everybody goes home now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A card in somebody's hand, or on the floor, with the place that it belongs to."""

    zone: str
    code: str
    face_up: bool = True
    sideways: bool = False


@dataclass(slots=True)
class Felt:
    """The truth: which card lies where. Only the simulated people know it, never the table."""

    zones: dict[str, list[str]] = field(default_factory=dict)
    ways: dict[str, list[tuple[bool, bool]]] = field(default_factory=dict)
    """(face up, laid across) of the same cards, in the same order."""
    laid: list[tuple[str, str]] = field(default_factory=list)
    """(zone, code) of the cards laid in the open round, in order, misplaced ones where due."""
    floor: list[Loose] = field(default_factory=list)
    """Cards that fell down where one was due."""
    collected: list[Loose] = field(default_factory=list)
    """Cards that were taken away too early, in the order in which they lay."""
    kept: list[tuple[str, str]] = field(default_factory=list)
    """(zone, code) of cards that were laid for a place that was passed over, and wait there."""
    aside: list[str] = field(default_factory=list)
    """Cards that left the shoe and are the next ones to be laid."""

    def lay(self, zone: str, code: str, *, face_up: bool = True, sideways: bool = False) -> None:
        """A card lies on a zone now."""
        self.zones.setdefault(zone, []).append(code)
        self.ways.setdefault(zone, []).append((face_up, sideways))

    def lying(self, zone: str) -> list[Loose]:
        """The cards of a zone, as they lie."""
        found = zip(self.zones.get(zone, ()), self.ways.get(zone, ()), strict=True)
        return [
            Loose(zone=zone, code=code, face_up=up, sideways=across) for code, (up, across) in found
        ]


@dataclass(slots=True)
class Place:
    """Everything that the simulated people of one table work with."""

    desk: Desk
    pace: Pace
    wire: SimulatedWire | None
    stage: Stage | None
    felt: Felt = field(default_factory=Felt)
    box: list[str] = field(default_factory=list)
    """The shoe of a table without a reader: the cards in order of coming out."""
    answered: str = ""
    """The newest request for a card that was answered with one; empty: draw again."""
    unheard: bool = False
    """Whether nobody answered what the shoe told last."""
    slippery: bool = False
    """The next card for a hand will land in the other one (`wrong_zone`)."""
    test: Callable[[str], object] = lambda _device: None
    """Asks a device, by its name, for its self-test."""
    say: Callable[[str], None] = lambda _: None
    """Tells what the people do, for whoever watches."""

    def come_back(self, desk: Desk, stage: Stage | None) -> None:
        """Work with the same cards at a table that was stopped and started again."""
        self.desk, self.stage, self.pace.stage = desk, stage, stage
        self.slippery = False
        if stage is not None:
            for zone in self.felt.zones:
                for lying in self.felt.lying(zone):
                    stage.lay(zone, lying.code, face_up=lying.face_up, sideways=lying.sideways)

    @property
    def hands(self) -> tuple[str, ...]:
        """Zones in which the cards of a round lie, the hands first."""
        setup = self.desk.setup
        dealt = (zone for zone, _, _ in setup.game.plan(setup.rules))
        return tuple(dict.fromkeys((*setup.game.hands, *dealt)))

    def true(self, index: int) -> Card | None:
        """What was really laid as the card of this input; None if it was none."""
        play = self.desk.table().play
        dealt = sorted(place.index for place in play.places) if play else []
        found = zip(dealt, self.felt.laid, strict=False)
        code = next((code for at, (_, code) in found if at == index), HIDDEN)
        return None if code in (HIDDEN, CUT) else Card.parse(code)

    def belongs(self, zone: str) -> list[str]:
        """Codes of the cards that lie in a zone if nothing was swapped, in order of arrival."""
        play = self.desk.table().play
        if not self.desk.setup.game.first or play is None:
            return [code for to, code in self.felt.laid if to == zone]
        # A card may have been laid elsewhere since it was dealt, or taken away with its trick.
        here = [place.index for place in play.places if place.to == zone and not place.off]
        return [card.code for index in sorted(here) if (card := self.true(index)) is not None]

    def where(self, code: str) -> tuple[str, int] | None:
        """(zone, place in it) where a card lies; None if it lies nowhere."""
        for zone, codes in self.felt.zones.items():
            if code in codes:
                return zone, codes.index(code)
        return None

    def step(self) -> StepView:
        """The one next step, as the dealer's console shows it."""
        return step_view(self.desk.setup, self.desk.table())

    def load(self, cards: list[str]) -> None:
        """Put a shuffled pack into the shoe, in place of what was left in it."""
        if self.wire is not None:
            self.wire.unload()
            self.wire.load(cards)
        else:
            self.box = list(cards)

    def on_top(self, ranks: Sequence[str]) -> bool:
        """Have cards of these ranks come next, if the shoe holds them; whether it does."""
        left = list(self.wire.remaining()) if self.wire is not None else list(self.box)
        for at, rank in enumerate(ranks):
            there = next((n for n in range(at, len(left)) if left[n].startswith(rank)), None)
            if there is None or left[at] == CUT:
                return False
            left[at], left[there] = left[there], left[at]
        self.load(left)
        return True

    def holds(self, ranks: Sequence[str]) -> bool:
        """Whether the shoe can have cards of these ranks come next (`on_top`)."""
        left = list(self.wire.remaining()) if self.wire is not None else list(self.box)
        has = Counter(code[0] for code in left if code != CUT)
        return CUT not in left[: len(ranks)] and all(
            has[rank] >= count for rank, count in Counter(ranks).items()
        )

    def draw(self, reads_as: str | None = None) -> str:
        """Slide the next card out of the shoe; the code of what really came out."""
        if self.wire is not None:
            return self.wire.draw(reads_as=reads_as)
        return self.box.pop(0)

    def remaining(self) -> int:
        """Cards left in the shoe, the cut card not counted."""
        left = self.wire.remaining() if self.wire is not None else self.box
        return sum(code != CUT for code in left)

    def lay(self, zone: str, code: str, *, face_up: bool = True, sideways: bool = False) -> None:
        """Lay a card on the felt, where a camera may see it."""
        self.felt.lay(zone, code, face_up=face_up, sideways=sideways)
        self.slippery = self.slippery and zone not in self.hands
        if self.stage is not None:
            self.stage.lay(zone, code, face_up=face_up, sideways=sideways)

    def take(self, zone: str, index: int) -> str:
        """Take one card off the felt; one that slid away is not where a hand would take it."""
        if self.stage is not None and not self.slid(zone):
            self.stage.take(zone, index)
        self.felt.ways[zone].pop(index)
        return self.felt.zones[zone].pop(index)

    def turn(self, zone: str, index: int) -> None:
        """Turn a card where it lies."""
        up, sideways = self.felt.ways[zone][index]
        self.felt.ways[zone][index] = (not up, sideways)
        if self.stage is not None:
            self.stage.turn(zone, index)

    def slid(self, zone: str) -> bool:
        """Whether a card that was laid here landed elsewhere, and nobody has put it right yet."""
        return self.stage is not None and self.stage.count(zone) < len(self.felt.lying(zone))

    def clear(self, zone: str) -> None:
        """Take all cards of a zone away."""
        self.felt.zones.pop(zone, None)
        self.felt.ways.pop(zone, None)
        if self.stage is not None:
            self.stage.clear(zone)

    def _hear_out(self) -> None:
        """Wait until the studio has taken what the shoe told.

        A machine that is busy may be slow to answer: then real time passes, and the demonstration's
        own stands still. Where no answer comes, as of a cable that is out, it is waited for like
        that once only; the device repeats itself by the demonstration's time.
        """
        if self.wire is None:
            return
        patience = BEAT_S if self.unheard else PATIENT_S
        for _ in range(REPEATS):
            if self.wire.quiet(patience):
                self.unheard = False
                return
            patience = BEAT_S
            self.pace.pause(BEAT_S)
        self.unheard = True

    def settle(self, done: Callable[[], bool] = lambda: False) -> None:
        """Wait until what was done has been read, seen and decided; no longer than until `done`."""
        self._hear_out()
        self.pace.frames(SOONEST)
        self.desk.flush()
        for _ in range(FRAMES - SOONEST):
            if not done():
                self.pace.frames(1)
                self.desk.flush()
