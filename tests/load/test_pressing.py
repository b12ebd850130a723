"""Consoles over real sockets at a real table: who presses twice, late, at once, without right."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.domain import commands as c
from studio.launch import Studio
from studio.storage.verify import verify
from tests.integration.studio.test_tables import Table, studio_in
from tests.unit.web.conftest import Server
from tests.unit.web.test_sockets import Screen
from web.app import create_app

PEOPLE = (
    ("Jonas", "dealer", "1001"),
    ("Amina", "supervisor", "2001"),
    ("Bilal", "supervisor", "2002"),
    ("Lena", "pit-boss", "3001"),
    ("Ravi", "engineer", "4001"),
    ("Nora", "auditor", "5001"),
)


class House:
    """A studio with two tables, its people, and consoles at the first table."""

    def __init__(self, folder: Path) -> None:
        self.studio: Studio = studio_in(folder)
        self.studio.start()
        self.pins = {
            number: self.studio.accounts.add_person(name, role, number=number).pin
            for name, role, number in PEOPLE
        }
        self.server = Server(create_app(self.studio, self.studio.settings))
        self.server.__enter__()
        self.screens: list[Screen] = []
        self.ids = (f"test-{number:06}" for number in itertools.count())
        self.table = Table(self.studio, "ba1")

    def console(self, number: str, namespace: str = "/supervisor") -> Screen:
        session: Any = self.studio.accounts.sign_in(number, self.pins[number], "127.0.0.1")
        self.screens.append(Screen(self.server, namespace, {"table": "ba1"}, session.token))
        return self.screens[-1]

    def press(self, screen: Screen, name: str, seq: int | None = None, **more: Any) -> Any:
        command_id = more.pop("command_id", None) or next(self.ids)
        table = more.pop("table", "ba1")
        asked = {
            "command_id": command_id, "table": table, "seq": seq, "name": name, "args": more,
        }  # fmt: skip
        return screen.say("command", asked)

    def at_once(self, *presses: tuple[Screen, str, dict[str, Any]]) -> list[Any]:
        """Let several people press at the same moment; their answers in the same order."""
        start = threading.Barrier(len(presses))
        answers: list[Any] = [None] * len(presses)

        def press(place: int, screen: Screen, name: str, args: dict[str, Any]) -> None:
            start.wait(10)
            answers[place] = self.press(screen, name, **args)

        people = [
            threading.Thread(target=press, args=(place, *each))
            for place, each in enumerate(presses)
        ]
        for each in people:
            each.start()
        for each in people:
            each.join(20)
        return answers

    @property
    def seq(self) -> int:
        return self.studio.desk("ba1").runner.shown.seq

    def facts(self) -> list[str]:
        assert self.studio.journal is not None
        return [
            type(fact.event).__name__
            for stream in self.studio.journal.streams()
            for fact in self.studio.journal.read(stream)
            if stream.startswith("table/ba1/")
        ]

    def close(self) -> None:
        for each in self.screens:
            each.leave()
        self.server.__exit__()
        self.studio.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(tmp_path)
    yield opened
    assert opened.studio.desk("ba1").runner.failure is None
    opened.close()
    assert verify(opened.studio.settings.studio.database).problems == ()


def test_a_double_click_with_the_same_id_acts_once_and_is_answered_twice_alike(
    house: House,
) -> None:
    amina = house.console("2001")
    first = house.press(amina, "OpenTable", command_id="click-00001")
    again = house.press(amina, "OpenTable", command_id="click-00001")
    assert first == again
    assert first["status"] == "done"
    assert house.facts().count("TableOpened") == 1


def test_the_same_id_with_another_body_never_acts_and_is_told_so(house: House) -> None:
    amina = house.console("2001")
    assert house.press(amina, "OpenTable", command_id="click-00001")["status"] == "done"
    before = house.facts()
    others: tuple[tuple[str, dict[str, Any]], ...] = (
        ("CloseTable", {}), ("OpenTable", {"table": "ba2"}), ("StartShoe", {}),
    )  # fmt: skip
    for name, args in others:
        answer = house.press(amina, name, command_id="click-00001", **args)
        assert (answer["status"], answer["code"]) == ("rejected", "refused.id_used"), name
    assert house.facts() == before
    assert house.studio.desk("ba2").table().phase.value == "closed"


def test_two_people_with_the_same_id_are_two_requests(house: House) -> None:
    amina, bilal = house.console("2001"), house.console("2002")
    assert house.press(amina, "OpenTable", command_id="click-00001")["status"] == "done"
    answer = house.press(bilal, "OpenTable", command_id="click-00001")
    assert answer["status"] == "rejected"
    assert answer["code"] not in {"", "refused.id_used"}


def test_a_double_click_with_two_ids_never_confirms_the_step_behind(house: House) -> None:
    """The second press still speaks of the view that the first one was about."""
    amina = house.console("2001")
    house.table.until(lambda desk: desk.table().device("shoe").online)
    house.press(amina, "OpenTable")
    house.press(amina, "StartShoe")
    steps = []
    for _ in range(3):
        seq = house.seq
        answers = [house.press(amina, "ConfirmStep", seq) for _ in range(3)]
        steps.append([answer["status"] for answer in answers])
        assert {answer["code"] for answer in answers[1:]} == {"refused.stale"}
    assert steps == [["done", "rejected", "rejected"]] * 3


def test_ten_presses_at_once_confirm_one_step(house: House) -> None:
    leaders = [house.console(number) for number in ("2001", "2002", "3001", "2001", "2002")]
    house.table.until(lambda desk: desk.table().device("shoe").online)
    house.press(leaders[0], "OpenTable")
    house.press(leaders[0], "StartShoe")
    confirmed = house.facts().count("StepConfirmed")
    seq = house.seq
    answers = house.at_once(*[(each, "ConfirmStep", {"seq": seq}) for each in leaders])
    assert [answer["status"] for answer in answers].count("done") == 1
    lost = [answer for answer in answers if answer["status"] != "done"]
    assert {answer["code"] for answer in lost} == {"refused.stale"}
    assert all(answer["text"] for answer in lost)
    assert house.facts().count("StepConfirmed") == confirmed + 1


def test_of_two_supervisors_who_press_at_once_one_wins_and_the_other_is_told_why(
    house: House,
) -> None:
    amina, bilal = house.console("2001"), house.console("2002")
    for name in ("OpenTable", "CloseTable", "OpenTable"):
        answers = house.at_once((amina, name, {}), (bilal, name, {}))
        assert sorted(answer["status"] for answer in answers) == ["done", "rejected"]
        lost = next(answer for answer in answers if answer["status"] == "rejected")
        assert lost["code"].startswith("refused.")
        assert lost["text"]


def held(house: House) -> tuple[str, str]:
    """Bring the table into a coup that is held; its round, and the fault."""
    house.table.open()
    desk = house.table.desk
    bet = c.Bet("b-1", "ann", "player", 1000)
    desk.ask(c.PlaceBets("b", (bet,)), who="house", role="platform")
    desk.ask(c.CloseBets(), who="Jonas", role="dealer")
    house.studio.wires["ba1"].draw(reads_as="??")
    house.table.until(lambda found: found.table().held)
    table = desk.table()
    assert table.hold is not None
    assert table.round is not None
    return table.round.id, table.hold.faults[0].id


def test_of_two_who_approve_at_once_one_wins_and_the_stakes_go_back_once(house: House) -> None:
    assert house.studio.wallet is not None
    house.studio.wallet.create("ann", 10_000)
    round_id, fault = held(house)
    amina, bilal, lena = (house.console(number) for number in ("2001", "2002", "3001"))
    asked = {"fault": fault, "reason": "reason.not_provable", "round_id": round_id}
    house.press(amina, "VoidRound", house.seq, **asked)
    approval = house.studio.desk("ba1").table().approval
    assert approval is not None
    assert house.press(amina, "Approve", approval=approval.id)["status"] == "rejected"
    answers = house.at_once(
        (bilal, "Approve", {"approval": approval.id}),
        (lena, "Approve", {"approval": approval.id}),
    )
    assert sorted(answer["status"] for answer in answers) == ["done", "rejected"]
    lost = next(answer for answer in answers if answer["status"] == "rejected")
    assert lost["code"].startswith("refused.")
    house.studio.flush()
    assert house.facts().count("RoundVoided") == 1
    assert house.studio.wallet.balance("ann") == 10_000


def test_a_void_of_a_round_that_is_past_is_refused(house: House) -> None:
    house.table.open()
    first = house.studio.desk("ba1").table().round
    assert first is not None
    house.table.coup()
    amina = house.console("2001")
    desk = house.table.until(lambda found: found.table().phase.value == "betting")
    for args in ({"fault": ""}, {"fault": "1"}):
        asked = {**args, "reason": "reason.not_provable", "round_id": first.id}
        answer = house.press(amina, "VoidRound", 1, **asked)
        assert answer["status"] == "rejected"
        assert answer["code"].startswith("refused.")
    assert desk.table().approval is None
    assert "RoundVoided" not in house.facts()


def test_whoever_has_no_right_is_refused_and_the_trial_is_kept(house: House) -> None:
    assert house.studio.journal is not None
    before = house.facts()
    for number in ("4001", "5001"):
        console = house.console(number)
        for name in ("OpenTable", "OpenBets", "LiftHold", "PlaceBets", "Tick", "BeginDay"):
            answer = house.press(console, name)
            assert answer["status"] == "rejected", name
    assert house.facts() == before
    answer = house.press(house.console("1001", "/dealer"), "OpenTable", command_id="dealer-001")
    assert answer["code"] == "refused.no_right"
    kept = house.studio.journal.answer_of("1001:dealer-001")
    assert kept is not None
    assert not kept.accepted


HARD = {
    "half a pair": "\ud800",
    "nul": "\x00",
    "turned around": "a\u202eb",
    "longest": "x" * 500,
    "no character": "\uffff",
    "four bytes each": "🂡" * 100,
}


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_a_text_that_is_hard_to_write_down_stops_no_table(house: House, text: str) -> None:
    """A lone half of a pair has no UTF-8: a database would refuse it after all was decided."""
    round_id, fault = held(house)
    amina = house.console("2001")
    house.press(amina, "VoidRound", fault=fault, reason=text, round_id=round_id)
    house.press(amina, "MarkDead", fault=fault, reason=text)
    house.press(amina, "AcknowledgeFault", fault=text, reason="reason.not_provable")
    house.press(amina, text)
    more: dict[str, Any] = {text: text}
    house.press(amina, "OpenTable", **more)
    assert house.press(amina, "OpenTable")["status"] == "rejected"
    assert house.studio.desk("ba1").runner.failure is None


def test_a_second_persons_pin_cannot_be_guessed_on_the_console_of_the_first(house: House) -> None:
    """Each try is a sign-in like any other: throttled, kept, and never the console's own."""
    round_id, fault = held(house)
    amina = house.console("2001")
    asked = {"fault": fault, "reason": "reason.not_provable", "round_id": round_id}
    house.press(amina, "VoidRound", house.seq, **asked)
    approval = house.studio.desk("ba1").table().approval
    assert approval is not None
    session: Any = house.studio.accounts.sign_in("2001", house.pins["2001"], "127.0.0.1")
    browser = house.server.app.test_client()
    browser.set_cookie("cutcard_session", session.token)

    def guess(pin: str) -> int:
        body = {
            "command_id": next(house.ids), "table": "ba1", "approval": approval.id,
            "word": "approve", "number": "3001", "pin": pin,
        }  # fmt: skip
        return browser.post("/api/ui/approve", json=body).status_code

    statuses = [guess(f"{number:06}") for number in range(8)]
    assert 429 in statuses
    assert statuses[-1] == 429
    assert guess(house.pins["3001"]) == 429
    assert browser.get("/api/ui/me").json["person"]["number"] == "2001"  # type: ignore[index]
    assert "RoundVoided" not in house.facts()
