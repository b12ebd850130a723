"""Nobody can tell by the messages whether the hole card makes a natural, before the instant.

Two served studios get the same inputs at the same instants of a clock that is moved by hand; only
the hole card differs. Until the instant at which the look is told (RULES.md D-02, DESIGN.md 7)
everything that leaves them is the same text, and what stays is of the same size: screens of every
audience, answers, webhooks, the feed, pages, and each row of the journal and the log of commands.
"""

from __future__ import annotations

import io
import json
import os
import re
import select
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.cutcard_line import CutcardLine
from hardware.line_mask import shown as may_be_shown
from hardware.sim.shoe import SimulatedShoe
from hardware.trace import Shown, printable
from studio.domain.observations import DeviceOnline, Observation
from studio.games.procedure import Peek
from studio.launch import Studio
from studio.live.health import Health
from studio.live.ports import Report
from studio.live.service import Service
from studio.table.state import Phase
from tests.support.outside import PATIENCE_S, Outside, eventually
from tests.support.shared_house import PEEK_S, SharedHouse
from web.publisher import Publisher

NONE = "9H"
NATURALS = {"KD": "AC", "AD": "KC"}
"""The hole card that makes a natural, by the dealer's open card."""
EVENT = re.compile(r"42(/[a-z]+),(.*)", re.DOTALL)
FIGURES = re.compile(r"^cutcard_(?!.*(seconds|_bytes|sockets)).*$", re.MULTILINE)
"""Counters; not how long something took, nor the screens that come and go."""
Message = tuple[str, str, int, int, str]
"""(screen, kind, length, instant, text)."""
Told = dict[str, list[Any]]
Run = Callable[..., tuple[Told, Any]]


class Compared(SharedHouse):
    """The house, which waits after each input until every screen shows what followed."""

    def shown(self) -> None:
        """Everybody is told what followed, once: chance would have it how often a thread is."""
        self.studio.flush()
        self.server.hub.publisher.note(self.name)
        self.server.hub.publisher.turn()
        self.told()
        newest = self.worker.desk.runner.shown.seq
        eventually(lambda: all(_has(ear, newest) for ear in self.ears))

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self.shown()

    def do(self, name: str, number: str = "2001", **args: Any) -> None:
        super().do(name, number, **args)
        self.shown()

    def come(self, *codes: str) -> None:
        for code in codes:
            super().come(code)
            self.shown()

    def messages(self) -> list[Message]:
        """All that came to the screens but the beats of each second, screen by screen."""
        found: list[Message] = []
        assert all(ear.listens for ear in self.ears), "a screen was closed"
        for number, ear in enumerate(self.ears):
            for kind, data in _events(ear):
                if kind != "beat":
                    text = json.dumps(data).replace(self.studio.epoch, "epoch")
                    now_us = data.get("now_us", 0)
                    found.append((f"{number} {ear.name}", kind, len(text), now_us, text))
        return found

    def wire_lines(self) -> list[str]:
        """The kept lines of the wire; a parting of digests is told by the line that parts them."""
        found: list[str] = []
        for fault in self.faults():
            for item in self.studio.evidence(self.name, fault):
                if item.kind == "wire":
                    address = f"/evidence/{self.name}/{fault}/{item.name}"
                    found += self.page(address, "5001").text.splitlines()
        return found

    def rows(self) -> dict[str, list[Any]]:
        """Of everything that is kept: its kind, its instant, its size."""
        connection = sqlite3.connect(self.folder / "cutcard.db")
        asked = {
            "journal": "SELECT type, schema_version, length(body), length(meta), recorded_us"
            " FROM journal ORDER BY position",
            "commands": "SELECT name, length(body), length(outcome), at_us FROM commands"
            " ORDER BY at_us, name, length(body)",
            "outbox": "SELECT * FROM outbox ORDER BY n",
            "seals": "SELECT length(digest), version, length(card), length(salt) FROM seals"
            " ORDER BY version, digest IS NULL",
        }
        try:
            return {name: connection.execute(query).fetchall() for name, query in asked.items()}
        finally:
            connection.close()

    def pages(self) -> list[tuple[str, str]]:
        """What each person and the platform is given who asks now."""
        found = []
        for number in ("1001", "2001", "3001", "4001", "5001"):
            for audience in ("dealer", "supervisor", "overlay"):
                address = f"/api/ui/view/{self.name}/{audience}"
                found.append((f"{address} {number}", self.page(address, number).text))
        here = f"/api/v1/tables/{self.name}"
        targets = (f"{here}/feed?after=0", here, f"{here}/rounds/{self.rounds()[0]}")
        found += [(target, self.calls.get(target).body.decode()) for target in targets]
        for fault in self.faults():
            address = f"/evidence/{self.name}/{fault}"
            pieces = (self.page(f"{address}/{item.name}", "5001") for item in self.kept())
            found += [(address, piece.data.decode("latin-1")) for piece in pieces]
        return [(where, text.replace(self.studio.epoch, "epoch")) for where, text in found]


