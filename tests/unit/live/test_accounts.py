"""Who may come in, how often they may guess, and which role may ask what."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from sqlalchemy import text

from studio.domain.commands import Command, Rejected
from studio.live import accounts as accounts_module
from studio.live.accounts import Accounts, Refusal, Role, Session, may
from studio.live.clock import ManualClock
from studio.live.ids import SequentialIds
from studio.live.rights import RIGHTS
from studio.storage.database import Database
from studio.storage.people import SqlPeople

HOUR_US = 3_600_000_000
SCREEN = "192.0.2.7"


@pytest.fixture
def store(database: Database) -> SqlPeople:
    return SqlPeople(database)


@pytest.fixture
def accounts(store: SqlPeople, clock: ManualClock) -> Accounts:
    return Accounts(store, clock, SequentialIds("p"))


@pytest.fixture
def pin(accounts: Accounts) -> str:
    """The PIN of Amina, a dealer with number 17 and badge B-17."""
    return accounts.add_person("Amina", "dealer", number="17", badge="B-17", locale="ur").pin


def granted(answer: Session | Refusal) -> Session:
    assert isinstance(answer, Session), answer
    return answer


def refused(answer: Session | Refusal) -> Refusal:
    assert isinstance(answer, Refusal), answer
    return answer


def wrong_pin(pin: str) -> str:
    return "000000" if pin != "000000" else "111111"


def test_a_person_signs_in_with_number_and_pin(accounts: Accounts, pin: str) -> None:
    session = granted(accounts.sign_in("17", pin, SCREEN))
    person = accounts.session(session.token)
    assert person == session.person
    assert (person.number, person.name, person.role, person.locale) == (
        "17",
        "Amina",
        "dealer",
        "ur",
    )


def test_a_person_signs_in_with_a_badge(accounts: Accounts, pin: str) -> None:
    assert granted(accounts.sign_in_badge("B-17", SCREEN)).person.number == "17"
    assert refused(accounts.sign_in_badge("B-18", SCREEN)).code == "refused.sign_in"


def test_a_refusal_does_not_say_which_of_number_and_pin_was_wrong(
    accounts: Accounts, pin: str
) -> None:
    assert accounts.sign_in("17", wrong_pin(pin), SCREEN) == accounts.sign_in("99", pin, SCREEN)


def test_a_pin_has_six_digits_and_is_kept_only_as_a_hash(
    accounts: Accounts, store: SqlPeople, pin: str
) -> None:
    assert len(pin) == 6
    assert pin.isdigit()
    (stored,) = store.people()
    assert stored.pin_hash.startswith("$argon2id$")
    assert pin not in stored.pin_hash
    assert stored.badge_hash is not None
    assert "B-17" not in stored.badge_hash


def test_no_secret_is_in_the_database(accounts: Accounts, database: Database, pin: str) -> None:
    session = granted(accounts.sign_in("17", pin, SCREEN))
    secret = accounts.add_token("ba1").secret
    with database.reading() as connection:
        rows = [
            str(row)
            for table in ("people", "sessions", "overlay_tokens", "sign_ins")
            for row in connection.execute(text(f"SELECT * FROM {table}"))
        ]
    for hidden in (session.token, secret, pin, "B-17"):
        assert not any(hidden in row for row in rows)


def test_three_wrong_tries_are_free_then_each_waits_longer(
    accounts: Accounts, clock: ManualClock, pin: str
) -> None:
    for _ in range(3):
        assert refused(accounts.sign_in("17", wrong_pin(pin))).retry_s == 0
    waits = []
    for _ in range(8):
        answer = refused(accounts.sign_in("17", pin))
        assert answer.code == "refused.too_fast"
        waits.append(answer.retry_s)
        clock.advance(answer.retry_s * 1_000_000)
        assert refused(accounts.sign_in("17", wrong_pin(pin))).code == "refused.sign_in"
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_nobody_is_locked_out_for_ever(accounts: Accounts, clock: ManualClock, pin: str) -> None:
    for _ in range(20):
        accounts.sign_in("17", wrong_pin(pin))
        clock.advance(60_000_000)
    granted(accounts.sign_in("17", pin))


def test_asking_while_one_has_to_wait_does_not_make_the_wait_longer(
    accounts: Accounts, clock: ManualClock, pin: str
) -> None:
    for _ in range(3):
        accounts.sign_in("17", wrong_pin(pin))
    for _ in range(5):
        assert refused(accounts.sign_in("17", pin)).retry_s == 1
    clock.advance(1_000_000)
    granted(accounts.sign_in("17", pin))


def test_asking_again_and_again_does_not_make_the_wrong_tries_forgotten(
    accounts: Accounts, clock: ManualClock, pin: str
) -> None:
    """Else a hundred tries that were told to wait buy three more guesses."""
    for _ in range(9):
        accounts.sign_in("17", wrong_pin(pin))
        clock.advance(60_000_000)
    accounts.sign_in("17", wrong_pin(pin))
    for _ in range(110):
        assert refused(accounts.sign_in("17", pin)).retry_s == 60


def test_an_address_does_not_hide_its_guesses_behind_sign_ins_that_are_right(
    accounts: Accounts, clock: ManualClock, pin: str
) -> None:
    for number in range(100, 119):
        accounts.sign_in(str(number), "123456", SCREEN)
    for _ in range(101):
        accounts.sign_in("17", pin, SCREEN)
    accounts.sign_in("120", "123456", SCREEN)
    assert refused(accounts.sign_in("121", "123456", SCREEN)).code == "refused.too_fast"


def test_a_right_pin_ends_the_waiting(accounts: Accounts, clock: ManualClock, pin: str) -> None:
    for _ in range(3):
        accounts.sign_in("17", wrong_pin(pin))
    clock.advance(1_000_000)
    granted(accounts.sign_in("17", pin))
    assert refused(accounts.sign_in("17", wrong_pin(pin))).retry_s == 0


def test_wrong_tries_of_one_number_do_not_slow_another(accounts: Accounts, pin: str) -> None:
    other = accounts.add_person("Bilal", "dealer", number="18").pin
    for _ in range(4):
        accounts.sign_in("17", wrong_pin(pin), SCREEN)
    granted(accounts.sign_in("18", other, SCREEN))


def test_an_address_that_guesses_many_numbers_is_slowed(accounts: Accounts, pin: str) -> None:
    for number in range(100, 120):
        accounts.sign_in(str(number), "123456", SCREEN)
    assert refused(accounts.sign_in("17", pin, SCREEN)).code == "refused.too_fast"
    assert refused(accounts.sign_in_badge("B-17", SCREEN)).code == "refused.too_fast"
    granted(accounts.sign_in("17", pin, "192.0.2.8"))


def test_a_wall_clock_that_was_set_back_keeps_nobody_waiting(
    accounts: Accounts, clock: ManualClock, pin: str
) -> None:
    for _ in range(4):
        accounts.sign_in("17", wrong_pin(pin))
    clock.set_wall(clock.now_us() - 10 * HOUR_US)
    granted(accounts.sign_in("17", pin))


def test_every_try_is_kept(
    accounts: Accounts, store: SqlPeople, clock: ManualClock, pin: str
) -> None:
    accounts.sign_in("17", wrong_pin(pin), SCREEN)
    accounts.sign_in("17", pin, SCREEN)
    accounts.sign_in_badge("none", SCREEN)
    accounts.enable("17", enabled=False)
    accounts.sign_in("17", pin, SCREEN)
    tries = store.tries(address=SCREEN, since_us=0)
    assert [(each.number, each.method, each.outcome) for each in reversed(tries)] == [
        ("17", "pin", "wrong"),
        ("17", "pin", "ok"),
        ("", "badge", "unknown"),
        ("17", "pin", "disabled"),
    ]


def test_what_no_database_takes_is_simply_unknown(accounts: Accounts, pin: str) -> None:
    assert refused(accounts.sign_in("\ud800" * 500, "\ud800", SCREEN)).code == "refused.sign_in"
    assert refused(accounts.sign_in_badge("\ud800", SCREEN)).code == "refused.sign_in"
    assert accounts.session("\ud800") is None
    assert accounts.token("\ud800") is None


def test_a_session_ends_when_it_is_signed_out(accounts: Accounts, pin: str) -> None:
    session = granted(accounts.sign_in("17", pin))
    accounts.sign_out(session.token)
    accounts.sign_out(session.token)
    accounts.sign_out("never given")
    assert accounts.session(session.token) is None


def test_a_session_ends_when_the_person_is_disabled_and_does_not_come_back(
    accounts: Accounts, pin: str
) -> None:
    session = granted(accounts.sign_in("17", pin))
    accounts.enable("17", enabled=False)
    assert accounts.session(session.token) is None
    accounts.enable("17", enabled=True)
    assert accounts.session(session.token) is None
    granted(accounts.sign_in("17", pin))


def test_a_new_pin_ends_the_old_one_and_all_sessions(accounts: Accounts, pin: str) -> None:
    session = granted(accounts.sign_in("17", pin))
    new = accounts.new_pin("17")
    assert accounts.session(session.token) is None
    granted(accounts.sign_in("17", new))


def test_a_session_ends_after_a_double_shift_and_after_a_long_idle_time(
    accounts: Accounts, clock: ManualClock, pin: str
) -> None:
    token = granted(accounts.sign_in("17", pin)).token
    for _ in range(4):
        clock.advance(4 * HOUR_US)
        assert accounts.session(token) is not None
    clock.advance(1)
    assert accounts.session(token) is None
    idle = granted(accounts.sign_in("17", pin)).token
    clock.advance(8 * HOUR_US + 1)
    assert accounts.session(idle) is None


def test_sessions_outlive_the_process(
    accounts: Accounts, database: Database, clock: ManualClock, pin: str
) -> None:
    token = granted(accounts.sign_in("17", pin)).token
    again = Accounts(SqlPeople(database), clock, SequentialIds("q"))
    assert again.session(token) is not None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " "}, "name_unusable"),
        ({"name": "x" * 81}, "name_unusable"),
        ({"role": "boss"}, "role_unknown"),
        ({"number": ""}, "number_unusable"),
        ({"number": "seventeen and more"}, "number_unusable"),
        ({"number": "17"}, "number_taken"),
        ({"badge": "B-17"}, "number_taken"),
    ],
)
def test_a_person_who_cannot_be_added_is_refused_in_one_sentence(
    accounts: Accounts, pin: str, changes: dict[str, Any], code: str
) -> None:
    given: dict[str, Any] = {"name": "Bilal", "role": "dealer", "number": "18"} | changes
    name, role = given.pop("name"), given.pop("role")
    with pytest.raises(Rejected) as refusal:
        accounts.add_person(name, role, **given)
    assert refusal.value.code == code


def test_a_number_that_nobody_has_is_told(accounts: Accounts) -> None:
    with pytest.raises(Rejected, match="nobody has number 5"):
        accounts.new_pin("5")
    with pytest.raises(Rejected, match="nobody has number 5"):
        accounts.enable("5", enabled=False)


def test_people_are_listed_by_number(accounts: Accounts, pin: str) -> None:
    accounts.add_person("Bilal", "auditor", number="05")
    assert [stored.person.name for stored in accounts.list_people()] == ["Bilal", "Amina"]


def test_an_overlay_token_stands_for_one_table_until_it_is_revoked(accounts: Accounts) -> None:
    added = accounts.add_token("ba1", delay_ms=1_500)
    token = accounts.token(added.secret)
    assert token == added.token
    assert (token.table, token.delay_ms) == ("ba1", 1_500)
    accounts.revoke_token(token.id)
    assert accounts.token(added.secret) is None
    assert [stored.id for stored in accounts.list_tokens()] == [token.id]


def test_the_token_of_a_seat_opens_that_seat_alone_until_it_is_revoked(accounts: Accounts) -> None:
    first, second = accounts.add_seat("bl1", 2), accounts.add_seat("bl1", 2)
    overlay = accounts.add_token("bl1")
    assert accounts.seat_token(first.secret) == first.token
    assert (first.token.table, first.token.seat) == ("bl1", 2)
    assert first.secret != second.secret
    assert first.secret not in repr(first)
    assert accounts.seat_token(overlay.secret) is None
    assert accounts.token(first.secret) is None
    accounts.revoke_token(first.token.id)
    assert accounts.seat_token(first.secret) is None
    assert accounts.seat_token(second.secret) == second.token
    assert accounts.token(overlay.secret) == overlay.token
    told = [(stored.id, stored.revoked_us is not None) for stored in accounts.list_seats()]
    assert dict(told) == {first.token.id: True, second.token.id: False}
    with pytest.raises(Rejected, match="numbered from 0"):
        accounts.add_seat("bl1", -1)


def test_a_token_that_cannot_be_made_or_revoked_is_told(accounts: Accounts) -> None:
    with pytest.raises(Rejected, match="give a delay"):
        accounts.add_token("ba1", delay_ms=-1)
    with pytest.raises(Rejected, match="there is no token"):
        accounts.revoke_token("none")


LEADS = {"supervisor", "pit-boss"}
FLOOR = LEADS | {"dealer"}
EXPECTED: dict[str, set[str]] = {
    "OpenTable": LEADS,
    "CloseTable": LEADS,
    "StartShoe": FLOOR,
    "EndShoe": LEADS,
    "ConfirmStep": FLOOR,
    "EnterCount": FLOOR,
    "OpenBets": FLOOR,
    "CloseBets": FLOOR,
    "CutCardIsOut": FLOOR,
    "CallSupervisor": FLOOR,
    "PlaceBets": set(),
    "PlaceDecisions": set(),
    "MarkDisconnected": set(),
    "AnswerPeek": {"dealer"},
    "WithdrawBets": set(),
    "ClaimQayd": FLOOR,
    "DecideQayd": LEADS,
    "ChooseForSeat": FLOOR,
    "CorrectCard": LEADS,
    "KeyInCard": LEADS,
    "AssignCard": LEADS,
    "UseAsNextCard": LEADS,
    "BurnCard": LEADS,
    "MarkDead": LEADS,
    "AcceptAsDealt": LEADS,
    "RescanRound": LEADS,
    "RestoreCollected": LEADS,
    "ShuffleDiscards": LEADS,
    "RetryDevice": LEADS | {"engineer"},
    "PassSelfTest": LEADS | {"engineer"},
    "AcknowledgeFault": LEADS,
    "VoidRound": LEADS,
    "LiftHold": LEADS,
    "TakeHold": LEADS,
    "CorrectResult": LEADS,
    "Approve": LEADS,
    "Decline": LEADS,
    "WithdrawApproval": LEADS,
    "RelieveDealer": {"dealer"},
    "LeaveTable": {"dealer"},
    "ClaimTable": LEADS,
    "ReleaseTable": LEADS,
    "SetUpCamera": {"engineer"},
    "BeginDay": set(),
    "Tick": set(),
}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("command", EXPECTED)
def test_a_role_may_ask_what_the_table_of_rights_says(role: Role, command: str) -> None:
    assert may(role, command) is (role.value in EXPECTED[command])


def test_every_command_is_in_the_table_of_rights() -> None:
    names = {command.__name__ for command in get_args(Command)}
    assert names <= set(RIGHTS)
    assert set(EXPECTED) == set(RIGHTS)


def test_a_role_or_a_command_that_does_not_exist_may_nothing() -> None:
    assert not may("king", "OpenBets")
    assert not may("dealer", "EmptyTheSafe")


def test_all_that_the_faces_need_is_found_in_one_module() -> None:
    assert all(hasattr(accounts_module, name) for name in accounts_module.__all__)
