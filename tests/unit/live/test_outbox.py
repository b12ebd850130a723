"""What the outside is told, in the commit of the fact."""

from __future__ import annotations

import json

from studio.domain import commands as c
from studio.domain.cards import Card
from studio.live.outbox import TYPES
from tests.support.live.bench import SUPERVISOR, Bench


def test_a_whole_shoe_tells_each_type_with_its_data() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    cards = tuple(Card.parse(code) for code in ("2S", "9D", "KH", "TD"))
    paid = bench.table.results[0].id
    correction = c.CorrectResult(round_id=paid, cards=cards, reason="reason.camera_proves")
    bench.do(correction, SUPERVISOR)
    bench.collect()
    bench.do(c.CallSupervisor())
    fault = bench.table.hold.faults[0].id if bench.table.hold else ""
    bench.do(c.AcknowledgeFault(fault=fault, reason="reason.other"), SUPERVISOR)
    bench.do(c.LiftHold(fault=fault, reason="reason.other"), SUPERVISOR)
    bench.do(c.CallSupervisor())
    fault = bench.table.hold.faults[0].id if bench.table.hold else ""
    round_id = bench.table.round.id if bench.table.round else ""
    bench.do(c.VoidRound(fault=fault, reason="reason.other", round_id=round_id), SUPERVISOR)
    bench.do(c.EndShoe(), SUPERVISOR)
    bench.do(c.ConfirmStep())
    bench.wait()
    bench.do(c.EnterCount(409))
    # A coup has no windows and no seats; test_decisions.py and test_seats.py of the platform have.
    asked = {"window.opened", "window.closed", "seat.chose", "card.moved"}
    assert set(bench.types()) == set(TYPES) - asked
    told = {each.entry.type: each.entry for each in bench.journal.feed("ba1")}
    assert told["round.settled"].data["result"] == "player"
    assert told["round.settled"].data["staked"] == 3000
    assert told["round.settled"].data["returned"] == 2000
    assert told["round.voided"].data == {
        "reason": "reason.other", "refunded": 0, "currency": "EUR",
    }  # fmt: skip
    corrected = told["result.corrected"].data
    assert (corrected["before"], corrected["result"]) == ("player", "banker")
    assert (corrected["returned_before"], corrected["returned"]) == (2000, 3900)
    assert (corrected["credited"], corrected["debited"]) == (3900, 2000)
    assert corrected["reason"] == "reason.camera_proves"
    assert told["card.dealt"].data == {"index": 3, "to": "B", "card": "5D", "face": "up"}
    assert told["table.held"].data == {"fault": "dealer_call"}
    assert told["shoe.ended"].data == {"shoe": 1, "balance": "balanced"}


def test_ids_are_those_of_the_facts_and_never_come_twice() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    entries = [each.entry for each in bench.journal.feed("ba1")]
    assert len({entry.id for entry in entries}) == len(entries)
    assert entries[0].id.startswith("table/ba1/2027-01-15#")


def test_burned_cards_are_not_told() -> None:
    bench = Bench()
    bench.open_shoe()
    text = json.dumps([each.entry.data for each in bench.journal.feed("ba1")])
    assert "2C" not in text
    assert bench.types() == ["shoe.started"]
