"""What a screen shows of a round of Boundless Blackjack while it is played."""

from studio.domain.cards import Card
from studio.games.boundless.felt import DEALER, LANES, LEFT, RIGHT, SHARED, Felt
from studio.games.boundless.round import deal
from studio.games.boundless.rules import BoundlessRules
from studio.games.hands21 import TEN, TWENTY_ONE, TWO_CARDS, Hand, natural
from studio.games.procedure import Deal, Dealt, Input, run
from studio.games.spec import HandTotal

HANDS = (*LANES, DEALER)
"""The zones that are hands."""


def totals(
    rules: BoundlessRules,  # noqa: ARG001  one shape for all games
    cards: tuple[tuple[str, Dealt], ...],
) -> tuple[HandTotal, ...]:
    """Totals of all hands from the cards so far, those on L and R with their images.

    A card whose identity is not known is left out, so the dealer's total is that of the first card
    until the hole card is turned. A lane without a card of its own has none.
    """
    laid: dict[str, list[Card]] = {zone: [] for zone in HANDS}
    for zone, dealt in cards:
        if zone in laid and dealt.card is not None:
            laid[zone].append(dealt.card)
    for lane, image in zip((LEFT, RIGHT), laid[SHARED], strict=False):
        if laid[lane]:
            laid[lane].insert(0, image)
    return tuple(_total(zone, laid[zone]) for zone in HANDS)


def _total(zone: str, cards: list[Card]) -> HandTotal:
    """Total of one hand; of a soft one also the other total."""
    hand = Hand(cards)
    return HandTotal(
        zone=zone,
        total=hand.score if cards else None,
        low=hand.score - TEN if hand.soft else None,
    )


def plan(rules: BoundlessRules) -> tuple[tuple[str, bool, bool], ...]:  # noqa: ARG001
    """(zone, laid across, only perhaps) of the cards of a round, in order of dealing.

    After the first four each zone is named once, for any number of cards.
    """
    first_four = tuple((zone, False, False) for zone in (SHARED, DEALER) * TWO_CARDS)
    return (*first_four, *((zone, False, True) for zone in HANDS))


def word(rules: BoundlessRules, inputs: tuple[Input, ...], zone: str) -> str | None:
    """What a hand does: ``natural``, ``bust``; of the dealer ``draws`` and ``stands`` too.

    Of the dealer nothing is said before the hole card is turned.
    """
    felt = Felt()
    standing = run(lambda: deal(rules, felt), inputs)
    hand = felt.dealer if zone == DEALER else felt.lanes.get(zone)
    if hand is None or len(hand.cards) < TWO_CARDS:
        return None
    if hand.natural and zone in (SHARED, DEALER):
        return "natural"
    if hand.score > TWENTY_ONE:
        return "bust"
    if zone != DEALER:
        return None
    return "draws" if isinstance(standing.due, Deal) else "stands"


def hidden_natural(
    rules: BoundlessRules,  # noqa: ARG001  one shape for all games
    inputs: tuple[Input, ...],
    hidden: Card,
) -> bool:
    """Whether the hidden card makes a natural with the dealer's first card."""
    up = inputs[2]
    return isinstance(up, Dealt) and up.card is not None and natural(up.card, hidden)
