"""One table of best plays: by total, soft or hard, and by pair, for each up card.

A total's play is the one that is worth most over its two-card hands, weighted by how often each is
dealt; what composition play does better is told as exceptions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from studio.games.hands21 import TEN, TWENTY_ONE
from studio.odds.chances import Array
from studio.odds.compositions import Hands, of
from studio.odds.dealer import ACE, VALUES
from studio.odds.play import (
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    WORTH,
    Choice,
    Played,
    Plays,
)
from studio.odds.splits import Split

UPS: Final = (2, 3, 4, 5, 6, 7, 8, 9, TEN, ACE)
"""Up cards in the order in which tables are printed."""
LETTERS: Final[Mapping[int, str]] = {STAND: "S", HIT: "H", DOUBLE: "D", SURRENDER: "R", SPLIT: "P"}
_Kind = tuple[int, bool]
"""A total and whether it is soft."""


def name(value: int) -> str:
    """Give the name of a value as tables print it: A, 2 … 9, T."""
    return {ACE: "A", TEN: "T"}.get(value, str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What to do against one up card."""

    up: int
    totals: Mapping[_Kind, tuple[int, int]]
    """By total: the play on two cards, and the one where that is not allowed: stand or hit."""
    pairs: Mapping[int, tuple[int, int]]
    """By value of the pair's cards: the same, splits too."""
    exceptions: tuple[tuple[int, int, int, float], ...]
    """Two-card hands that play better otherwise: both values, the play, what it gains."""

    def choice(self, hands: Hands) -> Choice:
        """Play by this column."""
        first, later = np.full(len(hands), STAND), np.full(len(hands), STAND)
        for number, (score, soft) in enumerate(zip(hands.score, hands.soft, strict=True)):
            first[number], later[number] = self.totals.get((int(score), bool(soft)), (STAND, STAND))
        for value, (play, otherwise) in self.pairs.items():
            twins = of(value, value)
            if twins in hands.number and play != SPLIT:
                first[hands.number[twins]], later[hands.number[twins]] = play, otherwise

        def choose(numbers: NDArray[np.int64], worth: Array) -> Plays:
            wanted = first[numbers]
            allowed = np.isfinite(worth[np.arange(len(numbers)), wanted])
            return np.where(allowed, wanted, later[numbers])

        return choose

    def splits(self) -> frozenset[int]:
        """Values of the pairs that are split."""
        return frozenset(value for value, (play, _) in self.pairs.items() if play == SPLIT)


def column(
    up: int, hands: Hands, played: Played, left: tuple[int, ...], splits: Mapping[int, Split]
) -> Column:
    """Make the column of one up card from what each hand is worth.

    `left` is the full pack without the up card.
    """
    kinds: dict[_Kind, list[tuple[int, int, int]]] = {}
    for low in VALUES:
        for high in range(low, TEN + 1):
            number = hands.number[of(low, high)]
            if hands.score[number] != TWENTY_ONE:
                kind = (int(hands.score[number]), bool(hands.soft[number]))
                kinds.setdefault(kind, []).append((low, high, number))
    totals, exceptions = {}, []
    for kind, pairs in kinds.items():
        weights = np.array([_ways(left, low, high) for low, high, _ in pairs], dtype=float)
        options = played.options[[number for _, _, number in pairs]]
        totals[kind] = _best(weights @ options if weights.sum() else options.mean(axis=0))
        for (low, high, _), worth in zip(pairs, options, strict=True):
            here, gain = int(worth.argmax()), worth.max() - worth[totals[kind][0]]
            if gain > 0 and low != high:
                exceptions.append((low, high, here, float(gain)))
    of_pairs = {}
    for value in VALUES:
        number = hands.number[of(value, value)]
        play, otherwise = _best(played.options[number])
        if value in splits and splits[value].worth > played.worth[number, WORTH]:
            play = SPLIT
        of_pairs[value] = (play, otherwise)
    return Column(up=up, totals=totals, pairs=of_pairs, exceptions=tuple(exceptions))


def _ways(left: tuple[int, ...], low: int, high: int) -> int:
    """Ways in which these two values are dealt."""
    first, second = left[low - 1], left[high - 1]
    return first * (first - 1) if low == high else 2 * first * second


def _best(worth: Array) -> tuple[int, int]:
    """The best play, and the better of stand and hit."""
    return int(worth.argmax()), int(worth[[STAND, HIT]].argmax())


def as_dict(columns: Mapping[int, Column]) -> dict[str, Any]:
    """Give the table as `cutcard odds` prints it.

    ``D`` doubles, or hits where that is not allowed; ``Ds`` doubles, or else stands. ``R``
    surrenders, or else hits; ``Rs`` surrenders, or else stands. ``H S P`` hit, stand, split.
    """
    kinds = sorted(columns[ACE].totals, key=lambda kind: (kind[1], kind[0]))
    rows: dict[str, dict[str, list[str]]] = {"hard": {}, "soft": {}, "pairs": {}}
    for total, soft in kinds:
        rows["soft" if soft else "hard"][str(total)] = [
            _letters(*columns[up].totals[total, soft]) for up in UPS
        ]
    for value in (*range(2, TEN + 1), ACE):
        rows["pairs"][name(value)] = [_letters(*columns[up].pairs[value]) for up in UPS]
    exceptions = [
        {"cards": [name(low), name(high)], "up": name(up), "play": LETTERS[play], "gain": gain}
        for up in UPS
        for low, high, play, gain in columns[up].exceptions
    ]
    return {"up": [name(up) for up in UPS], **rows, "exceptions": exceptions}


def _letters(play: int, otherwise: int) -> str:
    stands = otherwise == STAND and play in (DOUBLE, SURRENDER)
    return LETTERS[play] + ("s" if stands else "")
