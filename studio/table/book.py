"""Look-up beside the state: which bets a player has, where they sit, what they answered.

Everything here is made from the frozen state and found again by comparing what it was made from, so
it is never a second truth: a new book over the same table answers the same. The owner of a table
keeps one so that a batch costs its own size and not that of all batches before it (DESIGN.md 6).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import is_
from sys import intern
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.columns import Columns
from studio.domain.envelope import Packed
from studio.domain.events import BetSettled
from studio.games.procedure import (
    Input,
    InputMismatch,
    Procedure,
    Request,
    RuledAgainst,
    Standing,
    fits,
    give,
)
from studio.games.spec import Game, Pay
from studio.table.ledger import EXACT, MANY, Rows, parted, settle, standing, sums
from studio.table.register import Bets, Seats
from studio.table.seating import Numbers
from studio.table.state import Answering, Play, Round, Script, Setup, Table

NOTHING_RUNS: Final[Standing[Any]] = Standing(asked=(), due=None, outcome=None)


@dataclass(frozen=True, slots=True)
class Settled:
    """What a result makes of the bets of a round."""

    staked: int
    """On the bets that it ends, minor units."""
    back: Columns
    """What goes back for each of these."""
    rows: tuple[BetSettled, ...]
    packed: Packed
    staying: Columns
    """The bets that it does not end, with their stakes."""


@dataclass(slots=True)
class Answers:
    """What was answered in the open window, by lane and seat."""

    actions: tuple[str, ...] = ()
    """All actions of the window; an array holds the place in this, from 1."""
    given: dict[str, NDArray[np.uint8]] = field(default_factory=dict)
    _window: Answering | None = None
    _seats: int = -1
    _batches: int = 0

    def follow(self, window: Answering, seats: "Seats") -> "Answers":
        """Take over the batches that came since."""
        known = self._window
        fresh = known is None or known.offers is not window.offers or self._seats != seats.made
        if fresh or window.batches[: self._batches] != (known.batches if known else ()):
            self.actions = actions_of(window)
            lanes = dict.fromkeys(offer.lane for offer in window.offers)
            self.given = {lane: np.zeros(seats.count, np.uint8) for lane in lanes}
            self._batches = 0
        code = {action: place for place, action in enumerate(self.actions, 1)}
        for _, columns in window.batches[self._batches :]:
            places = seats.of(columns.players).tolist()
            for seat, decision in zip(places, columns.bets, strict=True):
                lane, action = read_decision(decision)
                self.given[lane][seat] = code[action]
        self._window, self._seats, self._batches = window, seats.made, len(window.batches)
        return self


@dataclass(slots=True)
class Course:
    """A procedure that runs on beside the table, so that an input costs one step of it."""

    _start: tuple[Setup, Script] | None = None
    _running: Procedure[Any] | None = None
    _inputs: list[Input] = field(default_factory=list)
    _asked: list[Request] = field(default_factory=list)
    _due: Request | None = None
    _outcome: Any = None
    _stood: tuple[tuple[Input, ...], Standing[Any]] | None = None
    """The newest inputs, and where the procedure stood after them."""

    def follow(self, setup: Setup, play: Play) -> Standing[Any]:
        """Where the procedure stands after the inputs of a play.

        Raises:
            InputMismatch: at the first input that does not answer what was due.
        """
        known, start = len(self._inputs), self._start
        same = start is not None and start[0] is setup and start[1] is play.script
        if same and self._stood is not None and self._stood[0] is play.inputs:
            return self._stood[1]
        if not same or not all(map(is_, self._inputs, play.inputs)) or known > len(play.inputs):
            self._begin(setup, play.script)
            known = 0
        for given in play.inputs[known:]:
            self._give(given)
        stands = Standing(asked=tuple(self._asked), due=self._due, outcome=self._outcome)
        self._stood = (play.inputs, stands)
        return stands

    def _begin(self, setup: Setup, script: Script) -> None:
        self._inputs, self._asked, self._outcome, self._due = [], [], None, None
        self._start, self._running = (setup, script), procedure(setup, script)()
        self._stood = None
        self._due = next(self._running)

    def _give(self, given: Input) -> None:
        due = self._due
        if due is None or self._running is None or not fits(due, given):
            place = len(self._inputs)
            self._start = None
            raise InputMismatch(place, due, given)
        try:
            self._due = give(self._running, given)
        except StopIteration as ended:
            self._due, self._outcome, self._running = None, ended.value, None
        except RuledAgainst:
            self._start = None
            raise InputMismatch(len(self._inputs), due, given) from None
        except BaseException:
            self._start = None
            raise
        self._inputs.append(given)
        self._asked.append(due)


def procedure(setup: Setup, script: Script) -> Callable[[], Procedure[Any]]:
    """Give the start of the procedure that runs under this script."""
    return partial(starts(setup.game)[script], setup.rules)


def starts(game: Game) -> dict[Script, Callable[[Any], Procedure[Any]]]:
    """The procedures of a game by the script that they run under."""
    return {
        Script.ROUND: game.round,
        Script.NEW_SHOE: game.new_shoe,
        Script.END_SHOE: game.end_shoe,
    }


@dataclass(slots=True)
class Book:
    """All that is looked up at one table. Owned by whoever owns the table."""

    _bets: Bets = field(default_factory=Bets)
    _seats: Seats = field(default_factory=Seats)
    _answers: Answers = field(default_factory=Answers)
    _course: Course = field(default_factory=Course)

    def keep_rows(self, current: Round) -> None:
        """Look the bets and seats of a crowd up before they are needed."""
        if sums(current)[0] >= MANY:
            self.seats(current)

    def settled(
        self, current: Round, pays: Mapping[str, Pay], stays: Collection[str] = ()
    ) -> Settled:
        """What goes back for the bets of a round; for a crowd by what was kept of it.

        Bets of the kinds in `stays` are not ended by it.
        """
        (staying, bets), rows = parted(standing(current), stays), None
        if bets.count >= MANY and bets.total <= EXACT:
            kept = Rows.joined(self.bets(current).rows(current))
            if staying.count:
                kept = kept.only(kept.not_of(stays))
            rows = kept.seated(self.seats(current).seat_of)
        back, table = settle(bets, pays, current.seating, rows)
        return Settled(bets.total, back, table, back.packed("returns", current.id), staying)

    def standing(self, setup: Setup, table: Table) -> Standing[Any]:
        """Where the running procedure stands; nothing is due where none runs."""
        if table.play is None:
            return NOTHING_RUNS
        return self._course.follow(setup, table.play)

    def bets(self, current: Round | None) -> Bets:
        """The bets of the open round."""
        return self._bets.follow(current)

    def seats(self, current: Round) -> Seats:
        """The seats of the open round."""
        return self._seats.follow(current.seating, self.bets(current))

    def answers(self, current: Round, window: Answering) -> Answers:
        """The answers of the open window."""
        return self._answers.follow(window, self.seats(current))

    def stakes(self, current: Round) -> Numbers:
        """What each seat staked for it, minor units."""
        return self.seats(current).stakes


def actions_of(window: Answering) -> tuple[str, ...]:
    """All actions that a window offers to anybody, each once."""
    return tuple(dict.fromkeys(action for offer in window.offers for action in offer.actions))


def decision_text(lane: str, action: str) -> str:
    """How the columns of a batch hold a decision: ``M:hit``, or ``insure``."""
    return intern(f"{lane}:{action}" if lane else action)


def read_decision(text: str) -> tuple[str, str]:
    """(lane, action) of a decision in a batch."""
    lane, _, action = text.rpartition(":")
    return lane, action
