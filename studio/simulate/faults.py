"""Faults that can be put into a simulated round, by the names of CONTRACTS.md 3."""

from collections import deque
from dataclasses import dataclass
from typing import Final

SHOE: Final = (
    "split_frame",
    "noise",
    "bad_checksum",
    "triple_send",
    "silence",
    "burst",
    "unplug",
    "wrong_card",
    "unreadable",
    "repeat",
)
CAMERA: Final = ("frozen", "lost", "dark", "knocked", "blur", "hand", "unsure", "wrong_zone")
DEALER: Final = ("early_card", "extra_card", "wrong_hand", "cleared_early")
"""Mistakes that the simulated dealer knows how to make."""
LASTING: Final = frozenset(
    {"silence", "burst", "unplug", "frozen", "lost", "dark", "knocked", "blur", "hand"}
)
"""Faults that stay until somebody sets the device right."""
ALL: Final = (*SHOE, *CAMERA, *DEALER)
"""Every fault that can be put in, in the order of CONTRACTS.md 3."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A fault and the round (from 1) that it is put into."""

    name: str
    round_no: int

    @staticmethod
    def parse(text: str) -> "Planned":
        """Read ``NAME@ROUND``.

        Raises:
            ValueError: one sentence that says what is wrong and what can be written.
        """
        name, at, number = text.partition("@")
        if name not in ALL:
            raise ValueError(f"there is no fault {name!r}; the faults are: {', '.join(ALL)}")
        if not at or not number.isdecimal() or int(number) < 1:
            raise ValueError(f"write {name}@ROUND with a round from 1 up, as {name}@3")
        return Planned(name, int(number))


def possible(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the faults that a table with these sources can have."""
    names: list[str] = []
    if "shoe" in sources:
        names += SHOE
    if "camera" in sources:
        names += CAMERA
    return (*names, *DEALER)


class Plan:
    """Which faults are put into which round of a demonstration."""

    def __init__(self, planned: tuple[Planned, ...]) -> None:
        """Keep the faults, in order within their round."""
        self._of: dict[int, deque[str]] = {}
        for fault in planned:
            self._of.setdefault(fault.round_no, deque()).append(fault.name)

    @property
    def last(self) -> int:
        """The last round that has a fault; 0 if none has."""
        return max(self._of, default=0)

    def of(self, round_no: int) -> tuple[str, ...]:
        """Names of the faults of a round, counted from 1 over the whole demonstration."""
        return tuple(self._of.get(round_no, ()))
