"""What a house does about each fault in its moment: looks up the rows, and who must agree.

The rows themselves are data (`rows`), and so is where a profile differs (`profiles`).
"""

from typing import Final

from studio.domain.commands import Rejected
from studio.domain.faults import Fault, FaultCode
from studio.domain.observations import Look
from studio.table.profiles import PROFILES, rows_of
from studio.table.row import CALLED_FOREIGN, NOT_ASKED, UNNUMBERED, Moment, Row, Void
from studio.table.state import Parked, Phase, Table

__all__ = [
    "ALWAYS",
    "CALL_REASONS",
    "PROFILES",
    "REASONS",
    "Row",
    "Void",
    "is_doubtful",
    "named_cards",
    "people",
    "reasoned",
    "row_at",
    "row_of",
]


REASONS: Final = (
    "reason.card_identity",
    "reason.dealing_error",
    "reason.device_fault",
    "reason.exposed_card",
    "reason.camera_proves",
    "reason.not_provable",
    "reason.player_dispute",
    "reason.other",
)
"""What a repair may name as its reason; words of one's own come on top, never alone."""
CALL_REASONS: Final = (
    "reason.call.card",
    "reason.call.bets",
    "reason.call.device",
    CALLED_FOREIGN,
    "reason.call.other",
)
"""What a dealer may say of a call, with it or after it (FACES.md 5); a repair's reason will do."""
LONGEST_NOTE: Final = 500
"""Characters of the words that may come on top of a reason."""

ALWAYS: Final = ("CorrectCard",)
"""Repairs that any hold allows while a round has accepted cards."""

_TWO: Final = frozenset(
    {"VoidRound", "CorrectCard", "KeyInCard", "AssignCard", "CorrectResult", "DecideQayd"}
)
TWO_PERSONS: Final[dict[str, frozenset[str]]] = {
    "house": _TWO,
    "ukgc-like": _TWO,
    "nj-like": _TWO,
    "agco-like": _TWO,
    "singapore-like": _TWO,
}
"""Per profile the commands that a second, distinct person must approve (DESIGN.md 5)."""


def people(profile: str, command: str) -> int:
    """How many people a command of this name needs under a profile, 1 or 2.

    Raises:
        KeyError: for a profile that does not exist.
    """
    return 2 if command in TWO_PERSONS[profile] else 1


def reasoned(reason: str, note: str) -> None:
    """Look whether an act comes with a reason of the list, and words that are short enough.

    Raises:
        Rejected: if it does not.
    """
    if reason not in REASONS:
        raise Rejected("refused.reason_missing")
    if len(note) > LONGEST_NOTE:
        raise Rejected("refused.malformed", f"a note has at most {LONGEST_NOTE} characters")


def row_of(profile: str, fault: Fault, table: Table) -> Row:
    """Give the row of a fault under a profile, as the table stands now.

    Raises:
        KeyError: for a profile that does not exist.
    """
    return row_at(profile, moment_of(fault, table))


def row_at(profile: str, moment: Moment) -> Row:
    """Give the first row that fits a moment.

    Raises:
        KeyError: for a profile that does not exist.
    """
    for row in rows_of(profile):
        if row.code is moment.code and row.when.fits(moment):
            return row
    raise AssertionError(f"no row fits {moment}")  # a test walks every code and moment


def moment_of(fault: Fault, table: Table) -> Moment:
    """When a fault was, with what has become known since: a further card, a card turned up."""
    sensing = table.sensing
    parked = named_cards(fault, table)
    out = len(sensing.reads) + len(sensing.parked)
    return Moment(
        code=fault.code,
        phase=fault.phase,
        step=fault.step,
        exposed=_exposed(fault) or any(card.exposed for card in parked),
        further=fault.further or out > 1,
        round_state=_round_state(fault, table),
        cause=_cause(fault, table, parked),
        game=_game(fault, table),
        face=fault.due_face,
    )


def is_doubtful(fault: Fault) -> bool:
    """Whether it is about reports that nobody numbers: cards may be missing, or be none."""
    return fault.text.partition(" ")[0] == UNNUMBERED


def _cause(fault: Fault, table: Table, parked: tuple[Parked, ...]) -> str:
    """First word of what was said; of a card too many whether its hand lacks a third one."""
    said = fault.text.partition(" ")[0]
    if fault.code is not FaultCode.EXTRA_CARD or table.play is None or said:
        return said
    for card in parked:
        zone = card.track[0] if card.track else ""
        hand = [place for place in table.play.places if place.to == zone]
        if hand and not any(place.sideways for place in hand):
            return NOT_ASKED
    return ""


def _exposed(fault: Fault) -> bool:
    """Whether players saw the card; a card in the wrong place by how it lies there."""
    if fault.code is not FaultCode.DEAL_ORDER:
        return fault.exposed
    return any(sight.zone and sight.look != Look.BACK.value for sight in fault.sightings)


def _game(fault: Fault, table: Table) -> str:
    """The game of the round that the fault is about; empty between rounds."""
    if not _round_state(fault, table) or table.round is None:
        return ""
    return table.round.procedure.partition("@")[0]


def _round_state(fault: Fault, table: Table) -> str:
    """State of the round that the fault is about; empty between rounds."""
    between = (Phase.CLOSED.value, Phase.IDLE.value, Phase.SHOE.value)
    if table.round is None or fault.phase in between:
        return ""
    return table.round.state


def named_cards(fault: Fault, table: Table) -> tuple[Parked, ...]:
    """The parked cards that a fault saw."""
    numbers = {sight.sequence for sight in fault.sightings if sight.sequence is not None}
    zones = {sight.zone for sight in fault.sightings if sight.zone}
    return tuple(
        card
        for card in table.sensing.parked
        if not card.to  # it waits on its own place, whatever else comes there
        and (
            (card.read is not None and card.read[1] in numbers)
            or (card.track is not None and card.track[0] in zones)
        )
    )
