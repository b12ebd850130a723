"""Where the command line gets its frames: a camera, a stream, a film, a folder, or the bench."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from vision.capture import Capture, SourceError
from vision.layout import LayoutError
from vision.locate import Image
from vision.pictures import read_picture
from vision.synthetic.bench import BenchScene
from vision.tuning import Wanted

PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
SYNTHETIC: Final = "synthetic:"
BENCH: Final = "synthetic:calibrate"
WIDE: Final = (1920, 1080)
"""A camera is asked for this size; what it gives is measured."""
HELD: Final = 2
"""A picture of a folder counts as held still: it is looked at so many times."""
EVERY_S: Final = 0.2
FIRST_S: Final = 10.0
"""So long a source is given for its first picture."""
BENCH_FRAMES: Final = 200


class Frames(Protocol):
    """A source of frames for a calibration."""

    def each(self) -> Iterator[Image]:
        """Frames for one step, until the source ends or its patience is over.

        Raises:
            LayoutError: if the source cannot be used; one sentence.
        """

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Learn what the calibration said; somebody may do as it says."""

    def close(self) -> None:
        """Give the source back."""


def open_frames(source: str, seconds: float) -> Frames:
    """Open a source; it has so many seconds for each step.

    Raises:
        LayoutError: if it can never be opened as written; one sentence.
    """
    if source == BENCH:
        return Bench()
    if source.startswith(SYNTHETIC):
        raise LayoutError(
            f"{source} knows its own felt and needs no calibration: {BENCH} is a table to practise"
        )
    path = Path(source)
    if path.is_dir():
        return Folder(path)
    if path.suffix.lower() in PICTURES and path.is_file():
        return Folder(path.parent, (path,))
    try:
        return Live(source, seconds)
    except SourceError as error:
        raise LayoutError(str(error)) from None


class Folder:
    """The pictures of a folder by name, each as if it had been held still."""

    def __init__(self, folder: Path, files: tuple[Path, ...] | None = None) -> None:
        """Find the pictures.

        Raises:
            LayoutError: if there are none.
        """
        found = sorted(each for each in folder.iterdir() if each.suffix.lower() in PICTURES)
        self._files = files if files is not None else tuple(found)
        if not self._files:
            raise LayoutError(f"{folder}: holds no pictures: give JPEG or PNG files")

    def each(self) -> Iterator[Image]:
        """All pictures, once more for each step."""
        for file in self._files:
            image = read_picture(file)
            if isinstance(image, str):
                raise LayoutError(f"{file}: {image}")
            for _ in range(HELD):
                yield image

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Pictures do not change."""

    def close(self) -> None:
        """Nothing is open."""


class Bench:
    """The simulated bench, whose hands do as they are told."""

    def __init__(self) -> None:
        """Begin with the felt."""
        self._scene = BenchScene()

    def each(self) -> Iterator[Image]:
        """Frames for one step."""
        for _ in range(BENCH_FRAMES):
            yield self._scene.frame()

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Show what is asked for."""
        self._scene.follow(answer)

    def close(self) -> None:
        """Nothing is open."""


class Live:
    """A camera, stream or film."""

    def __init__(self, source: str, seconds: float) -> None:
        """Open it.

        Raises:
            SourceError: if it can never be opened as written.
        """
        self._capture = Capture(source, Wanted(size=WIDE))
        self._seconds = seconds
        self._seen = 0
        self._capture.start()

    def each(self) -> Iterator[Image]:
        """The newest frames, five a second, until the time for this step is over."""
        began = time.monotonic()
        while time.monotonic() - began < self._seconds:
            shot = self._capture.newer(self._seen, wait_s=0.5)
            if shot is not None:
                self._seen = shot.number
                yield shot.image
                # What was shown meanwhile is not looked at: the newest frame counts.
                time.sleep(EVERY_S)
            elif not self._seen and time.monotonic() - began > FIRST_S:
                why = self._capture.trouble or "check that it is connected and switched on"
                raise LayoutError(f"{self._capture.model} gives no picture: {why}")

    def follow(self, answer: Mapping[str, Any]) -> None:
        """A person does as the words say."""

    def close(self) -> None:
        """Stop capturing."""
        self._capture.stop()
