"""Frames of real sources: cameras, files and streams, in a thread that keeps the newest only."""

import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.locate import Image

OPEN_MS: Final = 5000
READ_MS: Final = 3000
"""Time a stream has to open and to give a frame."""
RETRY_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Waits between attempts to open the source again; the last one stays."""
STREAM: Final = re.compile(r"^(https?|rtsps?|rtmp|udp|tcp)://", re.IGNORECASE)


class SourceError(ValueError):
    """A source that can never be opened as written, with what to do."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source, the backend that opens it and its settings."""

    target: int | str
    backend: int
    settings: tuple[int, ...]
    name: str
    paced: bool = False
    """A file is played at its own speed."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame."""

    image: Image
    number: int
    taken_s: float


def parse_source(text: str) -> Source:
    """Understand `source` of the configuration.

    Raises:
        SourceError: if it names neither a camera, a stream nor a file that exists.
    """
    if text.isdecimal():
        return Source(int(text), cv2.CAP_V4L2, (), f"camera {text}")
    if text.startswith("/dev/"):
        return Source(text, cv2.CAP_V4L2, (), f"camera {text}")
    if STREAM.match(text):
        limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS)
        return Source(text, cv2.CAP_FFMPEG, limits, f"stream {hide_secret(text)}")
    if not Path(text).is_file():
        raise SourceError(
            f"camera source {text!r} is no index, device, address or file that exists: correct"
            " `source` (see `cutcard devices`)"
        )
    return Source(text, cv2.CAP_FFMPEG, (), f"file {text}", paced=True)


def hide_secret(address: str) -> str:
    """An address without the name and password in it."""
    return re.sub(r"//[^/@]*@", "//", address)


class Capture:
    """Keeps the newest frame of a source and opens it again when it is lost."""

    def __init__(self, source: str, size: tuple[int, int] | None = None) -> None:
        """Understand the source; nothing is opened yet. `size` is asked of a camera.

        Raises:
            SourceError: if it can never be opened as written.
        """
        self._source = parse_source(source)
        self._size = size
        self._newest: Shot | None = None
        self._news = threading.Condition()
        self._stopping = threading.Event()
        self._inside_s: float | None = None
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)

    @property
    def model(self) -> str:
        """What the source is, for the record."""
        return self._source.name

    def start(self) -> None:
        """Begin to capture."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; a driver that hangs is left behind."""
        self._stopping.set()
        self._thread.join(1.0)

    def newer(self, than: int, *, wait_s: float) -> Shot | None:
        """The newest frame if its number is higher, after waiting at most so long for one."""
        with self._news:
            self._news.wait_for(lambda: self._is_newer(than), wait_s)
            return self._newest if self._is_newer(than) else None

    def hung(self, now_s: float, limit_s: float) -> bool:
        """Whether one call into the driver has lasted longer than that."""
        inside = self._inside_s
        return inside is not None and now_s - inside > limit_s

    def _is_newer(self, than: int) -> bool:
        return self._newest is not None and self._newest.number > than

    def _run(self) -> None:
        """Open, read, and open again, with longer and longer waits."""
        attempt = 0
        number = 0
        while not self._stopping.is_set():
            taken = self._read_all(number)
            attempt = 0 if taken > number else attempt + 1
            number = taken
            self._stopping.wait(RETRY_S[min(attempt, len(RETRY_S) - 1)])

    def _read_all(self, number: int) -> int:
        """Read until the source ends or fails; the number of the last frame."""
        source = self._source
        self._inside_s = time.monotonic()
        device = open_source(source, self._size)
        try:
            pause = 1 / max(1.0, device.get(cv2.CAP_PROP_FPS) or 25.0) if source.paced else 0.0
            while device.isOpened() and not self._stopping.is_set():
                self._inside_s = time.monotonic()
                done, image = device.read()
                if not done:
                    break
                self._inside_s = None
                number += 1
                shot = Shot(np.asarray(image, dtype=np.uint8), number, time.monotonic())
                with self._news:
                    self._newest = shot
                    self._news.notify_all()
                if pause:
                    self._stopping.wait(pause)
        finally:
            device.release()
            self._inside_s = None
        return number


def open_source(source: Source, size: tuple[int, int] | None = None) -> cv2.VideoCapture:
    """Open a source with its own backend and limits; a camera is asked for a size.

    Cameras answer as they like, so what arrives is measured, not believed.
    """
    device = cv2.VideoCapture()
    device.open(source.target, source.backend, list(source.settings))
    if source.backend == cv2.CAP_V4L2:
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if size is not None:
            # Most cameras reach a large size at full speed only when they compress.
            device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            device.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return device


def look(text: str) -> str:
    """Open a source once and say in a sentence what was found.

    Raises:
        OSError: with a sentence that says what to do.
    """
    try:
        source = parse_source(text)
    except SourceError as error:
        raise OSError(str(error)) from None
    device = open_source(source)
    try:
        done, image = device.read() if device.isOpened() else (False, None)
        if not done or image is None:
            raise OSError(
                f"{source.name} gives no picture: check that it is connected and that no other"
                " program uses it"
            )
        height, width = image.shape[:2]
        return f"{source.name} gives pictures of {width} × {height}"
    finally:
        device.release()
