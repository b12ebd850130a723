"""The course of a demonstration at one table: dealer, players and supervisor, round after round."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from studio.live.means import Shown
from studio.simulate.dealer import Dealer
from studio.simulate.desk import Place
from studio.simulate.faults import CAMERA, DEALER, LASTING, SHOE, Plan
from studio.simulate.record import Tally
from studio.simulate.supervisor import Supervisor
from studio.table.state import Phase

STUCK = 200
"""Steps without any change after which a demonstration gives up."""


class Stuck(Exception):  # noqa: N818  it says how the demonstration ended
    """Nothing moves any more: the demonstration is at an end it should not have."""


@dataclass(slots=True)
class Course:
    """Works one table until enough rounds have ended."""

    place: Place
    dealer: Dealer
    supervisor: Supervisor
    plan: Plan
    shown: Callable[[], Shown]
    told: Callable[[dict[str, Any]], None]
    tally: Tally
    by_hand: bool = False
    """Whether a person at the browser does the supervisor's work."""
    _armed: int = 0
    _pending: tuple[str, ...] = ()

    def run(self, rounds: int | None) -> None:
        """Go on until so many rounds have ended; None: until stopped.

        Raises:
            Stuck: if nothing moves any more.
        """
        for _ in self.steps(rounds):
            pass

    def steps(self, rounds: int | None) -> Iterator[Literal[True]]:
        """The same, one step at a time: tables that share a clock take turns.

        Raises:
            Stuck: if nothing moves any more.
        """
        self._take_over()
        still = 0
        while not self.place.pace.stopped:
            before = self.shown().seq
            self.note_end()
            if rounds is not None and self.tally.rounds >= rounds:
                return
            self._turn()
            still = 0 if self.shown().seq != before else still + 1
            if still >= STUCK and rounds is not None:
                table = self.place.desk.table()
                raise Stuck(f"nothing moves any more in phase {table.phase}, state {table.state}")
            yield True

    def _take_over(self) -> None:
        """What lay there before these people came is not theirs to answer for."""
        table = self.place.desk.table()
        if table.round is not None and table.round.state != "open":
            self.tally.seen.add(table.round.id)
        for place in table.play.places if table.play else ():
            if table.phase is Phase.DEALING and place.card is not None:
                self.place.felt.laid.append((place.to, place.card.code))

    def _turn(self) -> None:
        table = self.place.desk.table()
        self._arm()
        if not table.held:
            self.dealer.work()
        elif self.by_hand:
            self.place.pace.idle()
        else:
            self.supervisor.work()
            self._restore()

    def note_end(self) -> None:
        """Take a round that has ended into the sums, once."""
        shown = self.shown()
        injected = self.plan.of(self.tally.rounds + 1)
        game = self.place.desk.setup.game.name
        told = self.tally.add(
            shown.table, shown.records, list(self.place.felt.laid), injected, game
        )
        if told is not None:
            self.told(told)

    def _arm(self) -> None:
        """Put the planned faults into the round once it is open; late ones before their card."""
        table = self.place.desk.table()
        number = self.tally.rounds + 1
        if table.round is None or table.round.state != "open":
            return
        if self._armed < number:
            self._armed = number
            self._pending = self.plan.of(number)
            for name in [name for name in self._pending if name in DEALER]:
                self.dealer.mistakes.add(name)
            self._pending = tuple(name for name in self._pending if name not in DEALER)
        dealt = len(table.play.inputs) if table.play else 0
        if self._pending and table.phase is Phase.DEALING and dealt >= 1 and not table.held:
            for name in self._pending:
                self._switch(name)
            self._pending = ()

    def _switch(self, name: str) -> None:
        self.place.say(f"fault: {name}")
        if name in SHOE and self.place.wire is not None:
            self.place.wire.switch(name)
            if name in LASTING:
                self.supervisor.lasting.add(("wire", name))
        elif name in CAMERA and self.place.stage is not None:
            self.place.stage.switch(name)
            if name in LASTING:
                self.supervisor.lasting.add(("stage", name))

    def _restore(self) -> None:
        """After a hold the camera looks again before the dealer goes on."""
        self.place.pace.frames(2)
        self.place.desk.flush()
