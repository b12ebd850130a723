"""The course of a demonstration at one table: dealer, players and supervisor, round after round."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from studio.domain.cards import HIDDEN
from studio.domain.commands import EndShoe, Rejected
from studio.live.means import Shown
from studio.simulate.dealer import Dealer
from studio.simulate.desk import Place
from studio.simulate.faults import (
    BETTING,
    CAMERA,
    DEALER,
    LASTING,
    MACHINE,
    RESULT,
    SHOE,
    Plan,
    moment_of,
    ranks_of,
)
from studio.simulate.record import Tally
from studio.simulate.supervisor import Supervisor
from studio.table.seats import in_round
from studio.table.state import Phase, Table

STUCK = 200
"""Steps without any change after which a demonstration gives up."""

MENDED = ("platform_down", "slow_disk")
"""What befalls the machine and goes away again."""


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
    befall: Callable[[str], None] = lambda _name: None
    """Lets something happen to the network or the studio's machine."""
    mend: Callable[[str], None] = lambda _name: None
    """Lets it be over."""
    truths: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """(zone, code) of the cards as they were laid, by round."""
    _stacked: int = 0
    """The newest round for which the shoe was looked at."""
    _relieved: bool = False
    """Whether somebody else deals for the moment."""
    _struck: list[str] = field(default_factory=list)
    """Faults that were put in since the last line."""
    _before: list[str] = field(default_factory=list)
    """Codes of the faults between the last line and the round, which has them not on record."""
    _after: list[str] = field(default_factory=list)
    """The same between the round's result and its line."""
    _known: set[str] = field(default_factory=set)
    _ended: Shown | None = None
    """The newest look at a round that has ended and is not told yet."""
    _broken: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What befell the machine and is not over, with the round and the step in which it came."""

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
            still = 0 if self.shown().seq != before or self._relieved else still + 1
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
            if in_round(table) and table.phase is not Phase.BETTING:
                code = place.card.code if place.card is not None else HIDDEN
                self.place.felt.laid.append((place.to, code))

    def _turn(self) -> None:
        table = self.place.desk.table()
        self._arm()
        if self._away(table):
            self.place.pace.idle()
        elif not table.held:
            self.dealer.work()
        elif self.by_hand:
            self.supervisor.watch()
            self.place.pace.idle()
        else:
            self.supervisor.work()
            self._restore()

    def _away(self, table: Table) -> bool:
        """Whether a person took the simulated dealer's seat, who waits until it is free again.

        A coup that is open is dealt to its end all the same: nobody may leave it, and a person at
        a browser has no hands for its cards.
        """
        taken = table.dealer not in ("", self.dealer.name)
        away = taken and not table.held and not in_round(table)
        if away != self._relieved:
            self._relieved = away
            told = f"is relieved by {table.dealer_name} and waits" if away else "goes on"
            self.place.say(f"dealer: {told}")
        return away

    def note_end(self) -> None:
        """Take a round that has ended into the sums, once: when its cards are collected."""
        shown = self.shown()
        table, current = shown.table, shown.table.round
        self._note_faults(table)
        if current is None:
            return
        last = self._ended.table.round if self._ended is not None else None
        if self._ended is not None and last is not None and last.id != current.id:
            self._tell(self._ended)
        if current.state != "open" and current.id not in self.tally.seen:
            self._ended = shown
            if current.collected and not table.held:
                self._tell(shown)

    def _note_faults(self, table: Table) -> None:
        """Remember the faults that no open round takes on record."""
        if table.round is not None and table.round.state == "open":
            return
        codes = self._after if self._ended is not None else self._before
        for fault in table.hold.faults if table.hold else ():
            if fault.id not in self._known:
                self._known.add(fault.id)
                codes.append(fault.code.value)

    def _tell(self, shown: Shown) -> None:
        game = self.place.desk.setup.game.name
        laid, struck = list(self.place.felt.laid), tuple(self._struck)
        told = self.tally.add(shown.table, shown.records, laid, struck, game)
        self._ended = None
        if told is not None:
            told["faults"] = [*self._before, *told["faults"], *self._after]
            for each in (self._struck, self._before, self._after):
                each.clear()
            self.truths[told["round"]] = laid
            self.told(told)

    def _arm(self) -> None:
        """Put in what is planned for this step of this round; change the shoe if it needs that."""
        table, setup = self.place.desk.table(), self.place.desk.setup
        number, moment = self.tally.rounds + 1, moment_of(setup, table)
        self._mend(moment)
        if table.held:
            return
        other = self.plan.needs_new_shoe(number)
        if self._between_rounds() and (other or self._lacks(table, number)):
            self._end_shoe()
            moment = moment_of(setup, self.place.desk.table())  # the count may be due at once
        self._stack(number, moment)
        for name in self.plan.take(number, moment):
            self._struck.append(name)
            self._strike(name)

    def _lacks(self, table: Table, number: int) -> bool:
        """Whether a used shoe has too few of the cards that a step of this round needs to come."""
        if table.shoe is None or table.shoe.rounds == 0:
            return False
        ranks = ranks_of(self.place.desk.setup.game.name)
        return any(
            wanted in ranks and not self.place.holds(ranks[wanted])
            for wanted in self.plan.waits_for(number)
        )

    def _stack(self, number: int, moment: str) -> None:
        """See to it that the step comes in this round at which something is to strike."""
        if moment != BETTING or number == self._stacked:
            return
        self._stacked = number
        self.dealer.sitters.keen = bool(self.plan.waits_for(number))
        ranks = ranks_of(self.place.desk.setup.game.name)
        for wanted in self.plan.waits_for(number):
            if wanted in ranks and not self.place.felt.aside:
                self.place.on_top(ranks[wanted])

    def _mend(self, moment: str) -> None:
        """What befell the machine is over once the round has ended in which it came."""
        for name, (struck, then) in tuple(self._broken.items()):
            if self._round() != struck or (moment == RESULT and then != RESULT):
                del self._broken[name]
                if name in MENDED:
                    self.place.say(f"over: {name}")
                self.mend(name)

    def _round(self) -> str:
        current = self.place.desk.table().round
        return current.id if current is not None else ""

    def _between_rounds(self) -> bool:
        """Whether the shoe may be ended now: it is open, and no round is on the felt."""
        table = self.place.desk.table()
        if table.shoe is None or not table.shoe.open or table.shoe.ending:
            return False
        told = table.round is None or table.round.id in self.tally.seen
        return told and table.phase in (Phase.IDLE, Phase.RESULT)

    def _end_shoe(self) -> None:
        self.place.say("supervisor: has the shoe changed")
        try:
            self.place.desk.ask(EndShoe(), who=self.supervisor.name, role="supervisor")
        except Rejected as refused:
            self.place.say(f"supervisor: is refused: {refused.text}")
        self.place.desk.flush()

    def _strike(self, name: str) -> None:
        """Let a fault happen."""
        self.place.say(f"fault: {name}")
        if name in DEALER:
            self.dealer.mistakes.wanted.add(name)
        elif name in MACHINE:
            self._befall(name)
        elif name in SHOE and self.place.wire is not None:
            self.place.wire.switch(name)
            if name in LASTING:
                self.supervisor.lasting.add(("wire", name))
        elif name in CAMERA and self.place.stage is not None:
            self.place.stage.switch(name)
            self.place.slippery = self.place.slippery or name == "wrong_zone"
            if name in LASTING:
                self.supervisor.lasting.add(("stage", name))

    def _befall(self, name: str) -> None:
        desk = self.place.desk
        self._broken[name] = (self._round(), moment_of(desk.setup, desk.table()))
        self.befall(name)

    def _restore(self) -> None:
        """After a hold the camera looks again before the dealer goes on."""
        self.place.pace.frames(2)
        self.place.desk.flush()
