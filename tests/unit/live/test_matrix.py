"""Role × command × state: who may ask what of a table in which state, and what is answered.

What is expected is written here as data: the rights of each role, and for each state what the trade
allows. Nothing of it is taken from the code under test.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, get_args

import pytest

from studio.domain import commands as c
from studio.live.people import Person, SignedIn
from studio.live.rights import Role
from studio.live.service import Desk, Service
from studio.table.approvals import waiting
from studio.table.state import Phase
from tests.support.live.bench import Bench

DONE = ""
COMMANDS: Final = sorted(kind.__name__ for kind in get_args(c.Command))

# -- who -------------------------------------------------------------------------------------------

WHO: Final = {
    "dealer": SignedIn(Person("p1", "7", "Jonas", Role.DEALER), "s7"),
    "other dealer": SignedIn(Person("p2", "70", "Rosa", Role.DEALER), "s70"),
    "supervisor": SignedIn(Person("p3", "8", "Sana", Role.SUPERVISOR), "s8"),
    "pit boss": SignedIn(Person("p4", "9", "Lena", Role.PIT_BOSS), "s9"),
    "engineer": SignedIn(Person("p5", "10", "Ravi", Role.ENGINEER), "s10"),
    "auditor": SignedIn(Person("p6", "11", "Nora", Role.AUDITOR), "s11"),
}
"""Everybody; in every state but the closed one the dealer deals here, the other one does not."""

DEALERS = frozenset({"dealer", "other dealer"})
LEADS = frozenset({"supervisor", "pit boss"})
HANDS_ON = frozenset(
    {
        "ConfirmStep",
        "EnterCount",
        "OpenBets",
        "CloseBets",
        "StartShoe",
        "CutCardIsOut",
        "ChooseForSeat",
    }
)
BY_DEALERS = frozenset({"RelieveDealer", "LeaveTable"})
ON_DEVICES = frozenset({"RetryDevice", "PassSelfTest"})
BY_NOBODY = frozenset({"PlaceBets", "WithdrawBets", "PlaceDecisions", "MarkDisconnected"})
INSIDE = frozenset({"Tick", "BeginDay", "SetUpCamera"})
"""Never asked from outside at all."""
REPAIRS: Final = frozenset(kind.__name__ for kind in get_args(c.RepairCommand))


def may_ask(who: str, name: str) -> bool:
    """Whether somebody's role has the right to a command."""
    if name in BY_NOBODY:
        return False
    if name in BY_DEALERS or name == "AnswerPeek":
        return who in DEALERS
    if name in HANDS_ON or name in ("CallSupervisor", "ClaimQayd"):
        return who in DEALERS | LEADS
    if name in ON_DEVICES:
        return who in LEADS | {"engineer"}
    return who in LEADS


# -- in which state --------------------------------------------------------------------------------

Law = dict[str, str]
"""The answer to each command that is asked by who has the right to it; empty where it is done."""

QUIET: Final[Law] = {
    **dict.fromkeys(REPAIRS, "refused.not_held"),
    "TakeHold": "refused.not_held",
    "Approve": "refused.approval_gone",
    "Decline": "refused.approval_gone",
    "WithdrawApproval": "refused.approval_gone",
    "OpenTable": "refused.table_open",
    "CloseTable": DONE,
    "StartShoe": "refused.not_idle",
    "EndShoe": DONE,
    "ConfirmStep": "refused.nothing_to_confirm",
    "EnterCount": "refused.nothing_to_count",
    "OpenBets": "refused.round_open",
    "CloseBets": "refused.bets_not_open",
    "CutCardIsOut": DONE,
    "AnswerPeek": "refused.nothing_to_peek",
    "ChooseForSeat": "refused.window_closed",
    "ClaimQayd": "refused.round_over",
    "CallSupervisor": DONE,
    "CorrectResult": "refused.round_unknown",
    "RelieveDealer": "refused.seated_already",
    "LeaveTable": DONE,
    "ClaimTable": DONE,
    "ReleaseTable": "refused.not_claimed",
}
"""A table that is open and not held; each state says where it differs."""

