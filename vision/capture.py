"""Frames of real sources: cameras, files and streams, in a thread that keeps the newest only."""

import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.halves import WHOLE_FORMATS, Halves
from vision.locate import Image
from vision.trouble import explain, hide_secret
from vision.tuning import Device, Tuner, TuningError, Wanted, fourcc_text, wanted_of

__all__ = ["Capture", "Shot", "Source", "SourceError", "hide_secret", "look", "parse_source"]

OPEN_MS: Final = 5000
READ_MS: Final = 3000
"""Time a stream has to open and to give a frame."""
RETRY_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Waits between attempts to open the source again; the last one stays."""
PROVEN_S: Final = 5.0
"""A source that gave frames for so long counts as well, and the waits begin anew."""
TORN_IN_A_ROW: Final = 30
"""So many frames that cannot be decoded, one after the other, are a broken source."""
IN_PART: Final = "its pictures arrive in part only: check the network, its cables, and the camera"
OLDEST_S: Final = 1.0
"""A driver's own stamp of a frame is believed if it is at most so much older than the frame."""
STREAM: Final = re.compile(r"^(https?|rtsps?|rtmp|udp|tcp)://", re.IGNORECASE)
LOCAL_BACKEND: Final = {"win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}
"""The backend of this machine's cameras; V4L2 where nothing else is said."""


class SourceError(ValueError):
    """A source that can never be opened as written, with what to do."""


class Opened(Device, Protocol):
    """What is wanted of OpenCV's capture object; tests script one."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        """Whether it could be opened; later not to be trusted."""

    def grab(self) -> bool:
        """Wait for the next frame."""

    def retrieve(self) -> tuple[bool, Any]:
        """Decode the frame that was grabbed."""

    def release(self) -> None:
        """Close the source."""


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
    """One frame; `taken_s` is when it arrived, before it was decoded, on the monotonic clock."""

    image: Image
    number: int
    taken_s: float


def parse_source(text: str) -> Source:
    """Understand `source` of the configuration.

    Raises:
        SourceError: if it names neither a camera, a stream nor a file that exists.
    """
    local = LOCAL_BACKEND.get(sys.platform, cv2.CAP_V4L2)
    if text.isdecimal():
        return Source(int(text), local, (), f"camera {text}")
    if text.startswith("/dev/"):
        return Source(text, local, (), f"camera {text}")
    if STREAM.match(text):
        limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS)
        return Source(text, cv2.CAP_FFMPEG, limits, f"stream {hide_secret(text)}")
    if not Path(text).is_file():
        raise SourceError(
            f"camera source {text!r} is no index, device, address or file that exists: correct"
            " `source` (see `cutcard devices`)"
        )
    return Source(text, cv2.CAP_FFMPEG, (), f"file {text}", paced=True)


class Capture:
    """Keeps the newest frame of a source and opens it again when it is lost."""

    def __init__(
        self,
        source: str,
        wanted: Wanted | None = None,
        *,
        opener: "Callable[[Source], Opened] | None" = None,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """Understand the source; nothing is opened yet.

        `opener`, `now` and `pause` (which waits so many seconds) are given by tests alone.

        Raises:
            SourceError: if it can never be opened as written.
        """
        self._source = parse_source(source)
        self._tuner = Tuner(wanted or Wanted(), self._source.backend)
        self._opener: Callable[[Source], Opened] = opener or open_source
        self._now = now
        self._newest: Shot | None = None
        self._news = threading.Condition()
        self._stopping = threading.Event()
        self._pause: Callable[[float], object] = pause or self._stopping.wait
        self._inside_s: float | None = None
        self._halves = Halves()
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)
        self.trouble = ""
        """Why no picture comes, in a sentence; empty while pictures come or before it is known."""
        self.torn = 0
        """Frames that could not be decoded, or of which only a part arrived."""

    @property
    def model(self) -> str:
        """What the source is, and what it refused of its settings, for the record."""
        return "; ".join((self._source.name, *self._tuner.complaints))

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
            began = self._now()
            taken = self._read_all(number)
            proven = taken > number and self._now() - began >= PROVEN_S
            # A file that was played to its end is no failure, however short it is.
            played = taken > number and self._source.paced
            silent, number = taken == number, taken
            if not self._stopping.is_set():
                if silent and not self.trouble.endswith(IN_PART):
                    self._ask_why()
                self._pause(RETRY_S[min(attempt, len(RETRY_S) - 1)])
            attempt = 0 if proven or played else attempt + 1

    def _ask_why(self) -> None:
        """Find out why no picture comes."""
        self._inside_s = None
        self.trouble = explain(self._source.target)

    def _read_all(self, number: int) -> int:
        """Read until the source ends or fails; the number of the last frame."""
        source = self._source
        self._inside_s = self._now()
        device = self._opener(source)
        torn = 0
        try:
            if not device.isOpened():
                return number
            self._tuner.apply(device, self._now())
            single = fourcc_text(device.get(cv2.CAP_PROP_FOURCC)) in WHOLE_FORMATS
            rate = device.get(cv2.CAP_PROP_FPS) if source.paced else 0.0
            due_s = self._now()
            while not self._stopping.is_set() and torn < TORN_IN_A_ROW:
                self._inside_s = self._now()
                if not device.grab():
                    break
                taken_s = self._stamp(device)
                done, image = device.retrieve()
                self._inside_s = None
                in_part = done and image is not None and single and self._halves.half(image)
                if in_part:
                    self.trouble = f"{self._source.name}: {IN_PART}"
                if in_part or not done or image is None or not image.size:
                    torn, self.torn = torn + 1, self.torn + 1
                    continue
                torn = 0
                number += 1
                self._give(Shot(np.asarray(image, dtype=np.uint8), number, taken_s))
                self._tuner.watch(device, taken_s)
                if source.paced:
                    due_s = max(due_s, taken_s - 0.2) + 1 / min(max(1.0, rate or 25.0), 120.0)
                    self._pause(max(0.0, due_s - self._now()))
        finally:
            device.release()
            self._inside_s = None
        return number

    def _stamp(self, device: Opened) -> float:
        """When the frame just grabbed was taken: by the driver's clock if it is ours, else now."""
        now_s = self._now()
        if self._source.backend == cv2.CAP_V4L2:
            stamp_s = device.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if 0 <= now_s - stamp_s <= OLDEST_S:
                return stamp_s
        return now_s

    def _give(self, shot: Shot) -> None:
        """Let who waits have the frame."""
        with self._news:
            self._newest = shot
            self.trouble = ""
            self._news.notify_all()


def open_source(source: Source) -> cv2.VideoCapture:
    """Open a source with its own backend and limits."""
    device = cv2.VideoCapture()
    device.open(source.target, source.backend, list(source.settings))
    return device


def look(text: str, options: Mapping[str, Any] | None = None) -> str:
    """Open a source once and say in a sentence what was found.

    `options` are the camera's settings of the configuration; what it refuses of them is said.

    Raises:
        OSError: with a sentence that says what to do.
    """
    try:
        source = parse_source(text)
        tuner = Tuner(wanted_of(options or {}), source.backend)
    except (SourceError, TuningError) as error:
        raise OSError(str(error)) from None
    device = open_source(source)
    try:
        if device.isOpened():
            tuner.apply(device, time.monotonic())
            done, image = device.read()
            if done and image is not None:
                height, width = image.shape[:2]
                form = fourcc_text(device.get(cv2.CAP_PROP_FOURCC))
                said = f"{source.name} gives pictures of {width} × {height}"
                return "; ".join((said + (f" as {form}" if form.isalnum() else ""),
                                  *tuner.complaints))  # fmt: skip
    finally:
        device.release()
    raise OSError(explain(source.target))
