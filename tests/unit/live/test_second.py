"""The second person, seats and kept refusals, as the faces reach them."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from studio.domain import commands as c
from studio.live.accounts import Accounts, Credentials, Session, SignedIn
from studio.live.ids import SequentialIds
from studio.live.people import Person
from studio.live.rights import SUPERVISED_AT_MOST, Role, overburdened
from studio.live.service import Desk, Service
from studio.storage.database import open_database
from studio.storage.people import SqlPeople
from studio.table.approvals import waiting
from studio.table.state import Phase, Table
from tests.support.live.bench import DEALER, SUPERVISOR, Bench, baccarat

BADGE = "badge-of-lena"


class House:
    """A studio of one table with real accounts, and a coup that is held."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench()
        self.store = SqlPeople(open_database(f"sqlite:///{folder / 'people.db'}"))
        self.accounts = Accounts(self.store, self.bench.clock, SequentialIds("p"))
        self.pins = {
            number: self.accounts.add_person(name, role, number=number, badge=badge).pin
            for name, role, number, badge in (
                ("Imran S.", "dealer", "1001", None),
                ("Amina K.", "supervisor", "2001", None),
                ("Lena P.", "pit-boss", "3001", BADGE),
                ("Nora A.", "auditor", "5001", None),
            )
        }
        self.service = Service(studio_name="Test", clock=self.bench.clock)
        self.service.seat(
            [Desk(self.bench.runner)],
            epoch="e1",
            accounts=self.accounts,
            journal=self.bench.journal,
        )
        self.ids = itertools.count()
        self.amina = self.sign_in("2001")

    def sign_in(self, number: str) -> Session:
        """Somebody signs in at a console of their own."""
        session = self.accounts.sign_in(number, self.pins[number], "10.0.0.1")
        assert isinstance(session, Session)
        return session

    def ask(self, name: str, session: Session, *, table: str = "ba1", **args: Any) -> Any:
        """Ask for something as the web does: who it is comes from the store."""
        who = self.accounts.signed_in(session.token)
        assert who is not None
        return self.service.submit(
            table, name, args, person=who, command_id=f"{name}-{next(self.ids)}", seq=None
        )

    def here(self, command_id: str = "a1", **given: Any) -> Any:
        """The second person answers on Amina's console."""
        more = {key: given.pop(key) for key in ("approve", "reason") if key in given}
        second = Credentials(address="10.0.0.1", **given)
        asked = self.bench.table.approval
        approval = asked.id if asked is not None else "1"
        return self.service.approve_here(
            "ba1", approval, second=second, command_id=command_id, **more
        )

    def kept(self) -> list[Any]:
        """The log of commands."""
        return list(self.bench.journal._commands.values())

    def void_asked(self) -> None:
        """Amina asks for a void of the held coup."""
        self.bench.open_shoe()
        self.bench.do(c.OpenBets())
        self.bench.bet()
        self.bench.do(c.CloseBets())
        self.bench.do(c.CallSupervisor())
        table = self.bench.table
        assert table.hold is not None
        assert table.round is not None
        fault, round_id = table.hold.faults[0].id, table.round.id
        reply = self.ask(
            "VoidRound", self.amina, fault=fault, reason="reason.other", round_id=round_id
        )
        assert reply.status == "done", reply
        table = self.bench.table
        assert waiting(table) is not None
        assert table.round is not None
        assert table.round.state == "open"


@pytest.fixture
def calm(tmp_path: Path) -> House:
    """A studio at which nothing has happened."""
    return House(tmp_path)


@pytest.fixture
def house(calm: House) -> House:
    """The same with a coup that waits for its second person."""
    calm.void_asked()
    return calm


@pytest.mark.parametrize("by", ["pin", "badge"])
def test_a_second_person_approves_on_the_first_ones_console(house: House, by: str) -> None:
    given = {"badge": BADGE} if by == "badge" else {"number": "3001", "pin": house.pins["3001"]}
    reply = house.here(**given)
    assert reply.status == "done"
    current = house.bench.table.round
    assert current is not None
    assert current.state == "voided"


def test_the_one_act_sign_in_is_kept_ends_and_leaves_the_console_alone(house: House) -> None:
    house.here(number="3001", pin=house.pins["3001"])
    (tried,) = house.store.tries(number="3001", since_us=0)
    assert (tried.method, tried.outcome, tried.address) == ("pin", "ok", "10.0.0.1")
    assert house.accounts.session(house.amina.token) == house.amina.person
    approved = next(event for event in house.bench.events() if event.NAME == "approval_ended")
    assert (approved.how, approved.by, approved.by_name) == ("given", "3001", "Lena P.")


