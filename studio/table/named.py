"""What the camera read of cards on the felt, also of those that lie there without a name.

Only what looks for faults reads it: no view and no fact names a card that nobody may know.
"""

from studio.domain.cards import Card
from studio.domain.observations import SeenCard, ZoneSeen
from studio.domain.values import replace
from studio.table.state import Sensing


def reading_of(sensing: Sensing, zone: str, card: SeenCard) -> Card | None:
    """What the camera read of a card on the felt, also where nobody may know it."""
    return _sealed(sensing).get((zone, card.track), card.card)


def opened(sensing: Sensing, only: tuple[str, int] | None = None) -> Sensing:
    """The same felt once the hidden card was turned: what was read there may be known.

    `only`: the (zone, track) of the one that was turned, where others still lie face down.
    """
    if not sensing.hidden:
        return sensing
    if only is None:
        return replace(sensing, zones=named_zones(sensing), hidden=())
    kept = tuple(it for it in sensing.hidden if (it.zone, it.track) != only)
    now = replace(sensing, hidden=tuple(it for it in sensing.hidden if it not in kept))
    return replace(sensing, zones=named_zones(now), hidden=kept)


def _sealed(sensing: Sensing) -> dict[tuple[str, int], Card | None]:
    return {(it.zone, it.track): it.sealed.card for it in sensing.hidden}


def named_zones(sensing: Sensing) -> tuple[ZoneSeen, ...]:
    """The newest picture with all that was read in it."""
    sealed = _sealed(sensing)
    if not sealed:
        return sensing.zones
    return tuple(
        replace(
            zone,
            cards=tuple(
                replace(card, card=sealed.get((zone.zone, card.track), card.card))
                for card in zone.cards
            ),
        )
        for zone in sensing.zones
    )
