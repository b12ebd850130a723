"""A card that is dealt face down and shows its face: whether the deal is given up for it (BL1)."""

from studio.domain.cards import Card
from studio.domain.observations import Look
from studio.games.procedure import Deal
from studio.table.named import reading_of
from studio.table.row import ACE_SHOWN
from studio.table.state import Script
from studio.table.turn import Turn

Key = tuple[str, int]
"""(zone, track) of a card on the felt."""


def exposed_word(turn: Turn, key: Key | None) -> str:
    """First word of what is said of an open card on the felt: `ACE_SHOWN`, or nothing.

    Nothing else is told of it here: where the game goes on with it, only its seat knows it. So once
    no card is dealt, nothing is told of an ace either.
    """
    play = turn.table.play
    if not isinstance(turn.due, Deal):
        return ""
    card = _read(turn, key) if key is not None else None
    if play is None or play.script is not Script.ROUND or card is None:
        return ""
    return ACE_SHOWN if turn.setup.game.redealt(turn.setup.rules, card) else ""


def _read(turn: Turn, key: Key) -> Card | None:
    """What the camera is sure of, also where it may have no name."""
    sensing = turn.table.sensing
    for zone in sensing.zones:
        for card in zone.cards:
            if (zone.zone, card.track) == key and card.look is Look.FACE and card.sure:
                return reading_of(sensing, zone.zone, card)
    return None
