"""Which role may ask which command. One table, read by the service before anything is decided.

After live-dealer-systems.md 3.2 (functions per role). What a person may ask is not yet what is
lawful now: that is the table's own decision.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from studio.table.state import Phase, Table


class Role(StrEnum):
    """What a person is in the studio."""

    DEALER = "dealer"
    """Deals at a table and confirms the steps of the procedure."""
    SUPERVISOR = "supervisor"
    """Answers for tables: lifts holds, repairs, voids."""
    PIT_BOSS = "pit-boss"
    """Answers for the supervisors; may do what they may."""
    ENGINEER = "engineer"
    """Answers for the devices; touches no card and no money."""
    AUDITOR = "auditor"
    """Reads; asks nothing of a table."""


_DEALER: Final = frozenset({Role.DEALER})
_LEADS: Final = frozenset({Role.SUPERVISOR, Role.PIT_BOSS})
_FLOOR: Final = _DEALER | _LEADS
_DEVICES: Final = _LEADS | {Role.ENGINEER}
_NOBODY: Final[frozenset[Role]] = frozenset()

RIGHTS: Final[dict[str, frozenset[Role]]] = {
    "OpenTable": _LEADS,
    "CloseTable": _LEADS,
    "StartShoe": _FLOOR,
    "EndShoe": _LEADS,
    "ConfirmStep": _FLOOR,
    "EnterCount": _FLOOR,
    "OpenBets": _FLOOR,
    "CloseBets": _FLOOR,
    "CutCardIsOut": _FLOOR,
    "AnswerPeek": _DEALER,
    "ChooseForSeat": _FLOOR,
    "CallSupervisor": _FLOOR,
    "ClaimQayd": _FLOOR,
    "CorrectCard": _LEADS,
    "KeyInCard": _LEADS,
    "AssignCard": _LEADS,
    "UseAsNextCard": _LEADS,
    "BurnCard": _LEADS,
    "MarkDead": _LEADS,
    "AcceptAsDealt": _LEADS,
    "RescanRound": _LEADS,
    "RestoreCollected": _LEADS,
    "ShuffleDiscards": _LEADS,
    "RetryDevice": _DEVICES,
    "PassSelfTest": _DEVICES,
    "AcknowledgeFault": _LEADS,
    "DecideQayd": _LEADS,
    "VoidRound": _LEADS,
    "LiftHold": _LEADS,
    "TakeHold": _LEADS,
    "CorrectResult": _LEADS,
    "Approve": _LEADS,
    "Decline": _LEADS,
    "WithdrawApproval": _LEADS,
    "RelieveDealer": _DEALER,
    "LeaveTable": _DEALER,
    "ClaimTable": _LEADS,
    "ReleaseTable": _LEADS,
    "SetUpCamera": frozenset({Role.ENGINEER}),
    # Asked by platforms, by the runner and by timers; by no person.
    "PlaceBets": _NOBODY,
    "WithdrawBets": _NOBODY,
    "PlaceDecisions": _NOBODY,
    "MarkDisconnected": _NOBODY,
    "BeginDay": _NOBODY,
    "Tick": _NOBODY,
}
"""Roles by name of command. A command that is not named here may be asked by nobody."""


def may(role: str, command: str) -> bool:
    """Say whether a role may ask a command; False for roles and commands that do not exist."""
    return role in RIGHTS.get(command, _NOBODY)


SUPERVISED_AT_MOST: Final = 4
"""Tables that one supervisor answers for at most, after which the wall warns: Pennsylvania's ratio
for a floorperson (live-dealer-systems.md P3). It warns and refuses nothing: rotas differ."""


def overburdened(tables: Iterable[Table]) -> Iterator[tuple[str, int, int]]:
    """Give (name, tables claimed, most) of each supervisor who answers for too many open tables."""
    claims = [
        (table.claimed_by, table.claimed_name)
        for table in tables
        if table.claimed_by and table.phase is not Phase.CLOSED
    ]
    for (_, name), count in sorted(Counter(claims).items()):
        if count > SUPERVISED_AT_MOST:
            yield name, count, SUPERVISED_AT_MOST
