"""What a person, a timer or a platform may ask of a table. A command may be rejected."""

from dataclasses import dataclass

from studio.domain.cards import Card
from studio.domain.values import quick


class Rejected(Exception):  # noqa: N818  the house's word for it (DESIGN.md 12)
    """The command is not lawful now: nothing happened. `code` is a message code for screens."""

    def __init__(self, code: str, text: str = "") -> None:
        """Keep the code and an English sentence (made from the code when empty)."""
        super().__init__(text or code.replace("_", " "))
        self.code = code
        self.text = text or code.replace("_", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks, as far as the rules look at it. Two people are two numbers and two sessions."""

    number: str = ""
    """Staff number; empty for whatever is not a person."""
    name: str = ""
    """Name as screens show it."""
    role: str = ""
    session: str = ""
    """Names the sign-in, never its secret; a person who signs in twice has two."""


NOBODY = Asker()
"""No person: a timer, a device, a platform."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a closed table."""


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table: now if no round is open, else after it."""


@dataclass(frozen=True, slots=True)
class StartShoe:
    """Begin the procedure of a new shoe."""


@dataclass(frozen=True, slots=True)
class EndShoe:
    """End this shoe: after the open round, or at once between rounds.

    Also a repair: in a hold it needs a reason of the list, as the others do.
    """

    reason: str = ""
    fault: str = ""
    """The fault that gave the occasion, where there is one; it is not answered by this."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmStep:
    """The dealer did what was due (`Confirm`, `Clear`, or collecting the cards of a round)."""


@dataclass(frozen=True, slots=True)
class EnterCount:
    """The number that a `Count` step asks for."""

    number: int


@dataclass(frozen=True, slots=True)
class OpenBets:
    """Open the betting window of the next round."""


@dataclass(frozen=True, slots=True)
class CloseBets:
    """Close bets before the clock does."""


@dataclass(frozen=True, slots=True)
class CutCardIsOut:
    """The dealer says that the cut card came out."""


@dataclass(frozen=True, slots=True)
class CallSupervisor:
    """The dealer calls; the table is held. The reason may follow."""

    reason: str = ""
    """Message code of the list `policy.CALL_REASONS`; empty: not said yet."""


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet as it is asked for. `stake` in minor units."""

    id: str
    player: str
    bet: str
    stake: int


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """A batch of at most 5,000 bets. Refusals are given per entry."""

    batch: str
    bets: tuple[Bet, ...]
    round_id: str = ""
    """The round that is meant; empty means the open one."""


@dataclass(frozen=True, slots=True)
class WithdrawBets:
    """Take bets back before the close, by their ids."""

    batch: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What one player chooses for one hand."""

    id: str
    player: str
    lane: str
    """Zone of the hand; empty where the choice is about no hand (insurance), ``M`` will do too."""
    action: str


@dataclass(frozen=True, slots=True)
class PlaceDecisions:
    """A batch of at most 5,000 decisions. Refusals are given per entry."""

    batch: str
    decisions: tuple[Decision, ...]
    window: int
    """Number of the window that is meant, from 1 in each round; insurance counts."""
    round_id: str = ""
    """The round that is meant; empty means the open one."""
    strangers: tuple[str, ...] = ()
    """Players for whom whoever asks may not decide: the bets are another one's."""


@dataclass(frozen=True, slots=True)
class MarkDisconnected:
    """These players are gone for the rest of the round: it is played for them (D-10)."""

    players: tuple[str, ...]
    round_id: str = ""
    """The round that is meant; empty: whichever is open."""
    batch: str = ""
    """What the answer is kept under."""
    strangers: tuple[str, ...] = ()
    """Players for whom whoever asks may not speak: the bets are another one's."""


@dataclass(frozen=True, slots=True)
class AnswerPeek:
    """The dealer looked at the hidden card: whether it makes a natural. Nobody else knows."""

    natural: bool


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseForSeat:
    """What one who sits at the table chooses: from the seat itself, or as the dealer heard it."""

    seat: int
    window: int
    """Number of the question that is meant, from 1 in each round."""
    option: str
    """A word, or a place of the seat's rack as ``3``; from the seat itself also a card, ``7H``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimQayd:
    """One who sits at the table claims a fault in the play: from the seat, or as it was heard."""

    seat: int
    note: str = ""
    """What it says of the fault, at most 200 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """Base of the repairs: each names the fault that it answers and a reason."""

    fault: str
    reason: str = ""
    """Message code of the list `policy.REASONS`."""
    note: str = ""
    """Words of one's own on top of the reason, at most 500 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltZone:
    """What a person says lies on one zone."""

    zone: str
    cards: tuple[Card | None, ...] = ()
    """In order of dealing; None for a card that lies face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectCard(Repair):
    """A card of the open round was really another; the round is run again from its inputs."""

    index: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyInCard(Repair):
    """The card that is due is this one; a person read it."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignCard(Repair):
    """The card that came is the one that was due; the dealer moves it to its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UseAsNextCard(Repair):
    """The parked card is the next card that is due, now or when the next round deals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BurnCard(Repair):
    """The card is taken out of the game as burned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkDead(Repair):
    """The card is outside the round; it stays in the inventory as dead."""

    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptAsDealt(Repair):
    """What lies there is right as it lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RescanRound(Repair):
    """Take what lies on the felt as evidence again: the camera's picture, or a person's entry."""

    felt: tuple[FeltZone, ...] = ()
    """As a person entered it, every hand of the game; empty: the camera's present picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreCollected(Repair):
    """Cards that were collected early were laid back in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleDiscards(Repair):
    """The cards of earlier rounds were shuffled and put back into the shoe; it ends after this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryDevice(Repair):
    """Ask the device again; answered once it is online and fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassSelfTest(Repair):
    """The device passed its test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgeFault(Repair):
    """Seen and understood; nothing on the table has to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRound(Repair):
    """Declare the open round not played; every stake goes back."""

    round_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideQayd(Repair):
    """The verdict on a claimed or proven fault of the play."""

    against: int | None
    """Number of the side that is at fault; None: neither is, and the play goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftHold(Repair):
    """Let the table go on; rejected while a fault is unanswered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult:
    """A settled round of this shoe really ended otherwise; what was paid is put right.

    `cards` are all cards of the round as they truly fell, in order of dealing. With `void` the
    round is declared not played after all, and `cards` is empty.
    """

    round_id: str
    cards: tuple[Card, ...] = ()
    zones: tuple[str, ...] = ()
    """Zone of each card, in a round with lanes: then only the order within a zone counts."""
    void: bool = False
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """The second person says yes: what was asked is done now, if it is still lawful."""

    approval: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """The second person says no, and why."""

    approval: str
    reason: str = ""
    """Message code of the list `policy.REASONS`."""
    note: str = ""
    """Words of one's own on top of the reason, at most 500 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawApproval:
    """Who asked takes it back."""

    approval: str


@dataclass(frozen=True, slots=True)
class RelieveDealer:
    """The dealer who asks deals here from now on; between rounds, or where nobody deals."""


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """The dealer who deals here goes; between rounds only."""


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """The supervisor who asks answers for this table from now on."""


@dataclass(frozen=True, slots=True)
class ReleaseTable:
    """The supervisor who answers for this table no longer does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpCamera:
    """The camera is being calibrated or shown a deck; given by the studio on a person's word.

    While it is, nothing is dealt: what the camera sees is no game.
    """

    act: str
    """``begin``, ``keep`` (a layout or deck was saved), or ``end``."""
    kind: str = ""
    """``calibrate`` or ``enrol``."""
    name: str = ""
    """What was kept, as ``bb1.json version 7``."""
    digest: str = ""
    """Its SHA-256."""


@dataclass(frozen=True, slots=True)
class TakeHold:
    """A supervisor takes this hold in hand."""


@dataclass(frozen=True, slots=True)
class BeginDay:
    """A new gaming day begins; made by the runner, between rounds only."""

    day: str
    previous: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has reached this instant. Made by the timers only."""


RepairCommand = (
    CorrectCard
    | KeyInCard
    | AssignCard
    | UseAsNextCard
    | BurnCard
    | MarkDead
    | AcceptAsDealt
    | RescanRound
    | RestoreCollected
    | ShuffleDiscards
    | RetryDevice
    | PassSelfTest
    | AcknowledgeFault
    | DecideQayd
    | VoidRound
    | LiftHold
)
"""What is accepted while a table is held (with `EndShoe`)."""
OrdinaryCommand = (
    OpenTable
    | CloseTable
    | StartShoe
    | EndShoe
    | ConfirmStep
    | EnterCount
    | OpenBets
    | CloseBets
    | CutCardIsOut
    | CallSupervisor
    | PlaceBets
    | WithdrawBets
    | PlaceDecisions
    | MarkDisconnected
    | AnswerPeek
    | ChooseForSeat
    | ClaimQayd
    | CorrectResult
    | Approve
    | Decline
    | WithdrawApproval
    | RelieveDealer
    | LeaveTable
    | ClaimTable
    | ReleaseTable
    | SetUpCamera
    | TakeHold
    | BeginDay
    | Tick
)
"""What is asked of a table that is not held."""
Command = OrdinaryCommand | RepairCommand
"""All that may be asked."""
