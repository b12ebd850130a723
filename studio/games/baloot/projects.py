"""Projects: runs and fours that are announced in the first trick (RULES.md 4.5)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.baloot.cards import NATURAL, Mode, side_of


class Kind(StrEnum):
    """What a project is; the value is the word with which it is announced."""

    FOUR_HUNDRED = "four_hundred"
    """Four aces in sun."""
    HUNDRED = "hundred"
    """A run of five or more, or four of K, Q, J or T; in hokum four aces too."""
    FIFTY = "fifty"
    """A run of four."""
    SIRA = "sira"
    """A run of three."""

    @property
    def raw(self) -> int:
        """What it counts beside card points: 20, 50, 100 or 200."""
        return _RAW[self]

    @property
    def short(self) -> str:
        """The word of records and cases, as ``100``."""
        return _SHORT[self]

    def points(self, mode: Mode) -> int:
        """Round points: in sun twice as many as in hokum."""
        return self.raw // (5 if mode is Mode.SUN else 10)


_RAW: Final = {Kind.FOUR_HUNDRED: 200, Kind.HUNDRED: 100, Kind.FIFTY: 50, Kind.SIRA: 20}
_SHORT: Final = {
    Kind.FOUR_HUNDRED: "400",
    Kind.HUNDRED: "100",
    Kind.FIFTY: "50",
    Kind.SIRA: "sira",
}
BEST_FIRST: Final = tuple(Kind)
"""Kinds in the order of the comparison, best first."""
NONE: Final = "none"
"""What a seat says that announces nothing."""
JOINED: Final = "+"
"""Between two kinds that are announced together."""
_FOURS: Final = frozenset({Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN})
_SIRA: Final = 3
_FIFTY: Final = 4
_HUNDRED: Final = 5
_ALL_FOUR: Final = 4


class Form(StrEnum):
    """How the cards of a project belong together."""

    RUN = "run"
    FOUR = "four"


@dataclass(frozen=True, slots=True)
class Project:
    """One project and the cards that serve it."""

    kind: Kind
    form: Form
    cards: tuple[Card, ...]
    """Highest first, in natural order."""

    @property
    def top(self) -> Rank:
        """Its highest card's rank."""
        return self.cards[0].rank

    @property
    def strength(self) -> tuple[int, int, int]:
        """What is compared: the kind, of two hundreds the run, then the higher top card."""
        return (
            -BEST_FIRST.index(self.kind),
            int(self.form is Form.RUN),
            -NATURAL.index(self.top),
        )


# -- what a hand holds ----------------------------------------------------------------------------


def ways(hand: Sequence[Card], mode: Mode) -> Iterator[tuple[Project, ...]]:
    """Every way in which the cards of a hand can serve projects, each one best first.

    One card serves one project only, so a four takes its card out of a run.
    """
    ranks = Counter(card.rank for card in hand)
    full = [rank for rank in NATURAL if rank in _FOURS and ranks[rank] == _ALL_FOUR]
    for number in range(len(full) + 1):
        for fours in combinations(full, number):
            found = [_four(rank, mode) for rank in fours]
            found += _runs([card for card in hand if card.rank not in fours])
            yield tuple(sorted(found, key=lambda each: each.strength, reverse=True))


def detect(hand: Sequence[Card], mode: Mode) -> tuple[Project, ...]:
    """The projects of a hand, best first: the best one, then the best of what is left."""
    return max(ways(hand, mode), key=lambda way: [each.strength for each in way])


def _four(rank: Rank, mode: Mode) -> Project:
    aces_in_sun = rank is Rank.ACE and mode is Mode.SUN
    kind = Kind.FOUR_HUNDRED if aces_in_sun else Kind.HUNDRED
    return Project(kind, Form.FOUR, tuple(Card(rank, suit) for suit in Suit))


