"""A round that is run on beside the table, for all who ask about it one after the other.

What may be chosen, the board, what is certain and what an open card proves are asked again and
again about the same round, each time with an input more. So the newest rounds are kept as they
run, and only what came since is given to them. The answers are those of a run from the beginning.
Who asks has a round for itself as long as it looks at it; a second one who asks then begins anew.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import is_
from typing import Final

from studio.domain.values import quick
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


@quick
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


_KEPT: Final[deque[Running]] = deque(maxlen=8)
"""Rounds as they run, the newest last: one for each table of a studio, as a rule."""


def keep(running: Running) -> None:
    """Let the next who ask about this round find it as it runs."""
    _KEPT.append(running)


def _taken(rules: BalootRules, inputs: Sequence[Input]) -> Running:
    """A kept round that these inputs go on from, which nobody else has then; or a new one."""
    for running in reversed(tuple(_KEPT)):
        if running.begins(rules, inputs):
            try:
                _KEPT.remove(running)
            except ValueError:
                continue  # somebody else has it by now
            return running
    return Running(rules)


@contextmanager
def laid_out(rules: BalootRules, inputs: Sequence[Input]) -> Iterator[LaidOut]:
    """The felt after these inputs, what is due then, and the outcome if the round has ended.

    A round that broke off is not kept.

    Raises:
        InputMismatch: at the first input that does not answer what was due.
    """
    running = _taken(rules, inputs)
    for given in inputs[len(running.inputs) :]:
        running.take(given)
    try:
        yield LaidOut(running.felt, running.due, running.outcome)
    finally:
        keep(running)
