"""What a demonstration tells about each round, and the sum at its end (CONTRACTS.md 3)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from studio.domain import events as e
from studio.domain.cards import HIDDEN
from studio.domain.envelope import Recorded
from studio.table.state import Round, Table

ASKING = frozenset({"KeyInCard", "CorrectCard"})
"""Repairs with which a person names a card."""


@dataclass(slots=True)
class Tally:
    """Counts over a whole demonstration."""

    rounds: int = 0
    settled: int = 0
    voided: int = 0
    cards: int = 0
    misreads: int = 0
    asked: int = 0
    holds: int = 0
    staked: int = 0
    returned: int = 0
    refunded: int = 0
    seen: set[str] = field(default_factory=set)

    @property
    def house(self) -> int:
        """What the house kept, minor units."""
        return self.staked - self.returned - self.refunded

    def add(
        self,
        table: Table,
        records: tuple[Recorded, ...],
        laid: list[tuple[str, str]],
        injected: tuple[str, ...],
        game: str,
    ) -> dict[str, Any] | None:
        """Take an ended round into the sums; its line, or None if it was told already."""
        current = table.round
        if current is None or current.state == "open" or current.id in self.seen:
            return None
        self.seen.add(current.id)
        dealt = accepted(records, current)
        self.rounds += 1
        self.settled += current.state == "settled"
        self.voided += current.state == "voided"
        self.cards += len(dealt)
        self.misreads += misreads(current, dealt, laid)
        self.asked += asked(records, current)
        self.holds += holds(records, current)
        self.staked += current.staked
        self.returned += current.returned
        self.refunded += current.refunded
        return {
            "round": current.id,
            "game": game,
            "outcome": current.code or None,
            "cards": [[zone, code] for zone, code in _newest_word(table, current, dealt)],
            "staked": current.staked,
            "returned": current.returned,
            "refunded": current.refunded,
            "house": current.staked - current.returned - current.refunded,
            "state": current.state,
            "faults": list(current.faults),
            "injected": list(injected),
        }

    def total(self, journal: str, lying: int = 0) -> dict[str, Any]:
        """The last line; `lying` is what lies on the tables still, minor units."""
        return {
            "rounds": self.rounds,
            "settled": self.settled,
            "voided": self.voided,
            "cards": self.cards,
            "misreads": self.misreads,
            "asked": self.asked,
            "holds": self.holds,
            "staked": self.staked,
            "returned": self.returned,
            "refunded": self.refunded,
            "house": self.house,
            "open": lying,
            "journal": journal,
        }


def total_of(tallies: Iterable[Tally]) -> Tally:
    """The sums of several tables as one."""
    total = Tally()
    for tally in tallies:
        for each in fields(Tally):
            mine, its = getattr(total, each.name), getattr(tally, each.name)
            setattr(total, each.name, mine | its if isinstance(mine, set) else mine + its)
    return total


def misreads(current: Round, dealt: list[tuple[str, str]], laid: list[tuple[str, str]]) -> int:
    """Accepted cards that differ from the card that was laid.

    Of a voided round only those count that were accepted; a settled one must have all of them. A
    card that was never turned is no misread: nobody said what it is.
    """
    wrong = sum(
        known != true and known != (true[0], HIDDEN)
        for known, true in zip(dealt, laid, strict=False)
    )
    if current.state == "settled":
        wrong += abs(len(dealt) - len(laid))
    return wrong


def accepted(records: tuple[Recorded, ...], current: Round) -> list[tuple[str, str]]:
    """(zone, code) of the cards as the round ended with them; the felt may be cleared already.

    What was said of the round after its end is no reading of a card and left out.
    """
    cards: dict[int, tuple[str, str]] = {}
    moved: set[int] = set()
    for event in _of_round(records, current):
        match event:
            case e.CardDealt(index=index, to=to, card=card):
                cards[index] = (to, HIDDEN if card is None else card.code)
            case e.CardTurned(index=index, card=turned):
                cards[index] = (cards[index][0], turned.code)
            case e.CardMoved(index=index, card=card):
                # It is told by the zone to which it was dealt, wherever it was laid since.
                moved.add(index)
                cards[index] = (cards[index][0], cards[index][1] if card is None else card.code)
            case e.CardCorrected(index=index, new=new, kept=kept, placed=placed):
                cards[index] = (cards[index][0], HIDDEN if new is None else new.code)
                zones = {at[0]: at[1] for at in placed if at[0] not in moved}
                cards = {
                    at: (zones.get(at, zone), code)
                    for at, (zone, code) in cards.items()
                    if at < kept
                }
            case e.RoundSettled() | e.RoundVoided():
                break
            case _:
                pass
    return [cards[index] for index in sorted(cards)]


def _newest_word(
    table: Table, current: Round, dealt: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The cards as a late correction has them, if there was one."""
    for ended in table.results:
        if ended.id == current.id and ended.corrections:
            return [(zone, card.code) for zone, card in ended.cards]
    return dealt


def _of_round(records: tuple[Recorded, ...], current: Round) -> list[Any]:
    """The events of the newest round among these records."""
    events = [record.event for record in records]
    for place in range(len(events) - 1, -1, -1):
        if isinstance(events[place], e.RoundOpened) and events[place].round_id == current.id:
            return events[place:]
    return events


def asked(records: tuple[Recorded, ...], current: Round) -> int:
    """Cards of the round for which a person was needed."""
    return sum(
        isinstance(event, e.FaultAnswered) and event.repair in ASKING
        for event in _of_round(records, current)
    )


def holds(records: tuple[Recorded, ...], current: Round) -> int:
    """How often the table was held in the round."""
    held = 0
    open_now = False
    for event in _of_round(records, current):
        if isinstance(event, e.FaultRaised) and event.holds and not open_now:
            held += 1
            open_now = True
        if isinstance(event, e.HoldLifted):
            open_now = False
    return held


def line(told: dict[str, Any]) -> str:
    """One JSON line."""
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)
