"""A round that is run on beside the table, for all who ask about it one after the other.

What may be chosen, the board, what is certain and what an open card proves are asked again and
again about the same round, each time with an input more. So the newest round is kept as it runs,
and only what came since is given to it. The answers are those of a run from the beginning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import is_
from threading import local
from typing import Final

from studio.games.baloot.felt import Felt
from studio.games.baloot.outcome import BalootOutcome
from studio.games.baloot.round import play_round
from studio.games.baloot.rules import BalootRules
from studio.games.procedure import (
    Input,
    InputMismatch,
    Procedure,
    Request,
    RuledAgainst,
    fits,
    give,
)


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A round after its inputs. The felt is for reading alone."""

    felt: Felt
    due: Request | None
    outcome: BalootOutcome | None


class Running:
    """One round and its inputs so far."""

    def __init__(self, rules: BalootRules) -> None:
        """Begin a round by these rules."""
        self.rules = rules
        self.felt = Felt(rules)
        self.inputs: list[Input] = []
        self.outcome: BalootOutcome | None = None
        self._procedure: Procedure[BalootOutcome] = play_round(rules, self.felt)
        self.due: Request | None = next(self._procedure)

    def begins(self, rules: BalootRules, inputs: Sequence[Input]) -> bool:
        """Whether these inputs of a round by these rules begin with those that were given."""
        within = rules is self.rules and len(self.inputs) <= len(inputs)
        return within and all(map(is_, self.inputs, inputs))

    def take(self, given: Input) -> None:
        """Go on by one input.

        Raises:
            InputMismatch: if it does not answer what is due.
        """
        if self.due is None or not fits(self.due, given):
            raise InputMismatch(len(self.inputs), self.due, given)
        try:
            self.due = give(self._procedure, given)
        except StopIteration as ended:
            self.due, self.outcome = None, ended.value
        except RuledAgainst:
            raise InputMismatch(len(self.inputs), self.due, given) from None
        self.inputs.append(given)


class _Newest(local):
    """The newest round of each thread; a round that broke off is not kept."""

    running: Running | None = None


_NEWEST: Final = _Newest()


def keep(running: Running) -> None:
    """Let the next who ask about this round find it as it runs."""
    _NEWEST.running = running


def laid_out(rules: BalootRules, inputs: Sequence[Input]) -> LaidOut:
    """The felt after these inputs, what is due then, and the outcome if the round has ended.

    Raises:
        InputMismatch: at the first input that does not answer what was due.
    """
    running, _NEWEST.running = _NEWEST.running, None
    if running is None or not running.begins(rules, inputs):
        running = Running(rules)
    for given in inputs[len(running.inputs) :]:
        running.take(given)
    keep(running)
    return LaidOut(running.felt, running.due, running.outcome)
