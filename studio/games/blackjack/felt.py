"""The felt of blackjack: seats, each with its hands, and what may be done with each (D-22, D-23).

Every seat is one cohort, named after its zone at first. A hand is named after the seat's zone and,
once split, the way it came about: ``S3:1`` and ``S3:2`` are the hands of a split, ``S3:12`` is the
second one of a split of ``S3:1``. So a name never changes its hand, however often is split.
"""

from functools import lru_cache
from typing import Final

from studio.domain.cards import Card, Rank
from studio.games.blackjack.rules import SEATS, BlackjackRules, DoubleOn, SplitBy, Surrender
from studio.games.blackjack.steps import Step
from studio.games.hands21 import POINTS, TWENTY_ONE, TWO_CARDS, Hand, by_itself
from studio.games.procedure import Choice, Decide, Offer

ZONES: Final = tuple(f"S{number}" for number in range(1, SEATS + 1))
"""Zones of the seats, in the order in which they are dealt to."""
DEALER: Final = "D"
"""Zone of the dealer's hand."""
MAIN: Final = "main"
"""The bet that gives its player a seat."""
STAND: Final = ("stand",)
HIT_STAND: Final = ("hit", "stand")


def stake_kind(lane: str) -> str:
    """The stake for which a hand plays: the seat's own, or that of the split which made it.

    Of a split the first hand goes on with the stake of the hand that was split, the second one has
    the new stake.
    """
    zone, _, way = lane.partition(":")
    made_by = way.rstrip("1")[:-1]
    if not way.rstrip("1"):
        return MAIN
    return f"split:{zone}:{made_by}" if made_by else f"split:{zone}"


class SeatHand(Hand):
    """One hand of a seat."""

    __slots__ = ("doubled", "lane", "numbers", "over", "surrendered", "way")

    def __init__(self, zone: str, way: str = "") -> None:
        """Start a hand; `way` is empty for the first one of a seat."""
        super().__init__()
        self.lane = f"{zone}:{way}" if way else zone
        self.way = way
        self.numbers: list[int] = []
        """Which of all cards of the round these are, counted from 0 in the order of dealing."""
        self.over = False
        """Its player chooses nothing more."""
        self.doubled = False
        self.surrendered = False

    @property
    def natural(self) -> bool:
        """Whether it is a natural: ace and ten-value on a split hand are a plain 21."""
        return not self.way and super().natural

    def halves(self, zone: str) -> tuple["SeatHand", "SeatHand"]:
        """Give the two hands of a split, each with one of the cards."""
        made = SeatHand(zone, f"{self.way}1"), SeatHand(zone, f"{self.way}2")
        for hand, card, number in zip(made, self.cards, self.numbers, strict=True):
            hand.take(card)
            hand.numbers.append(number)
        return made

    @property
    def split_ace(self) -> bool:
        """Whether it began as an ace of a split pair."""
        return bool(self.way) and self.cards[0].rank is Rank.ACE


class Seat:
    """One player with a hand, or several after splits."""

    __slots__ = ("cohort", "hands", "insured", "zone")

    def __init__(self, zone: str) -> None:
        """Start with one hand and no card."""
        self.zone = zone
        self.cohort = zone
        """Name of the seat's cohort: what it decided so far."""
        self.hands = [SeatHand(zone)]
        self.insured = False

    @property
    def first(self) -> SeatHand:
        """The hand that the seat had before any split, or the one that plays for its stake."""
        return self.hands[0]

    @property
    def surrendered(self) -> bool:
        """Whether the seat has given up."""
        return self.hands[0].surrendered


