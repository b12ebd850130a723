"""No word that leaves the studio names a card before it may be known (DESIGN.md 7).

The shoe holds cards that occur in it once and are of ranks that no other card has. They are burned
face down, and one is drawn before bets are closed. Whatever then leaves the studio is searched for
them: messages of every audience, pages, interfaces, logs of every level, figures, the feed, the log
of commands, exports, evidence, archives, recordings, and the database but for the seals themselves.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
import sqlite3
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner

from studio.cli import cli
from studio.domain import commands as c
from studio.launch import Studio
from studio.live.means import TableStopped
from studio.logs import LogForm, set_up
from studio.settings import parse
from tests.integration.studio.test_tables import Table
from tests.unit.web.conftest import Server
from tests.unit.web.test_sockets import Screen
from web.app import create_app

BURNED = ("JS", "QH", "KS")
EARLY = "TH"
MARKED = (*BURNED, EARLY)
"""Cards that nobody may know; no other card of the shoe has their ranks."""
SHOWN = "3C"
PLAIN = ["2C", "4C", "5D", "6D", "7C", "8D", "9C"] * 6
NAMED = re.compile(
    rf"(?<![A-Za-z0-9_/+-])({'|'.join(MARKED)})(?![A-Za-z0-9_/+=-])"
    r"|(?i:\b(jack|queen|king|ten) of (spades|hearts)\b)"
)
PEOPLE = (
    ("Jonas", "dealer", "1001"),
    ("Amina", "supervisor", "2001"),
    ("Bilal", "supervisor", "2002"),
    ("Lena", "pit-boss", "3001"),
    ("Ravi", "engineer", "4001"),
    ("Nora", "auditor", "5001"),
)


def leaks(where: str, text: str | bytes) -> list[str]:
    """What in this text names a marked card, with what stands around it."""
    plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return [
        f"{where}: …{plain[max(0, found.start() - 60) : found.end() + 40]}…"
        for found in NAMED.finditer(plain)
    ]


class Listener:
    """Keeps all that comes to one screen."""

    def __init__(self, name: str, screen: Screen) -> None:
        self.name, self.screen, self.heard = name, screen, list(map(str, screen.early))
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        try:
            while True:
                text = self.screen.connection.recv()
                if text == "2":
                    self.screen.connection.send("3")
                self.heard.append(str(text))
        except Exception:  # noqa: BLE001  the end of the screen
            return

    def end(self) -> None:
        self.screen.leave()
        self._thread.join(5)


class House:
    """A studio with everything that speaks, and an ear at each of it."""

    def __init__(self, folder: Path, said: Any) -> None:
        self.folder, self.said = folder, said
        values = {
            "studio": {"database": f"sqlite:///{folder}/cutcard.db"},
            "tables": {
                "ba1": {
                    "game": "baccarat",
                    "sources": ["shoe"],
                    "betting_s": 600.0,
                    "result_s": 0.0,
                    "limits": {"player": [100, 500000], "banker": [100, 500000]},
                    "shoe": {"url": "sim:", "options": {"trace": str(folder / "wire.jsonl")}},
                }
            },
        }
        (folder / "config.toml").write_text(
            f'[studio]\ndatabase = "sqlite:///{folder}/cutcard.db"\n'
            '[tables.ba1]\ngame = "baccarat"\nsources = ["shoe"]\n'
            "limits = { player = [100, 500000], banker = [100, 500000] }\n"
            '[tables.ba1.shoe]\nurl = "sim:"\n'
        )
        self.studio = Studio(parse(values, folder / "config.toml", {}))
        self.studio.start()
        self.pins = {
            number: self.studio.accounts.add_person(name, role, number=number).pin
            for name, role, number in PEOPLE
        }
        self.token = self.studio.accounts.add_token("ba1").secret
        self.app = create_app(self.studio, self.studio.settings)
        self.server = Server(self.app)
        self.server.__enter__()
        self.ears = [self._ear("overlay", "", {"table": "ba1", "token": self.token})]
        self.ears += [self._ear("dealer", number, {"table": "ba1"}) for number in ("1001", "4001")]
        self.ears += [
            self._ear("supervisor", number, {"table": "ba1"})
            for number in ("2001", "3001", "4001", "5001")
        ]

    def _ear(self, namespace: str, number: str, auth: dict[str, str]) -> Listener:
        return Listener(
            f"{namespace} {number}",
            Screen(self.server, f"/{namespace}", auth, self._session(number)),
        )

    def _session(self, number: str) -> str:
        if not number:
            return ""
        given: Any = self.studio.accounts.sign_in(number, self.pins[number], "127.0.0.1")
        return str(given.token)

    def faults(self) -> list[str]:
        assert self.studio.journal is not None
        return [
            fact.event.fault.id
            for stream in self.studio.journal.streams()
            for fact in self.studio.journal.read(stream)
            if type(fact.event).__name__ == "FaultRaised"
        ]

    def kept(self) -> list[Any]:
        """What has been kept of any fault."""
        return [each for fault in self.faults() for each in self.studio.evidence("ba1", fault)]

    def rounds(self) -> list[str]:
        current = self.studio.desk("ba1").table().round
        return [] if current is None else [current.id]

    # -- what leaves ---------------------------------------------------------------------------

    def everything(self) -> Iterator[tuple[str, str | bytes]]:
        """All that anybody can get out of this studio now, with where it came from."""
        for ear in self.ears:
            yield from ((f"socket of {ear.name}", text) for text in list(ear.heard))
        yield from self._views()
        yield from self._pages()
        yield "log", self.said.getvalue()
        yield "figures", self.studio.metrics()
        yield from self._commands()
        yield from self._files()
        yield from self._database()

    def _views(self) -> Iterator[tuple[str, str]]:
        for audience in ("dealer", "supervisor", "overlay"):
            view = self.studio.view("ba1", audience)
            yield f"view of {audience}", repr(view)
        yield "wall", repr(self.studio.wall())
        yield "health", repr(self.studio.health())
        assert self.studio.journal is not None
        for entry in self.studio.journal.feed("ba1"):
            yield "feed", repr(entry)
        for stream in self.studio.journal.streams():
            for fact in self.studio.journal.read(stream):
                yield "journal as others read it", repr(fact)

    def _pages(self) -> Iterator[tuple[str, str | bytes]]:
        """Every address that can be read, with all that it may be asked for, as everybody."""
        values = {"table": ["ba1"], "audience": ["dealer", "supervisor", "overlay"]}
        values |= {"fault": self.faults(), "name": ["wire.txt", "config.toml"]}
        values |= {"round_id": self.rounds(), "round": self.rounds()}
        for number in ("", *self.pins):
            browser = self.app.test_client()
            if number:
                browser.set_cookie("cutcard_session", self._session(number))
            for rule in self.app.url_map.iter_rules():
                if "GET" not in (rule.methods or set()) or rule.rule.startswith("/static"):
                    continue
                for path in self._paths(rule.rule, dict(values), browser):
                    answer = browser.get(path, query_string={"token": self.token})
                    where = f"{path} as {number or 'a stranger'}"
                    yield f"headers of {where}", str(answer.headers)
                    if answer.data[:2] == b"PK":
                        yield from self._archive(where, answer.data)
                    else:
                        yield where, answer.data

    def _paths(self, rule: str, values: dict[str, list[str]], browser: Any) -> Iterator[str]:
        paths = [rule]
        for key in re.findall(r"<([a-z_:]+)>", rule):
            given = values.get(key, ["x"])
            if rule.startswith("/evidence") and key == "name":
                given = [name for fault in values["fault"] for name in self._names(fault, browser)]
            paths = [path.replace(f"<{key}>", each) for path in paths for each in given]
        yield from paths

    def _names(self, fault: str, browser: Any) -> list[str]:
        listed = browser.get(f"/evidence/ba1/{fault}")
        return [item["name"] for item in (listed.json or {}).get("items", ())]

    def _archive(self, where: str, data: bytes) -> Iterator[tuple[str, bytes]]:
        file = self.folder / "archive.zip"
        file.write_bytes(data)
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                yield f"{name} in {where}", archive.read(name)
        file.unlink()

    def _commands(self) -> Iterator[tuple[str, str | bytes]]:
        """What the command line gives out."""
        url = ["--database", f"sqlite:///{self.folder}/cutcard.db"]
        config = ["--config", str(self.folder / "config.toml")]
        asked = [
            ["journal", "export", *url],
            ["journal", "export", "--format", "csv", *url],
            ["journal", "verify", *url],
            ["journal", "verify", "--json", *url],
            *(["journal", "show", *url, "--round", each] for each in self.rounds()),
            *(["journal", "show", *url, "--json", "--round", each] for each in self.rounds()),
            *(["replay", *url, "--round", each] for each in self.rounds()),
        ]
        for arguments in asked:
            told = CliRunner().invoke(cli, arguments)
            yield " ".join(arguments[:2]), told.output + repr(told.exception)
        wanted = [("--fault", each) for each in self.faults()]
        wanted += [("--round", each) for each in self.rounds()]
        for place, (kind, name) in enumerate(wanted):
            file = self.folder / f"bundle-{place}.zip"
            told = CliRunner().invoke(
                cli, ["journal", "bundle", *config, *url, kind, name, str(file)]
            )
            yield "journal bundle", told.output
            if file.exists():
                yield from self._archive(f"bundle of {name}", file.read_bytes())
                file.unlink()

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Evidence and recordings as they lie on the disk."""
        for file in self.folder.rglob("*"):
            if not file.is_file() or file.name.startswith("cutcard.db"):
                continue
            data = file.read_bytes()
            yield f"file {file.name}", data
            for word in re.findall(rb'"hex":"([0-9a-f]*)"', data):
                yield f"bytes in {file.name}", bytes.fromhex(word.decode())

    def _database(self) -> Iterator[tuple[str, str | bytes]]:
        """All tables but that of the seals, packed columns opened."""
        connection = sqlite3.connect(self.folder / "cutcard.db")
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        assert "seals" in names
        for name in names:
            if name == "seals":
                continue
            for row in connection.execute(f"SELECT * FROM {name}"):  # our own names
                for value in row:
                    if isinstance(value, bytes):
                        try:
                            yield f"database, {name}", zlib.decompress(value)
                        except zlib.error:
                            yield f"database, {name}", value
                yield f"database, {name}", json.dumps(row, default=str)
        connection.close()

    def found(self) -> list[str]:
        """Every leak, each told once."""
        with contextlib.suppress(TableStopped):
            self.studio.flush()
        found: list[str] = []
        looked = 0
        for where, text in self.everything():
            looked += 1
            found += leaks(where, text)
        assert looked > 100
        return sorted(set(found))

    def close(self) -> None:
        for ear in self.ears:
            ear.end()
        self.server.__exit__()
        self.studio.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    said = io.StringIO()
    handlers, level = logging.getLogger().handlers[:], logging.getLogger().level
    set_up(form=LogForm.JSON, level="DEBUG", stream=said)
    opened = House(tmp_path, said)
    yield opened
    opened.close()
    logging.getLogger().handlers[:] = handlers
    logging.getLogger().setLevel(level)
    structlog.reset_defaults()


