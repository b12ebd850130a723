"""The round of Boundless Blackjack: which card goes where, and who may choose when (RULES.md 1.4).

One hand is shared by any number of players. What they decide arrives as choices of cohorts, so a
round costs the same for one player and for a million.
"""

from enum import StrEnum
from typing import Final

from studio.domain.cards import Card
from studio.games.boundless.felt import DEALER, LANES, SHARED, Felt
from studio.games.boundless.outcome import BoundlessOutcome, outcome_of
from studio.games.boundless.rules import BoundlessRules, Schedule
from studio.games.hands21 import DEALER_STANDS, TEN
from studio.games.procedure import (
    Deal,
    Decide,
    Decided,
    Facing,
    Offer,
    Peek,
    Procedure,
    Reveal,
    Staked,
    Stakes,
)

BUST_BONUS: Final = "bust_bonus"
"""The side bet for which the dealer draws though no hand needs it (D-06)."""
ACE: Final = 1
"""Points of the first dealer's card under which insurance is offered (D-03)."""
HOLE_INPUT: Final = 4
"""Place of the hole card in the list of inputs: after the stakes and three cards."""


class Step(StrEnum):
    """What a round may wait for."""

    BETS = "bets"
    """The bets as they were closed."""
    FIRST_FOUR = "first_four"
    """Shared hand, dealer, shared hand face up; the dealer's second card face down."""
    INSURANCE = "insurance"
    """Players choose whether they insure their stake (D-03)."""
    PEEK = "peek"
    """Whether the hole card makes a natural, without anybody's seeing it (D-02)."""
    DECISION = "decision"
    """Players choose what to do with their open hands (D-04)."""
    LANE_CARD = "lane_card"
    """One card for a lane on which somebody takes one, face up."""
    HOLE_CARD = "hole_card"
    """The dealer's second card is turned."""
    DEALER_DRAWS = "dealer_draws"
    """A further card for the dealer, face up."""


STAKES: Final = Stakes(Step.BETS)
SHARED_CARD: Final = Deal(to=SHARED, face=Facing.UP, step=Step.FIRST_FOUR)
UP_CARD: Final = Deal(to=DEALER, face=Facing.UP, step=Step.FIRST_FOUR)
HOLE_CARD: Final = Deal(to=DEALER, face=Facing.DOWN, step=Step.FIRST_FOUR)
INSURE: Final = Decide(
    Step.INSURANCE,
    (Offer("", "", ("insure", "decline"), costs=("insure",), auto="decline", short="decline"),),
)
PEEK: Final = Peek(zone=DEALER, step=Step.PEEK)
LANE_CARD: Final = {lane: Deal(to=lane, face=Facing.UP, step=Step.LANE_CARD) for lane in LANES}
TURN: Final = Reveal(zone=DEALER, index=HOLE_INPUT, step=Step.HOLE_CARD)
DRAW: Final = Deal(to=DEALER, face=Facing.UP, step=Step.DEALER_DRAWS)


def boundless(rules: BoundlessRules) -> Procedure[BoundlessOutcome]:
    """Boundless Blackjack: what is dealt, to whom, in which order, and who chooses when."""
    return deal(rules, Felt())


def deal(rules: BoundlessRules, felt: Felt) -> Procedure[BoundlessOutcome]:
    """Deal a round onto this felt, which shows at any time what lies there."""
    felt.staked = _staked((yield STAKES))
    shared, dealer = felt.shared, felt.dealer
    shared.take(_seen((yield SHARED_CARD)))
    dealer.take(_seen((yield UP_CARD)))
    shared.take(_seen((yield SHARED_CARD)))
    yield HOLE_CARD  # what it is stays unknown here until it is turned
    felt.seat()
    up = felt.up
    if up == ACE and felt.staked.seated:
        yield INSURE
    if up in (ACE, TEN):
        felt.said_natural = bool((yield PEEK))
    if not felt.said_natural:
        if rules.schedule is Schedule.WAVES:
            yield from _play(felt, LANES)
        else:
            for lane in LANES:
                yield from _play(felt, (lane,))
    # What lies there counts; the table holds before this if a look in secret said otherwise.
    dealer.take(_seen((yield TURN)))
    if not dealer.natural and (felt.waits or BUST_BONUS in felt.staked.bets):
        while dealer.score < DEALER_STANDS:
            dealer.take(_seen((yield DRAW)))
    return outcome_of(felt)


def _play(felt: Felt, lanes: tuple[str, ...]) -> Procedure[None]:
    """Let players choose and give each lane with takers one card, until no hand is open (D-04).

    Under `lanes` the first window is common by itself: before it everybody holds M. The hands of a
    split take their second cards in that wave, whichever schedule.
    """
    while offers := felt.offers(lanes):
        felt.execute(_decided((yield Decide(Step.DECISION, offers))))
        for lane in LANES:
            if lane in felt.takers:
                felt.take(lane, _seen((yield LANE_CARD[lane])))


def _seen(answer: object) -> Card:
    """A card that all can see; one without identity cannot be answered where this is asked."""
    if isinstance(answer, Card):
        return answer
    raise TypeError(f"a card that can be seen is due, not {answer!r}")


def _staked(answer: object) -> Staked:
    """The bets as they were closed."""
    if isinstance(answer, Staked):
        return answer
    raise TypeError(f"the closed bets are due, not {answer!r}")


def _decided(answer: object) -> Decided:
    """A closed window."""
    if isinstance(answer, Decided):
        return answer
    raise TypeError(f"a closed window is due, not {answer!r}")