class Felt:
    """All that lies on the felt; a round fills it step by step."""

    __slots__ = ("acting", "dealer", "dealt", "hole", "rules", "said_natural", "seats")

    def __init__(self, rules: BlackjackRules) -> None:
        """Start with an empty felt."""
        self.rules = rules
        self.seats: list[Seat] = []
        self.dealer = Hand()
        self.dealt: list[tuple[str, int, Card | None]] = []
        """(zone, place of the hand among the seat's hands, card) in the order of dealing; the place
        is 0 where the seat has one hand, the card None while it lies hidden."""
        self.hole = -1
        """Place of the hole card in `dealt`, where it is kept free until the card is turned."""
        self.acting: SeatHand | None = None
        """The hand that is played now."""
        self.said_natural: bool | None = None
        """What a look in secret told of the hole card; None where none was asked for or told."""

    @property
    def up(self) -> int:
        """Points of the dealer's first card, an ace as 1."""
        return POINTS[self.dealer.cards[0].rank]

    def take(self, seat: Seat, hand: SeatHand, card: Card) -> None:
        """Give a card to a hand; whether that ends it shows at once (D-25)."""
        hand.take(card)
        dealt = self.dealt
        hand.numbers.append(len(dealt))
        dealt.append((seat.zone, seat.hands.index(hand) + 1 if hand.way else 0, card))
        if self.at_end(hand) or hand.doubled or (self.rules.charlie and self.charlie(hand)):
            hand.over = True

    def take_dealer(self, card: Card) -> None:
        """Give a card to the dealer."""
        self.dealer.take(card)
        self.dealt.append((DEALER, 0, card))

    def hide(self) -> None:
        """Lay the dealer's hole card; what it is stays unknown here until it is turned."""
        self.hole = len(self.dealt)
        self.dealt.append((DEALER, 0, None))

    def turn(self, card: Card) -> None:
        """Show the dealer's hole card, which lies there since the seats got their second cards."""
        self.dealer.take(card)
        self.dealt[self.hole] = (DEALER, 0, card)

    def at_end(self, hand: SeatHand) -> bool:
        """Whether nobody may choose for a hand with this score.

        A 21 stands by itself; with a Charlie in force a soft one may draw on towards it, which the
        figures of RULES.md 2.4 need. A natural never does.
        """
        if hand.score != TWENTY_ONE:
            return hand.score > TWENTY_ONE
        return not self.rules.charlie or not hand.soft or hand.natural

    def charlie(self, hand: SeatHand) -> bool:
        """Whether a hand wins at once by its number of cards (D-25)."""
        most = self.rules.charlie
        return bool(most) and len(hand.cards) >= most and hand.score <= TWENTY_ONE

    def waits(self, hand: SeatHand) -> bool:
        """Whether a hand depends on what the dealer gets (D-28)."""
        if hand.score > TWENTY_ONE or hand.surrendered or hand.natural:
            return False
        return not (self.rules.charlie and self.charlie(hand))

    @property
    def any_waits(self) -> bool:
        """Whether a hand is still in."""
        for seat in self.seats:
            for hand in seat.hands:
                if self.waits(hand):
                    return True
        return False

    @property
    def natural_or_insurance(self) -> bool:
        """Whether a natural or an insurance waits for the dealer's second card (D-27)."""
        return any(seat.insured or seat.first.natural for seat in self.seats)

    # -- what players may do, and do ----------------------------------------------------------

    def early(self) -> tuple[Offer, ...]:
        """Who may give up before insurance and the secret look: all but naturals (D-26)."""
        return tuple(
            _early(seat.cohort, seat.zone) for seat in self.seats if not seat.first.natural
        )

    def insurance(self) -> tuple[Offer, ...]:
        """Who may insure: seats that have not given up."""
        return tuple(_insurance(seat.cohort) for seat in self.seats if not seat.surrendered)

    def asked(self, seat: Seat, hand: SeatHand) -> Decide | None:
        """What a seat is asked about one of its hands; None where nothing is (D-23, D-24)."""
        rules = self.rules
        if hand.over or self.at_end(hand):
            return None
        draws = not hand.split_ace or rules.hit_split_aces
        costs: tuple[str, ...] = ()
        free: tuple[str, ...] = ()
        if len(hand.cards) == TWO_CARDS:
            if draws and self._may_double(hand):
                costs = ("double",)
            if self._may_split(seat, hand):
                costs = (*costs, "split")
            if rules.surrender is Surrender.LATE and not hand.way:
                free = ("surrender",)
        if not draws and not costs:
            return None
        return _decide(seat.cohort, hand.lane, hand.score, draws, costs, free)

    def _may_double(self, hand: SeatHand) -> bool:
        rules = self.rules
        if hand.score == TWENTY_ONE or (hand.way and not rules.double_after_split):
            return False
        if rules.double_on is DoubleOn.ANY:
            return True
        return not hand.soft and rules.double_on.least <= hand.score <= 11  # noqa: PLR2004

    def _may_split(self, seat: Seat, hand: SeatHand) -> bool:
        rules = self.rules
        if len(seat.hands) >= rules.max_hands or (hand.split_ace and not rules.resplit_aces):
            return False
        one, two = hand.cards
        if rules.split_by is SplitBy.RANK:
            return one.rank is two.rank
        return POINTS[one.rank] == POINTS[two.rank]

    def given_up(self, choices: tuple[Choice, ...]) -> None:
        """Note who surrendered early."""
        for seat, choice in self._of(choices):
            seat.cohort = choice.into
            if choice.actions[0][1] == "surrender":
                seat.first.surrendered = seat.first.over = True

    def insured(self, choices: tuple[Choice, ...]) -> None:
        """Note who insured; that is money alone and makes no other cohort."""
        for seat, choice in self._of(choices):
            seat.insured = choice.actions[0][1] == "insure"

    def _of(self, choices: tuple[Choice, ...]) -> list[tuple[Seat, Choice]]:
        seats = {seat.cohort: seat for seat in self.seats}
        return [(seats[choice.cohort], choice) for choice in choices]

    def execute(self, seat: Seat, at: int, choice: Choice) -> bool:
        """Do what was chosen for a hand; whether the hand in this place takes a card now."""
        hand = seat.hands[at]
        seat.cohort = choice.into
        match choice.actions[0][1]:
            case "hit":
                return True
            case "double":
                hand.doubled = True
                return True
            case "split":
                seat.hands[at : at + 1] = hand.halves(seat.zone)
                return True
            case "surrender":
                hand.surrendered = hand.over = True
            case "stand":
                hand.over = True
            case action:
                raise ValueError(f"nobody can {action} a hand")
        return False


@lru_cache(maxsize=256)
def _early(cohort: str, zone: str) -> Offer:
    return Offer(cohort, zone, ("surrender", "decline"), auto="decline")


@lru_cache(maxsize=256)
def _insurance(cohort: str) -> Offer:
    both = ("insure", "decline")
    return Offer(cohort, "", both, costs=("insure",), auto="decline", short="decline")


@lru_cache(maxsize=4096)
def _decide(
    cohort: str,
    lane: str,
    score: int,
    draws: bool,  # noqa: FBT001
    costs: tuple[str, ...],
    free: tuple[str, ...],
) -> Decide:
    """Ask about a hand with this score; automatic play and want of money go by it."""
    auto = by_itself(score) if draws else "stand"
    offer = Offer(
        cohort=cohort,
        lane=lane,
        actions=(*(HIT_STAND if draws else STAND), *costs, *free),
        costs=costs,
        auto=auto,
        short=auto if costs else "",
    )
    return Decide(Step.DECISION, (offer,))
