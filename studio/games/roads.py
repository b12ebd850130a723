"""The five roads of baccarat: pictures of how the results of one shoe follow each other.

They are a pure function of the results, so a correction, a coup declared not played and a new
shoe need nothing but to draw again (live-dealer-systems.md 3.5, FACES.md 6). The rules are those of
the score boards in use; where boards differ in their mistakes (field-reports.md R-22), columns
depend on wins alone: a tie hangs on the last win, ties before the first win wait for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Protocol

ROWS: Final = 6
"""Rows of every road."""
EMPTY: Final = "."
"""A place of a road on which nothing lies."""
LETTERS: Final[Mapping[str, str]] = {"player": "P", "banker": "B", "tie": "T"}
"""How a result is written in the bead plate; the first two in the big road as well."""
RED: Final = "R"
"""In a derived road: the big road repeats itself here."""
BLUE: Final = "B"
"""In a derived road: the big road does not repeat itself here."""

Place = tuple[int, int]
"""(column, row) on a road, both from 0, from the left and from the top."""
Picture = tuple[str, ...]
"""Six rows of one character a column, from the left; places right of the last mark left out."""


class Told(Protocol):
    """What the roads need to know of one finished coup."""

    @property
    def code(self) -> str:
        """``player``, ``banker`` or ``tie``."""

    @property
    def marks(self) -> tuple[str, ...]:
        """``player_pair``, ``banker_pair``, as far as they were dealt."""

    @property
    def corrected(self) -> bool:
        """Whether a later correction changed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roads:
    """The five roads of a shoe, each as it lies on an endless board.

    A screen with fewer columns than a road has shows the newest, moved by whole columns.
    """

    bead: Picture
    """Every result, down and then right: ``P``, ``B``, ``T``."""
    player_pairs: tuple[Place, ...]
    """Beads of coups in which the Player's first two cards were a pair."""
    banker_pairs: tuple[Place, ...]
    """Beads of coups in which the Banker's first two cards were a pair."""
    corrected: tuple[Place, ...]
    """Beads of coups that a later correction changed."""
    big: Picture
    """Wins of one side under each other, ``P`` and ``B``; a streak that meets the bottom or an
    older one turns right."""
    ties: tuple[tuple[int, int, int], ...]
    """(column, row, number) of the ties that hang on a win of the big road."""
    big_eye: Picture
    """Big eye boy, ``R`` and ``B``: compares with one column to the left."""
    small: Picture
    """Small road, ``R`` and ``B``: compares with two columns to the left."""
    cockroach: Picture
    """Cockroach road, ``R`` and ``B``: compares with three columns to the left."""


def roads(results: Sequence[Told]) -> Roads:
    """Draw all five roads of the coups of one shoe, oldest first; coups without result left out.

    Raises:
        KeyError: for a result that is none of baccarat.
    """
    beads = [divmod(at, ROWS) for at in range(len(results))]
    letters = [LETTERS[told.code] for told in results]
    wins, ties = _wins(letters)
    streaks = _runs(wins)
    lengths = [len(streak) for streak in streaks]
    laid = laid_out(lengths)
    return Roads(
        bead=_drawn(zip(beads, letters, strict=True)),
        player_pairs=_where(beads, ["player_pair" in told.marks for told in results]),
        banker_pairs=_where(beads, ["banker_pair" in told.marks for told in results]),
        corrected=_where(beads, [told.corrected for told in results]),
        big=_drawn(zip(laid, wins, strict=True)),
        ties=tuple((*at, number) for at, number in zip(laid, ties, strict=True) if number),
        big_eye=_derived_road(lengths, 1),
        small=_derived_road(lengths, 2),
        cockroach=_derived_road(lengths, 3),
    )


def _wins(letters: Iterable[str]) -> tuple[list[str], list[int]]:
    """The wins in order, and how many ties hang on each."""
    wins: list[str] = []
    ties: list[int] = []
    waiting = 0
    for letter in letters:
        if letter != LETTERS["tie"]:
            wins.append(letter)
            ties.append(waiting)
            waiting = 0
        elif ties:
            ties[-1] += 1
        else:
            waiting += 1
    return wins, ties


def _runs(letters: Iterable[str]) -> list[list[str]]:
    """Equal letters that follow each other, as columns."""
    return [list(run) for _, run in groupby(letters)]


def laid_out(lengths: Sequence[int]) -> list[Place]:
    """Where each entry of columns of these lengths (1 and more) lies, in order.

    A column goes down as far as there is room, then right for good. The next one starts in the
    first column right of where this one started whose top is free. The place to the right is never
    taken: what lay there would have come from the left, through the place where the column stands.
    """
    taken: set[Place] = set()
    places: list[Place] = []
    start = -1
    for length in lengths:
        start += 1
        while (start, 0) in taken:
            start += 1
        depth = 1
        while depth < min(length, ROWS) and (start, depth) not in taken:
            depth += 1
        here = [(start, row) for row in range(depth)]
        here += [(start + 1 + beyond, depth - 1) for beyond in range(length - depth)]
        taken.update(here)
        places += here
    return places


def derived(lengths: Sequence[int], back: int) -> str:
    """The marks of a derived road in order, from the lengths of the columns of the big road.

    `back` is 1 for the big eye boy, 2 for the small road, 3 for the cockroach road. The columns are
    whole: a tail that turned right belongs to the column where it began. The marks begin with the
    second entry of the column that has `back` columns to its left, or, where it has only one, with
    the first entry of the next. At the top of a column, the column before is compared with the one
    that lies `back` further left: red if both are equally long. Below the top, red unless the
    column `back` to the left ended just one row above.
    """
    marks: list[bool] = []
    for column, length in enumerate(lengths):
        if column > back:
            marks.append(lengths[column - 1] == lengths[column - 1 - back])
        if column >= back:
            marks += [lengths[column - back] != row for row in range(1, length)]
    return "".join(RED if red else BLUE for red in marks)


def _derived_road(lengths: Sequence[int], back: int) -> Picture:
    """A derived road: equal marks under each other, laid out like the big road."""
    marks = derived(lengths, back)
    return _drawn(zip(laid_out([len(run) for run in _runs(marks)]), marks, strict=True))


def _where(places: Sequence[Place], wanted: Sequence[bool]) -> tuple[Place, ...]:
    return tuple(place for place, so in zip(places, wanted, strict=True) if so)


def _drawn(marks: Iterable[tuple[Place, str]]) -> Picture:
    rows: list[list[str]] = [[] for _ in range(ROWS)]
    for (column, row), mark in marks:
        line = rows[row]
        line += [EMPTY] * (column + 1 - len(line))
        line[column] = mark
    return tuple("".join(line) for line in rows)
