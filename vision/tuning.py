"""What a camera is told about exposure, focus, white balance, format and rate, and what it does.

Cameras ignore settings without a word, take them only after some frames, or drop them again
(opencv issues 9738, 14494, 5847, 12404). So each is set, read back, and watched; what a camera
refuses is said in a sentence.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2

SETTLE_S: Final = 1.0
"""Some cameras take a setting only once frames flow; it is given again after so long."""
WATCH_S: Final = 5.0
"""And looked at again after each so long."""
DROPPED: Final = 3
"""A setting that was given in vain so often in a row is left alone, and that is said."""
CLOSE: Final = 0.02
"""A value read back may differ by this part: cameras have steps."""
FORMAT: Final = re.compile(r"[A-Za-z0-9 ]{4}")
USUAL_FORMAT: Final = "MJPG"
"""Most cameras reach a large size at full speed only when they compress."""
LOCAL: Final = frozenset({cv2.CAP_V4L2, cv2.CAP_DSHOW, cv2.CAP_MSMF, cv2.CAP_AVFOUNDATION})
"""Backends of cameras on this machine; a stream is set in the camera's own pages."""
BY_HAND: Final[Mapping[int, tuple[float, ...]]] = {
    cv2.CAP_V4L2: (1.0, 0.25),
    cv2.CAP_DSHOW: (0.25, 0.0),
    cv2.CAP_MSMF: (0.25, 0.0),
}
"""What "automatic exposure off" is called by a backend, newest first (opencv issue 9738)."""
BY_ITSELF: Final[Mapping[int, tuple[float, ...]]] = {
    cv2.CAP_V4L2: (3.0, 0.75),
    cv2.CAP_DSHOW: (0.75, 1.0),
    cv2.CAP_MSMF: (0.75, 1.0),
}


class Device(Protocol):
    """What is wanted of an opened capture device."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's own name
        """Ask for a value; the answer is not to be trusted."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's own name
        """Read a value back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One setting with an automatic: the name, the value's property and the automatic's."""

    name: str
    value: int
    automatic: int | None


KNOBS: Final = (
    Knob(name="exposure", value=cv2.CAP_PROP_EXPOSURE, automatic=cv2.CAP_PROP_AUTO_EXPOSURE),
    Knob(name="gain", value=cv2.CAP_PROP_GAIN, automatic=None),
    Knob(name="focus", value=cv2.CAP_PROP_FOCUS, automatic=cv2.CAP_PROP_AUTOFOCUS),
    Knob(name="white_balance", value=cv2.CAP_PROP_WB_TEMPERATURE, automatic=cv2.CAP_PROP_AUTO_WB),
)
"""In the order in which they are set: the exposure first, as it changes the others' worth."""


class TuningError(ValueError):
    """A setting that no camera could take, with what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a camera is asked for; None leaves a thing to the camera."""

    size: tuple[int, int] | None = None
    rate: float | None = None
    """Frames a second."""
    format: str | None = None
    """Four letters, as ``MJPG`` or ``YUYV``; None asks for `USUAL_FORMAT`."""
    knobs: Mapping[str, float | None] | None = None
    """Value by the name of a knob; None there means "auto"."""


def wanted_of(options: Mapping[str, Any], size: tuple[int, int] | None = None) -> Wanted:
    """Understand a camera's options of the configuration.

    Raises:
        TuningError: naming the option that cannot be used.
    """
    knobs: dict[str, float | None] = {}
    for knob in KNOBS:
        given = options.get(knob.name)
        if given == "auto":
            if knob.automatic is None:
                raise TuningError(f"{knob.name}: a camera has no automatic for it; give a number")
            knobs[knob.name] = None
        elif given is not None:
            knobs[knob.name] = _number(knob.name, given)
    rate = options.get("rate")
    form = options.get("format")
    if form is not None and (not isinstance(form, str) or not FORMAT.fullmatch(form)):
        raise TuningError(f'format: give four letters, as "MJPG" or "YUYV", not {form!r}')
    return Wanted(
        size=size,
        rate=None if rate is None else _number("rate", rate),
        format=form,
        knobs=knobs,
    )


