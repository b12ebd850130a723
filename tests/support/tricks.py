"""A little game of tricks for two seats, with all that such games ask of a table.

Each seat has two cards face down; one card is turned; seat 0 may take it. Two tricks are played;
who answers must follow suit. It carries how many rounds were played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from studio.domain.cards import PACK, Card, Rank
from studio.games.board import Board, Choices, Known, RackSlot, SeatState
from studio.games.procedure import (
    Carry,
    Choose,
    Clear,
    Confirm,
    Deal,
    Dealt,
    Facing,
    Input,
    Move,
    Procedure,
    RuledAgainst,
    run,
)
from studio.games.shoe import end_shoe
from studio.games.spec import Game, Pay
from studio.table.state import Limit, Setup, Times
from tests.support.rig import Rig

LITTLE: Final = tuple(card for card in PACK if card.rank in (Rank.ACE, Rank.KING, Rank.SEVEN))
"""The pack: twelve cards."""
RACKS: Final = ((0, "H0", (1, 3)), (1, "H1", (2, 4)))
"""(seat, zone, inputs that deal its cards)."""
FACE_AT: Final = 5


@dataclass(frozen=True, slots=True)
class TrickRules:
    """One pack; nothing to choose."""

    decks: int = 1
    cut_card_from_end: int = 0

    def as_dict(self) -> dict[str, Any]:
        """No rule has a name."""
        return {}


@dataclass(frozen=True, slots=True)
class TrickOutcome:
    """How often the table has played."""

    code: str
    played: int

    def as_dict(self) -> dict[str, Any]:
        """What a record needs."""
        return {"played": self.played}


def new_shoe(rules: TrickRules) -> Procedure[int]:
    """Shuffle and load."""
    yield Confirm("shuffle")
    yield Confirm("load")
    return 0


def trick_round(rules: TrickRules) -> Procedure[TrickOutcome]:
    """One round; a verdict ends it."""
    carried = yield Carry("carry")
    played = carried.figures[0] + 1  # type: ignore[union-attr]
    try:
        yield from _course()
    except RuledAgainst:
        return TrickOutcome("qayd", played)
    return TrickOutcome("played", played)


def _course() -> Procedure[None]:
    for _ in range(2):
        for _, zone, _ in RACKS:
            yield Deal(to=zone, face=Facing.DOWN, step="first_packets")
    yield Deal(to="FACE", face=Facing.UP, step="face_card")
    besides = ((1, "kawesh"),)
    call = yield Choose(step="bidding", seat=0, options=("pass", "take"), besides=besides)
    if call.option == "kawesh":  # type: ignore[union-attr]
        return
    if call.option == "take":  # type: ignore[union-attr]
        yield Move(index=FACE_AT, to="H0", face=Facing.UP, step="take_face")
    left = {seat: ["1", "2"] for seat, _, _ in RACKS}
    for _ in range(2):
        for seat, _, indexes in RACKS:
            given = yield Choose(step="play", seat=seat, options=tuple(left[seat]))
            option = given.option  # type: ignore[union-attr]
            left[seat].remove(option)
            index = indexes[int(option) - 1]
            yield Move(index=index, to=f"T{seat}", face=Facing.UP, step="turn_card")
        yield Clear(zones=("T0", "T1"), step="take_trick")


def choices(rules: TrickRules, inputs: tuple[Input, ...], known: Known) -> Choices:
    """What the seat that is asked may choose: who answers follows suit, if it can."""
    now = run(lambda: trick_round(rules), inputs)
    due = now.due
    assert isinstance(due, Choose)
    if due.step == "bidding":
        return Choices(options=(("pass", ""), ("take", "")), auto="pass")
    cards = {option: known.get(RACKS[due.seat][2][int(option) - 1]) for option in due.options}
    led = [given.card for given in inputs if hasattr(given, "card")][-1]
    same = {o: c for o, c in cards.items() if c and led and due.seat == 1 and c.suit == led.suit}
    found = same or cards
    told = tuple((option, card.code if card else "") for option, card in found.items())
    return Choices(options=told, auto=next(iter(found)))


def besides(
    rules: TrickRules,
    inputs: tuple[Input, ...],
    known: Known,
    seat: int,
    option: str,
) -> bool:
    """Who holds two sevens may give up."""
    held = [known[at] for at in RACKS[seat][2] if at in known]
    return option == "kawesh" and len(held) == 2 and {c.rank for c in held} == {Rank.SEVEN}


def board(rules: TrickRules, inputs: tuple[Input, ...], known: Known) -> Board:
    """Racks and score alone."""
    now = run(lambda: trick_round(rules), inputs)
    moved = {ask.index for ask in now.asked if isinstance(ask, Move)}
    seats = tuple(
        SeatState(
            seat=seat,
            rack=tuple(
                RackSlot(index=at, look="gone" if at in moved else "back")
                for at in indexes
                if at < len(inputs)
            ),
        )
        for seat, _, indexes in RACKS
    )
    return Board(
        seats=seats,
        dealer=1,
        scores=(inputs[0].figures[0], 0),
        target=9,
        game_no=1,
        round_no=1,  # type: ignore[union-attr]
    )


def plan(rules: TrickRules) -> tuple[tuple[str, bool, bool], ...]:
    """The order of dealing."""
    return (("H0", False, False), ("H1", False, False)) * 2 + (("FACE", False, False),)


def _pays(rules: TrickRules, outcome: TrickOutcome) -> dict[str, Pay]:
    return {"any": Pay(1)}


def _rules(given: Mapping[str, Any]) -> TrickRules:
    return TrickRules(**given)


TRICKS: Final = Game(
    name="tricks",
    version="tricks@1",
    bets=("any",),
    steps=("carry", "first_packets", "face_card", "bidding", "take_face", "play", "turn_card"),
    hands=("H0", "H1"),
    laid=("FACE", "T0", "T1"),
    rules=_rules,
    round=trick_round,
    new_shoe=new_shoe,
    end_shoe=end_shoe,
    pays=_pays,
    certain=lambda rules, inputs: {},
    offered=lambda rules, number: ("any",),
    refuse_bet=lambda rules, bet, has, number: None,
    rounds_after_cut=lambda rules, cards: 0,
    totals=lambda rules, cards: (),
    rule_text=lambda rules: (),
    plan=plan,
    word=lambda rules, inputs, zone: None,
    pack=LITTLE,
    rounds_in_shoe=1,
    first=(0,),
    carried=lambda outcome: (outcome.played,),
    choices=choices,
    besides=besides,
    board=board,
)


def setup_of(sources: tuple[str, ...]) -> Setup:
    """A table of the little game."""
    return Setup(
        table="tr1",
        game=TRICKS,
        rules=TrickRules(),
        rules_digest="rules",
        sources=sources,
        limits=(("any", Limit(1, 1_000_000)),),
        times=Times(),
    )


@dataclass
class TrickRig(Rig):
    """One table of the little game under test."""

    sources: tuple[str, ...] = ("shoe",)
    zones: tuple[str, ...] = field(default=("H0", "H1", "FACE", "T0", "T1"))

    def __post_init__(self) -> None:
        """Lay an empty felt."""
        self.setup = setup_of(self.sources)
        self.felt = {zone: [] for zone in self.zones}

    def loaded(self) -> TrickRig:
        """Open the table, and load the first shoe."""
        from studio.domain import commands as c  # noqa: PLC0415

        self.online()
        self.give(c.OpenTable())
        return self.reloaded()

    def reloaded(self) -> TrickRig:
        """Shuffle and load."""
        from studio.domain import commands as c  # noqa: PLC0415

        self.give(c.StartShoe())
        for _ in range(2):
            self.give(c.ConfirmStep())
        return self

    def dealt(self, *codes: str) -> TrickRig:
        """Deal five cards: to the seats in turn, and the one that is turned."""
        self.dealing(any=100)
        for zone, code in zip(("H0", "H1", "H0", "H1", "FACE"), codes, strict=True):
            self.pass_card(zone, code)
        return self

    def pass_card(self, zone: str, code: str) -> None:
        """A card passes every source; one that lies face down shows its back."""
        if "shoe" in self.sources:
            self.read(code)
        if "camera" in self.sources:
            self.lay(zone, code if zone == "FACE" else "XX")


def card(code: str) -> Card:
    """A card by its code."""
    return Card.parse(code)


def known_inputs(inputs: tuple[Input, ...]) -> list[str]:
    """Codes of the cards that a procedure was told of."""
    return [given.card.code for given in inputs if isinstance(given, Dealt) and given.card]


def lifted(rig: TrickRig, zone: str, place: int) -> None:
    """A card is taken from a rack, before the camera has told of it; `place` counts from 0."""
    rig.felt[zone].pop(place)


def turned(rig: TrickRig, zone: str, place: int, to: str, code: str) -> None:
    """A card of a rack is laid open elsewhere, as the camera sees it."""
    lifted(rig, zone, place)
    rig.lay(to, code)
