"""Events of a round's bets, its result and its money."""

from dataclasses import dataclass
from typing import ClassVar, Final

from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.decisions import Choice
from studio.domain.envelope import Packed

NO_BETS: Final = Columns()
"""What stands where the columns were not read along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened:
    """Bets are open for a new round."""

    NAME: ClassVar[str] = "round_opened"
    VERSION: ClassVar[int] = 4
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
    game_round: int = 0
    """Its number in its game, by which people call it where a game goes over several shoes; 0
    where rounds are counted by the shoe."""


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
class BettingExtended:
    """Nobody had bet when bets were to close, and the rules deal to somebody only (D-08)."""

    NAME: ClassVar[str] = "betting_extended"
    VERSION: ClassVar[int] = 1
    round_id: str
    deadline_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFinished:
    """The last card of the round fell; `outcome` says all of the result."""

    NAME: ClassVar[str] = "round_finished"
    VERSION: ClassVar[int] = 2
    round_id: str
    code: str
    outcome: str
    """Canonical JSON of the game's outcome."""
    carried: tuple[int, ...] = ()
    """What the next round is given, as a score; its meaning is the game's. Empty if nothing is."""


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
class ResultCorrected:
    """A settled round ended otherwise than was paid; the differences are put right.

    The old facts stay. `columns` (beside the body) hold per bet what has to go to the player on
    top, `debits` in the body what has to come back.
    """

    NAME: ClassVar[str] = "result_corrected"
    VERSION: ClassVar[int] = 4
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
    carried: tuple[int, ...] = ()
    """What the next round is given now; empty in a game that carries nothing."""
    game_round: int = 0
    """As in `RoundOpened`."""
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