def _events(ear: Any) -> list[tuple[str, Any]]:
    found = []
    for text in list(ear.heard):
        packet = EVENT.fullmatch(text)
        if packet is not None:
            kind, data = json.loads(packet[2])
            found.append((kind, data))
    return found


def _has(ear: Any, newest: int) -> bool:
    """Whether the screen shows this view, and a supervisor's the wall that came after it."""
    heard = _events(ear)
    kinds = [kind for kind, _ in heard if kind != "beat"]
    seqs = [data["seq"] for kind, data in heard if kind == "view"]
    wall = "supervisor" not in ear.name or kinds[-1:] == ["wall"]
    return seqs[-1:] == [newest] and wall


def begin_quietly(publisher: Publisher) -> None:
    """Stands in for the start of the publisher's thread: `Compared.shown` takes its turns."""


switch_on = SimulatedShoe.start
open_port = CutcardLine.start
begin = Studio.start


def switched_on_long_ago(shoe: SimulatedShoe) -> None:
    """Stands in for a shoe's start: its greeting is over before anybody has opened the port.

    Else chance has it whether the driver, which opens the port a moment later, hears it besides
    the answer to its own question.
    """
    switch_on(shoe)
    line, far_end = b"", shoe._terminal.far_end
    while not line.endswith(b"\n"):
        assert select.select([far_end], [], [], PATIENCE_S)[0], "the shoe has not greeted"
        line += os.read(far_end, 512)


def there_at_once(device: CutcardLine, report: Report) -> None:
    """Stands in for a driver's start: it has found its shoe before the next source starts.

    Else chance has it which of two sources comes first.
    """
    found = threading.Event()

    def told(seen: Observation) -> None:
        report(seen)
        if isinstance(seen, DeviceOnline):
            found.set()

    open_port(device, told)
    assert found.wait(PATIENCE_S), "the driver has not found the shoe"


