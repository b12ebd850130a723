"""Where a supervisor should look again when the count of the shoe is off.

A card too many is a foreign card, a wrong reading now, or a wrong reading before (V5): the earlier
places of that card are listed. A closing count that does not balance puts every round since the
last good one in doubt (C9). No card that nobody may know is named: what was burned, or died unseen,
is a number only.
"""

from collections.abc import Iterator

from studio.domain.cards import Card
from studio.domain.faults import Fault, FaultCode
from studio.games.procedure import Facing
from studio.table.state import Phase, Table
from studio.table.views import Message


def review(table: Table, fault: Fault) -> tuple[Message, ...]:
    """The lines of a case that say where to look again; empty for other faults."""
    if fault.code is FaultCode.COUNT_MISMATCH:
        return (Message("review.uncounted", (("count", len(table.uncounted)),)),)
    if fault.code is not FaultCode.IMPOSSIBLE_CARD:
        return ()
    card = next((sight.card for sight in fault.sightings if sight.card is not None), None)
    return () if card is None else tuple(_reads_of(table, card))


def _reads_of(table: Table, card: Card) -> Iterator[Message]:
    """Every round of this shoe in which the card was dealt, and how many more are gone."""
    found = 0
    for ended in table.results:
        for number, (zone, dealt) in enumerate(ended.cards, start=1):
            if dealt == card:
                found += 1
                yield _line(ended.called, card, number, zone)
    current, play = table.round, table.play
    if current is not None and play is not None and table.phase is Phase.DEALING:
        for place in play.places:
            if place.card == card and place.face == Facing.UP.value:
                found += 1
                yield _line(current.called, card, place.index + 1, place.to)
    gone = table.shoe.cards.gone_of(card) if table.shoe else 0
    if gone > found:
        yield Message("review.others", (("count", gone - found),))


def _line(round_no: int, card: Card, number: int, zone: str) -> Message:
    told = (("round", round_no), ("card", card.code), ("n", number), ("zone", zone))
    return Message("review.round", told)
