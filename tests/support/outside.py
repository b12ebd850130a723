"""The example platform on a port of the loopback, with the ways in which it may fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from docs.examples.platform.platform_example import Books, Platform

PATIENCE_S = 20.0


class Failing(Platform):
    """The example, whose wallet and webhook can be told to fail."""

    silent = False
    """Does what it is asked, and answers only once it may."""
    broken = False
    """Does what it is asked, and answers 500."""
    down = False
    """Does nothing and answers 503."""
    may_answer: threading.Event
    heard: list[tuple[str, dict[str, Any]]]

    def answer(self, target: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.heard.append((target, given))
        if self.down:
            return 503, {}
        told = super().answer(target, given)
        if self.silent:
            self.may_answer.wait(PATIENCE_S)
        return (500, {}) if self.broken else told


@dataclass
class Outside:
    """The example platform with its books."""

    folder: Path
    books: Books = field(init=False)
    server: Failing = field(init=False)

    def __enter__(self) -> Self:
        self.books = Books(str(self.folder / "platform.db"))
        keys = {"wallet": "wallet-key-0123456789", "house": "demo-key-0123456789"}
        self.server = Failing(("127.0.0.1", 0), self.books, keys)
        self.server.may_answer = threading.Event()
        self.server.heard = []
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.may_answer.set()
        self.server.shutdown()
        self.server.server_close()
        self._thread.join(timeout=5)
        self.books.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def wallet(self, funds_s: float = 3.0) -> dict[str, Any]:
        """The section of the configuration that names it."""
        return {"kind": "http", "url": f"{self.url}/wallet", "funds_s": funds_s}

    def rich(self, *players: str, money: int = 100_000) -> None:
        """Give players money."""
        entries = [{"player": player, "amount": money} for player in players]
        self.books.call("settle", f"opening-{'-'.join(players)}", entries)

    def calls(self, target: str) -> list[dict[str, Any]]:
        """What was asked at an address."""
        return [given for where, given in self.server.heard if where == target]


def eventually(wanted: Callable[[], bool]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while not wanted():
        assert time.monotonic() < until, "it did not become so"
        pause.wait(0.01)