def begun_long_ago(studio: Studio) -> None:
    """Stands in for a studio's start: its tables know their sources before anybody looks.

    Else chance has it whether the first screens still see one of them missing.
    """
    begin(studio)
    studio.flush()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Plays one round up to just before the instant, then on; what was told and kept."""
    monkeypatch.setattr(Publisher, "begin", begin_quietly)
    monkeypatch.setattr(Service, "_look_after", lambda _self: None)
    monkeypatch.setattr(Health, "note", lambda _self, _seen: None)
    monkeypatch.setattr("hardware.sim.line_device.BEAT_US", 3600 * 1_000_000)
    monkeypatch.setattr(Studio, "start", begun_long_ago)
    monkeypatch.setattr(CutcardLine, "start", there_at_once)
    monkeypatch.setattr(SimulatedShoe, "start", switched_on_long_ago)
    # A shoe that is slow to answer is asked again by the machine's clock, not by that of the table.
    monkeypatch.setattr("hardware.line_session.ASK_S", 3600.0)
    monkeypatch.setattr("hardware.sim.shoe.secrets.token_hex", lambda size: "9b" * size)

    def play(
        name: str, sources: tuple[str, ...], up: str, hole: str, **how: bool
    ) -> tuple[Told, Any]:
        folder = tmp_path / name
        folder.mkdir()
        with Outside(folder) as outside:
            house = Compared(
                folder, io.StringIO(), sources, patch=monkeypatch, outside=outside, **how
            )
            try:
                return before_and_after(house, up, hole)
            finally:
                house.close()

    return play


def before_and_after(house: Compared, up: str, hole: str) -> tuple[Told, Any]:
    """What a house has told and kept just before the instant, and its first facts after it."""
    house.begin("8S", up, "9C", hole)
    if up[0] == "A":
        insured(house)
    assert isinstance(house.due, Peek)
    house.wait(0.5)
    if house.sources == ("camera",):
        house.do("AnswerPeek", "1001", natural=hole != NONE)
    house.wait(0.5)
    house.do("CallSupervisor", "1001")
    house.wait(4.0)
    house.answer("AcknowledgeFault")
    house.wait(PEEK_S - 1.0 - 0.000_001)
    assert isinstance(house.due, Peek), "the instant has not come"
    house.shown()
    told: Told = {
        "wire": house.wire_lines(),
        "screens": house.messages(),
        "pages": house.pages(),
        "answers": house.answers,
        "webhooks": house.outside.calls("/webhook"),
        "wallet": [told for told in house.outside.server.heard if told[0] != "/webhook"],
        "wakes": [house.studio.next_deadline()],
        "figures": FIGURES.findall(house.studio.metrics()),
        **house.rows(),
    }
    house.wait(0.000_001)
    now_us = house.clock.now_us()
    after = [row[:5:4] for row in house.rows()["journal"][len(told["journal"]) :]]
    assert after
    return told, (now_us, after[0])


def insured(house: Compared) -> None:
    """Ann takes insurance; her wallet is asked."""
    house.worker.until(lambda desk: desk.table().phase is Phase.DECISION)
    current = house.worker.desk.table().round
    assert current is not None
    assert current.answering is not None
    given = [("i-1", "ann", "", "insure")]
    house.calls.decide(house.name, current.id, current.answering.number, given, key="insurance-1")
    house.worker.until(lambda _desk: isinstance(house.due, Peek))
    house.shown()


def first_difference(one: list[Any], other: list[Any]) -> Any:
    """Where two lists part, with what stands there; None if they are the same."""
    for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            here, there = repr(mine), repr(theirs)
            parts = [n for n, pair in enumerate(zip(here, there, strict=False)) if len({*pair}) > 1]
            first = max(0, parts[0] - 60) if parts else 0
            return at, here[:40], here[first : first + 160], there[first : first + 160]
    return None if len(one) == len(other) else (len(one), len(other))


@pytest.mark.parametrize(
    ("sources", "up", "how"),
    [
        (("shoe",), "KD", {}),
        (("shoe",), "AD", {"late": True}),
        (("shoe", "camera"), "KD", {}),
        (("camera",), "AD", {"far": True}),
    ],
)
def test_d_02_until_the_instant_all_that_is_told_is_the_same_with_and_without_a_natural(
    run: Run, sources: tuple[str, ...], up: str, how: dict[str, bool]
) -> None:
    with_one, then = run("with", sources, up, NATURALS[up], **how)
    without, later = run("none", sources, up, NONE, **how)
    for kind, told in with_one.items():
        assert told or kind == "wallet" or (kind == "wire" and "shoe" not in sources), kind
        assert first_difference(told, without[kind]) is None, kind
    assert then == later, "and the look is told at the same instant"
    assert then[1][0] == "peek_done"


def by_check_sum(body: bytes, raw: bytes) -> Shown:
    """A mask that forgets the check sum: 52 tries tell the card, and no size is another one."""
    found = may_be_shown(body, raw)
    return replace(found, text=found.text[:-4] + printable(raw)[-4:])


def by_size(body: bytes, raw: bytes) -> Shown:
    """A mask that is longer over an ace."""
    found = may_be_shown(body, raw)
    return replace(found, text=found.text + "X" * found.card.startswith("A"))


@pytest.mark.parametrize("leaky", [by_check_sum, by_size])
def test_a_hole_card_that_the_kept_wire_gives_away_parts_its_lines_and_the_digests_on_the_screens(
    run: Run, monkeypatch: pytest.MonkeyPatch, leaky: Callable[[bytes, bytes], Shown]
) -> None:
    monkeypatch.setattr("hardware.cutcard_line.shown", leaky)
    with_one, _ = run("with", ("shoe",), "KD", NATURALS["KD"])
    without, _ = run("none", ("shoe",), "KD", NONE)
    parted = {kind for kind, told in with_one.items() if first_difference(told, without[kind])}
    assert parted == {"wire", "screens", "pages"}
