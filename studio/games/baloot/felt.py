"""What lies on the felt in a round of Baloot and what was said, as far as all can see it.

The felt never holds a card that lies face down: a rack is a row of places, and a place learns its
card when the dealer turns it.
"""

from dataclasses import dataclass, field
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.baloot.cards import HAND, LAST_TRICK, SEATS, Mode, next_seat, points, side_of
from studio.games.baloot.projects import Kind
from studio.games.baloot.rules import BalootRules
from studio.games.baloot.tricks import Played, winner
from studio.games.procedure import Answer, Procedure, Request

RACKS: Final = tuple(f"H{seat}" for seat in range(SEATS))
"""Zones of the seats' cards."""
FACE: Final = "FACE"
"""Zone of the card that is turned for the bidding."""
TRICK: Final = tuple(f"T{seat}" for seat in range(SEATS))
"""Zones of the open trick, one for each seat."""


@dataclass(slots=True)
class Place:
    """One place of a rack."""

    index: int
    """Place of the input that dealt its card, in the list of inputs."""
    card: Card | None = None
    """Once it was turned, and from the beginning for the card that lay face up."""
    gone: bool = False
    """Whether it was played."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a seat said in the bidding."""

    seat: int
    options: tuple[str, ...]
    """What was on offer."""
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What was bought."""

    mode: Mode
    caller: int
    """Seat that bought; its side is the buyers'."""
    receiver: int
    """Seat that gets the face-up card."""
    ashkal: bool
    trump: Suit | None
    """None in sun."""
    bidding_round: int
    """1 or 2."""

    @property
    def buyer(self) -> int:
        """Side of the buyers."""
        return side_of(self.caller)


@dataclass(slots=True)
class Trick:
    """A trick, the open one too."""

    lead: int
    cards: list[Played] = field(default_factory=list)
    taken_by: int | None = None
    """Its winner, once all four cards lie there."""
    points: int = 0
    """Card points; ten more for the last one."""


class Felt:
    """A round from its first card on."""

    def __init__(self, rules: BalootRules) -> None:
        """Lay out an empty felt."""
        self.rules = rules
        self.inputs = 0
        """How many inputs came so far, so the place of the next one."""
        self.scores = (0, 0)
        self.dealer = 0
        self.game_no = 1
        self.round_no = 1
        self.packets: list[tuple[int, list[int]]] = []
        """(seat, places among the inputs) of every packet in order of dealing."""
        self.racks: list[list[Place]] = [[] for _ in range(SEATS)]
        self.face: Card | None = None
        self.face_index = -1
        self.face_taken = False
        self.calls: list[Call] = []
        self.said: list[list[str]] = [[] for _ in range(SEATS)]
        """All that each seat called, oldest first."""
        self.contract: Contract | None = None
        self.multiplier = 1
        self.raises: list[tuple[int, str]] = []
        self.gahwa = False
        self.closed = False
        self.announced: dict[int, tuple[Kind, ...]] = {}
        self.tricks: list[Trick] = []
        self.chosen: Place | None = None
        """Place that a seat chose and the dealer has not turned yet."""
        self.shown_by: int | None = None
        """Seat that showed its first five cards."""
        self.against: int | None = None
        """Side against which a verdict was given."""

    # -- what is asked and what came ---------------------------------------------------------------

    def ask(self, request: Request) -> Procedure[Answer]:
        """Wait for one thing and count the input that answers it."""
        answer = yield request
        self.inputs += 1
        return answer

    def carry(self, figures: tuple[int, ...]) -> None:
        """Take over what the rounds before left.

        Raises:
            TypeError: if these are not the five figures of a round of Baloot.
        """
        match figures:
            case (first, second, dealer, game_no, round_no) if dealer in range(SEATS):
                self.scores = (first, second)
                self.dealer, self.game_no, self.round_no = dealer, game_no, round_no
            case _:
                raise TypeError(f"two scores, dealer, game and round are due, not {figures}")

    # -- who is who --------------------------------------------------------------------------------

    @property
    def eldest(self) -> int:
        """The seat to the right of the dealer: it is dealt to and speaks first."""
        return next_seat(self.dealer)

    @property
    def trump(self) -> Suit | None:
        """The hokum suit; None in sun and before there is a contract."""
        return self.contract.trump if self.contract else None

    @property
    def ace_face(self) -> bool:
        """Whether the face-up card is an ace, on which no ashkal is bid."""
        return self.face is not None and self.face.rank is Rank.ACE

    @property
    def raiser(self) -> int | None:
        """Side that raised last."""
        return side_of(self.raises[-1][0]) if self.raises else None

    # -- racks and tricks --------------------------------------------------------------------------

    def places(self, seat: int) -> tuple[str, ...]:
        """Names of the places of a rack that still hold a card, from the left, from ``1``."""
        return tuple(
            str(number) for number, place in enumerate(self.racks[seat], 1) if not place.gone
        )

    def place(self, seat: int, name: str) -> Place:
        """The place of a rack by its name."""
        return self.racks[seat][int(name) - 1]

    def play(self, seat: int, place: Place, card: Card) -> None:
        """Lay a card of a rack into the open trick, which is won once it has four."""
        place.card, place.gone = card, True
        trick = self.tricks[-1]
        trick.cards.append((seat, card))
        if len(trick.cards) == SEATS:
            trick.taken_by = winner(trick.cards, self.trump)
            trick.points = sum(points(card, self.trump) for _, card in trick.cards)
            if len(self.tricks) == HAND:
                trick.points += LAST_TRICK