CLOSED: Final[Law] = {
    **QUIET,
    "OpenTable": DONE,
    "CloseTable": "refused.table_closed",
    "StartShoe": "refused.table_closed",
    "EndShoe": "refused.no_shoe",
    "OpenBets": "refused.table_closed",
    "CutCardIsOut": "refused.no_shoe",
    "CallSupervisor": "refused.table_closed",
    "RelieveDealer": DONE,
    "LeaveTable": "refused.not_seated",
}
IDLE: Final[Law] = {**QUIET, "StartShoe": "refused.shoe_in_play", "OpenBets": DONE}
SHOE: Final[Law] = {
    **QUIET,
    "ConfirmStep": DONE,
    "OpenBets": "refused.no_shoe",
    "CutCardIsOut": "refused.no_shoe",
}
IN_ROUND: Final[Law] = {
    **QUIET,
    "ClaimQayd": "refused.no_contract",
    "LeaveTable": "refused.relief_in_round",
    "CorrectResult": "refused.round_open",
}
BETTING: Final[Law] = {**IN_ROUND, "CloseBets": DONE}
DEALING: Final[Law] = IN_ROUND
SETTLED: Final[Law] = {**QUIET, "ConfirmStep": DONE, "CorrectResult": DONE}
VOIDED: Final[Law] = {**QUIET, "ConfirmStep": DONE, "CorrectResult": "refused.round_not_settled"}

ORDINARY: Final = (
    *("OpenTable", "StartShoe", "ConfirmStep", "EnterCount", "OpenBets", "CloseBets"),
    *("ChooseForSeat", "ClaimQayd"),
)


def held(law: Law, **changes: str) -> Law:
    """The same state held by a dealer's call: repairs, and little else."""
    return {
        **law,
        **dict.fromkeys(REPAIRS, "refused.not_by_policy"),
        **dict.fromkeys((*ORDINARY, *BY_DEALERS, "AnswerPeek"), "refused.table_held"),
        "TakeHold": DONE,
        "CallSupervisor": "refused.called_already",
        "AcknowledgeFault": DONE,
        "CorrectCard": "refused.no_card_to_correct",
        "VoidRound": "refused.no_open_round",
        "LiftHold": "refused.fault_unanswered",
        **changes,
    }


HELD_IN_ROUND = {"VoidRound": DONE, "CloseTable": "refused.table_held"}
HELD_DEALING: Final = held(DEALING, CorrectCard=DONE, **HELD_IN_ROUND)


def recovered(law: Law, **changes: str) -> Law:
    """The same state after a stop: held until what lies there was looked at."""
    return {
        **held(law, **changes),
        "CallSupervisor": DONE,
        "AcceptAsDealt": DONE,
        "RescanRound": DONE,
    }


RECOVERED: Final = recovered(
    DEALING, CorrectCard=DONE, AcknowledgeFault="refused.felt_unchecked", **HELD_IN_ROUND
)
WAITING: Final = {
    **HELD_DEALING,
    "VoidRound": "refused.approval_waiting",
    "CorrectCard": "refused.approval_waiting",
    "Approve": DONE,
    "Decline": DONE,
    "WithdrawApproval": "refused.approval_not_yours",
}
OF_WHO_ASKED: Final = {
    "Approve": "refused.approval_same_person",
    "Decline": "refused.approval_same_person",
    "WithdrawApproval": DONE,
}
"""What the supervisor who asked is answered while it waits."""


def closed(bench: Bench) -> None:
    """Nothing has happened but the beginning of the gaming day."""
    bench.runner.tick()
    bench.runner.flush()


def idle(bench: Bench) -> None:
    bench.open_shoe()
    assert bench.table.phase is Phase.IDLE


