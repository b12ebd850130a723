"""Evidence through real bytes, real pixels and the real web: kept, shown, taken out, checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from studio.domain import events as e
from studio.simulate.demo import DemoStudio, Wanted, headless, settings_of
from studio.simulate.faults import Planned
from studio.storage.database import open_existing
from studio.storage.journal import SqlJournal
from studio.storage.unbundle import check_bundle
from tests.unit.web.fakes import fake_settings
from web.app import create_app

FAULTS = ("unreadable", "wrong_card", "early_card")


class Looked(DemoStudio):
    """Asks the web for everything before it stops."""

    answers: dict[str, Any]

    def stop(self) -> None:
        if not hasattr(self, "answers") and self.keeper is not None:
            self.keeper.stop()
            self.flush()
            self.answers = self.look()
        super().stop()

    def look(self) -> dict[str, Any]:
        app = create_app(self, fake_settings())
        browser = app.test_client()
        added = self.accounts.add_person("Sam", "supervisor", number="90")
        entry = {"number": "90", "pin": added.pin}
        assert browser.post("/api/ui/sign-in", json=entry).status_code == 200
        found: dict[str, Any] = {}
        for fault in held(self.settings.studio.database):
            address = f"/evidence/ba1/{fault}"
            items = browser.get(address).json["items"]
            pieces = {item["name"]: browser.get(f"{address}/{item['name']}") for item in items}
            found[fault] = (items, pieces, browser.get(f"{address}.zip").data)
        return found


def facts(database: str) -> list[Any]:
    with open_existing(database) as opened:
        journal = SqlJournal(opened)
        return [
            fact.event
            for stream in journal.streams()
            for fact in journal.read(stream, secrets=True)
        ]


def held(database: str) -> list[str]:
    """The faults that put the table on hold."""
    found = [each for each in facts(database) if isinstance(each, e.FaultRaised)]
    return [event.fault.id for event in found if event.holds]


@pytest.fixture(scope="module")
def studio(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Looked, str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('demo')}/kept.db"
    faults = tuple(Planned(name, at) for at, name in enumerate(FAULTS, start=1))
    wish = Wanted(headless=True, rounds=4, seed=3, faults=faults)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studio.simulate.demo.DemoStudio", Looked)
        made = headless(wish, settings_of(wish, database))
    assert isinstance(made, Looked)
    return made, database


@pytest.mark.timeout(240)
def test_each_hold_has_its_frames_and_its_pictures(studio: tuple[Looked, str]) -> None:
    made, database = studio
    assert len(made.answers) >= 2
    kept = {each.fault for each in facts(database) if isinstance(each, e.EvidenceKept)}
    assert set(made.answers) <= kept
    for items, pieces, _ in made.answers.values():
        kinds = [item["kind"] for item in items]
        assert kinds.count("wire") == 1
        assert kinds.count("picture") >= 1
        for answer in pieces.values():
            assert answer.status_code == 200
        assert pieces["shoe.wire"].text.startswith("2026-01-01T")
        assert pieces["camera-0001.jpg"].data[:2] == b"\xff\xd8"


@pytest.mark.timeout(240)
def test_what_the_console_gives_away_verifies_without_the_studio(
    studio: tuple[Looked, str], tmp_path: Path
) -> None:
    made, _ = studio
    for fault, (_, _, data) in made.answers.items():
        file = tmp_path / f"{fault}.zip"
        file.write_bytes(data)
        report = check_bundle(file)
        assert report.problems == ()
        assert report.evidence >= 2


@pytest.mark.timeout(240)
def test_no_line_of_the_wire_names_a_card_that_was_burned(studio: tuple[Looked, str]) -> None:
    made, database = studio
    burned = {
        event.read
        for event in facts(database)
        if isinstance(event, e.CardDealt) and event.sealed is not None and event.card is None
    }
    assert len(burned) >= 5
    masked = 0
    for _, pieces, _ in made.answers.values():
        text = pieces["shoe.wire"].text
        for boot, sequence in burned:
            named = re.search(rf",{boot},{sequence},CARD,(..)\*(.{{4}})", text)
            if named is not None:
                assert named.groups() == ("XX", "XXXX")
                masked += 1
    assert masked