def burned(house: House, marked: tuple[str, ...] = BURNED) -> Table:
    """Bring the table to betting; the marked cards lie face down among the burned ones."""
    table = Table(house.studio, "ba1")
    desk = table.until(lambda found: found.table().device("shoe").online)
    house.studio.wires["ba1"].load([SHOWN, *marked, EARLY, *PLAIN])
    desk.ask(c.OpenTable(), who="Amina", role="supervisor")
    desk.ask(c.StartShoe(), who="Amina", role="supervisor")
    for _ in range(3):
        desk.ask(c.ConfirmStep(), who="Amina", role="supervisor")
    for _ in range(1 + len(marked)):
        table.draw()
    return table


def betting(house: House) -> Table:
    table = burned(house)
    desk = table.desk
    desk.ask(c.ConfirmStep(), who="Amina", role="supervisor")
    desk.ask(c.OpenBets(), who="Amina", role="supervisor")
    bet = c.Bet("b-1", "ann", "player", 1000)
    desk.ask(c.PlaceBets("b", (bet,)), who="house", role="platform")
    return table


def sealed(house: House) -> set[str]:
    """The codes that lie under seals in the database."""
    connection = sqlite3.connect(house.folder / "cutcard.db")
    codes = {code for (code,) in connection.execute("SELECT card FROM seals")}
    connection.close()
    return codes