def shoe(bench: Bench) -> None:
    bench.do(c.OpenTable())
    bench.shoe_online()
    bench.do(c.StartShoe())
    assert bench.table.phase is Phase.SHOE


def betting(bench: Bench) -> None:
    idle(bench)
    bench.do(c.OpenBets())
    bench.bet()
    assert bench.table.phase is Phase.BETTING


def dealing(bench: Bench) -> None:
    betting(bench)
    bench.do(c.CloseBets())
    bench.deal("9S 2D")
    assert bench.table.phase is Phase.DEALING


def settled(bench: Bench) -> None:
    dealing(bench)
    bench.deal("KH 5D")
    assert bench.table.state == "result"


def voided(bench: Bench) -> None:
    dealing(bench)
    called(bench)
    bench.do(c.VoidRound(fault="", reason="reason.other", round_id=round_of(bench)))
    assert bench.table.state == "void"


def called(bench: Bench) -> None:
    bench.do(c.CallSupervisor())
    assert bench.table.held


def void_waits(bench: Bench) -> None:
    dealing(bench)
    called(bench)
    sana = c.Asker(number="8", name="Sana", role="supervisor", session="s8")
    void = c.VoidRound(fault=fault_of(bench), reason="reason.other", round_id=round_of(bench))
    assert bench.ask(void, by=sana).status == "done"
    assert waiting(bench.table) is not None


def fault_of(bench: Bench) -> str:
    hold = bench.table.hold
    return hold.faults[0].id if hold is not None and hold.faults else "1"


def round_of(bench: Bench) -> str:
    return bench.table.round.id if bench.table.round is not None else "r-none"


STATES: Final[dict[str, tuple[Callable[[Bench], None], bool, Law]]] = {
    "closed": (closed, False, CLOSED),
    "idle": (idle, False, IDLE),
    "shoe": (shoe, False, SHOE),
    "betting": (betting, False, BETTING),
    "dealing": (dealing, False, DEALING),
    "settled": (settled, False, SETTLED),
    "voided": (voided, False, VOIDED),
    "idle, held": (idle, True, held(IDLE)),
    "shoe, held": (shoe, True, held(SHOE, CloseTable="refused.table_held")),
    "betting, held": (betting, True, held(BETTING, **HELD_IN_ROUND)),
    "dealing, held": (dealing, True, HELD_DEALING),
    "settled, held": (settled, True, held(SETTLED)),
    "voided, held": (voided, True, held(VOIDED)),
    "idle, recovered": (idle, False, recovered(IDLE)),
    "betting, recovered": (
        betting,
        False,
        recovered(BETTING, AcknowledgeFault="refused.felt_unchecked", **HELD_IN_ROUND),
    ),
    "dealing, recovered": (dealing, False, RECOVERED),
    "a void waits": (void_waits, False, WAITING),
}
"""How a state comes about, whether a dealer's call holds it, and its law. A closed table is never
held: a call is refused there, and a fault is noted only."""


def table_in(state: str) -> tuple[Bench, Service]:
    """A table in this state, at its service."""
    make, hold, _ = STATES[state]
    bench = Bench()
    make(bench)
    if hold:
        called(bench)
    if state.endswith("recovered"):
        bench = Bench(bench.journal, clock=bench.clock, purse=bench.purse, prefix="again-")
        bench.shoe_online()
    service = Service(studio_name="Test", clock=bench.clock)
    service.seat([Desk(bench.runner)], epoch="e", accounts=None, journal=bench.journal)
    return bench, service


