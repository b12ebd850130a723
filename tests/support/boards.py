"""The roads of baccarat by a second method, and shoes whose boards were worked out by it.

It shares nothing with `studio.games.roads`. The big road is laid coup by coup, and what is in the
way is known as stretches of rows. The derived roads are asked cell by cell on a board without a
bottom: the cell to the left and the one above it are both taken or both empty, or they are not. At
the top of a column the question is what one more win of the side before would have got, and the
answer is turned round.

``python -m tests.support.boards`` wrote ``tests/rules/boards.jsonl``; it is not written again.
"""

import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "rules" / "boards.jsonl"
BOTTOM = 5
Cell = tuple[int, int]


class Board:
    """One board, filled mark by mark."""

    def __init__(self) -> None:
        """Nothing lies on it."""
        self.cells: dict[Cell, str] = {}
        self._tails: list[tuple[int, int, int]] = []
        """(row, first column, last column) of the stretches that run to the right."""
        self._start = -1
        self._at: Cell = (-1, 0)
        self._last = ""

    def put(self, mark: str) -> Cell:
        """Lay one mark and say where."""
        if mark != self._last:
            self._start += 1
            while self._blocked((self._start, 0)):
                self._start += 1
            self._at = (self._start, 0)
        else:
            self._at = self._after()
        self._last = mark
        self.cells[self._at] = mark
        return self._at

    def _after(self) -> Cell:
        column, row = self._at
        below = (column, row + 1)
        if column == self._start and row < BOTTOM and not self._blocked(below):
            return below
        if column == self._start:
            self._tails.append((row, column + 1, column + 1))
        else:
            level, first, _ = self._tails.pop()
            self._tails.append((level, first, column + 1))
        assert (column + 1, row) not in self.cells
        return (column + 1, row)

    def _blocked(self, cell: Cell) -> bool:
        column, row = cell
        return any(row == level and a <= column <= b for level, a, b in self._tails)

    def picture(self) -> list[str]:
        """Its six rows as text."""
        rows = []
        for row in range(BOTTOM + 1):
            last = max((c for c, r in self.cells if r == row), default=-1)
            rows.append("".join(self.cells.get((c, row), ".") for c in range(last + 1)))
        return rows


def boards(results: str, pairs: tuple[str, ...] = ()) -> dict[str, Any]:
    """All five boards of a shoe written with P, B and T.

    `pairs` names per coup whose first two cards were a pair: ``p``, ``b``, ``pb`` or nothing.
    """
    big = Board()
    ties: dict[Cell, int] = {}
    at: Cell | None = None
    waiting = 0
    for letter in results:
        if letter == "T":
            if at is None:
                waiting += 1
            else:
                ties[at] = ties.get(at, 0) + 1
            continue
        at = big.put(letter)
        if waiting:
            ties[at], waiting = waiting, 0
    bead = ["".join(results[row :: BOTTOM + 1]) for row in range(BOTTOM + 1)]
    pairs = pairs or ("",) * len(results)
    places = [(at // (BOTTOM + 1), at % (BOTTOM + 1)) for at in range(len(results))]
    return {
        "bead": bead,
        "player_pairs": [list(b) for b, who in zip(places, pairs, strict=True) if "p" in who],
        "banker_pairs": [list(b) for b, who in zip(places, pairs, strict=True) if "b" in who],
        "big": big.picture(),
        "ties": [[*cell, ties[cell]] for cell in big.cells if cell in ties],
        "big_eye": _derived(results, 1),
        "small": _derived(results, 2),
        "cockroach": _derived(results, 3),
    }


def marks(results: str, back: int) -> str:
    """The marks of a derived road in order; `back` columns to the left are looked at."""
    deep: set[Cell] = set()
    column, depth, last = -1, 0, ""
    found = ""
    for letter in results.replace("T", ""):
        if letter == last:
            depth += 1
            found += _look(deep, column - back, depth)
        else:
            more = _look(deep, column - back, depth + 1) if last else ""
            found += {"R": "B", "B": "R", "": ""}[more]
            column, depth, last = column + 1, 0, letter
        deep.add((column, depth))
    return found


def _look(deep: set[Cell], left: int, depth: int) -> str:
    if left < 0:
        return ""
    return "R" if ((left, depth) in deep) == ((left, depth - 1) in deep) else "B"


def _derived(results: str, back: int) -> list[str]:
    board = Board()
    for mark in marks(results, back):
        board.put(mark)
    return board.picture()


CRAFTED = {
    "nothing yet": "",
    "one tie": "T",
    "ties alone": "TTT",
    "a tie first": "TP",
    "two ties first": "TTB",
    "seven ties first, over a column of the bead plate": "TTTTTTTBP",
    "stacked ties on the first win": "PTTTP",
    "stacked ties on the last win of a column": "PPPTTB",
    "stacked ties in a column": "BTTBTTTB",
    "ties between sides, as they broke another board": "PBTTPBPPPPPBPTPB",
    "a tie on a win in a tail": "BBBBBBBTBTTB",
    "a tie at the end": "PPBT",
    "one win": "B",
    "two sides": "BP",
    "chops": "PBPBPBPBPBPBPBPB",
    "pairs of columns": "PPBBPPBBPPBBPPBB",
    "six to the bottom": "BBBBBB",
    "seven turn": "BBBBBBB",
    "eight turn, and the next begins beside": "BBBBBBBBPP",
    "two tails, the second above the first": "BBBBBBBPPPPPPP",
    "three tails": "BBBBBBBBBPPPPPPPPBBBBBBBB",
    "four tails of nine": "PPPPPPPPPBBBBBBBBBPPPPPPPPPBBBBBBBBB",
    "a short column under a tail": "BBBBBBBBBPBPPPPPPPB",
    "a column that ends where the tail lies": "PPPPPPPBBBBBPPPPPP",
    "a column beyond the tail goes down again": "BBBBBBBBPBPPPPPPP",
    "tails up to the second row": "BBBBBBBPPPPPPBBBBBPPPPBBBP",
    "a tail in the top row": "BBBBBBBPPPPPPBBBBBPPPPBBBPPB",
    "a long tail in the top row": "BBBBBBBPPPPPPBBBBBPPPPBBBPPPPPBBP",
    "a dragon of twenty": "PBBBBBBBBBBBBBBBBBBBBPPBP",
    "a whole shoe of one side": "B" * 74,
    "a whole shoe of chops": "PB" * 37,
    "a whole shoe of ties": "T" * 70,
    "tails of the derived roads": "PBPBPBPBPBPBPBPBPBPPBBPPBBPPBBPPBBPPBB",
    "the big road outgrows 39 columns": "PBPPBBPBPB" * 8,
}
"""Shoes that are hard for score boards."""


def shoes() -> list[dict[str, Any]]:
    """All shoes with their boards: the crafted ones, and some dealt by chance."""
    chance = random.Random(2026)
    found = [{"id": name, "results": results, "pairs": []} for name, results in CRAFTED.items()]
    for number in range(1, 25):
        dealt = chance.choices("BPT", (4586, 4462, 952), k=chance.randint(55, 84))
        who = chance.choices(["", "p", "b", "pb"], (856, 69, 69, 6), k=len(dealt))
        found.append({"id": f"by chance {number}", "results": "".join(dealt), "pairs": who})
    return [
        {**shoe, "boards": boards(str(shoe["results"]), tuple(shoe["pairs"]))} for shoe in found
    ]


if __name__ == "__main__":
    FILE.write_text("".join(json.dumps(shoe) + "\n" for shoe in shoes()), "utf-8")
