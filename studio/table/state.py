"""The table as one frozen value, and the fixed set-up it works under.

The state keeps a procedure's inputs, never the procedure. It is server-side only: it may hold
identities that no view may show.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.decisions import Offer
from studio.domain.envelope import Sealed
from studio.domain.events import NO_BETS, HiddenSeen
from studio.domain.faults import Fault
from studio.domain.observations import ZoneSeen
from studio.domain.shoe import Shoe
from studio.domain.values import quick
from studio.games.procedure import Input
from studio.games.spec import Game
from studio.table.asked import Asking
from studio.table.ended import Ended, PastShoe
from studio.table.seating import NOBODY_SEATED, Seating

SECOND_US = 1_000_000
FUNDS_OF = "window/"
"""What the names of batches of extra stakes begin with; no platform's batch does."""
ANEW = "anew"
"""A camera was set up and begins anew; it is believed once it is back."""


class Phase(StrEnum):
    """Where a table is. A hold is not a phase: a held table keeps the phase it was in."""

    CLOSED = "closed"
    """Takes nothing."""
    IDLE = "idle"
    """Open; no round, no shoe procedure."""
    SHOE = "shoe"
    """A shoe procedure runs."""
    BETTING = "betting"
    """Bets are open; no card may leave the shoe."""
    DEALING = "dealing"
    """Cards are due."""
    DECISION = "decision"
    """Players choose (games with decisions)."""
    RESULT = "result"
    """A settled or voided round is shown, and its cards are collected."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Least and greatest stake of one bet, minor units."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long things may take, microseconds."""

    betting: int = 15 * SECOND_US
    result: int = 8 * SECOND_US
    """A result is shown so long at least; a void at least 8 s."""
    reopen_min: int = 4 * SECOND_US
    """A window that a hold stopped reopens with no less than this."""
    pace: int = 8 * SECOND_US
    """A due card is called late on the console after this."""
    evidence: int = 5 * SECOND_US
    """The second source must follow the first within this."""
    late: int = 30 * SECOND_US
    """A due card that nobody reports holds the table after this."""
    decision: int = 12 * SECOND_US
    """Players have so long to choose."""
    insurance: int = 8 * SECOND_US
    peek: int = 2 * SECOND_US
    """What a secret look says is told so long after it was asked, whatever it says."""
    funds: int = 3 * SECOND_US
    """No answer of the wallet within this means no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """All that is fixed while a table runs: game, rules, sources, limits, times."""

    table: str
    game: Game
    rules: Any
    rules_digest: str
    config_digest: str = ""
    sources: tuple[str, ...] = ("shoe",)
    """``shoe``, ``camera`` or both."""
    shoe: str = "shoe"
    """Name of the shoe's device."""
    camera: str = "camera"
    """Name of the camera."""
    currency: str = "EUR"
    limits: tuple[tuple[str, Limit | None], ...] = ()
    """Bets offered; None: without limits."""
    times: Times = Times()
    profile: str = "house"
    expected_serial: str = ""
    shares: str = "live"
    """When players are told how all chose: ``live``, ``after`` the window, or ``off``."""
    numbered: bool = True
    """Whether the shoe numbers its reports itself; one that does not cannot tell that it missed
    a card, nor that what it sent was none."""

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the devices that give evidence at this table."""
        return (*[self.shoe] * self.uses_shoe, *[self.camera] * self.uses_camera)

    @property
    def uses_shoe(self) -> bool:
        """Whether a shoe reader gives evidence."""
        return "shoe" in self.sources

    @property
    def uses_camera(self) -> bool:
        """Whether a camera gives evidence."""
        return "camera" in self.sources


class Script(StrEnum):
    """Which procedure runs."""

    ROUND = "round"
    NEW_SHOE = "new_shoe"
    END_SHOE = "end_shoe"


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An accepted card on the felt, by the input that it answered."""

    index: int
    to: str
    face: str
    sideways: bool
    step: str
    card: Card | None
    sources: tuple[str, ...] = ()
    track: tuple[str, int] | None = None
    """(zone, track) of the camera, None where no camera saw it."""
    seen_as: Card | None = None
    """The camera's sure reading when it was accepted, or since."""
    keyed: bool = False
    """A person named it and no reader had spoken: a late report may be the same card."""
    lost: bool = False
    """A restart lost where it lies; the camera has not found it again yet."""
    sealed: Sealed | None = None
    """How the journal holds a card that lies face down and that a reader named."""
    off: bool = False
    """It was taken away in the middle of the round, and lies on the felt no longer."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A running procedure: its kind, its inputs, and the cards that it put on the felt."""

    script: Script
    inputs: tuple[Input, ...] = ()
    places: tuple[Place, ...] = ()
    due_since_us: int = 0
    """Since when the present request stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Bets that came together; `pending` until the wallet answered."""

    id: str
    columns: Columns
    pending: bool = True
    rows: tuple[tuple[str, int, int], ...] = ()
    """(bet, count, sum of stakes) of each kind in it."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """An open window; `remaining_us` is set while a hold has stopped it."""

    kind: str
    deadline_us: int
    total_us: int
    remaining_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """A window in which players choose, until what they chose is executed."""

    number: int
    """In the round, from 1; insurance counts."""
    step: str
    offers: tuple[Offer, ...]
    asked: int
    """Answers that are waited for, those that were given counted."""
    answered: int = 0
    chosen: tuple[tuple[str, int], ...] = ()
    """(decision as the batches hold it, how many gave it) of what was answered."""
    batches: tuple[tuple[str, Columns], ...] = ()
    """(batch, its decisions) as they were taken."""
    closed: bool = False
    funds: Columns = NO_BETS
    """Extra stakes that the wallet was asked for when it closed."""

    @property
    def funds_batch(self) -> str:
        """Name of the batch of extra stakes."""
        return f"{FUNDS_OF}{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A window that is over: what players had seen when they chose."""

    number: int
    step: str
    seen: str
    """Digest of the cards that lay face up."""
    inputs: int
    """Inputs of the round when it opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The open round, or the last one while it is shown."""

    id: str
    number: int
    """In the shoe."""
    called: int
    """Number by which people call it: in its game where that goes over several shoes."""
    shoe_no: int
    opened_us: int
    counted: int = 0
    """Its number among the rounds of the shoe that count (D-13): one that was cancelled before its
    first card left the shoe does not."""
    gone: int = 0
    """Cards that had left the shoe when it was opened."""
    batches: tuple[Batch, ...] = ()
    carried: Columns = NO_BETS
    """Bets that earlier rounds left standing and that are in this one too; a void leaves them."""
    bets_closed: bool = False
    outcome: str = ""
    """Canonical JSON of the outcome, empty before."""
    code: str = ""
    state: str = "open"
    """``open``, ``settled`` or ``voided``."""
    staked: int = 0
    returned: int = 0
    refunded: int = 0
    collected: bool = False
    faults: tuple[str, ...] = ()
    """Codes of the faults raised in it, in order."""
    started_version: int = 0
    """Version of the table at its opening; the journal of the round begins there."""
    withdrawals: tuple[str, ...] = ()
    """Batches in which bets were taken back."""
    procedure: str = ""
    """Version of the procedure that it was opened under."""
    rules_digest: str = ""
    """Digest of the rules that it was opened under."""
    seating: Seating = NOBODY_SEATED
    answering: Answering | None = None
    """The window in which players choose now, or whose execution waits for the wallet."""
    windows: tuple[Answered, ...] = ()
    """All windows in which players chose, the open one too."""
    peeked: bool | None = None
    """What the dealer said of the hidden card, and nobody may know yet."""
    asking: Asking | None = None
    """What a seat is asked now."""
    asked: int = 0
    """Questions that seats were asked, the open one too."""
    by_clock: tuple[int, ...] = ()
    """Places of the inputs in which the clock chose for a seat that was silent."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A report of the shoe that no card was made of yet."""

    boot: str
    sequence: int
    status: str
    card: Card | None
    sealed: Sealed | None
    at_us: int

    @property
    def key(self) -> tuple[str, int]:
        """What names this report."""
        return (self.boot, self.sequence)

    @property
    def identity(self) -> Card | None:
        """The card, sealed or open; None if it is not known."""
        return self.sealed.card if self.sealed else self.card


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A card that came when none was due."""

    read: tuple[str, int] | None
    track: tuple[str, int] | None
    exposed: bool
    card: Card | None
    sealed: Sealed | None = None
    to: str = ""
    """The zone whose next card it is; empty: the next one, wherever that is due."""

    @property
    def identity(self) -> Card | None:
        """The card, sealed or open; None if it is not known."""
        return self.sealed.card if self.sealed else self.card


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensing:
    """What the sources said that is not used up yet, and the newest picture of the felt."""

    reads: tuple[Read, ...] = ()
    zones: tuple[ZoneSeen, ...] = ()
    changed_us: int = 0
    """When the newest picture of the felt differed from the one before."""
    parked: tuple[Parked, ...] = ()
    ignored: tuple[tuple[str, int], ...] = ()
    """(zone, track) of cards that lie on the felt and are outside the game."""
    newest: tuple[tuple[str, int], ...] = ()
    """Per boot the newest sequence taken, so that a repeat is known as one."""
    hidden: tuple[HiddenSeen, ...] = ()
    """What was read of cards in `zones` that nobody may know yet; they have no name there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceState:
    """What the table knows of one of its devices."""

    name: str
    online: bool = False
    fit: bool = True
    trouble: tuple[str, ...] = ()
    boot: str = ""
    serial: str = ""
    text: str = ""
    tested: bool = True
    """False after a device-caused void, until it passed a self-test."""
    setup: str = ""
    """``calibrate`` or ``enrol`` while a person sets it up, ``anew`` until it is back from that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """The table waits for a named person: the faults, those answered, and who has it."""

    since_us: int
    faults: tuple[Fault, ...] = ()
    answered: tuple[tuple[str, str], ...] = ()
    """(fault id, repair)."""
    past: tuple[Fault, ...] = ()
    """The faults that are answered, in that order: policy still looks at what this hold was for."""
    taken_by: str = ""
    """Name of the supervisor who has it, empty if nobody has."""
    taken_number: str = ""
    """Staff number of that person; empty if the journal holds the name alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What waits for a second person, or the last that did (`how` is not empty then)."""

    id: str
    command: str
    body: str
    by: str
    by_name: str
    session: str
    at_us: int
    fault: str = ""
    round_id: str = ""
    before: str = ""
    after: str = ""
    gives: int = 0
    takes: int = 0
    secret: bool = False
    """Whether it names a card that lies face down."""
    how: str = ""
    """Empty while it waits; else ``given declined withdrawn overtaken``."""
    ended_by: str = ""
    """Name of the second person, or of who withdrew."""
    ended_us: int = 0
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeState:
    """The shoe in play."""

    number: int
    cards: Shoe
    open: bool = False
    """Ready for rounds (burned, not ended)."""
    rounds: int = 0
    """Number of the newest round of this shoe."""
    skipped: int = 0
    """Rounds of it that do not count: cancelled before their first card left the shoe (D-13)."""
    rounds_left: int | None = None
    """Whole rounds still to be opened after the open one; None while the cut card is inside."""
    ending: bool = False
    ended_us: int = 0
    """When its closing count was done; 0 before."""
    balance: str = ""
    """What that count said: ``balanced``, ``unverified``, ``mismatch``; empty before."""
    dead: tuple[Card | None, ...] = ()
    """Cards that are dead, None for one that nobody knows: a correction may find one of them in
    its coup."""
    refilled: int = 0
    """Number of the round in which the discards went back into the shoe (B9); 0 if none did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table, as far as its journal tells."""

    version: int = 0
    """How many events made it."""
    phase: Phase = Phase.CLOSED
    closing: bool = False
    day: str = ""
    shoe: ShoeState | None = None
    shoes: int = 0
    """How many shoes were begun."""
    rounds: int = 0
    """How many rounds were opened on this gaming day."""
    play: Play | None = None
    round: Round | None = None
    window: Window | None = None
    results: tuple[Ended, ...] = ()
    past_shoes: tuple[PastShoe, ...] = ()
    """The shoes before this one, oldest first, at most `SHOES_KEPT`."""
    hold: Hold | None = None
    notes: tuple[Fault, ...] = ()
    """Faults that were noted without a hold in the present round, newest last."""
    devices: tuple[DeviceState, ...] = ()
    sensing: Sensing = field(default_factory=Sensing)
    at_us: int = 0
    """Instant of the newest event."""
    approval: Approval | None = None
    """What waits for a second person, or what did last."""
    dealer: str = ""
    """Staff number of who deals here; empty if nobody does."""
    dealer_name: str = ""
    claimed_by: str = ""
    """Staff number of the supervisor who answers for this table; empty if nobody does."""
    claimed_name: str = ""
    uncounted: tuple[str, ...] = ()
    """Ids of the rounds since the last count that balanced."""
    carried: tuple[int, ...] = ()
    """What the last round that counts left to the next, as a score; its meaning is the game's.
    Empty before the first."""
    staying: Columns = NO_BETS
    """Bets that the rounds so far did not end: a later one will. While a round is open they are
    those that it was given (`Round.carried`), and hold again if it is voided."""

    @property
    def held(self) -> bool:
        """Whether the table waits for a supervisor."""
        return self.hold is not None

    @property
    def state(self) -> str:
        """What a screen shows: ``hold``, else ``void``, else the phase (``shoe`` as ``idle``)."""
        if self.hold is not None:
            return "hold"
        if self.phase is Phase.RESULT and self.round is not None and self.round.state == "voided":
            return "void"
        return Phase.IDLE.value if self.phase is Phase.SHOE else self.phase.value

    @property
    def set_up(self) -> bool:
        """Whether a person sets a device up now: nothing is dealt."""
        return any(device.setup for device in self.devices)

    def device(self, name: str) -> DeviceState:
        """The state of a device; one never heard of is offline."""
        for device in self.devices:
            if device.name == name:
                return device
        return DeviceState(name=name)
