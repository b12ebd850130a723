"""Nobody can tell by the messages whether the hole card makes a natural, before the instant.

Two served studios get the same inputs at the same instants of a clock that is moved by hand; only
the hole card differs. Until the instant at which the look is told (RULES.md D-02, DESIGN.md 7)
everything that leaves them is the same text, and what stays is of the same size: screens of every
audience, answers, webhooks, the feed, pages, and each row of the journal and the log of commands.
"""

from __future__ import annotations

import io
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio.games.procedure import Peek
from studio.live.health import Health
from studio.live.service import Service
from studio.table.state import Phase
from tests.support.outside import Outside, eventually
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
        for number, ear in enumerate(self.ears):
            for kind, data in _events(ear):
                if kind != "beat":
                    text = json.dumps(data).replace(self.studio.epoch, "epoch")
                    now_us = data.get("now_us", 0)
                    found.append((f"{number} {ear.name}", kind, len(text), now_us, text))
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


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Plays one round up to just before the instant, then on; what was told and kept."""
    monkeypatch.setattr(Publisher, "begin", begin_quietly)
    monkeypatch.setattr(Service, "_look_after", lambda _self: None)
    monkeypatch.setattr(Health, "note", lambda _self, _seen: None)
    monkeypatch.setattr("hardware.sim.line_device.BEAT_US", 3600 * 1_000_000)
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
        assert told or kind == "wallet", kind
        assert first_difference(told, without[kind]) is None, kind
    assert then == later, "and the look is told at the same instant"
    assert then[1][0] == "peek_done"