def given(bench: Bench, name: str) -> dict[str, Any]:
    """The most lawful values that a command can have here."""
    values: dict[str, Any] = {
        "EndShoe": {"reason": "reason.other"},
        "EnterCount": {"number": 409},
        "PlaceBets": {"batch": "x", "bets": []},
        "PlaceDecisions": {"batch": "x", "decisions": [], "window": 1},
        "MarkDisconnected": {"players": []},
        "AnswerPeek": {"natural": False},
        "ClaimQayd": {"seat": 0},
        "ChooseForSeat": {"seat": 0, "window": 1, "option": "pass"},
        "WithdrawBets": {"batch": "x", "ids": []},
        "BeginDay": {"day": "2027-01-16"},
        "CorrectResult": {
            "round_id": round_of(bench),
            "cards": ["9S", "2D", "KH", "6D"],
            "reason": "reason.card_identity",
        },
    }
    asked = waiting(bench.table)
    if name in ("Approve", "Decline", "WithdrawApproval"):
        why = {"reason": "reason.other"} if name == "Decline" else {}
        return {"approval": asked.id if asked is not None else "1", **why}
    if name not in REPAIRS:
        found: dict[str, Any] = values.get(name, {})
        return found
    args: dict[str, Any] = {"fault": fault_of(bench), "reason": "reason.other"}
    if name == "VoidRound":
        args["round_id"] = round_of(bench)
    if name in ("CorrectCard", "KeyInCard"):
        args["card"] = "8S"
    if name == "CorrectCard":
        args["index"] = 0
    if name == "DecideQayd":
        args["against"] = None
    if name == "RescanRound":
        args["felt"] = [{"zone": "P", "cards": ["9S"]}, {"zone": "B", "cards": ["2D"]}]
        if bench.table.phase is not Phase.DEALING:
            args["felt"] = []
    return args


def expected(state: str, who: str, name: str) -> str:
    """What the trade says to this."""
    if name in INSIDE:
        return "refused.malformed"
    if not may_ask(who, name):
        return "refused.no_right"
    if who == "other dealer" and state != "closed":
        if name in HANDS_ON or name == "AnswerPeek":
            return "refused.not_your_table"
        if name in BY_DEALERS and STATES[state][2][name] != "refused.table_held":
            return of_other_dealer(state, name)
    if state == "a void waits" and who == "supervisor" and name in OF_WHO_ASKED:
        return OF_WHO_ASKED[name]
    return STATES[state][2][name]


def of_other_dealer(state: str, name: str) -> str:
    """The other dealer relieves between rounds, and has no seat to leave."""
    if name == "LeaveTable":
        return "refused.not_seated"
    return "refused.relief_in_round" if state in ("betting", "dealing") else DONE


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("state", STATES)
def test_every_command_in_every_state_by_everybody(state: str, who: str) -> None:
    """The answer is what is expected; a refusal changes nothing, and everything is kept."""
    wrong: list[str] = []
    bench, service = table_in(state)
    for n, name in enumerate(COMMANDS):
        before, facts = bench.table, len(bench.events())
        reply = service.submit(
            "ba1", name, given(bench, name), person=WHO[who], command_id=f"m{n}", seq=None
        )
        code = expected(state, who, name)
        if (reply.status, reply.code) != ("done" if code == DONE else "rejected", code):
            wrong.append(f"{name}: {reply.status} {reply.code}, expected {code or 'done'}")
        record = bench.journal.answer_of(f"{WHO[who].person.number}:m{n}")
        assert record is not None, name
        assert json.loads(record.outcome)["code"] == reply.code
        assert (record.name, record.accepted) == (name, reply.status == "done")
        if reply.status == "rejected":
            assert bench.table is before, name
            assert len(bench.events()) == facts, name
        else:
            assert len(bench.events()) > facts, name
            bench, service = table_in(state)
    assert wrong == []


def test_the_matrix_names_every_command_every_role_and_every_state() -> None:
    """Nothing is left out: a new command, role or phase asks for its column here."""
    for law in (law for _, _, law in STATES.values()):
        assert set(law) | BY_NOBODY | INSIDE == set(COMMANDS)
    assert {str(who.person.role) for who in WHO.values()} == set(Role)
    shown = {table_in(state)[0].table.phase for state in STATES}
    assert shown == set(Phase) - {Phase.DECISION}  # no game of this release has decisions
