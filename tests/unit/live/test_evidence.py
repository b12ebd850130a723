"""Evidence around a fault: gathered after the moment, masked, journalled by the table's thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Revealed, Sealed
from studio.domain.faults import FaultCode
from studio.domain.observations import EvidenceItem
from studio.live import evidence
from studio.live.desk import Desk
from studio.live.evidence import AFTER_US, BEFORE_US, open_reports
from studio.live.ports import EvidenceError, EvidencePiece
from studio.live.service import Service
from studio.storage.evidence import MemoryEvidence
from studio.table.views import to_json
from tests.support.live.bench import BOOT, DEALER, SUPERVISOR
from tests.support.live.kept import KeptBench


def called(bench: KeptBench) -> str:
    """The dealer calls a supervisor: a fault that holds."""
    bench.do(c.CallSupervisor())
    assert bench.table.hold is not None
    return bench.table.hold.faults[-1].id


def test_two_seconds_after_a_fault_its_frames_and_pictures_are_kept_and_journalled() -> None:
    bench = KeptBench()
    bench.open_shoe()
    fault = called(bench)
    wall_us = bench.clock.now_us()
    bench.pass_s(1.9)
    assert bench.kept(fault) == {}
    bench.pass_s(0.2)
    kept = bench.kept(fault)
    assert kept["shoe.wire"].decode().splitlines()[-1].startswith("2027-01-15T08:00:00")
    assert bench.lens.asked == [(wall_us - BEFORE_US, wall_us + AFTER_US)]
    assert len([name for name in kept if name.endswith(".jpg")]) == 26
    (fact,) = bench.of(e.EvidenceKept)
    assert fact.fault == fault
    assert {item.name for item in fact.items} == set(kept)
    assert [item.size for item in fact.items] == [len(kept[item.name]) for item in fact.items]
    assert fact.items == bench.store.items("ba1", fault)


def test_a_void_and_a_fault_that_holds_are_kept_and_a_note_is_not() -> None:
    bench = KeptBench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet()
    fault = called(bench)
    number = bench.table.round.id  # type: ignore[union-attr]
    bench.do(c.VoidRound(fault=fault, reason="reason.other", round_id=number), SUPERVISOR)
    bench.pass_s(3)
    assert [fact.fault for fact in bench.of(e.EvidenceKept)] == [fault, f"void-{number}"]
    raised = [event for event in bench.of(e.FaultRaised) if event.holds]
    assert len(raised) == 1


def test_what_the_case_shows_is_what_the_journal_says() -> None:
    from studio.table.casework import supervisor_view  # noqa: PLC0415

    bench = KeptBench()
    bench.open_shoe()
    fault = called(bench)
    bench.pass_s(3)
    shown = bench.runner.shown
    view = supervisor_view(bench.setup, shown.table, bench.clock.now_us(), (), shown.records)
    (case,) = view.cases
    assert case.fault == fault
    assert [each.name for each in case.evidence] == list(bench.kept(fault))
    assert to_json(case)["evidence"][0]["kind"] == "wire"


def test_burned_cards_are_hidden_in_the_kept_frames_and_dealt_ones_are_not() -> None:
    bench = KeptBench()
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    fault = called(bench)
    bench.pass_s(3)
    wire = bench.kept(fault)["shoe.wire"].decode()
    for code in ("2C", "9S", "2D", "KH", "5D"):  # the first burned card is shown to all
        assert f"CARD,{code}*" in wire
    assert "3C" not in wire
    assert "4C" not in wire
    assert wire.count("CARD,XX*XXXX") == 2


def test_a_card_that_came_early_is_hidden_until_it_lies_face_up() -> None:
    bench = KeptBench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet()
    bench.send("CARD", "QH")
    first = called(bench)
    bench.pass_s(3)
    assert "QH" not in bench.kept(first)["shoe.wire"].decode()


@pytest.mark.parametrize(
    ("event", "known"),
    [
        (e.ShoeRead(device="s", boot=BOOT, sequence=4, status="read", card=Card.parse("7H")),
         [((BOOT, 4), "7H")]),
        (e.ShoeRead(device="s", boot=BOOT, sequence=4, status="read",
                    sealed=Sealed(Card.parse("7H"), "x")), []),
        (e.ShoeRead(device="s", boot=BOOT, sequence=4, status="drawn"), []),
        (e.ShoeIdentified(device="s", boot=BOOT, sequence=5, of=4, card=Card.parse("7H")),
         [((BOOT, 4), "7H")]),
        (e.CardDealt(index=0, to="BURN", face="down", step="burn", sideways=False, card=None,
                     sealed=Sealed(Card.parse("7H"), "x"), read=(BOOT, 4)), []),
        (e.CardDealt(index=0, to="P", face="up", step="first_four", sideways=False,
                     card=Card.parse("7H"), read=(BOOT, 4),
                     revealed=Revealed(Card.parse("7H"), "x")), [((BOOT, 4), "7H")]),
        (e.CardDead(fate="dead", card=None, sealed=Sealed(Card.parse("7H"), "x"),
                    read=(BOOT, 4)), []),
    ],
)  # fmt: skip
def test_only_a_fact_that_names_the_card_in_the_open_opens_a_report(
    event: e.Event, known: list[Any]
) -> None:
    assert list(open_reports(event)) == known


def test_at_the_end_what_still_waits_is_kept_at_once() -> None:
    bench = KeptBench()
    bench.open_shoe()
    fault = called(bench)
    bench.keeper.stop()
    bench.runner.flush()
    assert bench.kept(fault)
    assert len(bench.of(e.EvidenceKept)) == 1


class FullDisk(MemoryEvidence):
    """A store that refuses while it is full."""

    full = True

    def keep(
        self, table: str, day: str, fault: str, pieces: Sequence[EvidencePiece]
    ) -> tuple[EvidenceItem, ...]:
        if self.full:
            raise EvidenceError("the disk is full: make room there")
        return super().keep(table, day, fault, pieces)


def test_with_the_disk_full_the_table_goes_on_and_the_health_says_so_until_it_is_kept_again() -> (
    None
):
    store = FullDisk()
    bench = KeptBench(store=store)
    bench.open_shoe()
    fault = called(bench)
    bench.pass_s(3)
    (finding,) = bench.keeper.findings()
    assert finding == (
        f"table ba1: the evidence of fault {fault} could not be kept: "
        "the disk is full: make room there"
    )
    bench.do(c.AcknowledgeFault(fault=fault, reason="reason.other"), SUPERVISOR)
    bench.do(c.LiftHold(fault="", reason="reason.other"), SUPERVISOR)
    assert bench.runner.failure is None
    store.full = False
    called(bench)
    bench.pass_s(3)
    assert bench.keeper.findings() == ()


def test_a_driver_that_fails_costs_its_evidence_and_nothing_else() -> None:
    bench = KeptBench()
    bench.open_shoe()
    bench.lens.broken = True
    called(bench)
    bench.pass_s(3)
    assert "RuntimeError" in bench.keeper.findings()[0]
    assert "lens fell off" not in bench.keeper.findings()[0]
    assert bench.runner.failure is None


def test_a_camera_that_keeps_no_pictures_is_no_mistake() -> None:
    bench = KeptBench(camera=False)
    bench.open_shoe()
    fault = called(bench)
    bench.pass_s(3)
    assert list(bench.kept(fault)) == ["shoe.wire"]


def test_a_storm_of_faults_fills_no_memory_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_WAITING", 3)
    bench = KeptBench()
    bench.open_shoe()
    called(bench)
    raised = bench.of(e.FaultRaised)[-1]
    bench.keeper.heed("ba1", "2027-01-15", [raised] * 10)
    bench.pass_s(0.1)
    assert "faults came faster" in bench.keeper.findings()[0]
    bench.pass_s(3)
    assert bench.keeper.left_us() == ()


def test_known_reports_are_remembered_without_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_KNOWN", 5)
    bench = KeptBench()
    card = Card.parse("7H")
    facts = [
        e.ShoeRead(device="s", boot=BOOT, sequence=n, status="read", card=card) for n in range(9)
    ]
    bench.keeper.heed("ba1", "2027-01-15", facts)
    bench.keeper.turn()
    known = bench.keeper._tables["ba1"].known
    assert list(known) == [(BOOT, n) for n in range(4, 9)]


def test_by_its_own_thread_the_keeper_keeps_without_the_table_waiting() -> None:
    bench = KeptBench()
    bench.open_shoe()
    stored = threading.Event()
    keep = bench.store.keep

    def kept(*given: Any) -> Any:
        stored.set()
        return keep(*given)

    bench.store.keep = kept
    bench.keeper.start()
    fault = called(bench)
    bench.clock.advance(AFTER_US + 1)
    assert stored.wait(10)
    bench.keeper.stop()
    bench.runner.flush()
    assert bench.kept(fault)


def test_at_the_end_a_camera_that_hangs_costs_its_pictures_and_not_the_frames(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evidence, "STOP_S", -1.0)
    bench = KeptBench()
    bench.open_shoe()
    fault = called(bench)
    bench.keeper.stop()
    bench.runner.flush()
    assert list(bench.kept(fault)) == ["shoe.wire"]
    assert bench.lens.asked == []


def test_old_evidence_that_cannot_be_taken_away_is_told_until_it_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = KeptBench()

    def refuse(today: Any) -> int:
        raise EvidenceError("old evidence cannot be taken away (x: Read-only file system)")

    monkeypatch.setattr(bench.store, "purge", refuse)
    bench.keeper._purge()
    assert bench.keeper.findings() == (
        "old evidence cannot be taken away (x: Read-only file system)",
    )
    monkeypatch.setattr(bench.store, "purge", lambda today: 0)
    bench.keeper._purge()
    assert bench.keeper.findings(), "it is tried now and then, not all the time"
    bench.clock.advance(evidence.PURGE_US)
    bench.keeper._purge()
    assert bench.keeper.findings() == ()


def test_what_could_not_be_kept_is_a_finding_and_no_reason_not_to_deal() -> None:
    store = FullDisk()
    bench = KeptBench(store=store)
    bench.open_shoe()
    called(bench)
    bench.pass_s(3)
    service = Service(studio_name="S", clock=bench.clock)
    service.seat([Desk(bench.runner)], epoch="e", accounts=None)
    service._lay_out(bench.keeper, store)
    bench.shoe_online()
    health = service.health()
    assert any("the disk is full" in finding for finding in health.findings)
    assert health.ready == (len(health.findings) == 1)


def test_the_actor_of_kept_evidence_is_the_keeper() -> None:
    bench = KeptBench()
    bench.open_shoe()
    called(bench)
    bench.pass_s(3)
    stream = bench.journal.streams()[-1]
    (fact,) = [
        each for each in bench.journal.read(stream) if isinstance(each.event, e.EvidenceKept)
    ]
    assert fact.actor.name == "evidence"
    assert DEALER.name != fact.actor.name
    assert FaultCode.DEALER_CALL in [event.fault.code for event in bench.of(e.FaultRaised)]
