"""The pictures of the last seconds, small, for the evidence of a fault (decision 6).

They are kept in the camera's own process and go over the pipe only when somebody asks for them; the
studio's process is told of each by its number, and knows its instant.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

import cv2

from vision.locate import Image

EVERY_S: Final = 0.2
"""A picture is kept at most so often: five a second."""
WIDTH: Final = 960
"""Pixels; a narrower picture stays as it is."""
QUALITY: Final = 70
"""Of the JPEG; the index of a card can still be read at this width."""
KEPT: Final = 64
"""Pictures; more than twelve seconds, of which evidence takes five."""
MOST_BYTES: Final = 8 * 1024 * 1024
"""All pictures together; they take less than half of it at the usual sizes."""


class Recent:
    """A ring of small pictures by the number of their frame. For one thread."""

    def __init__(self) -> None:
        self._pictures: deque[tuple[int, bytes]] = deque()
        self._size = 0
        self._due_s = float("-inf")

    def add(self, image: Image, number: int, taken_s: float) -> bool:
        """Keep a picture of this frame, if it is time to; whether it was kept."""
        if taken_s < self._due_s:
            return False
        jpeg = small(image)
        if jpeg is None:
            return False
        self._due_s = max(self._due_s + EVERY_S, taken_s)
        self._pictures.append((number, jpeg))
        self._size += len(jpeg)
        while len(self._pictures) > KEPT or self._size > MOST_BYTES:
            self._size -= len(self._pictures.popleft()[1])
        return True

    def of(self, numbers: Iterable[int]) -> tuple[tuple[int, bytes], ...]:
        """(number, JPEG) of those of these frames that are still kept, oldest first."""
        wanted = frozenset(numbers)
        return tuple(each for each in self._pictures if each[0] in wanted)


def small(image: Image) -> bytes | None:
    """The picture as a small JPEG; None if it cannot be encoded."""
    height, width = image.shape[:2]
    if width > WIDTH:
        # Linear costs a third of what averaging does, and a card's index reads as well.
        image = cv2.resize(image, (WIDTH, round(height * WIDTH / width)))  # type: ignore[assignment]
    done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return bytes(jpeg) if done else None