def _runs(cards: Sequence[Card]) -> Iterator[Project]:
    """Every unbroken run of three or more; a run of eight is a hundred and a sira."""
    held = set(cards)
    for suit in Suit:
        run: list[Card] = []
        for rank in (*NATURAL, None):
            card = Card(rank, suit) if rank else None
            if card in held and card is not None:
                run.append(card)
                continue
            yield from _cut(run)
            run = []


def _cut(run: list[Card]) -> Iterator[Project]:
    """The projects of one run."""
    if len(run) < _SIRA:
        return
    if len(run) < _HUNDRED:
        kind = Kind.SIRA if len(run) == _SIRA else Kind.FIFTY
        yield Project(kind, Form.RUN, tuple(run))
        return
    rest = run[_HUNDRED:]
    first = run if len(rest) < _SIRA else run[:_HUNDRED]
    yield Project(Kind.HUNDRED, Form.RUN, tuple(first))
    if len(rest) >= _SIRA:
        yield Project(Kind.SIRA, Form.RUN, tuple(rest))


# -- what is announced ----------------------------------------------------------------------------


def announcements(mode: Mode, most: int) -> tuple[str, ...]:
    """All that any seat could announce: none, one kind, or two joined by ``+``, best first."""
    kinds = [kind for kind in BEST_FIRST if kind is not Kind.FOUR_HUNDRED or mode is Mode.SUN]
    words = [NONE, *kinds] if most else [NONE]
    if most > 1:
        words += [
            f"{first}{JOINED}{second}"
            for at, first in enumerate(kinds)
            for second in kinds[at:]
            if first is not second or first is not Kind.FOUR_HUNDRED
        ]
    return tuple(str(word) for word in words)


def said(word: str) -> tuple[Kind, ...]:
    """The kinds that an announcement names."""
    return () if word == NONE else tuple(Kind(each) for each in word.split(JOINED))


def word_of(projects: Sequence[Project]) -> str:
    """The announcement of these projects."""
    return JOINED.join(each.kind.value for each in projects) or NONE


def held(
    hand: Sequence[Card], mode: Mode, kinds: Sequence[Kind], spared: frozenset[Card] = frozenset()
) -> tuple[Project, ...]:
    """The projects of a hand that an announcement means, best first.

    A kind that the hand does not hold is left out. Of equal ones that is meant which leaves the
    `spared` cards alone: king and queen of hokum, which may be worth more as baloot.
    """
    if not kinds:
        return ()
    return max(
        (_taken(way, Counter(kinds), spared) for way in ways(hand, mode)),
        key=lambda way: (len(way), [_worth(each, spared) for each in way]),
    )


def _worth(project: Project, spared: frozenset[Card]) -> tuple[tuple[int, int, int], bool]:
    return project.strength, spared.isdisjoint(project.cards)


def _taken(
    way: tuple[Project, ...], left: Counter[Kind], spared: frozenset[Card]
) -> tuple[Project, ...]:
    """Of one way the projects that were announced, the best ones of each kind."""
    taken = []
    for project in sorted(way, key=lambda each: _worth(each, spared), reverse=True):
        if left[project.kind]:
            left[project.kind] -= 1
            taken.append(project)
    return tuple(taken)


# -- comparison -----------------------------------------------------------------------------------


def counting_side(
    announced: Mapping[int, Sequence[Project]], order: Sequence[int], *, cancels: bool
) -> int | None:
    """The side whose projects count: that of the best one, and of equal ones the earlier player's.

    `announced` is by seat, `order` that of the first trick. Where equal ones of both sides cancel
    each other, and where nobody announced any, the answer is None.
    """
    best = {
        seat: max(each.strength for each in announced[seat])
        for seat in order
        if announced.get(seat)
    }
    if not best:
        return None
    top = max(best.values())
    equal = [seat for seat in order if best.get(seat) == top]
    if cancels and len({side_of(seat) for seat in equal}) > 1:
        return None
    return side_of(equal[0])
