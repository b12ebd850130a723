"""Pictures through a real video codec, piece by piece: what a camera's encoder leaves of them."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

CODEC: Final = "mp4v"
"""MPEG-4 part 2: motion compensation, 12 frames between key frames; every build of OpenCV with
FFmpeg can write it. H.264 cannot be written by its wheels, for want of a free encoder."""
PIECE: Final = 60
"""Frames of one file: four seconds at 15 frames a second, 160 MB of pictures at 720p."""


class CodecError(RuntimeError):
    """This build of OpenCV cannot write or read the codec."""


class Video:
    """Compresses and decompresses frames; counts them and the bytes that they took."""

    def __init__(self, folder: Path, size: tuple[int, int], frames_per_second: float) -> None:
        """`folder` holds one file at a time."""
        self._path = folder / "piece.mp4"
        self._size = size
        self._rate = frames_per_second
        self.frames = 0
        self.bytes = 0

    def through(self, frames: Iterable[Image]) -> Iterator[Image]:
        """The frames as they come out of the codec, in order.

        Raises:
            CodecError: if it cannot be used here.
        """
        rest = iter(frames)
        while piece := list(islice(rest, PIECE)):
            yield from self.piece(piece)

    def piece(self, frames: list[Image]) -> list[Image]:
        """The same for the frames of one file.

        Raises:
            CodecError: if it cannot be used here.
        """
        code = cv2.VideoWriter_fourcc(*CODEC)  # type: ignore[attr-defined]
        writer = cv2.VideoWriter(str(self._path), code, self._rate, self._size)
        if not writer.isOpened():
            raise CodecError(f"OpenCV cannot write {CODEC} here: install its wheel with FFmpeg")
        for frame in frames:
            writer.write(frame)
        writer.release()
        self.frames += len(frames)
        self.bytes += self._path.stat().st_size
        reader = cv2.VideoCapture(str(self._path))
        out: list[Image] = []
        while len(out) < len(frames):
            good, image = reader.read()
            if not good:
                break
            out.append(np.asarray(image, dtype=np.uint8))
        reader.release()
        self._path.unlink()
        if len(out) != len(frames):
            raise CodecError(f"of {len(frames)} frames {len(out)} came back from {CODEC}")
        return out

    @property
    def megabits(self) -> float:
        """Mean rate of the compressed video in Mbit/s."""
        return self.bytes * 8 / 1e6 / max(1e-9, self.frames / self._rate)
