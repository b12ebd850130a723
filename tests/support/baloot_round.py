"""A round of Baloot by the pure procedure, with every card that lies face down kept beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from studio.domain.cards import Card
from studio.games.baloot import GAME
from studio.games.baloot.cards import Mode
from studio.games.baloot.course import Running, keep
from studio.games.baloot.outcome import BalootOutcome
from studio.games.baloot.projects import detect, word_of
from studio.games.procedure import (
    Carried,
    Carry,
    Choose,
    Chosen,
    Clear,
    Confirmed,
    Deal,
    Dealt,
    Facing,
    Input,
    Move,
    Moved,
    Request,
    Reveal,
    Ruled,
    Turned,
)

Answers = Callable[["Table", Choose], Chosen]
"""What a seat chooses where it is asked."""


@dataclass
class Table:
    """One round as it runs: all that was asked and given, and who holds what."""

    rules: Any
    deck: Iterator[Card]
    figures: tuple[int, ...] = (0, 0, 3, 1, 1)
    inputs: list[Input] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    down: dict[int, Card] = field(default_factory=dict)
    """Every card that was dealt face down, by the input that dealt it; ours alone to know."""
    codes: dict[int, str] = field(default_factory=dict)
    """The codes of these and of the face-up card."""
    racks: dict[int, list[tuple[int, Card]]] = field(default_factory=dict)
    """By seat (input, card) of every place; a played card stays."""
    packets: list[tuple[int, str]] = field(default_factory=list)
    """(seat, code) of every card that was dealt to a rack."""
    gone: set[int] = field(default_factory=set)
    face: Card | None = None
    turn: int = -1
    """Input that dealt the card which a seat chose."""

    def __post_init__(self) -> None:
        """Begin the round."""
        self.racks = {seat: [] for seat in range(4)}
        self._running = Running(self.rules)

    @property
    def due(self) -> Request | None:
        """What is waited for now."""
        return self._running.due

    @property
    def outcome(self) -> BalootOutcome | None:
        """The result, once the round has ended."""
        return self._running.outcome

    @staticmethod
    def of_codes(codes: Sequence[str], **rules: Any) -> Table:
        """A round of a new game, dealt by seat 3, from these cards."""
        return Table(GAME.rules(rules), iter([Card.parse(code) for code in codes]))

    @property
    def mode(self) -> Mode:
        """Mode of the contract, told by what may be announced."""
        asked = [r for r in (*self.asked, self.due) if isinstance(r, Choose)]
        sun = any("four_hundred" in each.options for each in asked)
        return Mode.SUN if sun else Mode.HOKUM

    def hand(self, seat: int) -> list[tuple[str, Card]]:
        """(place, card) of what a seat still holds."""
        rack = enumerate(self.racks[seat], 1)
        return [(str(place), card) for place, (at, card) in rack if at not in self.gone]

    def place_of(self, seat: int, card: Card) -> str:
        """The place at which a seat holds a card."""
        return next(place for place, held in self.hand(seat) if held == card)

    def take(self, given: Input) -> None:
        """Give an input to the procedure."""
        assert self.due is not None
        self.asked.append(self.due)
        self.inputs.append(given)
        self._running.take(given)

    def step(self, answers: Answers) -> None:
        """Answer what is due: cards from the deck, choices from `answers`."""
        due, at = self.due, len(self.inputs)
        match due:
            case Choose():
                keep(self._running)
                chosen = answers(self, due)
                if due.step == "play":
                    self.turn = self.racks[chosen.seat][int(chosen.option) - 1][0]
                self.take(chosen)
            case Deal(face=Facing.DOWN, to=to):
                card = next(self.deck)
                self.down[at] = card
                self.racks[int(to[1])].append((at, card))
                self.codes[at] = card.code
                self.packets.append((int(to[1]), self.codes[at]))
                self.take(Dealt(None))
            case Move(step="take_face", index=index, to=to):
                assert self.face is not None
                self.racks[int(to[1])].append((index, self.face))
                self.take(Moved(self.face))
            case Move(index=index):
                assert index == self.turn
                self.gone.add(index)
                self.take(Moved(self.card(index)))
            case Clear():
                self.take(Confirmed())
            case Deal():
                self.face = next(self.deck)
                self.codes[at] = self.face.code
                self.take(Dealt(self.face))
            case Carry():
                self.take(Carried(self.figures))
            case Reveal(index=index):
                self.take(Turned(self.down[index]))
            case _:
                raise AssertionError(f"{due} is due")

    def card(self, index: int) -> Card:
        """The card that an input dealt."""
        return self.down.get(index) or (self.face or Card.parse("AS"))

    def verdict(self, against: int) -> None:
        """Throw a verdict in."""
        self.take(Ruled(against))

    def play_on(self, answers: Answers) -> Table:
        """Go on to the end of the round."""
        while self.due is not None:
            self.step(answers)
        return self

    def until(self, step: str, answers: Answers) -> Table:
        """Go on until a request of this step is due."""
        while self.due is not None and self.due.step != step:
            self.step(answers)
        return self


@dataclass
class Case:
    """Answers as a worked round has them."""

    calls: list[tuple[int, str]]
    raises: list[Mapping[str, Any]]
    declare: Mapping[str, int]
    plays: list[str]
    raised: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(case: Mapping[str, Any]) -> Case:
        """Read them."""
        return Case(
            calls=[(seat, call) for seat, call in case["calls"]],
            raises=list(case.get("raises", [])),
            declare=case.get("declare", {}),
            plays=list(case["plays"]),
        )

    def __call__(self, table: Table, due: Choose) -> Chosen:
        """Answer one question."""
        match due.step:
            case "bidding" | "claim" | "confirm":
                return Chosen(*self.calls.pop(0))
            case "raise":
                return Chosen(due.seat, self._raise(due))
            case "closed":
                return Chosen(due.seat, "closed" if self.raised["closed"] else "open")
            case "projects":
                hand = [card for _, card in table.racks[due.seat]]
                best = detect(hand, table.mode)[: self.declare[str(due.seat)]]
                return Chosen(due.seat, word_of(best))
            case _:
                card = Card.parse(self.plays.pop(0))
                return Chosen(due.seat, table.place_of(due.seat, card))

    def _raise(self, due: Choose) -> str:
        wanted = self.raises[0] if self.raises else {}
        if wanted.get("seat") == due.seat and wanted.get("call") in due.options:
            self.raised = self.raises.pop(0)
            return str(self.raised["call"])
        return "pass"


def played(case: Mapping[str, Any]) -> Table:
    """Play a worked round to its end."""
    rules = GAME.rules({"preset": case["preset"], **case.get("rules", {})})
    deck = iter([Card.parse(code) for code in case["deck"]])
    table = Table(rules, deck, (*case["scores"], case["dealer"], 1, 1))
    return table.play_on(Case.of(case))


@dataclass
class Says:
    """Answers by step, each list in order; where it has ended, as for a silent seat."""

    words: dict[str, list[str]]
    asked: list[tuple[str, int, tuple[str, ...]]] = field(default_factory=list)
    """(step, seat, options) of every question."""

    def __call__(self, table: Table, due: Choose) -> Chosen:
        """Answer one question."""
        self.asked.append((due.step, due.seat, due.options))
        own = self.words.get(due.step, [])
        if own:
            seat, _, word = own.pop(0).rpartition("=")
            return Chosen(int(seat) if seat else due.seat, word)
        return Chosen(due.seat, GAME.choices(table.rules, tuple(table.inputs), table.down).auto)

    def seats(self, step: str) -> list[int]:
        """Who was asked at a step, in order."""
        return [seat for at, seat, _ in self.asked if at == step]


def deck_of(
    first: Mapping[int, str],
    face: str,
    last: Mapping[int, str] = MappingProxyType({}),
    *,
    receiver: int,
    dealer: int = 3,
) -> Iterator[Card]:
    """The order of dealing that gives seats these first five and last cards, and this open card.

    Cards are separated by spaces; what a seat is short of comes from what is left of the pack, by
    suit.
    """
    named = " ".join((*first.values(), face, *last.values())).split()
    assert len(set(named)) == len(named), "a card is named twice"
    left = iter([card.code for card in GAME.pack if card.code not in named])
    order = [(dealer + 1 + step) % 4 for step in range(4)]

    def filled(some: Mapping[int, str], seat: int, size: int) -> list[str]:
        own = some.get(seat, "").split()
        return own + [next(left) for _ in range(size - len(own))]

    fives = {seat: filled(first, seat, 5) for seat in order}
    rest = {seat: filled(last, seat, 2 if seat == receiver else 3) for seat in order}
    deck = [code for seat in order for code in fives[seat][:3]]
    deck += [code for seat in order for code in fives[seat][3:]]
    deck += [face, *(code for seat in order for code in rest[seat])]
    return iter([Card.parse(code) for code in deck])


def cards(codes: str) -> list[Card]:
    """Cards by their codes, separated by spaces."""
    return [Card.parse(code) for code in codes.split()]


def hokum(**more: list[str]) -> dict[str, list[str]]:
    """Words by which seat 0 buys hokum in the first round, dealt by seat 3."""
    calls = ["hokum", "pass", "pass", "pass", "hokum"]
    return {"bidding": calls, "confirm": calls, **more}
