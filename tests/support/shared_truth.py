"""What a player of the shared hand is to get back by true cards, worked out player by player.

It knows the rules of a hand and nothing of cohorts, windows or procedures: a second way to the same
money for corrections of rounds in which players decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studio.domain.cards import Card, Rank

Laid = Mapping[str, Sequence[Card]]
"""The true cards of each zone, in order."""
TENS = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}


def points(card: Card) -> int:
    """An ace as 1, pictures as 10."""
    if card.rank in TENS:
        return 10
    return 1 if card.rank is Rank.ACE else int(card.rank.value)


def score(cards: Sequence[Card]) -> int:
    """The best total: one ace counts 11 where that does not go over 21."""
    least = sum(map(points, cards))
    soft = any(card.rank is Rank.ACE for card in cards) and least <= 11
    return least + 10 if soft else least


def is_natural(cards: Sequence[Card]) -> bool:
    """Ace and ten-value."""
    return len(cards) == 2 and score(cards) == 21


@dataclass
class Player:
    """One player's decisions, and what they are worth."""

    laid: Laid
    did: dict[str, list[str]]
    """By lane, in order."""
    stake: int
    back: dict[str, int] = field(default_factory=dict)

    def returns(self) -> dict[str, int]:
        """Minor units that go back for each kind of bet on hands."""
        shared, dealer = list(self.laid["M"]), self.laid["D"]
        did = self.did.get("M", [])
        self._extras()
        if is_natural(dealer[:2]) and points(dealer[0]) in (1, 10):
            self.back["main"] = self.stake if is_natural(shared[:2]) else 0
        elif is_natural(shared[:2]):
            self.back["main"] = self.stake * 5 // 2
        elif did[:1] == ["split"]:
            self._split(shared)
        else:
            self._hand("M", shared, did, "main", first=True)
        return self.back

    def _extras(self) -> None:
        """What was staked besides goes back unless a hand says otherwise."""
        if self.did.get("M", [])[:1] == ["split"]:
            self.back["split"] = self.stake
        for lane, actions in self.did.items():
            if "double" in actions:
                self.back[f"double:{lane}"] = self.stake

    def _split(self, shared: Sequence[Card]) -> None:
        first, second = shared[:2]
        if points(first) != points(second):
            self.back["main"] = self.stake
            return
        for lane, image, kind in (("L", first, "main"), ("R", second, "split")):
            cards, did = [image, *self.laid[lane]], self.did.get(lane, [])
            if first.rank is Rank.ACE:
                self.back[kind] = self._against(cards[:2])
            else:
                self._hand(lane, cards, did, kind, first=False)

    def _hand(
        self, lane: str, cards: Sequence[Card], did: Sequence[str], kind: str, *, first: bool
    ) -> None:
        """One hand to its end, or to where nobody knows what would have been done."""
        size, left, doubled = 2, list(did), False
        while score(cards[:size]) < 21 and not doubled:
            action = left.pop(0) if left else ""
            barred = points(self.laid["D"][0]) in (1, 10)
            known = action in ("hit", "stand") or (action == "double" and size == 2)
            if action == "surrender" and first and size == 2 and not barred:
                self.back[kind] = self.stake // 2
                return
            if not known:
                self.back[kind] = self.stake
                return
            if action == "stand":
                break
            size, doubled = size + 1, action == "double"
        self.back[kind] = self._against(cards[:size])
        if doubled:
            self.back[f"double:{lane}"] = self.back[kind]

    def _against(self, cards: Sequence[Card]) -> int:
        mine, dealers = score(cards), score(self.laid["D"])
        if mine > 21 or mine < dealers <= 21:
            return 0
        return self.stake if mine == dealers else 2 * self.stake
