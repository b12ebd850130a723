"""A round of blackjack worked out again: other cards, and the decisions as executed.

What was decided stands where the true cards allow it. A decision that could not have been made
then, and one that would have been asked for and never was, leaves that hand of its seat without a
result: what was staked on it goes back. What was staked on a decision about a hand that was truly
over before goes back too, and the hand is what the rules make of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from studio.domain.cards import Card
from studio.games.blackjack.felt import MAIN, ZONES
from studio.games.blackjack.outcome import BlackjackOutcome
from studio.games.blackjack.pays import INSURANCE, pays, row_key
from studio.games.blackjack.round import blackjack
from studio.games.blackjack.rules import BlackjackRules
from studio.games.blackjack.shown import hidden_natural
from studio.games.blackjack.steps import Step
from studio.games.procedure import (
    Choice,
    Deal,
    Dealt,
    Decide,
    Decided,
    Facing,
    Input,
    InputMismatch,
    Offer,
    Peek,
    Peeked,
    Request,
    Reveal,
    Staked,
    Stakes,
    Turned,
    answer_of,
    run,
)
from studio.games.spec import PUSHED, Amended, Pay

DECLINE: Final = "decline"
STAND: Final = "stand"
"""What is played to the end of the round for a hand that has no result any more."""


@dataclass(slots=True)
class _Seat:
    """One seat: what it did, and where it stands in the new course."""

    zone: str
    name: str
    """Its cohort as it ended."""
    cohort: str = ""
    """Its cohort in the new course."""
    once: dict[str, str] = field(default_factory=dict)
    """What it said in the windows that ask all seats, by their steps."""
    did: list[tuple[str, str]] = field(default_factory=list)
    """(hand, action) of its play in order."""
    left: list[tuple[str, str]] = field(default_factory=list)
    """Of these what is not made yet."""
    asked: set[str] = field(default_factory=set)
    """Steps of the windows for all seats in which it is asked in the new course."""
    back: set[str] = field(default_factory=set)
    """Hands whose stakes go back, with all hands that came of them."""

    def does(self, step: str, offer: Offer) -> str:
        """What it does: as it did, or nothing more."""
        if step != Step.DECISION:
            self.asked.add(step)
            return self.once.get(step, DECLINE)
        own = next((one for one in self.left if one[0] == offer.lane), None)
        if own is not None and own[1] in offer.actions:
            self.left.remove(own)
            return own[1]
        self.back.add(offer.lane)
        return STAND

    @property
    def same(self) -> bool:
        """Whether it was asked the same and could do all that it did."""
        return not self.left and not self.back and self.asked == self.once.keys()

    def kinds(self) -> dict[str, str]:
        """Each kind of stake that it has on hands, and the hand that plays for it."""
        found = {MAIN: self.zone}
        for lane, action in self.did:
            if action == "double":
                found[f"double:{lane}"] = lane
            if action == "split":
                found = {k: _first(at) if at == lane else at for k, at in found.items()}
                found[f"split:{lane}"] = _second(lane)
        return found

    def lost(self, lane: str) -> bool:
        """Whether a hand has no result any more: it, or one from which it was split."""
        gave_up = self.once.get(Step.EARLY_SURRENDER) == "surrender"
        if gave_up and Step.EARLY_SURRENDER not in self.asked:
            return True
        return any(lane == gone or _of(lane, gone) for gone in self.back)


def _first(lane: str) -> str:
    return f"{lane}1" if ":" in lane else f"{lane}:1"


def _second(lane: str) -> str:
    return f"{lane}2" if ":" in lane else f"{lane}:2"


def _of(lane: str, other: str) -> bool:
    """Whether a hand came of another one by a split."""
    return lane.startswith(other if ":" in other else f"{other}:")


class _Again:
    """One such run."""

    def __init__(
        self, rules: BlackjackRules, inputs: Sequence[Input], cards: Sequence[tuple[str, Card]]
    ) -> None:
        """Begin; `inputs` are those of the round as it was settled."""
        self.rules, self.left = rules, list(cards)
        self.dealt: list[Card] = []
        self.staked = next(given for given in inputs if isinstance(given, Staked))
        self.seats = _as_they_did(rules, self.staked.seated, inputs)
        self.inputs: list[Input] = []
        self.asked: list[Request] = []
        self.hidden: Card | None = None

    def play(self) -> Amended:
        """Go through the round to its end, or to where the cards end.

        Raises:
            InputMismatch: if the round ends before the last card.
        """
        procedure = blackjack(self.rules)
        due: Request | None = next(procedure)
        outcome = None
        while due is not None:
            given = self._answer(due)
            if given is None:
                break
            self.inputs.append(given)
            self.asked.append(due)
            try:
                due = procedure.send(answer_of(given))
            except StopIteration as ended:
                due, outcome = None, ended.value
        if outcome is not None and self.left:
            raise InputMismatch(len(self.inputs), None, Dealt(self.left[0][1]))
        return Amended(
            inputs=tuple(self.inputs),
            asked=tuple(self.asked),
            cards=tuple(self.dealt),
            outcome=outcome,
            pays={} if outcome is None else self._pays(outcome),
            same=all(seat.same for seat in self.seats),
        )

    def _answer(self, due: Request) -> Input | None:
        """What answers a request; None where no card is left."""
        match due:
            case Stakes():
                return self.staked
            case Deal(to=zone, face=face):
                mine = next((each for each in self.left if each[0] in ("", zone)), None)
                if mine is None:
                    return None
                self.left.remove(mine)
                card = mine[1]
                self.dealt.append(card)
                if face is Facing.DOWN:
                    self.hidden = card
                    return Dealt(None)
                return Dealt(card)
            case Peek():
                return Peeked(hidden_natural(self.rules, tuple(self.inputs), self._hole()))
            case Reveal():
                return Turned(self._hole())
            case Decide(step=step, offers=offers):
                return Decided(tuple(self._choice(step, offer) for offer in offers))
            case _:
                raise TypeError(f"a round does not wait for {due!r}")

    def _hole(self) -> Card:
        if self.hidden is None:
            raise TypeError("the hole card is dealt before anything is asked of it")
        return self.hidden

    def _choice(self, step: str, offer: Offer) -> Choice:
        seat = next(each for each in self.seats if each.cohort == offer.cohort)
        choice = Choice(offer.cohort, ((offer.lane, seat.does(step, offer)),), 1)
        if offer.lane:
            seat.cohort = choice.into
        return choice

    def _pays(self, outcome: BlackjackOutcome) -> dict[str, Pay]:
        """What each stake returns by the cohorts in which seats had ended."""
        true = pays(self.rules, outcome)
        found: dict[str, Pay] = {}
        for seat in self.seats:
            insured = Step.INSURANCE in seat.asked
            found[row_key(INSURANCE, seat.name)] = true[INSURANCE] if insured else PUSHED
            for kind, lane in seat.kinds().items():
                pay = PUSHED if seat.lost(lane) else true.get(row_key(kind, seat.cohort), PUSHED)
                found[row_key(kind, seat.name)] = pay
        return found


def _as_they_did(rules: BlackjackRules, seated: int, inputs: Sequence[Input]) -> list[_Seat]:
    """All seats with what they did in the round as it was settled."""
    seats = [_Seat(zone, name=zone, cohort=zone) for zone in ZONES[:seated]]
    asked = run(lambda: blackjack(rules), inputs).asked
    for due, given in zip(asked, inputs, strict=True):
        if not isinstance(due, Decide) or not isinstance(given, Decided):
            continue
        by = {seat.name: seat for seat in seats}
        for choice in given.choices:
            seat, (lane, action) = by[choice.cohort], choice.actions[0]
            if due.step == Step.DECISION:
                seat.did.append((lane, action))
            else:
                seat.once[due.step] = action
            if lane:
                seat.name = choice.into
    for seat in seats:
        seat.left = list(seat.did)
    return seats


def amend(
    rules: BlackjackRules, inputs: Sequence[Input], cards: Sequence[tuple[str, Card]]
) -> Amended:
    """Work a settled round out again: `cards` are all its cards as they truly fell, (zone, card).

    A card without a zone lies where the next one is due.

    Raises:
        InputMismatch: if the round ends before the last of them.
    """
    return _Again(rules, inputs, cards).play()
