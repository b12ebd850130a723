"""Deals single rounds of blackjack from a list of cards, for tests of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.domain.cards import Card
from studio.games.blackjack import GAME
from studio.games.blackjack.outcome import BlackjackOutcome
from studio.games.procedure import (
    Choice,
    Deal,
    Dealt,
    Decide,
    Decided,
    Facing,
    Input,
    Peek,
    Peeked,
    Request,
    Reveal,
    Staked,
    Stakes,
    Turned,
    run,
)


@dataclass
class Course:
    """A round as far as its cards and answers go."""

    rules: Any
    seats: int
    inputs: list[Input] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    hole: Card | None = None
    due: Request | None = None
    outcome: BlackjackOutcome | None = None

    @property
    def steps(self) -> list[str]:
        """What was asked for, in order: zones of cards, steps of all else."""
        return [d.to if isinstance(d, Deal) else d.step for d in self.asked]

    @property
    def windows(self) -> list[tuple[str, tuple[str, ...]]]:
        """(hand, what may be done with it) of each decision so far, the one that is due too."""
        asked = [*self.asked, self.due]
        return [
            (offer.lane, offer.actions)
            for d in asked
            if isinstance(d, Decide) and d.step == "decision"
            for offer in d.offers
        ]

    @property
    def done(self) -> BlackjackOutcome:
        """The outcome of a round that has ended."""
        assert self.outcome is not None, self.due
        return self.outcome

    def hands(self, seat: int = 1) -> list[tuple[str, str]]:
        """(cards, result) of a seat's hands."""
        found = self.done.seats[seat - 1]
        return [
            (" ".join(card.code for card in hand.cards), hand.result.value) for hand in found.hands
        ]

    def returned(self, kind: str, stake: int, seat: int = 1) -> int:
        """What goes back for a stake of this kind on a seat."""
        pays = GAME.pays(self.rules, self.done)
        cohort = self.done.seats[seat - 1].cohort
        return pays["insurance" if kind == "insurance" else f"{kind}@{cohort}"].returned(stake)

    def all_back(self, stake: int, seat: int = 1) -> int:
        """What goes back for all stakes of a seat, each of this size, insurance not counted."""
        pays = GAME.pays(self.rules, self.done)
        cohort = self.done.seats[seat - 1].cohort
        mine = [pay for kind, pay in pays.items() if kind.partition("@")[2] == cohort]
        return sum(pay.returned(stake) for pay in mine)


def play(
    codes: str,
    *answers: str,
    seats: int = 1,
    insured: tuple[int, ...] = (),
    early: tuple[int, ...] = (),
    **rules: object,
) -> Course:
    """Deal these cards until they, the answers or the round have an end.

    `insured` and `early` are the seats that insure and that surrender early.
    """
    course = Course(GAME.rules(rules), seats)
    cards = [Card.parse(code) for code in codes.split()]
    left = list(answers)
    while True:
        standing = run(lambda: GAME.round(course.rules), course.inputs)
        course.asked, course.due = list(standing.asked), standing.due
        course.outcome = standing.outcome
        yes = {"insurance": ("insure", insured), "early_surrender": ("surrender", early)}
        given = _answer(course, cards, left, yes)
        if given is None:
            return course
        course.inputs.append(given)


def _answer(
    course: Course,
    cards: list[Card],
    left: list[str],
    yes: Mapping[str, tuple[str, tuple[int, ...]]],
) -> Input | None:
    match course.due:
        case Stakes():
            return Staked(course.seats, ("main",))
        case Deal(face=Facing.DOWN) if cards:
            course.hole = cards.pop(0)
            return Dealt(None)
        case Deal() if cards:
            return Dealt(cards.pop(0))
        case Peek() if course.hole is not None:
            return Peeked(GAME.natural(course.rules, tuple(course.inputs), course.hole))
        case Reveal() if course.hole is not None:
            return Turned(course.hole)
        case Decide(step=step, offers=offers) if step in yes:
            word, who = yes[step]
            return Decided(
                tuple(
                    Choice(o.cohort, ((o.lane, word if int(o.cohort[1]) in who else "decline"),), 1)
                    for o in offers
                )
            )
        case Decide(offers=(offer,)) if left:
            return Decided((Choice(offer.cohort, ((offer.lane, left.pop(0)),), 1),))
        case _:
            return None
