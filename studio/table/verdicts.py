"""The verdict on a fault of the play (qayd): who is at fault, what is written, how the round ends.

A claim freezes the play. A supervisor looks at what was called and played and finds against one of
the two sides, or against neither. What a verdict writes is the game's word (`Game.verdict`); the
round then ends by its own procedure (`Ruled`), with all racks turned up.
"""

from dataclasses import dataclass
from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import Fault, FaultCode
from studio.table.seatplay import known_cards
from studio.table.state import Setup, Table
from studio.table.turn import Turn

SEAT: Final = "seat"
"""Role of whoever speaks for one seat alone; the number of the asker is that of the seat."""
LONGEST_CLAIM: Final = 200
"""Characters of what a seat says of the fault."""
CLAIMED_BY: Final = "seat="
"""What the text of a claim begins with."""
SIDES: Final = (0, 1)
"""Numbers of the two sides: seats 0 and 2, seats 1 and 3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a verdict against a side writes, as far as all can see it."""

    points: int
    """For the other side."""
    ours: int
    """Score of the other side after it."""
    theirs: int
    """Score of the side at fault after it."""
    wins: bool
    """Whether the other side wins the game by it."""


def written(setup: Setup, table: Table, against: int) -> Written | None:
    """What a verdict against a side would write.

    None where no verdict may be given: before there is a contract, and after the round.
    """
    current, play = table.round, table.play
    if play is None or current is None or current.state != "open":
        return None
    points = setup.game.verdict(setup.rules, play.inputs, known_cards(table), against)
    board = setup.game.board(setup.rules, play.inputs, {})
    if points is None or board is None:
        return None
    other = 1 - against
    ours, theirs = (board.scores[side] + points[side] for side in (other, against))
    wins = board.gahwa or (ours >= board.target and ours > theirs)
    return Written(points=points[other], ours=ours, theirs=theirs, wins=wins)


def why_no_verdict(setup: Setup, table: Table) -> str | None:
    """Why neither side may be found at fault now, as a message code; None if one may be."""
    if table.round is None or table.round.state != "open":
        return "refused.round_over"
    return None if written(setup, table, SIDES[0]) is not None else "refused.no_contract"


def claim(turn: Turn, command: c.ClaimQayd, by: c.Asker) -> None:
    """Freeze the play: one who sits at the table claims a fault in it.

    Raises:
        Rejected: before there is a contract, after the round, and for another one's seat.
    """
    if by.role == SEAT and by.number != f"{command.seat}":
        raise c.Rejected("refused.no_right")
    if command.seat not in range(2 * len(SIDES)) or len(command.note) > LONGEST_CLAIM:
        raise c.Rejected("refused.malformed", f"a claim has at most {LONGEST_CLAIM} characters")
    reason = why_no_verdict(turn.setup, turn.table)
    if reason is not None:
        raise c.Rejected(reason)
    turn.fault(FaultCode.QAYD, text=f"{CLAIMED_BY}{command.seat} {command.note}".strip())


def claimed(fault: Fault) -> tuple[int, str] | None:
    """Which seat claims a fault in the play, and in which words; None for another fault."""
    who, _, words = fault.text.partition(" ")
    if fault.code is not FaultCode.QAYD or not who.startswith(CLAIMED_BY):
        return None
    return int(who.removeprefix(CLAIMED_BY)), words


def particulars(fault: Fault) -> tuple[tuple[str, str | int], ...]:
    """Who claims a fault of the play, or what a card proves of it, for its words; else nothing.

    All at the table have heard the words of the seat and seen the cards of the proof.
    """
    claim = claimed(fault)
    if claim is not None:
        return (("seat", claim[0] + 1), ("words", claim[1]))
    if fault.code is not FaultCode.REVOKE:
        return ()
    proof = dict(part.split("=") for part in fault.text.split() if "=" in part)
    seat, trick = int(proof["seat"]) + 1, int(proof["trick"])
    return (("seat", seat), ("number", trick), ("held", proof["held"]), ("card", proof["played"]))


def verdict(turn: Turn, fault: Fault, against: int | None) -> None:
    """Find against one side, or neither: then the play goes on where it stopped.

    Raises:
        Rejected: for a number that is no side's.
    """
    if against is None:
        return
    current = turn.table.round
    if isinstance(against, bool) or against not in SIDES or current is None:
        raise c.Rejected("refused.malformed", "a verdict is against side 0, side 1 or neither")
    turn.emit(e.VerdictGiven(round_id=current.id, against=against, fault=fault.id))
