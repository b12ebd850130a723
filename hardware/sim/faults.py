"""What can be broken on a simulated shoe while it runs.

The names and their meaning are those of the table of simulated faults; each is one member here, so
none can be forgotten by the shoe, the command line or the manual.
"""

from enum import StrEnum
from typing import Final


class ShoeFault(StrEnum):
    """One way in which real shoes and their cables have failed."""

    SPLIT_FRAME = "split_frame"
    """While on, each frame comes in three pieces, 3 ms of real time apart."""
    NOISE = "noise"
    """While on, stray bytes come before and after each frame."""
    BAD_CHECKSUM = "bad_checksum"
    """Once: the next frame comes with a wrong check sum; its repeat is right."""
    TRIPLE_SEND = "triple_send"
    """While on, each frame comes three times."""
    SILENCE = "silence"
    """While on, nothing is said and nothing heard; at most 30 s of the shoe's clock."""
    BURST = "burst"
    """Once: the next frame is held back until there are three or 1.5 s passed, then all at once."""
    UNPLUG = "unplug"
    """While on, the cable is out; it is put back by itself after 4 s of the shoe's clock."""
    WRONG_CARD = "wrong_card"
    """Once: the next card that comes out is named as another."""
    UNREADABLE = "unreadable"
    """Once: the next card that comes out cannot be read."""
    REPEAT = "repeat"
    """Once: the next card that comes out is reported again as a new frame."""


FAULTS: Final = tuple(fault.value for fault in ShoeFault)
"""All names, in the order in which they are tried."""
SILENCE_S: Final = 30.0
UNPLUG_S: Final = 4.0
BURST_S: Final = 1.5
BURST_FRAMES: Final = 3


def parse_fault(name: str) -> ShoeFault:
    """The fault of that name.

    Raises:
        ValueError: with a sentence that lists the names.
    """
    try:
        return ShoeFault(name)
    except ValueError:
        text = f"{name!r} is no fault of the simulated shoe: take one of {', '.join(FAULTS)}"
        raise ValueError(text) from None
