"""What each audience may see of a table, as whole values. A card that may not be known is absent.

Everything that is worded on a screen travels as a message code with parameters, never as a
sentence; the catalogue of each language words it. Amounts are whole minor units, instants UTC in
microseconds. `to_json` gives the plain form that travels.

The values of `state` are ``closed idle betting dealing decision result hold void`` (DESIGN.md 5).
"""

from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, Final

from studio.games.board import Board
from studio.games.roads import Roads
from studio.table.viewparts import (
    BetRow,
    ButtonView,
    CardView,
    DeviceView,
    HandView,
    HoldNote,
    Message,
    ResultView,
    SharesView,
    SlotView,
    StepView,
    WindowView,
)

__all__ = [
    "ApprovalView",
    "BetRow",
    "Board",
    "ButtonView",
    "CardView",
    "CaseView",
    "CorrectionView",
    "DealerView",
    "DeviceView",
    "Envelope",
    "EvidenceView",
    "FeltView",
    "HandView",
    "HoldNote",
    "JournalLine",
    "Message",
    "OptionView",
    "OverlayView",
    "PastRoundView",
    "ResultView",
    "Roads",
    "SharesView",
    "ShoeView",
    "SightingView",
    "Slate",
    "SlotView",
    "StepView",
    "SupervisorView",
    "TileView",
    "VoidPreview",
    "WindowView",
    "to_json",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerView:
    """Everything of the dealer console."""

    table: str
    game: str
    state: str
    phase: str
    dealer: str
    """Name of the person who deals, empty if nobody sits here."""
    shoe_no: int
    round_no: int
    round_id: str
    step: StepView
    hands: tuple[HandView, ...]
    window: WindowView | None
    last_card: tuple[CardView, str, int] | None
    """(card, zone, number in the round) of the newest accepted card."""
    last_sources: tuple[str, ...]
    """Names of the sources that agreed on it."""
    bets: int
    """Number of bets in the round."""
    cards_left: int
    """Cards in the shoe, the cut card not counted."""
    cut_card: str
    """``in``, ``out``; out: `last_rounds` says how many rounds follow this one."""
    last_rounds: int | None
    results: tuple[ResultView, ...]
    """Results of this shoe, oldest first."""
    devices: tuple[DeviceView, ...]
    buttons: tuple[ButtonView, ...]
    hold: HoldNote | None
    refunded: int = 0
    """Minor units returned by the void that is shown now."""
    dealer_number: str = ""
    """Staff number of the person who deals; two people may have the same name."""
    seated: int = 0
    """Players with a hand in this round."""
    takers: int = 0
    """Players who take a card in this wave."""
    wave: int = 0
    """Which wave of cards after decisions, from 1; 0 before."""
    again: bool = False
    """Whether players may choose again after the cards of this wave."""
    shares: tuple[SharesView, ...] = ()
    """How players have chosen, one entry a lane; empty where it is not to be told."""
    cutoffs: tuple[tuple[str, int, int], ...] = ()
    """(bet, last round of the shoe that takes it, rounds after this one that do; -1: closed)."""
    roads: Roads | None = None
    """The roads of this shoe; None for games that have none."""
    board: Board | None = None
    """The game of tricks; None for games that have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SightingView:
    """What one source saw, for the supervisor."""

    source: str
    kind: str
    """``shoe`` or ``camera``."""
    look: str
    card: str
    zone: str
    at_us: int
    sequence: int | None
    confidence_milli: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """One repair: what it would do, or why it is refused."""

    command: str
    """Name of the repair, as ``CorrectCard``."""
    fault: str
    label: Message
    effect_round: Message
    effect_money: Message
    people: int
    """1 or 2."""
    enabled: bool
    reason: Message | None
    """Why it is refused; None where enabled."""
    needs: tuple[str, ...] = ()
    """Further entries that the command asks for: ``card``, ``index``, ``reason``."""
    first: bool = False
    """The policy's own answer."""
    then: tuple[Message, ...] = ()
    """What would follow, tried on a copy of the table: cards out of the game, next step, result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceView:
    """One kept piece of evidence: the address of its bytes is made from `fault` and `name`."""

    name: str
    kind: str
    """``wire``, ``picture``, or ``hidden``: a picture that nobody may see yet."""
    sha256: str
    size: int
    at_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalView:
    """What waits for a second person, or the last that did. Who looks compares `by`."""

    id: str
    act: Message
    """The act in words, as ``approval.VoidRound``, with round, card, zone."""
    command: str
    by: str
    """Staff number of who asked; the same person cannot approve."""
    by_name: str
    at_us: int
    roles: tuple[str, ...]
    """Roles of which one must approve."""
    effect_money: Message
    fault: str = ""
    round_no: int = 0
    how: str = ""
    """Empty while it waits; else ``given declined withdrawn overtaken``."""
    ended_by: str = ""
    ended_us: int = 0
    reason: Message | None = None
    note: str = ""
    changes: tuple[Message, ...] = ()
    """What a felt that was entered by hand would change, one line a card, while it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltView:
    """After a stop: what the journal believes lies on the felt, to be compared by a person."""

    fault: str
    zones: tuple[tuple[str, tuple[str, ...]], ...]
    """(zone, codes in order of dealing; ``XX`` for a card that is face down or not to be told)."""
    seen: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The same as the camera sees it now; ``??`` where it is not sure; empty without a camera."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRoundView:
    """A settled round of this shoe that may still be corrected."""

    round_id: str
    round_no: int
    code: str
    cards: tuple[tuple[str, str], ...]
    """(zone, code) in order of dealing, as the newest word has them."""
    staked: int
    returned: int
    enabled: bool = True
    reason: Message | None = None
    owed: int = 0
    """Minor units that players could not cover when corrections were paid."""
    corrected: bool = False
    policy: str = ""
    """What becomes of decisions that were taken by other cards: ``stand_as_locked``, ``void`` or
    ``best_for_player``; empty in a game of cards alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView:
    """A late correction as players are told of it (FACES.md 13)."""

    round_no: int
    old_code: str
    new_code: str
    at_us: int
    since: int = 0
    """Results of this shoe since then: one is told until the next, however late a screen looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """One fault opened by a supervisor."""

    fault: str
    code: str
    row: str
    """Row of the irregularities, as ``V3``."""
    at_us: int
    step: str
    due: Message | None
    due_zone: str
    due_face: str
    index: int | None
    sightings: tuple[SightingView, ...]
    options: tuple[OptionView, ...]
    text: str
    what: Message | None = None
    """The fault in words."""
    evidence: tuple[EvidenceView, ...] = ()
    felt: FeltView | None = None
    """Where the felt has to be entered or compared (after a stop)."""
    review: tuple[Message, ...] = ()
    """Where to look again: earlier reads of a card too many, rounds since the last good count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidPreview:
    """What voiding the open round would return; `proof` holds the four checks in order."""

    round_id: str
    rows: tuple[BetRow, ...]
    accepted: int
    paid_before: int
    returned: int
    proof: tuple[tuple[str, bool], ...]
    """(message code, holds)."""
    people: int = 1
    """1, or 2 where a second person has to approve."""
    method: str = "refund"
    """``refund``, or ``best_for_player`` (each gets the larger of the provable result and all
    stakes)."""
    returns: tuple[int, ...] = ()
    """Minor units that go back for each of `rows`, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalLine:
    """One fact of the round in words."""

    version: int
    at_us: int
    message: Message
    tone: str = ""
    """``hold``, ``void`` or empty."""
    actor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeView:
    """A shoe before the present one, for the supervisor."""

    shoe_no: int
    day: str
    """Gaming day on which the next shoe was begun."""
    ended_us: int
    """When its closing count was done; 0 if it was never counted."""
    balance: str
    """``balanced``, ``unverified``, ``mismatch``; empty if it was never counted."""
    roads: Roads


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorView:
    """Everything of the supervisor's page of one table; `dealer` is what the dealer sees."""

    dealer: DealerView
    cases: tuple[CaseView, ...]
    lift: ButtonView
    void: VoidPreview | None
    bets: tuple[BetRow, ...]
    staked: int
    currency: str
    journal: tuple[JournalLine, ...]
    dealt: tuple[tuple[int, str, str], ...]
    """(index of the input, zone, code) of the accepted cards, for `CorrectCard`."""
    reasons: tuple[str, ...]
    """Message codes of the reasons that a void or a correction may name."""
    approval: ApprovalView | None = None
    past: tuple[PastRoundView, ...] = ()
    """Settled rounds of this shoe, newest first."""
    claimed_by: str = ""
    """Staff number of the supervisor who answers for this table."""
    claimed_name: str = ""
    uncounted: tuple[str, ...] = ()
    """Ids of the rounds since the last count that balanced."""
    wallet: Message | None = None
    """What the wallet has still to be told of the last void or correction; None if nothing."""
    shoes: tuple[ShoeView, ...] = ()
    """The shoes before this one, newest first; empty for games without roads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slate:
    """What lies over the whole overlay; None while the picture may be shown."""

    code: str
    """``wait`` or ``void``."""
    round_no: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayView:
    """What players may see: accepted cards, totals, countdown, result."""

    table: str
    game: str
    state: str
    shoe_no: int
    round_no: int
    hands: tuple[HandView, ...]
    window: WindowView | None
    result: ResultView | None
    results: tuple[ResultView, ...]
    last_rounds: int | None
    slate: Slate | None
    void_round: int = 0
    correction: CorrectionView | None = None
    """The newest late correction of this shoe; the screen decides how long it is shown."""
    seated: int = 0
    """Players with a hand in this round."""
    takers: int = 0
    """Players who take a card in this wave."""
    wave: int = 0
    """Which wave of cards after decisions, from 1; 0 before."""
    shares: tuple[SharesView, ...] = ()
    """How players have chosen, one entry a lane; empty where it is not to be told."""
    cutoffs: tuple[tuple[str, int, int], ...] = ()
    """(bet, last round of the shoe that takes it, rounds after this one that do; -1: closed)."""
    roads: Roads | None = None
    """The roads of this shoe; None for games that have none."""
    board: Board | None = None
    """The game of tricks; None for games that have none, and where nothing is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """One table on the supervisor's wall."""

    table: str
    game: str
    state: str
    round_no: int
    shoe_no: int
    dealer: str
    headline: Message
    bets: int
    staked: int
    currency: str
    window: WindowView | None
    devices: tuple[DeviceView, ...]
    hold: HoldNote | None
    result: ResultView | None
    claimed_by: str = ""
    claimed_name: str = ""
    approval: ApprovalView | None = None
    """What waits for a second person at this table; None else."""
    seated: int = 0
    """Players with a hand in this round."""
    takers: int = 0
    """Players who take a card in this wave."""
    wave: int = 0
    """Which wave of cards after decisions, from 1; 0 before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A view on its way: a screen ignores what is not newer within the same epoch."""

    table: str
    audience: str
    epoch: str
    seq: int
    now_us: int
    """The server's clock when the view was made."""
    view: dict[str, Any] = field(default_factory=dict)


_PLAIN: Final = frozenset({str, int, bool, NoneType})
"""Types that travel as they are; most values of a view are of these."""


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Names of the fields of a view."""
    return tuple(field.name for field in fields(kind))


def to_json(value: Any) -> Any:
    """Give the plain JSON form of a view: objects, lists, text, whole numbers, booleans, null."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Message):
        return {"code": value.code, "params": dict(value.params)}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    return value
