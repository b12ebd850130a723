"""The round of blackjack: which card goes where, and who may choose when (RULES.md 2.3).

Every seat is a cohort of one player. A seat plays its hands to their end before the next one begins
(D-22), so each window asks one player about one hand; insurance and early surrender ask all seats
in one window.
"""

from typing import Final

from studio.domain.cards import Card
from studio.games.blackjack.felt import DEALER, ZONES, Felt, Seat
from studio.games.blackjack.outcome import BlackjackOutcome, outcome_of
from studio.games.blackjack.rules import BlackjackRules, Surrender
from studio.games.blackjack.steps import Step
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


STAKES: Final = Stakes(Step.BETS)
FIRST: Final = {zone: Deal(to=zone, face=Facing.UP, step=Step.FIRST_CARDS) for zone in ZONES}
UP_CARD: Final = Deal(to=DEALER, face=Facing.UP, step=Step.FIRST_CARDS)
HIDDEN: Final = Deal(to=DEALER, face=Facing.DOWN, step=Step.HIDDEN_CARD)
PEEK: Final = Peek(zone=DEALER, step=Step.PEEK)
SEAT_CARD: Final = {zone: Deal(to=zone, face=Facing.UP, step=Step.SEAT_CARD) for zone in ZONES}
SECOND: Final = Deal(to=DEALER, face=Facing.UP, step=Step.SECOND_CARD)
DRAW: Final = Deal(to=DEALER, face=Facing.UP, step=Step.DEALER_DRAWS)
TURN: Final = tuple(
    # The hole card comes after the stakes, two cards for each seat and the dealer's first one.
    Reveal(zone=DEALER, index=2 * seats + 2, step=Step.HOLE_CARD)
    for seats in range(len(ZONES) + 1)
)
"""What turns the hole card, by the number of seats that are taken."""


def blackjack(rules: BlackjackRules) -> Procedure[BlackjackOutcome]:
    """Blackjack: what is dealt, to whom, in which order, and who chooses when."""
    return deal(rules, Felt(rules))


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
        yield HIDDEN
        felt.hide()
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
        asked = felt.asked(seat, hand)
        if asked is None:
            at += 1
            continue
        (choice,) = _decided((yield asked))
        if felt.execute(seat, at, choice):
            felt.acting = hand = seat.hands[at]
            felt.take(seat, hand, _seen((yield due)))
    felt.acting = None


def _dealer(rules: BlackjackRules, felt: Felt) -> Procedure[None]:
    """Show the dealer's second card and draw where a hand is still in (D-27, D-28)."""
    dealer, waits = felt.dealer, felt.any_waits
    if rules.peeks:
        # What lies there counts; the table holds before this if a look in secret said otherwise.
        felt.turn(_seen((yield TURN[len(felt.seats)])))
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