def test_the_person_who_asked_cannot_be_the_second_one(house: House) -> None:
    reply = house.here(number="2001", pin=house.pins["2001"])
    assert reply.code == "refused.approval_same_person"


def test_who_may_not_approve_is_refused_and_kept(house: House) -> None:
    reply = house.here(number="5001", pin=house.pins["5001"])
    assert reply.code == "refused.no_right"
    record = house.kept()[-1]
    assert (record.actor.name, record.name, record.accepted) == ("5001", "Approve", False)


def test_wrong_pins_are_throttled_as_at_any_screen_and_nothing_is_done(house: House) -> None:
    replies = [house.here(f"w{n}", number="3001", pin="wrong") for n in range(5)]
    assert [reply.code for reply in replies[:3]] == ["refused.sign_in"] * 3
    assert replies[-1].code == "refused.too_fast"
    assert replies[-1].retry_s > 0
    right = house.here("r", number="3001", pin=house.pins["3001"])
    assert right.code == "refused.too_fast"
    assert waiting(house.bench.table) is not None


def test_the_second_person_declines_with_a_reason(house: House) -> None:
    house.here(badge=BADGE, approve=False, reason="reason.camera_proves")
    approval = house.bench.table.approval
    assert approval is not None
    assert (approval.how, approval.reason) == ("declined", "reason.camera_proves")


