"""Events of cards: what the sources said of them, and what was accepted of it."""

from dataclasses import dataclass
from typing import ClassVar

from studio.domain.cards import Card
from studio.domain.envelope import Revealed, Sealed
from studio.domain.observations import ZoneSeen
from studio.domain.values import quick


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeRead:
    """The shoe's reader reported a card. `sealed` instead of `card` while it may not be known."""

    NAME: ClassVar[str] = "shoe_read"
    VERSION: ClassVar[int] = 1
    device: str
    boot: str
    sequence: int
    status: str
    """``read``, ``drawn`` (identity follows), ``unreadable``, ``cut`` (the cut card), or ``again``.

    ``again`` is the value of the report before once more, from a reader that cannot tell whether
    it is another card.
    """
    card: Card | None = None
    sealed: Sealed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeIdentified:
    """The identity of an earlier draw."""

    NAME: ClassVar[str] = "shoe_identified"
    VERSION: ClassVar[int] = 1
    device: str
    boot: str
    sequence: int
    of: int
    card: Card | None = None
    sealed: Sealed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenSeen:
    """What the camera read of a card whose face nobody may know yet."""

    zone: str
    track: int
    sealed: Sealed


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltSeen:
    """The camera's newest word on all zones; a face that nobody may know has no name there."""

    NAME: ClassVar[str] = "felt_seen"
    VERSION: ClassVar[int] = 2
    device: str
    frame: int
    zones: tuple[ZoneSeen, ...]
    hidden: tuple[HiddenSeen, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceNoted:
    """A device's standing changed: online, offline, unfit, fit, trouble, cleared, tested."""

    NAME: ClassVar[str] = "device_noted"
    VERSION: ClassVar[int] = 1
    device: str
    what: str
    text: str = ""
    boot: str = ""
    serial: str = ""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class CardDealt:
    """A card was accepted in the running procedure, in its place of the order."""

    NAME: ClassVar[str] = "card_dealt"
    VERSION: ClassVar[int] = 1
    index: int
    """Place in the procedure's inputs, from 0."""
    to: str
    face: str
    step: str
    sideways: bool
    card: Card | None
    """None while nobody knows or may know it."""
    sealed: Sealed | None = None
    sources: tuple[str, ...] = ()
    """Devices, or ``person``, that agreed."""
    read: tuple[str, int] | None = None
    """(boot, sequence) of the shoe's report that it used up."""
    track: tuple[str, int] | None = None
    """(zone, track) of the camera's card that it used up."""
    revealed: Revealed | None = None
    """Card and salt, where an earlier report of it was sealed and it may now be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTurned:
    """A card that lay face down was turned where it lies."""

    NAME: ClassVar[str] = "card_turned"
    VERSION: ClassVar[int] = 1
    index: int
    """Place of the input that dealt it."""
    card: Card
    step: str
    sources: tuple[str, ...] = ()
    """Devices, or ``person``, that agreed."""
    revealed: Revealed | None = None
    """Card and salt of the seal, where its identity was known before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMoved:
    """A card that had been dealt was laid in another zone; it shows this face there."""

    NAME: ClassVar[str] = "card_moved"
    VERSION: ClassVar[int] = 1
    index: int
    """Place of the input that dealt it."""
    to: str
    face: str
    step: str
    card: Card | None
    """None while nobody knows or may know it."""
    sources: tuple[str, ...] = ()
    """Devices, or ``person``, that agreed."""
    track: tuple[str, int] | None = None
    """(zone, track) of the camera's card there."""
    revealed: Revealed | None = None
    """Card and salt of the seal, where its identity was known before and may now be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracksPaired:
    """After a restart, accepted cards were found again on the felt."""

    NAME: ClassVar[str] = "tracks_paired"
    VERSION: ClassVar[int] = 1
    pairs: tuple[tuple[int, str, int], ...]
    """(index of the input, zone, track)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracksLost:
    """Accepted cards no longer lie where they were; they have to be found again."""

    NAME: ClassVar[str] = "tracks_lost"
    VERSION: ClassVar[int] = 1
    indexes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCorrected:
    """A person states what an accepted card really was; the wrong reading stays on record."""

    NAME: ClassVar[str] = "card_corrected"
    VERSION: ClassVar[int] = 2
    index: int
    old: Card | None
    """None where nobody knew it, or nobody may: the seal of its deal holds it then."""
    new: Card | None
    """None while it lies face down: `sealed` holds it until it is turned."""
    kept: int
    """How many inputs still fit after the round was run again."""
    outside: int = 0
    """How many later cards no longer fit and are outside the round."""
    placed: tuple[tuple[int, str, str, str, bool], ...] = ()
    """(index, zone, face, step, laid across) of every kept card as the new run has it."""
    sealed: Sealed | None = None

    @property
    def identity(self) -> Card | None:
        """What the card really was, also where nobody may know it; None if this may not be read."""
        return self.new if self.sealed is None else self.sealed.card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardParked:
    """A card that came when none was due waits beside the round for its fate."""

    NAME: ClassVar[str] = "card_parked"
    VERSION: ClassVar[int] = 2
    read: tuple[str, int] | None
    track: tuple[str, int] | None
    exposed: bool
    card: Card | None = None
    sealed: Sealed | None = None
    to: str = ""
    """The zone whose next card it is (B6, B7); empty: the next one, wherever that is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardUnparked:
    """A parked card takes its place again as the next card of the shoe."""

    NAME: ClassVar[str] = "card_unparked"
    VERSION: ClassVar[int] = 1
    read: tuple[str, int] | None
    track: tuple[str, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadUsed:
    """A report of the shoe is used up by what a person stated about the same card."""

    NAME: ClassVar[str] = "read_used"
    VERSION: ClassVar[int] = 1
    read: tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDead:
    """A card is outside the game: in the inventory as ``dead`` or ``burned``."""

    NAME: ClassVar[str] = "card_dead"
    VERSION: ClassVar[int] = 1
    fate: str
    card: Card | None
    sealed: Sealed | None = None
    read: tuple[str, int] | None = None
    track: tuple[str, int] | None = None
