"""Who has a hand in the open round, and in which cohort each of them is: packed, by seat.

A seat is the place in the order in which players placed the bet that seats them. A million seats
are one tuple of names and two bytes a seat.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.columns import Columns

Numbers = NDArray[np.int64]
WIDTH: Final = np.dtype("<u2")
"""How a seat's cohort is kept: 16 bits, little-endian."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Players with a hand, and their cohorts."""

    bet: str = ""
    """The bet that seated them."""
    players: tuple[str, ...] = ()
    """By seat."""
    cohorts: tuple[str, ...] = ("",)
    """Names of the cohorts that exist."""
    packed: bytes = b""
    """Place in `cohorts` of each seat's cohort, two bytes a seat."""
    gone: frozenset[str] = frozenset()
    """Players who are disconnected for the rest of the round."""

    @property
    def numbers(self) -> Numbers:
        """Place in `cohorts` of each seat's cohort."""
        return np.frombuffer(self.packed, WIDTH).astype(np.int64)

    def sizes(self) -> dict[str, int]:
        """How many players each cohort has."""
        counts = np.bincount(self.numbers, minlength=len(self.cohorts)).tolist()
        return dict(zip(self.cohorts, counts, strict=True))


NOBODY_SEATED: Final = Seating()


def seated(bet: str, parts: Iterable[Columns], zones: Sequence[str] = ()) -> Seating:
    """Seat the players of a bet, in order of their first such bet.

    All are of one cohort; with `zones` each is one of their own, named after the zone of the hand.
    """
    names = chain.from_iterable(columns.players_of(bet) for columns in parts)
    players = tuple(dict.fromkeys(names))
    if zones:
        apart = pack(np.arange(len(players)))
        return Seating(bet=bet, players=players, cohorts=tuple(zones), packed=apart)
    return Seating(bet=bet, players=players, packed=bytes(2 * len(players)))


def pack(numbers: Numbers) -> bytes:
    """Keep the place of each seat's cohort in two bytes."""
    return numbers.astype(WIDTH).tobytes()


def written(packed: bytes) -> str:
    """The text that a fact holds of the cohorts of all seats."""
    return b64encode(zlib.compress(packed, 1)).decode()


def read_back(text: str) -> bytes:
    """The cohorts of all seats from the text of a fact."""
    return zlib.decompress(b64decode(text))
