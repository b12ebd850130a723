"""A studio with a table of Baloot over real HTTP, and the four who sit at it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studio.domain import commands as c
from studio.games.baloot.cards import PACK
from tests.support.platform import PATIENCE_S, Answer, House

BALOOT: Final[dict[str, Any]] = {
    "game": "baloot",
    "limits": {"round": [100, 50_000], "game": [100, 50_000], "kaboot": [100, 10_000]},
    "decision_s": 600.0,
}
"""What a table of Baloot has otherwise."""
CARDS: Final = tuple(card.code for card in PACK)
"""The pack in order: what the shoe gives."""
HEADER: Final = "Authorization"


@dataclass
class Sitter:
    """One who sits at a table: sends the token of a seat with each call."""

    url: str
    secret: str
    seat: int
    table: str = "ba1"

    def send(
        self, what: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a call about this seat, or about another address where `what` begins with it."""
        own = f"/api/v1/tables/{self.table}/seats/{self.seat}/{what}"
        sent = {HEADER: f"Bearer {self.secret}", **(headers or {})}
        request = urllib.request.Request(
            self.url + (what if what.startswith("/") else own),
            data=body,
            method="GET" if body is None else "POST",
            headers={name: value for name, value in sent.items() if value},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return Answer(answer.status, answer.read(), dict(answer.headers))
        except urllib.error.HTTPError as no:
            with no:
                return Answer(no.code, no.read(), dict(no.headers))

    def hand(self) -> Any:
        """The seat's own hand."""
        return self.send("hand").json

    def choose(self, choice: str, window: int = 0, key: str = "") -> Answer:
        """Choose; in the window that is open, unless another one is named."""
        number = window or self.hand()["asked"]["window"]
        given = {"window": number, "choice": choice}
        headers = {"Idempotency-Key": key} if key else {}
        return self.send("choice", json.dumps(given).encode(), headers)

    def claim(self, note: str = "", key: str = "") -> Answer:
        """Claim a fault of the play."""
        headers = {"Idempotency-Key": key} if key else {}
        return self.send("qayd", json.dumps({"note": note}).encode(), headers)


def sitters(house: House, table: str = "ba1") -> tuple[Sitter, ...]:
    """A token for each seat of a table."""
    accounts = house.studio.accounts
    secrets = [accounts.add_seat(table, seat).secret for seat in range(4)]
    return tuple(Sitter(house.url, secret, n, table) for n, secret in enumerate(secrets))


def open_baloot(house: House, cards: Sequence[str] = CARDS, table: str = "ba1") -> str:
    """Open the table, load the shoe, and open the first round; its id."""
    desk = house.until(lambda found: found.table().device("shoe").online, table)
    house.studio.wires[table].load(list(cards))
    desk.ask(c.OpenTable(), who="Sana", role="supervisor")
    desk.ask(c.StartShoe(), who="Jonas", role="dealer")
    while desk.table().phase.value == "shoe":
        desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    return house.next_round(table)


def deal_to_bidding(house: House, table: str = "ba1") -> None:
    """Close bets and deal twenty cards and the one face up; the first seat is asked."""
    house.studio.desk(table).ask(c.CloseBets(), who="Jonas", role="dealer")
    house.deal(21, table)
    house.until(lambda found: found.table().window is not None, table)
