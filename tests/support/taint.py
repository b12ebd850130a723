"""A studio with everything that speaks, an ear at each of it, and a search for marked cards.

`House` is a whole studio that serves one table: screens of every audience listen, everybody signs
in, and `found` searches all that anybody can get out of it for cards that nobody may know yet.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import sqlite3
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from studio.cli import cli
from studio.domain.cards import Card
from studio.launch import Options, Studio
from studio.live.means import TableStopped
from studio.settings import parse
from tests.unit.web.conftest import Server
from tests.unit.web.test_sockets import Screen
from web.app import create_app

RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
PEOPLE = (
    ("Jonas", "dealer", "1001"),
    ("Amina", "supervisor", "2001"),
    ("Bilal", "supervisor", "2002"),
    ("Lena", "pit-boss", "3001"),
    ("Ravi", "engineer", "4001"),
    ("Nora", "auditor", "5001"),
)


def naming(*codes: str, more: str = "") -> re.Pattern[str]:
    """What names one of these cards: a code, words, or a card as Python prints it.

    `more` is what else tells a secret.
    """
    words = "|".join(f"{RANKS[code[0]]} of {SUITS[code[1]]}" for code in codes)
    printed = "|".join(
        re.escape(repr(Card.parse(code)).removeprefix("Card(").removesuffix(")")) for code in codes
    )
    told = rf"(?<![A-Za-z0-9_/+-])({'|'.join(codes)})(?![A-Za-z0-9_/+=-])|(?i:\b({words})\b)"
    return re.compile("|".join([told, printed, more] if more else [told, printed]))


TEXT_RUN = re.compile(rb"[\t\n\r\x20-\x7e]{8,}")
"""Text within a database's file: among its sums and keys any two letters come by chance."""


def leaks(named: re.Pattern[str], where: str, text: str | bytes) -> list[str]:
    """What in this text is named, with what stands around it."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return [
        f"{where}: …{text[max(0, found.start() - 60) : found.end() + 40]}…"
        for found in named.finditer(text)
    ]


class Listener:
    """Keeps all that comes to one screen."""

    def __init__(self, name: str, screen: Screen) -> None:
        self.name, self.screen, self.heard = name, screen, list(map(str, screen.early))
        # Only what a test waits for has its time: an ear that gave up in a silence would be deaf.
        screen.connection.settimeout(None)
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

    @property
    def listens(self) -> bool:
        """Whether it still hears what comes."""
        return self._thread.is_alive()

    def end(self) -> None:
        # A thread that waits for the socket wakes when it is shut down, not when it is closed.
        with contextlib.suppress(OSError):
            self.screen.connection.sock.shutdown(socket.SHUT_RDWR)
        self.screen.leave()
        self._thread.join(5)


class House:
    """A studio with everything that speaks, and an ear at each of it."""

    def __init__(
        self, folder: Path, said: Any, table: dict[str, Any], *, name: str = "ba1", **more: Any
    ) -> None:
        """Start it with one table of this name and configuration; `more` are further sections."""
        self.folder, self.said, self.name = folder, said, name
        options: Options | None = more.pop("options", None)
        secrets: dict[str, str] = more.pop("secrets", {})
        values = {
            "studio": {"database": f"sqlite:///{folder}/cutcard.db"},
            "tables": {name: table},
            **more,
        }
        limits = ", ".join(f"{bet} = [100, 500000]" for bet in table["limits"])
        (folder / "config.toml").write_text(
            f'[studio]\ndatabase = "sqlite:///{folder}/cutcard.db"\n'
            f'[tables.{name}]\ngame = "{table["game"]}"\nsources = ["shoe"]\n'
            f"limits = {{ {limits} }}\n"
            f'[tables.{name}.shoe]\nurl = "sim:"\n'
        )
        self.studio = Studio(parse(values, folder / "config.toml", secrets), options)
        self.studio.start()
        self.pins = {
            number: self.studio.accounts.add_person(person, role, number=number).pin
            for person, role, number in PEOPLE
        }
        self.token = self.studio.accounts.add_token(name).secret
        self.sessions: dict[str, str] = {}
        self.app = create_app(self.studio, self.studio.settings)
        self.server = Server(self.app)
        self.server.__enter__()
        self.ears = [self._ear("overlay", "", {"table": name, "token": self.token})]
        self.ears += [self._ear("dealer", number, {"table": name}) for number in ("1001", "4001")]
        self.ears += [
            self._ear("supervisor", number, {"table": name})
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
        if number not in self.sessions:
            given: Any = self.studio.accounts.sign_in(number, self.pins[number], "127.0.0.1")
            self.sessions[number] = str(given.token)
        return self.sessions[number]

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
        return [each for fault in self.faults() for each in self.studio.evidence(self.name, fault)]

    def rounds(self) -> list[str]:
        current = self.studio.desk(self.name).table().round
        return [] if current is None else [current.id]

    # -- what leaves ---------------------------------------------------------------------------

    def everything(self) -> Iterator[tuple[str, str | bytes]]:
        """All that anybody can get out of this studio now, with where it came from."""
        assert all(ear.listens for ear in self.ears), "a screen was closed"
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
            view = self.studio.view(self.name, audience)
            yield f"view of {audience}", repr(view)
        yield "wall", repr(self.studio.wall())
        yield "health", repr(self.studio.health())
        assert self.studio.journal is not None
        for entry in self.studio.journal.feed(self.name):
            yield "feed", repr(entry)
        for stream in self.studio.journal.streams():
            for fact in self.studio.journal.read(stream):
                yield "journal as others read it", repr(fact)

    def _pages(self) -> Iterator[tuple[str, str | bytes]]:
        """Every address that can be read, with all that it may be asked for, as everybody."""
        values = {"table": [self.name], "audience": ["dealer", "supervisor", "overlay"]}
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
        listed = browser.get(f"/evidence/{self.name}/{fault}")
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
            if ".db" in file.name:
                data = b"\n".join(TEXT_RUN.findall(data))
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

    def found(self, named: re.Pattern[str]) -> list[str]:
        """Every place where one of these is named, each told once."""
        with contextlib.suppress(TableStopped):
            self.studio.flush()
        found: list[str] = []
        looked = 0
        for where, text in self.everything():
            looked += 1
            found += leaks(named, where, text)
        assert looked > 100
        return sorted(set(found))

    def close(self) -> None:
        for ear in self.ears:
            ear.end()
        self.server.__exit__()
        self.studio.stop()
