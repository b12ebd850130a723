"""The round of blackjack: which card goes where, and who may choose when (RULES.md 2.3).

Every seat is a cohort of one player. A seat plays its hands to their end before the next one begins
(D-22), so each window asks one player about one hand; insurance and early surrender ask all seats
in one window.
"""

from enum import StrEnum
from typing import Final

from studio.domain.cards import Card
from studio.games.blackjack.felt import DEALER, ZONES, Felt, Seat
from studio.games.blackjack.outcome import BlackjackOutcome, outcome_of
from studio.games.blackjack.rules import BlackjackRules, Surrender
from studio.games.hands21 import DEALER_STANDS, TEN
from studio.games.procedure import (
    Choice,
    Deal,
    Decide,
    Decided,
    Facing,
    Peek,
    Procedure,
    Reveal,
    Staked,
    Stakes,
)

ACE: Final = 1
"""Points of the dealer's first card under which insurance is offered (D-21)."""


class Step(StrEnum):
    """What a round may wait for."""

    BETS = "bets"
    """The bets as they were closed."""
    FIRST_CARDS = "first_cards"
    """Two cards for each seat, in two turns of the table, and the dealer's first one after one."""
    HIDDEN_CARD = "hidden_card"
    """The dealer's second card, face down; not dealt where the rules have no hole card."""
    EARLY_SURRENDER = "early_surrender"
    """Seats choose whether they give up before insurance and the secret look (D-26)."""
    INSURANCE = "insurance"
    """Seats choose whether they insure their stake (D-21)."""
    PEEK = "peek"
    """Whether the hole card makes a natural, without anybody's seeing it."""
    DECISION = "decision"
    """A seat chooses what to do with one of its hands."""
    SEAT_CARD = "seat_card"
    """A card for a hand of a seat, face up."""
    HOLE_CARD = "hole_card"
    """The dealer's second card is turned."""
    SECOND_CARD = "second_card"
    """The dealer's second card, face up after the seats, where there is no hole card (D-27)."""
    DEALER_DRAWS = "dealer_draws"
    """A further card for the dealer, face up."""


STAKES: Final = Stakes(Step.BETS)
FIRST: Final = {zone: Deal(to=zone, face=Facing.UP, step=Step.FIRST_CARDS) for zone in ZONES}
UP_CARD: Final = Deal(to=DEALER, face=Facing.UP, step=Step.FIRST_CARDS)
HIDDEN: Final = Deal(to=DEALER, face=Facing.DOWN, step=Step.HIDDEN_CARD)
PEEK: Final = Peek(zone=DEALER, step=Step.PEEK)
SEAT_CARD: Final = {zone: Deal(to=zone, face=Facing.UP, step=Step.SEAT_CARD) for zone in ZONES}
SECOND: Final = Deal(to=DEALER, face=Facing.UP, step=Step.SECOND_CARD)
DRAW: Final = Deal(to=DEALER, face=Facing.UP, step=Step.DEALER_DRAWS)


def blackjack(rules: BlackjackRules) -> Procedure[BlackjackOutcome]:
    """Blackjack: what is dealt, to whom, in which order, and who chooses when."""
    return deal(rules, Felt(rules))


def hole_input(seats: int) -> int:
    """Place of the hole card in the list of inputs: after stakes, the seats' cards, the up card."""
    return 2 * seats + 2


def deal(rules: BlackjackRules, felt: Felt) -> Procedure[BlackjackOutcome]:
    """Deal a round onto this felt, which shows at any time what lies there.

    Raises:
        TypeError: if more players have a hand than the table has seats.
    """
    felt.seats = [Seat(zone) for zone in ZONES[: _staked((yield STAKES))]]
    for seat in felt.seats:
        felt.take(seat, seat.first, _seen((yield FIRST[seat.zone])))
    felt.take_dealer(_seen((yield UP_CARD)))
    for seat in felt.seats:
        felt.take(seat, seat.first, _seen((yield FIRST[seat.zone])))
    if rules.peeks:
        yield HIDDEN  # what it is stays unknown here until it is turned
    if rules.surrender is Surrender.EARLY and (early := felt.early()):
        felt.given_up(_decided((yield Decide(Step.EARLY_SURRENDER, early))))
    up = felt.up
    if rules.insurance and up == ACE and (insurance := felt.insurance()):
        felt.insured(_decided((yield Decide(Step.INSURANCE, insurance))))
    if rules.peeks and up in (ACE, TEN):
        felt.said_natural = bool((yield PEEK))
    if not felt.said_natural:
        for seat in felt.seats:
            yield from _play(felt, seat)
    yield from _dealer(rules, felt)
    return outcome_of(felt)


def _play(felt: Felt, seat: Seat) -> Procedure[None]:
    """Let a seat play its hands one after the other, each to its end (D-22)."""
    at, due = 0, SEAT_CARD[seat.zone]
    while at < len(seat.hands):
        felt.acting = hand = seat.hands[at]
        if hand.way and len(hand.cards) == 1:
            felt.take(seat, hand, _seen((yield due)))
        offer = felt.offer(seat, hand)
        if offer is None:
            at += 1
            continue
        (choice,) = _decided((yield Decide(Step.DECISION, (offer,))))
        if felt.execute(seat, at, choice):
            felt.acting = hand = seat.hands[at]
            felt.take(seat, hand, _seen((yield due)))
    felt.acting = None


def _dealer(rules: BlackjackRules, felt: Felt) -> Procedure[None]:
    """Show the dealer's second card and draw where a hand is still in (D-27, D-28)."""
    dealer, waits = felt.dealer, felt.any_waits
    if rules.peeks:
        # What lies there counts; the table holds before this if a look in secret said otherwise.
        turn = Reveal(zone=DEALER, index=hole_input(len(felt.seats)), step=Step.HOLE_CARD)
        felt.turn(_seen((yield turn)))
    elif waits or (felt.up in (ACE, TEN) and felt.natural_or_insurance):
        felt.take_dealer(_seen((yield SECOND)))
    if not waits or dealer.natural:
        return
    while dealer.score < DEALER_STANDS or (
        rules.dealer_hits_soft_17 and dealer.score == DEALER_STANDS and dealer.soft
    ):
        felt.take_dealer(_seen((yield DRAW)))


def _seen(answer: object) -> Card:
    """A card that all can see; one without identity cannot be answered where this is asked."""
    if isinstance(answer, Card):
        return answer
    raise TypeError(f"a card that can be seen is due, not {answer!r}")


def _staked(answer: object) -> int:
    """How many seats are taken by the bets as they were closed."""
    if not isinstance(answer, Staked):
        raise TypeError(f"the closed bets are due, not {answer!r}")
    if answer.seated > len(ZONES):
        raise TypeError(f"{answer.seated} players have a hand, but there are {len(ZONES)} seats")
    return answer.seated


def _decided(answer: object) -> tuple[Choice, ...]:
    """The choices of a closed window."""
    if isinstance(answer, Decided):
        return answer.choices
    raise TypeError(f"a closed window is due, not {answer!r}")
