"""A studio in process with its web application, and a platform that signs its calls to it."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from werkzeug.serving import make_server

from studio.domain import commands as c
from studio.launch import Options, Studio
from studio.live.service import Desk
from studio.live.signing import call_headers
from studio.settings import Settings, parse
from web.app import create_app

PATIENCE_S = 20.0
KEY = "demo-key-0123456789"
PLAYER_WINS = ("2C", "3C", "4C", "9S", "2D", "KH", "5D", "8C", "8D")
"""The burn's first card, what it burns, and a coup that the player wins: 9 against 7."""


BLACKJACK: dict[str, Any] = {
    "game": "boundless-blackjack",
    "limits": {"main": [100, 500000], "pair": [100, 50000]},
    "decision_s": 600.0,
    "insurance_s": 600.0,
    "peek_s": 0.0,
}
"""What a table of Boundless Blackjack has otherwise."""


def settings_in(
    folder: Path, *, tables: int = 1, other: dict[str, Any] | None = None, **sections: Any
) -> Settings:
    """A studio with tables that have a shoe and no camera, and the platform ``house``.

    They deal baccarat, unless `other` says otherwise.
    """
    table: dict[str, Any] = {
        "game": "baccarat",
        "sources": ["shoe"],
        "betting_s": 600.0,
        "result_s": 0.0,
        "limits": {"player": [100, 500000], "banker": [100, 500000], "tie": [100, 50000]},
        "shoe": {"url": "sim:"},
        **(other or {}),
    }
    values: dict[str, Any] = {
        "studio": {"database": "sqlite:///cutcard.db"},
        "tables": {f"ba{number}": table for number in range(1, tables + 1)},
        "platforms": {"house": {}, "other": {}},
        **sections,
    }
    keys = {
        "CUTCARD_PLATFORM_HOUSE_KEY": KEY,
        "CUTCARD_PLATFORM_OTHER_KEY": "another-key-0123456789",
        "CUTCARD_WALLET_KEY": "wallet-key-0123456789",
    }
    return parse(values, folder / "config.toml", keys)


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Caller:
    """A platform: signs what it sends, over real HTTP."""

    url: str
    key: str = "house"
    secret: str = KEY
    ahead_s: int = 0
    """By how much its clock is wrong."""

    def send(
        self,
        method: str,
        target: str,
        body: bytes = b"",
        *,
        idempotency: str = "",
        change: Mapping[str, str] | None = None,
        signed: bytes | None = None,
    ) -> Answer:
        """Send a call; `change` replaces headers, `signed` is what was signed instead."""
        headers = dict(
            call_headers(
                self.key,
                self.secret,
                method=method,
                target=target,
                at_s=int(time.time()) + self.ahead_s,
                body=body if signed is None else signed,
            )
        )
        if idempotency:
            headers["Idempotency-Key"] = idempotency
        if body:
            headers["Content-Type"] = "application/json"
        headers |= change or {}
        request = urllib.request.Request(
            self.url + target, data=body or None, method=method, headers=headers
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return Answer(answer.status, answer.read(), dict(answer.headers))
        except urllib.error.HTTPError as no:
            with no:
                return Answer(no.code, no.read(), dict(no.headers))

    def get(self, target: str) -> Answer:
        return self.send("GET", target)

    def post(self, target: str, given: Any, *, idempotency: str = "") -> Answer:
        body = json.dumps(given, separators=(",", ":")).encode()
        return self.send("POST", target, body, idempotency=idempotency)

    def decide(
        self, table: str, round_id: str, window: int, given: list[tuple[str, str, str, str]],
        key: str = "",
    ) -> Answer:  # fmt: skip
        """Give decisions of (id, player, lane, action)."""
        told = [{"id": i, "player": p, "lane": z, "action": a} for i, p, z, a in given]
        target = f"/api/v1/tables/{table}/rounds/{round_id}/decisions"
        return self.post(target, {"window": window, "decisions": told}, idempotency=key)

    def bets(
        self, table: str, round_id: str, bets: list[tuple[str, str, str, int]], key: str = ""
    ) -> Answer:
        """Place bets of (id, player, bet, stake)."""
        told = [{"id": i, "player": p, "bet": b, "stake": s} for i, p, b, s in bets]
        target = f"/api/v1/tables/{table}/rounds/{round_id}/bets"
        return self.post(target, {"bets": told}, idempotency=key)


@dataclass
class House:
    """A studio that runs, served on a port of the loopback."""

    settings: Settings
    options: Options | None = None
    studio: Studio = field(init=False)
    url: str = ""

    def __enter__(self) -> Self:
        self.studio = Studio(self.settings, self.options)
        self.studio.start()
        self._news = threading.Condition()
        self.studio.subscribe(self._heard)
        self.app = create_app(self.studio, self.settings)
        self._server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)
        self.studio.stop()

    def _heard(self, _table: str) -> None:
        with self._news:
            self._news.notify_all()

    def caller(self, **changes: Any) -> Caller:
        """The platform ``house``, or as `changes` say."""
        return Caller(self.url, **changes)

    def until(self, wanted: Callable[[Desk], bool], table: str = "ba1") -> Desk:
        """Wait until a table is in a state."""
        desk = self.studio.desk(table)
        with self._news:
            assert self._news.wait_for(lambda: wanted(desk), PATIENCE_S)
        return desk

    def players(self, *names: str, money: int = 100_000) -> None:
        """Make players known to the embedded wallet."""
        assert self.studio.wallet is not None
        for name in names:
            self.studio.wallet.create(name, money)

    def open_round(self, table: str = "ba1", cards: tuple[str, ...] = PLAYER_WINS) -> str:
        """Open the table, begin a shoe, and open the first round; its id."""
        desk = self.until(lambda found: found.table().device("shoe").online, table)
        self.studio.wires[table].load(list(cards))
        desk.ask(c.OpenTable(), who="Sana", role="supervisor")
        desk.ask(c.StartShoe(), who="Jonas", role="dealer")
        for _ in range(3):
            desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
        self.deal(3, table)
        desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
        return self.next_round(table)

    def next_round(self, table: str = "ba1") -> str:
        """Open the next round; its id."""
        desk = self.studio.desk(table)
        desk.ask(c.OpenBets(), who="Jonas", role="dealer")
        current = desk.table().round
        assert current is not None
        return current.id

    def deal(self, cards: int, table: str = "ba1") -> None:
        """Draw so many cards from the simulated shoe and wait until each is accepted."""
        wire = self.studio.wires[table]
        for _ in range(cards):
            version = self.studio.desk(table).table().version
            wire.draw()
            self.until(lambda desk, before=version: desk.table().version > before, table)  # type: ignore[misc]
            assert wire.quiet(PATIENCE_S)

    def close_and_deal(self, cards: int = 4, table: str = "ba1") -> None:
        """Close bets and deal the coup to its end."""
        desk = self.studio.desk(table)
        desk.ask(c.CloseBets(), who="Jonas", role="dealer")
        self.deal(cards, table)
        self.until(_ended, table)
        self.studio.flush()

    def close_and_deal_until_choice(self, table: str = "ba1") -> None:
        """Close bets and deal the first four cards of a shared hand; then players choose."""
        self.studio.desk(table).ask(c.CloseBets(), who="Jonas", role="dealer")
        self.deal(4, table)
        self.until(lambda found: found.table().window is not None, table)

    def deal_to_the_end(self, table: str = "ba1") -> None:
        """Draw cards as long as the round is open, and turn what lies face down."""
        desk = self.studio.desk(table)
        while not _ended(desk):
            version = desk.table().version
            due = desk.view("dealer", "e", 0).view["step"]
            if due["kind"] == "turn":
                desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
            else:
                self.studio.wires[table].draw()
            self.until(lambda found, before=version: found.table().version > before, table)  # type: ignore[misc]
        self.studio.flush()


def _ended(desk: Desk) -> bool:
    current = desk.table().round
    return current is not None and current.state != "open"