def _number(name: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise TuningError(f'{name}: give a number or "auto", not {given!r}')
    return float(given)


class Tuner:
    """Sets one camera and sees to it that it stays set. For one thread."""

    def __init__(self, wanted: Wanted, backend: int) -> None:
        self._wanted = wanted
        self._backend = backend
        self._vain: dict[str, int] = {}
        self._due_s = float("inf")
        self.complaints: tuple[str, ...] = ()
        """What the camera refused or dropped, one sentence each; empty if it obeys."""

    def apply(self, device: Device, now_s: float) -> None:
        """Set everything on a device that was just opened, in the order that cameras want."""
        self._vain = {}
        knobs = self._wanted.knobs or {}
        if self._backend not in LOCAL:
            self.complaints = tuple(
                f"{name} cannot be set through a stream or file: set it in the camera itself"
                for name in knobs
            )
            return
        complaints = self._shape(device)
        for knob in KNOBS:
            if knob.name in knobs and not self._turn(device, knob, knobs[knob.name]):
                self._vain[knob.name] = 1
                complaints.append(self._refusal(device, knob, knobs[knob.name]))
        self.complaints = tuple(complaints)
        self._due_s = now_s + SETTLE_S if knobs else float("inf")

    def watch(self, device: Device, now_s: float) -> bool:
        """Look whether the settings hold, if it is time to; whether the complaints changed."""
        if now_s < self._due_s:
            return False
        self._due_s = now_s + WATCH_S
        before = self.complaints
        shape = tuple(each for each in before if each.startswith(("size", "format", "rate")))
        complaints = []
        for knob in KNOBS:
            if knob.name not in (self._wanted.knobs or {}):
                continue
            value = (self._wanted.knobs or {})[knob.name]
            if self._holds(device, knob, value):
                self._vain.pop(knob.name, None)
                continue
            vain = self._vain.get(knob.name, 0)
            if vain < DROPPED:
                self._vain[knob.name] = vain + 1
                if self._turn(device, knob, value):
                    continue
            complaints.append(self._refusal(device, knob, value))
        self.complaints = shape + tuple(complaints)
        return self.complaints != before

    def _shape(self, device: Device) -> list[str]:
        """Format, then size, then rate: in another order many cameras ignore one of them."""
        wanted = self._wanted
        form = (wanted.format or USUAL_FORMAT).upper()
        complaints = []
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*form))
        if wanted.size is not None:
            device.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.size[0])
            device.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.size[1])
        if wanted.rate is not None:
            device.set(cv2.CAP_PROP_FPS, wanted.rate)
        said = fourcc_text(device.get(cv2.CAP_PROP_FOURCC))
        if wanted.format is not None and said.upper() != form:
            complaints.append(f"format {form} was refused: the camera gives {said or 'another'}")
        size = (
            int(device.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(device.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        if wanted.size is not None and size != wanted.size:
            complaints.append(
                f"size {wanted.size[0]} × {wanted.size[1]} was refused: the camera gives"
                f" {size[0]} × {size[1]}"
            )
        rate = device.get(cv2.CAP_PROP_FPS)
        if wanted.rate is not None and abs(rate - wanted.rate) > 0.1 * wanted.rate:
            complaints.append(f"rate {wanted.rate:g} was refused: the camera says {rate:g}")
        return complaints

    def _turn(self, device: Device, knob: Knob, value: float | None) -> bool:
        """Set one knob; whether the camera says that it is so."""
        if knob.automatic is not None:
            for word in self._words(knob, by_hand=value is not None):
                device.set(knob.automatic, word)
                if _near(device.get(knob.automatic), word):
                    break
        if value is not None:
            device.set(knob.value, value)
        return self._holds(device, knob, value)

    def _holds(self, device: Device, knob: Knob, value: float | None) -> bool:
        """Whether a knob stands as it should, by the camera's own word."""
        if value is not None and not _near(device.get(knob.value), value):
            return False
        if knob.automatic is None:
            return True
        said = device.get(knob.automatic)
        return any(_near(said, word) for word in self._words(knob, by_hand=value is not None))

    def _words(self, knob: Knob, *, by_hand: bool) -> tuple[float, ...]:
        """What this backend calls the automatic of a knob being off or on."""
        if knob.name == "exposure":
            return (BY_HAND if by_hand else BY_ITSELF).get(self._backend, (0.25,))
        return (0.0,) if by_hand else (1.0,)

    @staticmethod
    def _refusal(device: Device, knob: Knob, value: float | None) -> str:
        """One sentence about a knob that does not stand as it should."""
        if value is None:
            return f"{knob.name}: the camera does not leave it to its automatic"
        said = device.get(knob.value)
        if _near(said, value):
            return f"{knob.name} {value:g}: the camera's automatic goes on and may change it"
        return f"{knob.name} {value:g} was refused: the camera says {said:g}"


def fourcc_text(code: float) -> str:
    """The four letters of a format as OpenCV numbers it; empty if it is none."""
    number = int(code)
    if number <= 0:
        return ""
    letters = "".join(chr((number >> shift) & 0xFF) for shift in (0, 8, 16, 24))
    return letters if letters.isprintable() else ""


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= max(0.01, CLOSE * abs(other))
