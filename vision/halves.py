"""Pictures of which only the upper part arrived, as a broken network gives them.

A JPEG that was cut off in the middle is decoded without a word: below the cut stands what was in
the decoder's memory, which is an earlier picture, or the colour of a memory that was never written.
Only formats of which each picture stands for itself are judged so: a codec that sends differences
repeats parts of a still picture to the bit.
"""

import zlib
from collections import deque
from typing import Final

from vision.locate import Image

WHOLE_FORMATS: Final = frozenset({"MJPG", "JPEG"})
"""Formats of single pictures, by their four letters."""
BAND: Final = 16
"""Lowest rows that are compared: one row of a JPEG's blocks."""
KEPT: Final = 16
"""A decoder writes into so few pictures by turns."""
TEXTURE: Final = 8
"""A band whose values differ by so much in some colour shows something."""
NEVER_WRITTEN: Final = frozenset({(0, 135, 0), (0, 136, 0), (128, 128, 128), (127, 127, 127)})
"""Blue, green, red of a decoder's empty memory."""


class Halves:
    """Tells, picture after picture, which ones arrived in part."""

    def __init__(self) -> None:
        self._low: deque[int] = deque(maxlen=KEPT)
        self._high: deque[int] = deque(maxlen=KEPT)
        self._shown = False

    def half(self, image: Image) -> bool:
        """Whether the lower part of this picture is an older one's, or none.

        A picture that is repeated as a whole is none of these: that is a frozen camera. What never
        showed anything there, as a black bar, is not judged.
        """
        band = image[-BAND:]
        low, high = (zlib.crc32(part.tobytes()) for part in (band, image[:BAND]))
        repeated = low in self._low and high not in self._high
        self._low.append(low)
        self._high.append(high)
        least, most = (values.reshape(-1, 3) for values in (band.min((0, 1)), band.max((0, 1))))
        if int((most - least).max()) >= TEXTURE:
            self._shown = True
            return repeated
        flat = bool((most == least).all())
        empty = flat and tuple(int(each) for each in least[0]) in NEVER_WRITTEN
        return empty or (self._shown and (repeated or flat))
