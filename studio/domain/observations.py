"""What devices report. The only part of the studio, with `cards`, that drivers and cameras need.

An observation is never rejected: it is recorded, and where it does not fit the rules it becomes a
fault. It says what was seen, never what it means. `at_us` is UTC in microseconds, stamped when the
last byte or the frame arrived.

The identity of a report from a wire is (device, boot, sequence); the same triple twice is one fact.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from studio.domain.cards import Card
from studio.domain.values import quick


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOnline:
    """A device answered its handshake; `boot` is new at each power-up, empty if unknown."""

    device: str
    at_us: int
    model: str
    firmware: str
    serial: str
    boot: str = ""
    rebooted: bool = False
    """True when the boot differs from the one known before, so its count starts again."""
    expected_serial: str = ""
    """The identity from the configuration; empty means that any is welcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOffline:
    """A device was lost: unplugged, silent beyond its limit, or a port that does not open."""

    device: str
    at_us: int
    reason: str


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    """A card came out of the shoe or was scanned.

    `card` is None for a draw whose identity follows as `CardIdentified` (or never).
    """

    device: str
    at_us: int
    boot: str
    sequence: int
    card: Card | None
    unique: str = ""
    """The physical card's own serial where codes are unique, else empty."""
    again: bool = False
    """The same value as just before, from a reader that cannot tell a repeat: one card or two?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardIdentified:
    """The identity of an earlier draw: `of` is the sequence of its `CardRead`."""

    device: str
    at_us: int
    boot: str
    sequence: int
    of: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardUnreadable:
    """A card came out and could not be read. Never a value."""

    device: str
    at_us: int
    boot: str
    sequence: int
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardOut:
    """The cut card came out of the shoe."""

    device: str
    at_us: int
    boot: str
    sequence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceGap:
    """Reports are missing: `first` to `last` (sequence numbers, inclusive) never arrived.

    `last` less than `first` means that the count went backwards without a new boot. The driver
    reports a gap only after its own attempts to have the frames sent again have failed.
    """

    device: str
    at_us: int
    boot: str
    first: int
    last: int


class DeviceFaultCode(StrEnum):
    """Classes of device fault, one vocabulary for all drivers."""

    JAM = "JAM"
    OVERDRAW = "OVERDRAW"
    REVERSE = "REVERSE"
    COVER = "COVER"
    EMPTY = "EMPTY"
    SENSOR = "SENSOR"
    GARBAGE = "GARBAGE"
    OTHER = "OTHER"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFault:
    """The device itself says that something is wrong; stands until `DeviceFaultCleared`."""

    device: str
    at_us: int
    code: DeviceFaultCode
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFaultCleared:
    """The end of a `DeviceFault` of the same code."""

    device: str
    at_us: int
    code: DeviceFaultCode


@dataclass(frozen=True, slots=True, kw_only=True)
class GateMoved:
    """The shoe's gate is now locked or unlocked."""

    device: str
    at_us: int
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTested:
    """The answer of a device to a self-test."""

    device: str
    at_us: int
    passed: bool
    text: str


class Look(StrEnum):
    """What a thing on the felt looks like."""

    FACE = "face"
    """A face-up card; its `card` is the reading, `sure` says whether it may be used."""
    BACK = "back"
    """A face-down card."""
    CUT = "cut"
    """The coloured plastic cut card."""
    UNKNOWN = "unknown"
    """Something of card size that is none of these, or too poorly seen to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCard:
    """One thing at rest in a zone. `track` stays the same while it lies where it is."""

    track: int
    look: Look
    card: Card | None = None
    """The reading; None unless `look` is FACE and a reading was made."""
    sure: bool = False
    """The eye's own word that `card` may be used without a person."""
    confidence_milli: int = 0
    """Calibrated confidence in thousandths, 0 to 1000."""
    second: Card | None = None
    """The second-best reading, for the supervisor only."""
    quad: tuple[tuple[int, int], ...] = ()
    """Outline in whole pixels of the camera's frame, four corners, clockwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneSeen:
    """All that lies in one zone of the felt, in order of arrival there.

    `settled` is False while the zone moves or is covered; its cards are then the last stable ones.
    """

    zone: str
    settled: bool
    cards: tuple[SeenCard, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSeen:
    """What a camera sees, zone by zone; sent when something changed, never once a frame."""

    device: str
    at_us: int
    frame: int
    """Number of the frame, rising; it may skip."""
    zones: tuple[ZoneSeen, ...]


class Unfit(StrEnum):
    """Why a camera cannot see."""

    LOST = "lost"
    FROZEN = "frozen"
    DARK = "dark"
    BLUR = "blur"
    GLARE = "glare"
    KNOCKED = "knocked"
    LAYOUT = "layout"
    """No layout was made for it yet: it is not calibrated."""
    DECK = "deck"
    """It has no enrolled deck, and the table deals only with one; or its deck cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraUnfit:
    """The camera does not see as it must; stands until `CameraFit`."""

    device: str
    at_us: int
    why: Unfit
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraFit:
    """The camera sees again (or for the first time); `identity` names it for the record."""

    device: str
    at_us: int
    identity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRates:
    """Three rungs of a device's health: bytes, frames, facts since start, and garbage.

    For a camera bytes are frames captured, frames are frames that differed, facts are reports.
    Sent at most once a second; it moves no rule, only the health shown.
    """

    device: str
    at_us: int
    bytes: int
    frames: int
    facts: int
    garbage: int
    last_us: int
    """Instant of the newest byte, or of the newest frame that differed from the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsAnswered:
    """The wallet's answer to one batch: which bets have no funds. All others are reserved."""

    device: str
    """Name of the wallet."""
    at_us: int
    batch: str
    refused: tuple[str, ...] = field(default=())
    """Ids of bets that are not covered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DebitAnswered:
    """The wallet's answer to what a correction asks back: who could not cover it (all or none)."""

    device: str
    """Name of the wallet."""
    at_us: int
    round_id: str
    number: int
    """Of the correction, as in `ResultCorrected`."""
    uncovered: tuple[tuple[str, int], ...]
    """(player, minor units) of which nothing was taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem:
    """One kept piece: its name, what it is, its digest and its size."""

    name: str
    """Unique in its fault: ``shoe.wire``, ``camera-0012.jpg``."""
    kind: str
    """``wire`` (lines of text), ``picture`` (JPEG), or ``hidden``: a picture that nobody gets
    before the card that lies face down is turned, or its round has ended."""
    sha256: str
    size: int
    """Bytes."""
    at_us: int
    """Instant of the picture, or of the newest line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceStored:
    """The keeper of evidence has stored what it found around a fault; it moves no rule."""

    device: str
    """Name of the keeper."""
    at_us: int
    fault: str
    items: tuple[EvidenceItem, ...]


WireObservation = (
    DeviceOnline
    | DeviceOffline
    | CardRead
    | CardIdentified
    | CardUnreadable
    | CutCardOut
    | SequenceGap
    | DeviceFault
    | DeviceFaultCleared
    | GateMoved
    | SelfTested
    | LinkRates
)
"""What a driver of `hardware` reports."""
CameraObservation = (
    DeviceOnline | DeviceOffline | CardsSeen | CameraUnfit | CameraFit | SelfTested | LinkRates
)
"""What a camera of `vision` reports."""
Observation = WireObservation | CameraObservation | FundsAnswered | DebitAnswered | EvidenceStored
"""All that may enter a table's inbox without a person having asked for it."""
