"""A round of Boundless Blackjack worked out again: other cards, and the decisions as executed.

What was decided stands where the true cards allow it. A decision that could not have been made
then, and one that would have been asked for and never was, leaves that hand of these players
without a result: what they staked on it goes back. What was staked on a decision about a hand that
was truly over before goes back too, and the hand is what the rules make of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from studio.domain.cards import Card
from studio.games.boundless.felt import LEFT, RIGHT, SHARED
from studio.games.boundless.outcome import BoundlessOutcome
from studio.games.boundless.pays import BETS, INSURANCE, MAIN, SPLIT, pays, row_key
from studio.games.boundless.round import boundless
from studio.games.boundless.rules import BoundlessRules
from studio.games.boundless.shown import hidden_natural
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
    fits,
)
from studio.games.spec import PUSHED, Amended, Pay

NO_HAND: Final = ""
"""Lane of a decision that is about no hand: insurance."""
STAND: Final = "stand"
"""What is played to the end of the round for a hand that has no result any more."""


@dataclass(slots=True)
class _Alike:
    """Players who decided alike to the end, and where they stand in the new course."""

    name: str
    """Their cohort as they ended."""
    players: int
    did: tuple[tuple[str, str], ...]
    """(lane, action) in order."""
    left: list[tuple[str, str]] = field(default_factory=list)
    """Of these what is not made yet."""
    cohort: str = ""
    """Their cohort in the new course."""
    back: set[str] = field(default_factory=set)
    """Lanes whose stakes go back."""

    def does(self, offer: Offer) -> str:
        """What they do with a hand: as they did, or nothing more."""
        own = next((one for one in self.left if one[0] == offer.lane), None)
        if own is not None and own[1] in offer.actions:
            self.left.remove(own)
            return own[1]
        self.back.add(offer.lane)
        return STAND

    def kinds(self) -> dict[str, str]:
        """Each kind of stake that they have on hands, and the lane on which it plays."""
        split = (SHARED, "split") in self.did
        found = {MAIN: LEFT if split else SHARED}
        if split:
            found[SPLIT] = RIGHT
        doubled = (lane for lane, action in self.did if action == "double")
        return found | {f"double:{lane}": lane for lane in doubled}

    def lost(self, lane: str) -> bool:
        """Whether the hand on this lane has no result any more."""
        return lane in self.back or SHARED in self.back


class _Again:
    """One such run."""

    def __init__(
        self, rules: BoundlessRules, inputs: Sequence[Input], cards: Sequence[tuple[str, Card]]
    ) -> None:
        """Begin; `inputs` are those of the round as it was settled."""
        self.rules, self.left = rules, list(cards)
        self.dealt: list[Card] = []
        self.staked = next(given for given in inputs if isinstance(given, Staked))
        windows = [given for given in inputs if isinstance(given, Decided)]
        self.insured = next((given for given in windows if _is_insurance(given)), None)
        self.windows = [given for given in windows if not _is_insurance(given)]
        self.alike = _alike(self.staked.seated, self.windows)
        self.inputs: list[Input] = []
        self.asked: list[Request] = []
        self.hidden: Card | None = None
        self.unasked = False
        """Insurance would have been offered, and was not."""

    def play(self) -> Amended:
        """Go through the round to its end, or to where the cards end.

        Raises:
            InputMismatch: if the round ends before the last card.
        """
        procedure = boundless(self.rules)
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
        return self._told(outcome)

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
            case Decide():
                return self._decided(due)
            case _:
                raise TypeError(f"a round does not wait for {due!r}")

    def _hole(self) -> Card:
        if self.hidden is None:
            raise TypeError("the hole card is dealt before anything is asked of it")
        return self.hidden

    def _decided(self, due: Decide) -> Decided:
        """The window as it was executed if it fits, else what is left of it."""
        if due.offers[0].lane == NO_HAND:
            if self.insured is None or not fits(due, self.insured):
                self.unasked = True
                return Decided((Choice("", ((NO_HAND, "decline"),), self.staked.seated),))
            return self.insured
        chosen: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
        for mine in self.alike:
            offers = [offer for offer in due.offers if offer.cohort == mine.cohort]
            if offers:
                actions = tuple((offer.lane, mine.does(offer)) for offer in offers)
                key = (mine.cohort, actions)
                chosen[key] = chosen.get(key, 0) + mine.players
                mine.cohort = Choice(mine.cohort, actions, 1).into
        choices = tuple(Choice(cohort, done, count) for (cohort, done), count in chosen.items())
        return next((w for w in self.windows if set(w.choices) == set(choices)), Decided(choices))

    def _told(self, outcome: BoundlessOutcome | None) -> Amended:
        """The result, and what each stake returns by the cohorts in which players had ended."""
        insured = any(isinstance(ask, Decide) and ask.offers[0].lane == "" for ask in self.asked)
        over = self.insured is not None and not insured
        same = not (self.unasked or over) and all(
            not mine.left and not mine.back for mine in self.alike
        )
        return Amended(
            inputs=tuple(self.inputs),
            asked=tuple(self.asked),
            cards=tuple(self.dealt),
            outcome=outcome,
            pays={} if outcome is None else self._pays(outcome, uninsured=over),
            same=same,
        )

    def _pays(self, outcome: BoundlessOutcome, *, uninsured: bool) -> Mapping[str, Pay]:
        true = pays(self.rules, outcome)
        found = {kind: true[kind] for kind in BETS if kind != MAIN}
        if uninsured:
            found[INSURANCE] = PUSHED
        for mine in self.alike:
            for kind, lane in mine.kinds().items():
                pay = PUSHED if mine.lost(lane) else true.get(row_key(kind, mine.cohort), PUSHED)
                found[row_key(kind, mine.name)] = pay
        return found


def _is_insurance(given: Decided) -> bool:
    """Whether a window was about no hand."""
    return all(lane == NO_HAND for choice in given.choices for lane, _ in choice.actions)


def _alike(seated: int, windows: Sequence[Decided]) -> list[_Alike]:
    """All cohorts as they ended, with the way there."""
    found: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {}
    if seated:
        found[""] = (seated, ())
    for window in windows:
        before = found.copy()
        for choice in window.choices:
            found.pop(choice.cohort, None)
        for choice in window.choices:
            did = (*before[choice.cohort][1], *choice.actions)
            found[choice.into] = (choice.players, did)
    return [_Alike(name, count, did, list(did)) for name, (count, did) in found.items()]


def amend(
    rules: BoundlessRules, inputs: Sequence[Input], cards: Sequence[tuple[str, Card]]
) -> Amended:
    """Work a settled round out again: `cards` are all its cards as they truly fell, (zone, card).

    A card without a zone lies where the next one is due.

    Raises:
        InputMismatch: if the round ends before the last of them.
    """
    return _Again(rules, inputs, cards).play()
