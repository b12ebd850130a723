"""Over random evenings no piece of evidence, no bundle and no log names a card that is sealed.

What is sealed is known from the journal itself: the reports, by (boot, sequence), whose card no
fact holds in the open at that moment.
"""

from __future__ import annotations

import logging
import random
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.checks import crc16_ccitt_false
from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK
from studio.domain.observations import EvidenceItem
from studio.live.evidence import open_reports
from studio.live.ports import EvidencePiece
from studio.storage.bundle import Asked, make_bundle
from studio.storage.database import open_database
from studio.storage.evidence import FileEvidence, MemoryEvidence
from studio.storage.journal import SqlJournal
from studio.storage.memory import MemoryJournal
from studio.storage.unbundle import check_bundle
from tests.support.live.bench import BOOT, PIT_BOSS, PLATFORM, SECOND, SUPERVISOR
from tests.support.live.kept import KeptBench

CODES = [card.code for card in PACK]
REASON = "reason.other"


class Watchful:
    """A store that looks at each piece at the moment at which it is kept."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.bench: KeptBench | None = None
        self.looked = 0

    def keep(
        self, table: str, day: str, fault: str, pieces: Sequence[EvidencePiece]
    ) -> tuple[EvidenceItem, ...]:
        assert self.bench is not None
        secret = secrets_of(self.bench)
        for piece in pieces:
            if piece.kind == "wire":
                look(piece.data, secret)
                self.looked += 1
        kept: tuple[EvidenceItem, ...] = self.store.keep(table, day, fault, pieces)
        return kept

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


def secrets_of(bench: KeptBench) -> dict[tuple[str, int], str]:
    """The sealed reports that nothing has opened yet, with their cards."""
    known = {key for event in bench.events() for key, _ in open_reports(event)}
    return {key: card for key, card in bench.sealed().items() if key not in known}


def look(text: bytes, secret: dict[tuple[str, int], str]) -> None:
    """No line names one of these cards, nor has the check sum of such a line."""
    for (boot, sequence), card in secret.items():
        frame = f"CL1,shoe-7,{boot},{sequence},CARD,{card}".encode()
        assert b"%b*%04X" % (frame, crc16_ccitt_false(frame)) not in text, f"{sequence} is clear"
        named = f",{boot},{sequence},CARD,(?!X)|,{boot},[0-9]+,IDENT,{sequence},(?!X)"
        assert not re.search(named.encode(), text), f"the line of {sequence} names a card"
        assert not re.search(rf"! .*\b{card}\b".encode(), text), "a damaged piece names a card"


ALL = [
    "coup",
    "card",
    "two",
    "noise",
    "cut_frame",
    "unreadable",
    "drawn",
    "call",
    "void",
    "lift",
    "time",
    "bets",
    "close",
]
ACTS = st.sampled_from(ALL)


class Evening:
    """People and a shoe that do anything, in any order."""

    def __init__(self, bench: KeptBench, cards: Any) -> None:
        self.bench = bench
        self.cards = cards
        self.batch = 0

    def card(self) -> None:
        self.bench.send("CARD", next(self.cards))

    def do(self, act: str) -> None:
        getattr(self, act)()

    def coup(self) -> None:
        self.bets()
        self.close()
        for _ in range(6):
            if self.bench.table.phase.value == "dealing" and not self.bench.table.held:
                self.card()

    def two(self) -> None:
        self.card()
        self.card()

    def noise(self) -> None:
        self.bench.receive(b"\x00\xff$CL1,shoe-7," + next(self.cards).encode() + b"*0000\n")

    def cut_frame(self) -> None:
        raw = self.bench.send("BEAT")
        self.bench.receive(raw[:9] + next(self.cards).encode() + b"$")

    def unreadable(self) -> None:
        self.bench.send("BAD", "blurred " + next(self.cards))

    def drawn(self) -> None:
        drawn = self.bench.frame_no
        self.bench.send("DRAWN")
        self.bench.send("IDENT", str(drawn), next(self.cards))

    def call(self) -> None:
        self.bench.ask(c.CallSupervisor())

    def time(self) -> None:
        self.bench.pass_s(2.5)
        self.bench.runner.tick()
        self.bench.runner.flush()

    def bets(self) -> None:
        self.bench.ask(c.OpenBets())
        self.batch += 1
        bet = c.Bet(f"b{self.batch}", "ann", "player", 500)
        self.bench.ask(c.PlaceBets(batch=f"b{self.batch}", bets=(bet,)), PLATFORM)

    def close(self) -> None:
        self.bench.ask(c.CloseBets())

    def void(self) -> None:
        self.answer("void")

    def lift(self) -> None:
        self.answer("lift")

    def answer(self, act: str) -> None:
        bench = self.bench
        hold, current = bench.table.hold, bench.table.round
        for fault in hold.faults if hold is not None else ():
            if act == "void" and current is not None:
                void = c.VoidRound(fault=fault.id, reason=REASON, round_id=current.id)
                asked = bench.ask(void, SUPERVISOR).status == "done"
                approval = bench.table.approval
                if asked and approval is not None:
                    bench.ask(c.Approve(approval=approval.id), PIT_BOSS, by=SECOND)
            for repair in (c.MarkDead, c.BurnCard, c.UseAsNextCard, c.AcknowledgeFault):
                bench.ask(repair(fault=fault.id, reason=REASON), SUPERVISOR)
        bench.ask(c.LiftHold(fault="", reason=REASON), SUPERVISOR)


def evening(store: Watchful, journal: Any, acts: Sequence[str], codes: Sequence[str]) -> KeptBench:
    """Anything, in any order; at the end everything is kept."""
    bench = KeptBench(journal=journal, store=store)
    store.bench = bench
    bench.open_shoe()
    people = Evening(bench, iter(codes))
    for act in (*acts, "call"):
        people.do(act)
    bench.pass_s(3)
    assert bench.runner.failure is None
    assert bench.keeper.findings() == ()
    assert store.looked
    assert secrets_of(bench), "two cards are burned face down"
    look("\n".join(bench.wire.frames()).encode(), bench.sealed())
    return bench


@given(
    acts=st.lists(ACTS, min_size=4, max_size=30),
    codes=st.lists(st.sampled_from(CODES), min_size=90, max_size=90),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_evidence_and_no_log_names_a_card_that_is_sealed(
    caplog: pytest.LogCaptureFixture, acts: list[str], codes: list[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    bench = evening(Watchful(MemoryEvidence()), MemoryJournal(), acts, codes)
    for card in set(bench.sealed().values()):
        assert not re.search(rf"\b{card}\b", caplog.text), "a log names a sealed card"


@pytest.mark.parametrize("seed", [0, 3])
def test_no_bundle_names_a_card_that_is_sealed(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    database = open_database(f"sqlite:///{tmp_path}/studio.db")
    store = Watchful(FileEvidence(tmp_path / "evidence", database))
    acts = chance.choices(ALL, k=20)
    bench = evening(store, SqlJournal(database), acts, chance.choices(CODES, k=90))
    kept = bench.of(e.EvidenceKept)
    assert kept
    secret = secrets_of(bench)
    for fact in kept:
        with database.reading() as connection:
            data = make_bundle(connection, store, Asked(table="ba1", fault=fact.fault), at_us=1)
        file = tmp_path / f"{fact.fault}.zip"
        file.write_bytes(data)
        assert check_bundle(file).problems == ()
        with zipfile.ZipFile(file) as opened:
            for name in opened.namelist():
                look(opened.read(name), secret)
    database.close()


def test_the_test_itself_finds_a_clear_line_of_a_sealed_report() -> None:
    body = f"CL1,shoe-7,{BOOT},7,CARD,3C"
    crc = crc16_ccitt_false(body.encode())
    with pytest.raises(AssertionError, match="7 is clear"):
        look(f"at < ${body}*{crc:04X}\n".encode(), {(BOOT, 7): "3C"})
    with pytest.raises(AssertionError, match="names a card"):
        look(f"at < ${body}*XXXX\n".encode(), {(BOOT, 7): "3C"})
    with pytest.raises(AssertionError, match="names a card"):
        look(b"at ! xx 3C\n", {(BOOT, 7): "3C"})
    look(f"at < $CL1,shoe-7,{BOOT},7,CARD,XX*XXXX\n".encode(), {(BOOT, 7): "3C"})
