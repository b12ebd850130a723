"""Where `cutcard enrol` gets its frames: a camera, a film, a folder, or hands that show."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.calibration.frames import PICTURES, SYNTHETIC, Live
from vision.capture import SourceError
from vision.layout import LayoutError
from vision.locate import Image
from vision.pictures import read_picture
from vision.synthetic.hands_at_bench import Hands

FILMS: Final = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".mpg", ".mpeg"})
LOOKS_S: Final = 6.0
"""So many frames of a second of film are looked at."""
PATIENT: Final = 700
"""Frames after which the hands that show have shown all, or never will."""


class ShownFrames(Protocol):
    """A source of frames in which cards are shown."""

    still: bool
    """Whether each frame is a picture of its own."""
    live: bool
    """Whether it has no end of its own."""

    def each(self) -> Iterator[tuple[Image, str]]:
        """(frame, name): the name of a picture's file without its ending; else empty.

        Raises:
            LayoutError: if the source cannot be used; one sentence.
        """

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Learn what the session said."""

    def close(self) -> None:
        """Give the source back."""


def open_shown(source: str, seconds: float) -> ShownFrames:
    """Open a source; it has so many seconds in all.

    Raises:
        LayoutError: if it can never be opened as written; one sentence.
    """
    if source.startswith(SYNTHETIC):
        return Handed()
    path = Path(source)
    if path.is_dir() or (path.suffix.lower() in PICTURES and path.is_file()):
        return Shelf(path)
    if path.suffix.lower() in FILMS and path.is_file():
        return Film(path)
    try:
        return Watched(source, seconds)
    except SourceError as error:
        raise LayoutError(str(error)) from None


class Shelf:
    """The pictures of a folder by name; one whose name is a card is that card."""

    still = True
    live = False

    def __init__(self, path: Path) -> None:
        """Find the pictures.

        Raises:
            LayoutError: if there are none.
        """
        found = sorted(path.iterdir()) if path.is_dir() else [path]
        self._files = [each for each in found if each.suffix.lower() in PICTURES]
        if not self._files:
            raise LayoutError(f"{path}: holds no pictures: give JPEG or PNG files")

    def each(self) -> Iterator[tuple[Image, str]]:
        """One after the other."""
        for file in self._files:
            image = read_picture(file)
            if isinstance(image, str):
                raise LayoutError(f"{file}: {image}")
            yield image, file.stem.upper()

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Pictures do not change."""

    def close(self) -> None:
        """Nothing is open."""


class Film:
    """A film, frame by frame, as slowly as it takes."""

    still = False
    live = False

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            LayoutError: if it is no film that can be read.
        """
        self._device = cv2.VideoCapture(str(path))
        self._path = path
        if not self._device.isOpened():
            raise LayoutError(f"{path}: this is no film that can be read: give MP4 or similar")
        self._step = max(1, round((self._device.get(cv2.CAP_PROP_FPS) or 25.0) / LOOKS_S))

    def each(self) -> Iterator[tuple[Image, str]]:
        """Some frames of each second."""
        number = 0
        while self._device.grab():
            if number % self._step == 0:
                done, image = self._device.retrieve()
                if done:
                    yield np.asarray(image, np.uint8), ""
            number += 1
        if not number:
            raise LayoutError(f"{self._path}: this film holds no picture")

    def follow(self, answer: Mapping[str, Any]) -> None:
        """A film does not change."""

    def close(self) -> None:
        """Close it."""
        self._device.release()


class Handed:
    """A simulated bench whose hands show a deck card by card."""

    still = False
    live = True

    def __init__(self) -> None:
        """Begin with an empty felt."""
        self._hands = Hands()

    def each(self) -> Iterator[tuple[Image, str]]:
        """Frames until the deck was shown."""
        for _ in range(PATIENT):
            yield self._hands.frame(), ""

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Show what is wanted next."""
        self._hands.follow(answer)

    def close(self) -> None:
        """Nothing is open."""


class Watched:
    """A camera or stream."""

    still = False
    live = True

    def __init__(self, source: str, seconds: float) -> None:
        """Open it.

        Raises:
            SourceError: if it can never be opened as written.
        """
        self._frames = Live(source, seconds)

    def each(self) -> Iterator[tuple[Image, str]]:
        """The newest frames, until the time is over."""
        for image in self._frames.each():
            yield image, ""

    def follow(self, answer: Mapping[str, Any]) -> None:
        """A person does as the words say."""

    def close(self) -> None:
        """Stop capturing."""
        self._frames.close()
