"""Which role may ask which command. One table, read by the service before anything is decided.

After live-dealer-systems.md 3.2 (functions per role). What a person may ask is not yet what is
lawful now: that is the table's own decision.
"""

from enum import StrEnum
from typing import Final


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
    "CallSupervisor": _FLOOR,
    "CorrectCard": _LEADS,
    "KeyInCard": _LEADS,
    "AssignCard": _LEADS,
    "UseAsNextCard": _LEADS,
    "BurnCard": _LEADS,
    "MarkDead": _LEADS,
    "AcceptAsDealt": _LEADS,
    "RescanRound": _LEADS,
    "RestoreCollected": _LEADS,
    "RetryDevice": _DEVICES,
    "PassSelfTest": _DEVICES,
    "AcknowledgeFault": _LEADS,
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
    # Asked by platforms, by the runner and by timers; by no person.
    "PlaceBets": _NOBODY,
    "WithdrawBets": _NOBODY,
    "BeginDay": _NOBODY,
    "Tick": _NOBODY,
}
"""Roles by name of command. A command that is not named here may be asked by nobody."""


def may(role: str, command: str) -> bool:
    """Say whether a role may ask a command; False for roles and commands that do not exist."""
    return role in RIGHTS.get(command, _NOBODY)