def test_the_search_finds_a_card_that_is_named() -> None:
    for text in ('"card":"JS"', "P:QH", "KS", "card=TH,", "a Jack of Spades", b"\x00TH\r\n"):
        assert leaks("here", text), text
    for text in ("JSON", "xTHx", "QH-", "tokens/aJSb", "THE"):
        assert not leaks("here", text), text


def test_cards_burned_face_down_are_named_nowhere(house: House) -> None:
    burned(house)
    assert sealed(house) >= set(BURNED)
    assert house.found() == []


def test_an_early_card_that_nobody_saw_is_named_nowhere_until_it_is_dealt(house: House) -> None:
    table = betting(house)
    table.draw()
    assert sealed(house) >= set(MARKED)
    assert house.found() == []
    table.desk.ask(c.CloseBets(), who="Amina", role="supervisor")
    table.until(lambda found: bool(found.table().play and found.table().play.places))
    named = {found.partition(":")[0] for found in house.found()}
    assert "view of overlay" in named, "the card is dealt now: everybody may know it"
    assert [
        found for found in house.found() if re.search(rf"\b({'|'.join(BURNED)})\b", found)
    ] == []


def test_a_fault_its_evidence_and_a_void_name_no_sealed_card(house: House) -> None:
    """The wire's last frames hold every one of them."""
    table = betting(house)
    table.draw()
    house.studio.wires["ba1"].switch("unplug")
    desk = table.until(lambda found: found.table().held)
    table.until(lambda _: bool(house.kept()))
    assert (house.folder / "wire.jsonl").stat().st_size > 0
    assert house.found() == []
    house.studio.wires["ba1"].switch("unplug", on=False)
    table.until(lambda found: found.table().device("shoe").online)
    hold, current = desk.table().hold, desk.table().round
    assert hold is not None
    assert current is not None
    asked = c.VoidRound(fault=hold.faults[0].id, reason="reason.not_provable", round_id=current.id)
    desk.ask(asked, who="Amina", role="supervisor")
    approval = desk.table().approval
    if approval is not None and not approval.how:
        desk.ask(c.Approve(approval=approval.id), who="Lena", role="pit-boss")
    table.until(lambda found: found.table().round.state == "voided")  # type: ignore[union-attr]
    assert house.found() == []


def test_a_sealed_card_that_no_count_allows_is_a_fault_that_names_none(house: House) -> None:
    """Nine equal cards face down: the ninth cannot be."""
    table = Table(house.studio, "ba1")
    desk = table.until(lambda found: found.table().device("shoe").online)
    house.studio.wires["ba1"].load(["9C", *["KS"] * 9, *PLAIN])
    desk.ask(c.OpenTable(), who="Amina", role="supervisor")
    desk.ask(c.StartShoe(), who="Amina", role="supervisor")
    for _ in range(3):
        desk.ask(c.ConfirmStep(), who="Amina", role="supervisor")
    for _ in range(10):
        table.draw()
    table.until(lambda found: found.table().held)
    assert house.faults()
    assert house.found() == []


def test_a_table_that_stops_over_a_sealed_card_does_not_name_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a failure is whatever its code put into it: here, the card itself."""
    table = betting(house)

    def failing(*_: Any, **__: Any) -> Any:
        raise KeyError(str(EARLY))

    monkeypatch.setattr("studio.live.runner.decided", failing)
    house.studio.wires["ba1"].draw()
    table.until(lambda desk: desk.runner.failure is not None)
    assert "has stopped" in house.said.getvalue()
    assert house.found() == []