def test_neither_pin_nor_badge_is_told_anywhere(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    pin = house.pins["3001"]
    house.here("w1", number="3001", pin="999999")
    house.here("w2", badge="badge-of-nobody")
    house.here("r", number="3001", pin=pin)
    told = json.dumps([[record.body, record.outcome] for record in house.kept()]) + caplog.text
    told += repr(Credentials(number="3001", pin=pin, badge=BADGE))
    for secret in (pin, "999999", BADGE, "badge-of-nobody", house.amina.token):
        assert secret not in told


def test_a_sign_in_is_named_without_its_secret(house: House) -> None:
    asked = house.bench.table.approval
    assert asked is not None
    assert asked.session == house.accounts.name_of_session(house.amina.token)
    assert asked.session not in house.amina.token
    again = house.sign_in("2001")
    assert house.accounts.name_of_session(again.token) != asked.session


def test_the_same_id_approves_once(house: House) -> None:
    first = house.here("same", badge=BADGE)
    second = house.here("same", badge=BADGE)
    assert (first.status, first.seq) == (second.status, second.seq)
    events = house.bench.events()
    assert sum(event.NAME == "round_voided" for event in events) == 1


# -- who goes home --------------------------------------------------------------------------------


def test_a_dealer_signs_out_between_coups_and_stands_up(calm: House) -> None:
    calm.bench.do(c.OpenTable(), SUPERVISOR)
    imran = calm.sign_in("1001")
    assert calm.ask("RelieveDealer", imran).status == "done"
    assert calm.service.leave(imran.person).status == "done"
    assert calm.bench.table.dealer == ""
    assert calm.service.leave(imran.person).status == "done"


def test_a_dealer_in_a_coup_is_told_to_stay(calm: House) -> None:
    calm.bench.open_shoe()
    calm.bench.do(c.LeaveTable())
    imran = calm.sign_in("1001")
    assert calm.ask("OpenBets", imran).status == "done"
    reply = calm.service.leave(imran.person)
    assert (reply.status, reply.code) == ("rejected", "refused.still_dealing")
    assert "sign out when it has ended" in reply.text
    assert calm.bench.table.dealer == "1001"


def test_a_table_that_does_not_answer_keeps_who_wants_to_go(
    calm: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm.bench.do(c.OpenTable(), SUPERVISOR)
    imran = calm.sign_in("1001")
    calm.ask("RelieveDealer", imran)
    monkeypatch.setattr("studio.live.service.LEAVE_S", 0.01)
    monkeypatch.setattr(calm.bench.runner, "ask", lambda *_args, **_more: Future())
    assert calm.service.leave(imran.person).code == "refused.busy"
    assert calm.bench.table.dealer == "1001"


def test_a_dealer_of_a_held_table_stays(calm: House) -> None:
    calm.bench.do(c.OpenTable(), SUPERVISOR)
    imran = calm.sign_in("1001")
    calm.ask("RelieveDealer", imran)
    calm.ask("CallSupervisor", imran)
    assert calm.service.leave(imran.person).code == "refused.table_held"


def test_who_sits_down_at_a_second_table_stands_up_at_the_first(calm: House) -> None:
    other = Bench(setup=baccarat("ba2"))
    calm.service.seat(
        [Desk(calm.bench.runner), Desk(other.runner)],
        epoch="e2",
        accounts=calm.accounts,
        journal=calm.bench.journal,
    )
    calm.bench.open_shoe()
    calm.bench.do(c.LeaveTable())
    imran = calm.sign_in("1001")
    assert calm.ask("RelieveDealer", imran).status == "done"
    assert calm.ask("RelieveDealer", imran, table="ba2").status == "done"
    assert (calm.bench.table.dealer, other.table.dealer) == ("", "1001")
    assert calm.ask("OpenBets", imran).status == "done"
    assert (calm.bench.table.dealer, other.table.dealer) == ("1001", "")
    reply = calm.ask("RelieveDealer", imran, table="ba2")
    assert reply.code == "refused.still_dealing"
    assert (calm.bench.table.dealer, other.table.dealer) == ("1001", "")


# -- what is refused is kept ----------------------------------------------------------------------


def test_everything_that_is_refused_is_in_the_log_of_commands(house: House) -> None:
    lead, auditor = house.amina.person, Person("p9", "5001", "Nora A.", Role.AUDITOR)
    submit = house.service.submit
    before = len(house.kept())
    submit("ba9", "OpenTable", {}, person=lead, command_id="x1", seq=None)
    submit("ba1", "OpenTable", {}, person=lead, command_id="", seq=None)
    submit("ba1", "Sing", {"song": 1.5}, person=lead, command_id="x3", seq=None)
    submit("ba1", "OpenTable", {}, person=auditor, command_id="x4", seq=None)
    submit("ba1", "OpenTable", {}, person=lead, command_id="x5", seq=None)
    house.service.refused("", "unreadable", person=lead, code="refused.malformed", text="no")
    codes = [json.loads(record.outcome)["code"] for record in house.kept()[before:]]
    assert codes == [
        "refused.unknown_table",
        "refused.malformed",
        "refused.malformed",
        "refused.no_right",
        "refused.table_held",
        "refused.malformed",
    ]
    assert not any(record.accepted for record in house.kept()[before:])


def test_of_what_cannot_be_read_only_the_names_of_its_fields_are_kept(house: House) -> None:
    args = {"pin": "123456", "card": 1.5, **{f"z{n}": "123456" for n in range(50)}}
    house.service.submit(
        "ba1", "KeyInCard", args, person=house.amina.person, command_id="m", seq=None
    )
    body = house.kept()[-1].body
    assert '"pin"' in body
    assert "123456" not in body
    assert len(body) < 2_000


def test_a_refusal_stands_also_where_it_cannot_be_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_record: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(house.bench.journal, "record_command", full)
    reply = house.service.submit(
        "ba9", "OpenTable", {}, person=house.amina.person, command_id="x", seq=None
    )
    assert reply.code == "refused.unknown_table"


def test_the_journal_on_the_page_names_people_beside_their_numbers(house: House) -> None:
    lines = house.service.view("ba1", "supervisor").view["journal"]
    asked = next(line for line in lines if line["message"]["code"] == "journal.approval_asked")
    assert asked["message"]["params"]["name"] == "Amina K. (2001)"  # said once, in the sentence
    assert asked["actor"] == ""
    closed = next(line for line in lines if line["message"]["code"] == "journal.bets_closed")
    assert closed["actor"] == DEALER.name


def test_a_right_that_ended_is_seen_by_the_next_look(house: House) -> None:
    assert isinstance(house.accounts.signed_in(house.amina.token), SignedIn)
    house.accounts.enable("2001", enabled=False)
    assert house.accounts.signed_in(house.amina.token) is None


# -- how many tables one answers for --------------------------------------------------------------


def test_the_wall_warns_of_who_answers_for_too_many_open_tables() -> None:
    mine = Table(phase=Phase.IDLE, claimed_by="2001", claimed_name="Amina K.")
    closed = Table(claimed_by="2001", claimed_name="Amina K.")
    free = Table(phase=Phase.IDLE)
    most = SUPERVISED_AT_MOST
    assert list(overburdened([mine] * most + [closed, free] * 3)) == []
    assert list(overburdened([mine] * (most + 1))) == [("Amina K.", most + 1, most)]


def test_the_wall_has_no_findings_while_all_is_well(house: House) -> None:
    assert house.service.wall().view["findings"] == []
