"""Deals single rounds of Boundless Blackjack from a list of cards, for tests of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studio.domain.cards import Card
from studio.games.boundless import GAME
from studio.games.boundless.outcome import BoundlessOutcome
from studio.games.procedure import (
    Choice,
    Deal,
    Dealt,
    Decide,
    Decided,
    Facing,
    Input,
    Offer,
    Peek,
    Peeked,
    Request,
    Reveal,
    Staked,
    Turned,
    run,
)

Window = str | Mapping[str, Sequence[str]]
"""What a window is answered with: one text for all cohorts, or texts by cohort.

A text names the action for each hand that the cohort was asked about, as ``stand`` for all or
``hit,stand``; several texts for a cohort are players who go different ways.
"""


@dataclass
class Course:
    """A round as far as its cards and windows go."""

    rules: Any
    seated: int
    bets: tuple[str, ...]
    inputs: list[Input] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    hole: Card | None = None
    due: Request | None = None
    outcome: BoundlessOutcome | None = None

    @property
    def windows(self) -> list[tuple[Offer, ...]]:
        """The offers of each decision window so far, the one that is due too."""
        asked = [*self.asked, self.due]
        return [d.offers for d in asked if isinstance(d, Decide) and d.step == "decision"]

    @property
    def steps(self) -> list[str]:
        """What was asked for, in order: zones of cards, steps of all else."""
        return [d.to if isinstance(d, Deal) else d.step for d in self.asked]

    @property
    def done(self) -> BoundlessOutcome:
        """The outcome of a round that has ended."""
        assert self.outcome is not None, self.due
        return self.outcome

    def returned(self, kind: str, stake: int, cohort: str = "") -> int:
        """What goes back for a stake."""
        pays = GAME.pays(self.rules, self.done)
        return pays[f"{kind}@{cohort}" if cohort else kind].returned(stake)

    def hands(self, cohort: str = "") -> list[tuple[str, str, str]]:
        """(lane, cards, result) of a cohort's hands."""
        found = next(each for each in self.done.cohorts if each.name == cohort)
        return [
            (hand.lane, " ".join(card.code for card in hand.cards), hand.result.value)
            for hand in found.hands
        ]


def play(
    codes: str,
    *windows: Window,
    seated: int = 1,
    bets: tuple[str, ...] = ("main",),
    insured: bool = False,
    **rules: object,
) -> Course:
    """Deal these cards until they, the windows or the round have an end."""
    course = Course(GAME.rules(rules), seated, bets)
    cards = [Card.parse(code) for code in codes.split()]
    answers = list(windows)
    while True:
        standing = run(lambda: GAME.round(course.rules), course.inputs)
        course.asked, course.due = list(standing.asked), standing.due
        course.outcome = standing.outcome
        given = _answer(course, cards, answers, insured=insured)
        if given is None:
            return course
        course.inputs.append(given)


def _answer(
    course: Course, cards: list[Card], answers: list[Window], *, insured: bool
) -> Input | None:
    match course.due:
        case Deal(to="D", face=Facing.DOWN) if cards:
            course.hole = cards.pop(0)
            return Dealt(None)
        case Deal() if cards:
            return Dealt(cards.pop(0))
        case Peek() if course.hole is not None:
            return Peeked(GAME.natural(course.rules, tuple(course.inputs), course.hole))
        case Reveal() if course.hole is not None:
            return Turned(course.hole)
        case Decide(step="insurance"):
            action = "insure" if insured else "decline"
            return Decided((Choice("", (("", action),), course.seated),))
        case Decide(offers=offers) if answers:
            return decided(offers, answers.pop(0))
        case Deal() | Decide() | None:
            return None
    return Staked(course.seated, course.bets)


def decided(offers: tuple[Offer, ...], window: Window) -> Decided:
    """The window closed with these answers, one player for each."""
    lanes: dict[str, list[str]] = {}
    for offer in offers:
        lanes.setdefault(offer.cohort, []).append(offer.lane)
    choices = []
    for cohort, asked in lanes.items():
        texts = (window,) if isinstance(window, str) else window[cohort]
        for text in texts:
            actions = text.split(",") * (len(asked) if "," not in text else 1)
            choices.append(Choice(cohort, tuple(zip(asked, actions, strict=True)), 1))
    return Decided(tuple(choices))
