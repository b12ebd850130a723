"""What the faces may ask of the studio, and what they get."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.live.asking import COMMANDS, read_command
from studio.live.health import Health
from studio.live.people import Person
from studio.live.rights import Role, may
from studio.live.service import AUDIENCES, Desk, Service
from studio.table.views import to_json
from tests.support.live.bench import START_US, SUPERVISOR, Bench, baccarat

DEALER = Person("p1", "7", "Jonas", Role.DEALER)
LEAD = Person("p2", "8", "Sana", Role.SUPERVISOR)
AUDITOR = Person("p3", "9", "Rui", Role.AUDITOR)


def seated(bench: Bench) -> Service:
    """A service over one table."""
    service = Service(studio_name="Test", clock=bench.clock)
    service.seat([Desk(bench.runner)], epoch="e1", accounts=None)
    return service


def ask(service: Service, name: str, person: Person = LEAD, **args: Any) -> Any:
    ask.count = getattr(ask, "count", 0) + 1  # type: ignore[attr-defined]
    return service.submit(
        "ba1", name, args, person=person, command_id=f"c{ask.count}", seq=None  # type: ignore[attr-defined]
    )  # fmt: skip


def test_a_view_is_whole_and_numbered_and_rises_with_each_fact() -> None:
    bench = Bench()
    service = seated(bench)
    first = service.view("ba1", "dealer")
    assert (first.table, first.audience, first.epoch) == ("ba1", "dealer", "e1")
    assert first.view["state"] == "closed"
    assert ask(service, "OpenTable").seq == service.view("ba1", "dealer").seq > first.seq
    assert service.view("ba1", "dealer").view["state"] == "idle"
    assert service.view("ba1", "supervisor").view["dealer"]["state"] == "idle"


@pytest.mark.parametrize(("table", "audience"), [("ba2", "dealer"), ("ba1", "wall"), ("ba1", "x")])
def test_a_view_that_does_not_exist_is_a_key_error(table: str, audience: str) -> None:
    with pytest.raises(KeyError):
        seated(Bench()).view(table, audience)


def test_the_wall_has_a_tile_for_each_table_and_a_number_that_rises_with_any() -> None:
    bench = Bench()
    service = seated(bench)
    first = service.wall()
    assert [tile["table"] for tile in first.view["tiles"]] == ["ba1"]
    assert service.wall().seq == first.seq
    ask(service, "OpenTable")
    assert service.wall().seq > first.seq


def test_no_audience_is_told_a_card_that_nobody_may_know_yet() -> None:
    bench = Bench()
    service = seated(bench)
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.deal("7H")
    sealed = bench.table.sensing.parked[0]
    assert sealed.identity == Card.parse("7H")
    for audience in AUDIENCES:
        text = json.dumps(to_json(service.view("ba1", audience)))
        assert "7H" not in text
        assert sealed.sealed is not None
        assert sealed.sealed.salt not in text
    assert "7H" not in json.dumps(to_json(service.wall()))
    told = [entry.entry.data for entry in bench.journal.feed("ba1")]
    assert "7H" not in json.dumps(told)


def test_who_has_no_right_is_refused_and_nothing_is_kept() -> None:
    bench = Bench()
    service = seated(bench)
    reply = ask(service, "OpenTable", AUDITOR)
    assert (reply.status, reply.code) == ("rejected", "refused.no_right")
    assert "auditor" in reply.text
    assert bench.events() == []


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_role_and_command_is_asked_of_the_table_of_rights(name: str) -> None:
    service = seated(Bench())
    for role in Role:
        person = Person("p", "1", "Who", role)
        refused = ask(service, name, person, **_least(name)).code == "refused.no_right"
        assert refused is not may(role, name)


def _least(name: str) -> dict[str, Any]:
    """The least that a command needs."""
    values: dict[str, Any] = {
        "fault": "1", "index": 0, "card": "7H", "number": 3, "batch": "b", "bets": [], "ids": [],
        "round_id": "r", "reason": "reason.other", "approval": "1", "decisions": [], "window": 1,
        "players": [], "natural": False, "seat": 0, "option": "pass", "against": None,
    }  # fmt: skip
    known = COMMANDS[name].__dataclass_fields__
    return {key: value for key, value in values.items() if key in known}


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("Explode", {}, "no command 'Explode'"),
        ("Tick", {}, "no command 'Tick'"),
        ("BeginDay", {"day": "2027-01-01"}, "no command"),
        ("OpenTable", {"force": True}, "does not take 'force'"),
        ("EnterCount", {}, "needs 'number'"),
        ("EnterCount", {"number": "12"}, "must be a whole number"),
        ("EnterCount", {"number": True}, "must be a whole number"),
        ("EnterCount", {"number": 1.5}, "must be a whole number"),
        ("KeyInCard", {"fault": "1", "card": "1H"}, "is not a card"),
        ("KeyInCard", {"fault": "1", "card": 7}, "must be a card"),
        ("CallSupervisor", {"reason": "x" * 501}, "longer than 500"),
        ("PlaceBets", {"batch": "b", "bets": "all"}, "must be a list"),
        ("PlaceBets", {"batch": "b", "bets": [{"id": "1"}]}, "needs 'player'"),
        ("WithdrawBets", {"batch": "b", "ids": [1]}, "must be text"),
        ("OpenTable", [], "by name"),
    ],
)
def test_what_cannot_be_read_is_refused_with_one_sentence(name: str, args: Any, words: str) -> None:
    with pytest.raises(c.Rejected) as refusal:
        read_command(name, args)
    assert words in refusal.value.text
    assert "\n" not in refusal.value.text
    service = seated(Bench())
    reply = service.submit("ba1", name, args, person=LEAD, command_id="x", seq=None)
    assert reply.status == "rejected"


def test_values_become_a_typed_command() -> None:
    command = read_command("MarkDead", {"fault": "3", "card": None})
    assert command == c.MarkDead(fault="3")
    bets = {"batch": "b", "bets": [{"id": "1", "player": "p", "bet": "tie", "stake": 5}]}
    assert read_command("PlaceBets", bets) == c.PlaceBets("b", (c.Bet("1", "p", "tie", 5),))


def test_the_same_id_of_another_person_is_another_command() -> None:
    bench = Bench()
    service = seated(bench)
    args: dict[str, Any] = {}
    submit = service.submit
    assert submit("ba1", "OpenTable", args, person=LEAD, command_id="1", seq=0).status == "done"
    assert submit("ba1", "OpenTable", args, person=LEAD, command_id="1", seq=0).status == "done"
    other = submit("ba1", "CallSupervisor", args, person=DEALER, command_id="1", seq=0)
    assert other.status == "done"
    assert bench.table.held


def test_a_supervisor_who_takes_a_hold_is_named_on_it() -> None:
    bench = Bench()
    service = seated(bench)
    ask(service, "OpenTable")
    assert ask(service, "TakeHold").code == "refused.not_held"
    ask(service, "CallSupervisor", DEALER)
    assert ask(service, "TakeHold").status == "done"
    assert service.view("ba1", "dealer").view["hold"]["taken_by"] == "Sana"


def test_a_table_that_does_not_answer_in_time_is_pending_and_the_answer_comes_later() -> None:
    bench = Bench()
    service = seated(bench)
    later: Future[Any] = Future()
    bench.runner.ask = lambda *_args, **_kwargs: later  # type: ignore[method-assign]
    reply = service.submit(
        "ba1", "OpenTable", {}, person=LEAD, command_id="1", seq=None, timeout_s=0.01
    )
    assert reply.status == "pending"


def test_an_unknown_table_or_an_empty_id_is_refused() -> None:
    service = seated(Bench())
    reply = service.submit("ba9", "OpenTable", {}, person=LEAD, command_id="1", seq=None)
    assert reply.code == "refused.unknown_table"
    reply = service.submit("ba1", "OpenTable", {}, person=LEAD, command_id="", seq=None)
    assert reply.code == "refused.malformed"


def test_listeners_are_told_of_news_until_they_end_and_one_that_fails_harms_nobody() -> None:
    bench = Bench()
    service = seated(bench)
    bench.runner._changed = service.changed
    heard: list[str] = []
    news = threading.Event()

    def bad(_table: str) -> None:
        raise OSError("no screen")

    def good(table: str) -> None:
        heard.append(table)
        news.set()

    service.subscribe(bad)
    end = service.subscribe(good)
    service.begin()
    ask(service, "OpenTable")
    assert news.wait(10)
    end()
    end()
    service.end()
    assert set(heard) == {"ba1"}


def test_the_rules_of_a_table_are_those_it_deals_by() -> None:
    service = seated(Bench())
    rules = service.rules("ba1")
    assert (rules.game, rules.version) == ("baccarat", "baccarat@1")
    assert rules.digest == baccarat().rules_digest
    assert rules.lines


def test_a_silent_shoe_and_a_stopped_table_are_findings() -> None:
    bench = Bench()
    service = seated(bench)
    assert service.health().findings == ("table ba1: the shoe does not answer",)
    bench.shoe_online()
    assert service.health().ready
    bench.runner._stop_for(OSError("disk full"))
    health = service.health()
    assert not health.ready
    assert health.tables[0].state == "stopped"
    assert any("disk full" in finding for finding in health.findings)


def test_a_service_without_a_start_is_not_ready() -> None:
    service = Service(studio_name="Test", clock=Bench().clock)
    assert not service.health().ready
    assert service.tables() == ()
    with pytest.raises(RuntimeError, match="not started"):
        _ = service.accounts


def test_the_health_of_a_device_has_four_rungs() -> None:
    bench = Bench()
    health = Health(bench.setup)
    assert health.views(bench.table, START_US)[0].rung == 1
    bench.shoe_online()
    health.note(
        o.LinkRates(
            device="shoe", at_us=START_US, bytes=9, frames=2, facts=1, garbage=3, last_us=START_US
        )
    )
    view = health.views(bench.table, START_US)[0]
    assert (view.rung, view.bytes, view.garbage, view.detail) == (4, 9, 3, None)
    assert health.views(bench.table, START_US + 3_000_000)[0].rung == 3
    fault = o.DeviceFault(
        device="shoe", at_us=START_US, code=o.DeviceFaultCode.JAM, text="stuck"
    )  # fmt: skip
    bench.see(fault)
    assert health.views(bench.table, START_US)[0].rung == 2
    bench.see(o.DeviceOffline(device="shoe", at_us=START_US, reason="unplugged"))
    view = health.views(bench.table, START_US)[0]
    assert view.rung == 1
    assert view.detail is not None
    assert view.detail.code == "device.what.offline"


def test_a_change_of_health_gives_the_screens_a_new_number_without_a_fact() -> None:
    bench = Bench()
    desk = Desk(bench.runner)
    bench.shoe_online()
    facts, seq = bench.events(), bench.runner.shown.seq
    desk.look_after(bench.clock.now_us())
    desk.look_after(bench.clock.now_us())
    assert bench.runner.shown.seq == seq + 1
    assert bench.events() == facts


def test_a_supervisor_sees_what_the_wallet_was_not_told_yet() -> None:
    """FACES.md: the receipt of a void or a correction, until all is delivered."""
    bench = Bench()
    desk = Desk(bench.runner, treasury=bench.treasury)
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    desk.look_after(bench.clock.now_us())
    assert desk.view("supervisor", "e", 0).view["wallet"] is None
    bench.purse.broken = True
    cards = tuple(Card.parse(code) for code in ("2S", "9D", "KH", "TD"))
    paid = bench.table.results[0].id
    correction = c.CorrectResult(round_id=paid, cards=cards, reason="reason.camera_proves")
    bench.do(correction, SUPERVISOR)
    desk.look_after(bench.clock.now_us())
    assert desk.view("supervisor", "e", 0).view["wallet"] == {
        "code": "wallet.waiting", "params": {"count": 2, "amount": 5900},
    }  # fmt: skip
    bench.purse.broken = False
    bench.wait()
    seq = bench.runner.shown.seq
    desk.look_after(bench.clock.now_us())
    assert bench.runner.shown.seq == seq + 1
    assert desk.view("supervisor", "e", 0).view["wallet"] is None


def test_a_desk_asks_for_simulated_people_and_says_why_not() -> None:
    bench = Bench()
    desk = Desk(bench.runner)
    desk.ask(c.OpenTable(), who="Sim", role="supervisor")
    with pytest.raises(c.Rejected) as refusal:
        desk.ask(c.OpenTable(), who="Sim", role="supervisor")
    assert refusal.value.code == "refused.table_open"
    desk.ask(c.CallSupervisor(), who="Sim Dealer", role="dealer")
    assert desk.table().held
    assert bench.ask(c.TakeHold(), SUPERVISOR, by=c.Asker(number="8", name="Sana")).status == "done"


def test_the_screens_of_a_stopped_table_say_so_and_offer_nothing() -> None:
    bench = Bench()
    service = seated(bench)
    bench.open_shoe()
    bench.do(c.OpenBets())
    before = service.view("ba1", "dealer")
    bench.runner._stop_for(OSError("disk full"))
    dealer = service.view("ba1", "dealer")
    assert dealer.seq > before.seq
    assert dealer.view["state"] == "hold"
    assert dealer.view["hold"]["what"]["code"] == "refused.table_stopped"
    assert not any(button["enabled"] for button in dealer.view["buttons"])
    supervisor = service.view("ba1", "supervisor").view
    assert supervisor["dealer"]["state"] == "hold"
    assert not supervisor["lift"]["enabled"]
    assert service.view("ba1", "overlay").view["slate"]["code"] == "wait"
    assert service.wall().view["tiles"][0]["state"] == "hold"


def test_a_tile_that_cannot_be_made_leaves_the_other_tables_on_the_wall(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench()
    sound, broken = Desk(bench.runner), Desk(bench.runner)
    service = Service(studio_name="Test", clock=bench.clock)
    service.seat([sound, broken], epoch="e1", accounts=None)
    service._desks = {"ba1": sound, "ba2": broken}

    def fail(*_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(broken, "_build", fail)
    ask(service, "OpenTable")
    tiles = service.wall().view["tiles"]
    assert [tile["state"] for tile in tiles] == ["idle", "hold"]
    assert tiles[1]["headline"]["code"] == tiles[1]["hold"]["what"]["code"] == "wall.no_tile"
    service.wall()
    assert len(caplog.records) == 1  # told once, not at each look
    monkeypatch.undo()
    assert [tile["state"] for tile in service.wall().view["tiles"]] == ["idle", "idle"]
