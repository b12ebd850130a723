"""What a zone may use in one frame, so that no frame takes longer than there is time for.

Costs are counted and not measured: the same frames are always looked at in the same steps.
"""

from dataclasses import dataclass
from typing import Final

from vision.locate import Image

LOCATE_MS: Final = 2.0
READ_MS: Final = 2.5
SHOWN_MS: Final = 3.0
INDEX_MS: Final = 1.0
"""What it costs to find things in a zone, to read a card, to find and read the indices that show
on one, to read those that were found: milliseconds of a slow core."""
SHARE: Final = 0.45
"""The part of the time between two frames that may be spent on looking into zones."""
LEAST_S: Final = 1 / 60
MOST_S: Final = 1 / 15
"""Times between two frames that count."""


class Budget:
    """The time of one frame. Whatever it costs, the first step of a frame is always done."""

    def __init__(self, between_s: float) -> None:
        self._left = 1000 * SHARE * min(max(between_s, LEAST_S), MOST_S)
        self._began = False

    def take(self, cost_ms: float) -> bool:
        """Whether there is time for a step; if so it is spent."""
        if self._began and cost_ms > self._left:
            return False
        self._began = True
        self._left -= cost_ms
        return True


@dataclass(frozen=True, slots=True)
class Turn:
    """What a zone may use in this frame."""

    empty: Image
    gain: float
    """How bright the light is here, compared with when the felt was empty."""
    now_s: float
    budget: Budget
