"""What has happened at a table. Each event has a stable name and a version of its shape.

Events carry results, never instructions to compute them: `evolve` only keeps books. A name is never
used again for something else; a changed shape raises the version and brings an upcaster.
"""

from studio.domain.events.cards import (
    CardCorrected,
    CardDead,
    CardDealt,
    CardMoved,
    CardParked,
    CardTurned,
    CardUnparked,
    DeviceNoted,
    FeltSeen,
    HiddenSeen,
    ReadUsed,
    ShoeIdentified,
    ShoeRead,
    TracksLost,
    TracksPaired,
)
from studio.domain.events.choices import (
    ActionsExecuted,
    DecisionsRefused,
    DecisionsTaken,
    FundsAsked,
    PeekAnswered,
    PeekAsked,
    PeekDone,
    PlayersDisconnected,
    PlayersSeated,
    WindowClosed,
    WindowOpened,
)
from studio.domain.events.course import (
    CountEntered,
    CutCardSeen,
    DayOpened,
    DealerLeft,
    DealerSeated,
    DiscardsShuffled,
    ShoeEnded,
    ShoeEnding,
    ShoeOpened,
    ShoeProcedureStarted,
    StepConfirmed,
    TableClaimed,
    TableClosed,
    TableClosing,
    TableOpened,
    TableReleased,
)
from studio.domain.events.holds import (
    ApprovalAsked,
    ApprovalEnded,
    CallExplained,
    EvidenceKept,
    FaultAnswered,
    FaultRaised,
    HoldLifted,
    HoldTaken,
)
from studio.domain.events.rounds import (
    NO_BETS,
    BetsClosed,
    BetsConfirmed,
    BetSettled,
    BetsPlaced,
    BetsRefused,
    BetsWithdrawn,
    BettingExtended,
    CardsCollected,
    FundsLate,
    ReceivableNoted,
    ResultCorrected,
    RoundCleared,
    RoundFinished,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from studio.domain.events.seats import FiguresCarried, SeatAsked, SeatChose, VerdictGiven
from studio.domain.events.standing import BetsCarried, BetsStayed

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
    | BetsCarried
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
    | BetsStayed
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
    | FiguresCarried
    | SeatAsked
    | SeatChose
    | CardMoved
    | VerdictGiven
)
"""Everything that can have happened at a table of the games that exist so far."""


__all__ = [
    "NO_BETS",
    "ActionsExecuted",
    "ApprovalAsked",
    "ApprovalEnded",
    "BetSettled",
    "BetsCarried",
    "BetsClosed",
    "BetsConfirmed",
    "BetsPlaced",
    "BetsRefused",
    "BetsStayed",
    "BetsWithdrawn",
    "BettingExtended",
    "CallExplained",
    "CardCorrected",
    "CardDead",
    "CardDealt",
    "CardMoved",
    "CardParked",
    "CardTurned",
    "CardUnparked",
    "CardsCollected",
    "CountEntered",
    "CutCardSeen",
    "DayOpened",
    "DealerLeft",
    "DealerSeated",
    "DecisionsRefused",
    "DecisionsTaken",
    "DeviceNoted",
    "DiscardsShuffled",
    "Event",
    "EvidenceKept",
    "FaultAnswered",
    "FaultRaised",
    "FeltSeen",
    "FiguresCarried",
    "FundsAsked",
    "FundsLate",
    "HiddenSeen",
    "HoldLifted",
    "HoldTaken",
    "PeekAnswered",
    "PeekAsked",
    "PeekDone",
    "PlayersDisconnected",
    "PlayersSeated",
    "ReadUsed",
    "ReceivableNoted",
    "ResultCorrected",
    "RoundCleared",
    "RoundFinished",
    "RoundOpened",
    "RoundSettled",
    "RoundVoided",
    "SeatAsked",
    "SeatChose",
    "ShoeEnded",
    "ShoeEnding",
    "ShoeIdentified",
    "ShoeOpened",
    "ShoeProcedureStarted",
    "ShoeRead",
    "StepConfirmed",
    "TableClaimed",
    "TableClosed",
    "TableClosing",
    "TableOpened",
    "TableReleased",
    "TracksLost",
    "TracksPaired",
    "VerdictGiven",
    "WindowClosed",
    "WindowOpened",
]
