"""What has happened at a table. Each event has a stable name and a version of its shape.

Events carry results, never instructions to compute them: `evolve` only keeps books. A name is never
used again for something else; a changed shape raises the version and brings an upcaster.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.decisions import Choice, Offer
from studio.domain.envelope import Packed, Revealed, Sealed
from studio.domain.faults import Fault
from studio.domain.observations import EvidenceItem, ZoneSeen

NO_BETS: Final = Columns()
"""What stands where the columns were not read along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """The table takes rounds from now on."""

    NAME: ClassVar[str] = "table_opened"
    VERSION: ClassVar[int] = 1
    config_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosing:
    """The table closes when the open round has ended."""

    NAME: ClassVar[str] = "table_closing"
    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """The table takes nothing."""

    NAME: ClassVar[str] = "table_closed"
    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOpened:
    """A stream begins that goes on where another ended; the table's state crosses with it."""

    NAME: ClassVar[str] = "day_opened"
    VERSION: ClassVar[int] = 1
    day: str
    previous: str
    """Name of the stream before, empty for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeProcedureStarted:
    """A shoe procedure began: ``new_shoe`` or ``end_shoe``."""

    NAME: ClassVar[str] = "shoe_procedure_started"
    VERSION: ClassVar[int] = 1
    procedure: str
    procedure_version: str
    shoe_no: int
    decks: int
    rules_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepConfirmed:
    """A step that no device proves alone is done (`Confirm`, `Clear`)."""

    NAME: ClassVar[str] = "step_confirmed"
    VERSION: ClassVar[int] = 1
    step: str
    by: str
    """``dealer`` or the device that saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEntered:
    """A person counted cards."""

    NAME: ClassVar[str] = "count_entered"
    VERSION: ClassVar[int] = 1
    step: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeOpened:
    """The new shoe is ready for its first round.

    `unknown_gone`: cards that left before, unseen by us (scripted rounds in mid-shoe).
    """

    NAME: ClassVar[str] = "shoe_opened"
    VERSION: ClassVar[int] = 1
    shoe_no: int
    decks: int
    unknown_gone: int = 0
    round_no: int = 0
    """Number of the round before the first; above 0 only where a shoe is entered midway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeEnding:
    """The open round is the last of this shoe by a person's word."""

    NAME: ClassVar[str] = "shoe_ending"
    VERSION: ClassVar[int] = 2
    reason: str
    note: str = ""
    """Words of the person's own, on top of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeEnded:
    """The shoe was counted and is done with."""

    NAME: ClassVar[str] = "shoe_ended"
    VERSION: ClassVar[int] = 2
    shoe_no: int
    remainder: int
    gone: int
    loaded: int
    balance: str
    """``balanced``, ``unverified`` or ``mismatch``."""
    since: tuple[str, ...] = ()
    """Ids of the rounds since the last count that balanced; empty if this one did."""
    unknown: int = 0
    """Cards that are gone and that nobody saw: what keeps a count from being verified."""
    off: tuple[tuple[Card, int], ...] = ()
    """(card, how many too many) of cards that turned up more often than they were loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardSeen:
    """The cut card came out."""

    NAME: ClassVar[str] = "cut_card_seen"
    VERSION: ClassVar[int] = 1
    by: str
    cards_of_round: int
    """Cards of the open round dealt before it; 0 between rounds."""
    rounds_left: int
    """Whole rounds still to be opened after the open one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardsShuffled:
    """The cards of earlier rounds are in the shoe again, so that the open one can end (B9)."""

    NAME: ClassVar[str] = "discards_shuffled"
    VERSION: ClassVar[int] = 1
    round_id: str
    back: int
    """Cards that went back into the shoe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened:
    """Bets are open for a new round."""

    NAME: ClassVar[str] = "round_opened"
    VERSION: ClassVar[int] = 3
    round_id: str
    round_no: int
    shoe_no: int
    game: str
    procedure_version: str
    rules_digest: str
    deadline_us: int
    rounds_left: int | None
    """Whole rounds after this one; None while the cut card is in the shoe."""
    dealer: str = ""
    """Staff number of who deals it; empty if nobody sits there yet (live-dealer-systems.md P1)."""
    supervisor: str = ""
    """Staff number of who answers for the table; empty if nobody does."""
    rules: str = ""
    """The rules in force, flag by flag: the text of which `rules_digest` is the digest
    (RULES.md 5.8). Empty for a round of 0.1.0, which kept the digest alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsPlaced:
    """A batch of bets was taken and waits for the wallet. `columns` travel beside the body."""

    NAME: ClassVar[str] = "bets_placed"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsRefused:
    """Bets that were asked for and are not in the round; with the reason for each."""

    NAME: ClassVar[str] = "bets_refused"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    refused: tuple[tuple[str, str], ...]
    """(bet id, reason code)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsConfirmed:
    """The wallet answered a batch: all but `refused` are reserved."""

    NAME: ClassVar[str] = "bets_confirmed"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    refused: tuple[str, ...]
    total: int
    """Reserved by this batch, minor units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsWithdrawn:
    """Bets taken back before the close; their stakes go back."""

    NAME: ClassVar[str] = "bets_withdrawn"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    ids: tuple[str, ...]
    returned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsLate:
    """A wallet answered after the close; what it reserved must be released."""

    NAME: ClassVar[str] = "funds_late"
    VERSION: ClassVar[int] = 1
    batch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsClosed:
    """No more bets."""

    NAME: ClassVar[str] = "bets_closed"
    VERSION: ClassVar[int] = 1
    round_id: str
    by: str
    """``clock`` or ``dealer``."""
    count: int
    total: int


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFinished:
    """The last card of the round fell; `outcome` says all of the result."""

    NAME: ClassVar[str] = "round_finished"
    VERSION: ClassVar[int] = 1
    round_id: str
    code: str
    outcome: str
    """Canonical JSON of the game's outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetSettled:
    """All bets of one kind: floor(stake × numerator / denominator) each goes back."""

    bet: str
    numerator: int
    denominator: int
    count: int
    staked: int
    returned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettled:
    """The round is paid. `columns` hold what goes back per bet, beside the body."""

    NAME: ClassVar[str] = "round_settled"
    VERSION: ClassVar[int] = 1
    round_id: str
    staked: int
    returned: int
    rows: tuple[BetSettled, ...]
    packed: Packed
    deadline_us: int
    """Until then the result is shown at least."""
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided:
    """The round is declared not played; every stake goes back, once."""

    NAME: ClassVar[str] = "round_voided"
    VERSION: ClassVar[int] = 2
    round_id: str
    reason: str
    refunded: int
    """All that goes back, at least what was staked."""
    packed: Packed
    deadline_us: int
    note: str = ""
    staked: int = 0
    """What was staked; less than `refunded` only under ``best_for_player`` (DESIGN.md 5)."""
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCleared:
    """The cards of the ended round are off the felt, and its result was shown long enough."""

    NAME: ClassVar[str] = "round_cleared"
    VERSION: ClassVar[int] = 1
    round_id: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsCollected:
    """The cards of the ended round are off the felt; its result may still be shown."""

    NAME: ClassVar[str] = "cards_collected"
    VERSION: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRaised:
    """The world is not as the rules say. `holds` puts (or keeps) the table on hold."""

    NAME: ClassVar[str] = "fault_raised"
    VERSION: ClassVar[int] = 2
    fault: Fault
    holds: bool
    remaining_us: int | None = None
    """What was left of the open window when it was stopped; None if none ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExplained:
    """The dealer said why the supervisor was called, after the call."""

    NAME: ClassVar[str] = "call_explained"
    VERSION: ClassVar[int] = 1
    fault: str
    reason: str
    """Message code of the list `policy.CALL_REASONS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultAnswered:
    """A repair answered a fault."""

    NAME: ClassVar[str] = "fault_answered"
    VERSION: ClassVar[int] = 2
    fault: str
    code: str
    repair: str
    reason: str
    note: str = ""
    """Words of the person's own, on top of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldTaken:
    """A supervisor has this hold in hand."""

    NAME: ClassVar[str] = "hold_taken"
    VERSION: ClassVar[int] = 2
    by: str
    """Name as screens show it."""
    number: str = ""
    """Staff number; empty in what 0.1.0 wrote, and of whoever has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldLifted:
    """The table goes on; a stopped window runs again until `deadline_us`."""

    NAME: ClassVar[str] = "hold_lifted"
    VERSION: ClassVar[int] = 1
    deadline_us: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalAsked:
    """A person asked for what needs a second one; nothing is done yet."""

    NAME: ClassVar[str] = "approval_asked"
    VERSION: ClassVar[int] = 2
    approval: str
    """Number of this event, as text; unique in the table's stream."""
    command: str
    """Name of the command that waits."""
    body: str
    """The command, canonical JSON by field; cards by code, one that lies face down as ``XX``."""
    by: str
    """Staff number of who asked."""
    by_name: str
    session: str
    """Names the sign-in of who asked, never its secret."""
    fault: str = ""
    """The fault that it answers, where it does."""
    round_id: str = ""
    """The round that it is about, where it is."""
    before: str = ""
    """Result of a settled round as it stands, where it is to be corrected."""
    after: str = ""
    """What its result would be."""
    gives: int = 0
    """Minor units that would go to players."""
    takes: int = 0
    """Minor units that would be asked back from players."""
    sealed: Sealed | None = None
    """What the command says of a card that lies face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalEnded:
    """What was asked for is no longer waiting; if it was given, what follows comes next."""

    NAME: ClassVar[str] = "approval_ended"
    VERSION: ClassVar[int] = 1
    approval: str
    how: str
    """``given``, ``declined``, ``withdrawn`` or ``overtaken``."""
    by: str = ""
    """Staff number of the second person, or of who withdrew; empty if overtaken."""
    by_name: str = ""
    reason: str = ""
    """Message code: why it was declined, or what happened instead of what was overtaken."""
    note: str = ""
    """Words of who declined, on top of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCorrected:
    """A settled round ended otherwise than was paid; the differences are put right.

    The old facts stay. `columns` (beside the body) hold per bet what has to go to the player on
    top, `debits` in the body what has to come back.
    """

    NAME: ClassVar[str] = "result_corrected"
    VERSION: ClassVar[int] = 2
    round_id: str
    round_no: int
    shoe_no: int
    old_code: str
    new_code: str
    """``void`` where the round is declared not played after all."""
    outcome: str
    """Canonical JSON of the true outcome; empty for a void."""
    cards: tuple[Card, ...]
    """All cards as they truly fell, in order of dealing; empty where a person declares a void."""
    staked: int
    returned_before: int
    """What had gone back by then, corrections included."""
    returned: int
    """What has gone back with this correction."""
    debits: tuple[tuple[str, str, str, int], ...]
    """(bet id, player, bet, minor units to come back)."""
    reason: str
    packed: Packed
    number: int = 1
    """1 for the first correction of the round; each builds on the one before."""
    placed: tuple[tuple[int, str, str, str, bool], ...] = ()
    """(index, zone, face, step, laid across) of every card, as the procedure has them."""
    set_off: tuple[tuple[str, int], ...] = ()
    """(player, minor units) that are not paid because the player owed them by an earlier
    correction of this round: the receivable is less by so much."""
    rows: tuple[BetSettled, ...] = ()
    """What all bets of one kind should have got, as in `RoundSettled`; empty for a void, and where
    each player gets the larger of two sums."""
    note: str = ""
    """Words of the person's own, on top of the reason."""
    policy: str = ""
    """What was done with decisions that players took by other cards, or could not have taken:
    ``stand_as_locked``, ``void`` or ``best_for_player``; empty where there were none."""
    course: tuple[str, ...] = ()
    """What each input of the round was: ``stakes card hidden decided natural no_natural turned``;
    empty for a void, and for a game of cards alone."""
    choices: tuple[tuple[Choice, ...], ...] = ()
    """What players did in each window of that course."""
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivableNoted:
    """A player could not cover what has to come back; it is owed (DESIGN.md 5)."""

    NAME: ClassVar[str] = "receivable_noted"
    VERSION: ClassVar[int] = 1
    round_id: str
    owed: tuple[tuple[str, int], ...]
    """(player, minor units)."""
    number: int = 1
    """Of the correction that asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceKept:
    """Frames of the wires and pictures of the cameras around a fault were kept, with digests."""

    NAME: ClassVar[str] = "evidence_kept"
    VERSION: ClassVar[int] = 1
    fault: str
    """Id of the fault; ``void-<round>`` or ``corrected-<round>-<number>`` where there is none."""
    items: tuple[EvidenceItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerSeated:
    """This person deals from now on."""

    NAME: ClassVar[str] = "dealer_seated"
    VERSION: ClassVar[int] = 1
    number: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerLeft:
    """Nobody deals here now."""

    NAME: ClassVar[str] = "dealer_left"
    VERSION: ClassVar[int] = 1
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClaimed:
    """This supervisor answers for the table from now on."""

    NAME: ClassVar[str] = "table_claimed"
    VERSION: ClassVar[int] = 1
    number: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReleased:
    """Nobody answers for the table now."""

    NAME: ClassVar[str] = "table_released"
    VERSION: ClassVar[int] = 1
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingExtended:
    """Nobody had bet when bets were to close, and the rules deal to somebody only (D-08)."""

    NAME: ClassVar[str] = "betting_extended"
    VERSION: ClassVar[int] = 1
    round_id: str
    deadline_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersSeated:
    """The closed bets as the procedure is told of them, before the first card."""

    NAME: ClassVar[str] = "players_seated"
    VERSION: ClassVar[int] = 2
    round_id: str
    bet: str
    """The bet that gives its player a hand; they sit in the order in which they placed it."""
    seated: int
    bets: tuple[str, ...]
    """Kinds of bets that were placed, sorted."""
    zones: tuple[str, ...] = ()
    """Zone of each player's own hand, in the same order; empty where all share one hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOpened:
    """Players choose from now on."""

    NAME: ClassVar[str] = "window_opened"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    """Number of the window in the round, from 1; insurance counts."""
    step: str
    offers: tuple[Offer, ...]
    asked: int
    """Answers that are waited for: one a player and lane; players who are gone give none."""
    deadline_us: int
    seen: str
    """SHA-256, hexadecimal, of what players see now: the cards that lie face up, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsTaken:
    """A batch of decisions was taken; each is final. `columns` travel beside the body.

    A row's bet is the decision as ``M:hit``, or ``insure``; its amount is what it costs.
    """

    NAME: ClassVar[str] = "decisions_taken"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    window: int
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsRefused:
    """Decisions that were asked for and do not count; with the reason for each."""

    NAME: ClassVar[str] = "decisions_refused"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    window: int
    """The window that was meant."""
    refused: tuple[tuple[str, str], ...]
    """(decision id, reason code)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersDisconnected:
    """These players are gone for the rest of the round; it is played for them (D-10)."""

    NAME: ClassVar[str] = "players_disconnected"
    VERSION: ClassVar[int] = 1
    round_id: str
    players: tuple[str, ...]
    fewer: int
    """By so many answers the open window waits for less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """Nobody chooses any more; what was not answered is played by rule."""

    NAME: ClassVar[str] = "window_closed"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    by: str
    """``clock``, ``all``, or ``correction``: it had shown a wrong card and counts for nothing."""
    asked: int
    answered: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsAsked:
    """The wallet is asked for what the actions of a closed window cost. `columns` beside the body.

    In the order in which money is looked at: per player the first hand first (D-09).
    """

    NAME: ClassVar[str] = "funds_asked"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    deadline_us: int
    """No answer until then means no."""
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsExecuted:
    """What the players of a closed window did; `columns` (beside the body) are the extra stakes."""

    NAME: ClassVar[str] = "actions_executed"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    choices: tuple[Choice, ...]
    cohorts: tuple[str, ...]
    """Names of the cohorts from now on."""
    seats: str
    """Place in `cohorts` of each seat's cohort, in order of the seats: 16-bit little-endian
    numbers, deflated (RFC 1950), Base64."""
    answered: bool
    """False where the wallet was asked and did not answer in time."""
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekAsked:
    """The hidden card is looked at in secret; the answer is told at `deadline_us`, whatever it is.

    Asked again if nobody who can know has answered by then.
    """

    NAME: ClassVar[str] = "peek_asked"
    VERSION: ClassVar[int] = 1
    step: str
    deadline_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekAnswered:
    """The dealer said whether the hidden card makes a natural; nobody may know it yet.

    The seal holds an ace (of spades) for yes, a two for no.
    """

    NAME: ClassVar[str] = "peek_answered"
    VERSION: ClassVar[int] = 1
    sealed: Sealed


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekDone:
    """Whether the hidden card makes a natural is known by all."""

    NAME: ClassVar[str] = "peek_done"
    VERSION: ClassVar[int] = 1
    natural: bool


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


Event = (
    TableOpened
    | TableClosing
    | TableClosed
    | DayOpened
    | ShoeProcedureStarted
    | StepConfirmed
    | CountEntered
    | ShoeOpened
    | ShoeEnding
    | ShoeEnded
    | CutCardSeen
    | DiscardsShuffled
    | RoundOpened
    | BetsPlaced
    | BetsRefused
    | BetsConfirmed
    | BetsWithdrawn
    | FundsLate
    | BetsClosed
    | ShoeRead
    | ShoeIdentified
    | FeltSeen
    | DeviceNoted
    | CardDealt
    | TracksPaired
    | TracksLost
    | CardCorrected
    | CardParked
    | CardUnparked
    | ReadUsed
    | CardDead
    | RoundFinished
    | RoundSettled
    | RoundVoided
    | RoundCleared
    | CardsCollected
    | FaultRaised
    | CallExplained
    | FaultAnswered
    | HoldTaken
    | HoldLifted
    | ApprovalAsked
    | ApprovalEnded
    | ResultCorrected
    | ReceivableNoted
    | EvidenceKept
    | DealerSeated
    | DealerLeft
    | TableClaimed
    | TableReleased
    | BettingExtended
    | PlayersSeated
    | WindowOpened
    | DecisionsTaken
    | DecisionsRefused
    | PlayersDisconnected
    | WindowClosed
    | FundsAsked
    | ActionsExecuted
    | PeekAsked
    | PeekAnswered
    | PeekDone
    | CardTurned
)
"""Everything that can have happened at a table of the games that exist so far."""
