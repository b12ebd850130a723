"""What a screen shows of a round of blackjack while it is played."""

from collections.abc import Iterable

from studio.domain.cards import Card
from studio.games.blackjack.felt import DEALER, ZONES, Felt, Seat, SeatHand
from studio.games.blackjack.outcome import HandResult, sure_result
from studio.games.blackjack.round import deal
from studio.games.blackjack.rules import BlackjackRules
from studio.games.blackjack.steps import Step
from studio.games.hands21 import TEN, TWENTY_ONE, TWO_CARDS, Hand, natural
from studio.games.procedure import Deal, Dealt, Decide, Input, Request, Staked, run
from studio.games.spec import Crowd, HandTotal, LaneState

HANDS = (*ZONES, DEALER)
"""The zones that are hands."""


def totals(
    rules: BlackjackRules,  # noqa: ARG001  one shape for all games
    cards: tuple[tuple[str, Dealt], ...],
) -> tuple[HandTotal, ...]:
    """Totals of all hands from the cards so far, of each zone or name of a hand by itself.

    A card whose identity is not known is left out, so the dealer's total is that of the first card
    until the hole card is turned.
    """
    laid: dict[str, list[Card]] = {zone: [] for zone in HANDS}
    for zone, dealt in cards:
        if dealt.card is not None:
            laid.setdefault(zone, []).append(dealt.card)
    return tuple(_total(zone, found) for zone, found in laid.items())


def _total(zone: str, cards: Iterable[Card]) -> HandTotal:
    """Total of one hand; of a soft one also the other total."""
    hand = Hand(cards)
    return HandTotal(
        zone=zone,
        total=hand.score if hand.cards else None,
        low=hand.score - TEN if hand.soft else None,
    )


def plan(rules: BlackjackRules) -> tuple[tuple[str, bool, bool], ...]:  # noqa: ARG001
    """(zone, laid across, only perhaps) of the cards of a round.

    How many seats are taken is known only once bets are closed; the first one always is. After its
    first card each zone is named once, for any number of cards.
    """
    return ((ZONES[0], False, False), *((zone, False, True) for zone in HANDS))


def word(rules: BlackjackRules, inputs: tuple[Input, ...], zone: str) -> str | None:
    """What a hand does: ``natural``, ``bust``; of the dealer ``draws`` and ``stands`` too.

    `zone` may be the name of a hand, as ``S3:2``. Of the dealer nothing is said before the second
    card lies face up.
    """
    felt = Felt(rules)
    standing = run(lambda: deal(rules, felt), inputs)
    if zone != DEALER:
        hand = next((each for seat in felt.seats for each in seat.hands if each.lane == zone), None)
        if hand is None or len(hand.cards) < TWO_CARDS:
            return None
        if hand.natural:
            return "natural"
        return "bust" if hand.score > TWENTY_ONE else None
    dealer = felt.dealer
    if len(dealer.cards) < TWO_CARDS:
        return None
    if dealer.natural:
        return "natural"
    if dealer.score > TWENTY_ONE:
        return "bust"
    return "draws" if isinstance(standing.due, Deal) else "stands"


def hidden_natural(
    rules: BlackjackRules,  # noqa: ARG001  one shape for all games
    inputs: tuple[Input, ...],
    hidden: Card,
) -> bool:
    """Whether the hidden card makes a natural with the dealer's first card."""
    staked = inputs[0]
    seats = staked.seated if isinstance(staked, Staked) else 0
    up = inputs[seats + 1]
    return isinstance(up, Dealt) and up.card is not None and natural(up.card, hidden)


def hands_of(
    rules: BlackjackRules, inputs: tuple[Input, ...]
) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """(zone, name, places in the list of inputs) of the hands of seats that have split.

    A split takes a card along to its new hand, so where a card lies is known from the play alone.
    """
    felt = Felt(rules)
    asked = run(lambda: deal(rules, felt), inputs).asked
    at = [n for n, due in enumerate(asked) if isinstance(due, Deal)]
    return tuple(
        (seat.zone, hand.lane, tuple(at[number] for number in hand.numbers))
        for seat in felt.seats
        if len(seat.hands) > 1
        for hand in seat.hands
    )


# -- the seats ------------------------------------------------------------------------------------


def crowd(rules: BlackjackRules, inputs: tuple[Input, ...]) -> Crowd:
    """Tell what the seats have done so far and which hand is played now, from a round's inputs."""
    felt = Felt(rules)
    due = run(lambda: deal(rules, felt), inputs).due
    takes = isinstance(due, Deal) and due.step in (Step.FIRST_CARDS, Step.SEAT_CARD)
    return Crowd(
        seated=len(felt.seats),
        takers=int(takes and isinstance(due, Deal) and due.to != DEALER),
        lanes=tuple(_state(felt, seat, hand, due) for seat in felt.seats for hand in seat.hands),
    )


def _state(felt: Felt, seat: Seat, hand: SeatHand, due: Request | None) -> LaneState:
    """One hand: whether it takes the next card, whether it stood, and the word for it."""
    named = _word(felt, seat, hand, due)
    return LaneState(
        zone=hand.lane,
        taking=int(named == "next"),
        stood=int(named in ("closed", "done", "blackjack") and not hand.surrendered),
        state=named,
    )


def _word(felt: Felt, seat: Seat, hand: SeatHand, due: Request | None) -> str:
    """``next``, ``asked``, ``blackjack``, ``bust``, ``surrender``, ``done``, ``closed`` or empty.

    A hand is closed once its player has stood; done where it ended by itself: at 21, by its number
    of cards, with the one card of a double or of a split ace.
    """
    if isinstance(due, Deal) and due.to == seat.zone and felt.acting in (None, hand):
        return "next"
    if isinstance(due, Decide) and any(offer.lane == hand.lane for offer in due.offers):
        return "asked"
    if hand.natural:
        return "blackjack"
    match sure_result(felt, hand):
        case HandResult.BUST:
            return "bust"
        case HandResult.SURRENDER:
            return "surrender"
        case HandResult.CHARLIE:
            return "done"
    if not hand.over and not _given_one_card(felt, hand):
        return ""
    return "done" if hand.doubled or hand.score == TWENTY_ONE or not hand.over else "closed"


def _given_one_card(felt: Felt, hand: SeatHand) -> bool:
    """Whether it is a split ace that has got its one card and is asked nothing more."""
    only_one = hand.split_ace and not felt.rules.hit_split_aces
    return only_one and len(hand.cards) == TWO_CARDS and hand is not felt.acting
