"""A studio small enough to hold in the head: one or two tables, a few people, one overlay token."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from pydantic import SecretStr

from studio.domain.commands import Rejected
from studio.table.views import Envelope, EvidenceView, Message


@dataclass(frozen=True)
class FakePerson:
    id: str
    number: str
    name: str
    role: str
    locale: str = ""


@dataclass(frozen=True)
class FakeToken:
    table: str
    delay_ms: int = 0


PEOPLE = (
    FakePerson("p1", "101", "Dana", "dealer", "en"),
    FakePerson("p2", "201", "Sam", "supervisor", "ur"),
    FakePerson("p3", "301", "Eve", "engineer"),
    FakePerson("p4", "401", "Ann", "auditor"),
    FakePerson("p5", "501", "Pat", "pit-boss"),
)
PIN = "123456"


class FakeAccounts:
    """Everybody has the same PIN; the third wrong one in a row must wait."""

    def __init__(self) -> None:
        self.people = {person.number: person for person in PEOPLE}
        self.sessions: dict[str, str] = {}
        self.tokens = {"show-ba1": FakeToken("ba1"), "late-ba1": FakeToken("ba1", 2000)}
        self.tries = 0
        self._count = itertools.count(1)

    def _refused(self) -> Any:
        self.tries += 1
        if self.tries > 2:
            return SimpleNamespace(
                code="refused.wait", text="Too many tries: wait 7 seconds.", retry_s=6.5
            )
        text = "Number and PIN do not fit: try again."
        return SimpleNamespace(code="refused.sign_in", text=text)

    def _session(self, person: FakePerson) -> Any:
        token = f"session-{next(self._count)}"
        self.sessions[token] = person.number
        return SimpleNamespace(token=token, person=person)

    def sign_in(self, number: str, pin: str, address: str) -> Any:
        person = self.people.get(number)
        return self._session(person) if person and pin == PIN else self._refused()

    def sign_in_badge(self, badge: str, address: str) -> Any:
        person = self.people.get(badge.removeprefix("badge-"))
        return self._session(person) if person else self._refused()

    def session(self, token: str) -> FakePerson | None:
        return self.people.get(self.sessions.get(token, ""))

    def signed_in(self, token: str) -> Any:
        person = self.session(token)
        return SimpleNamespace(person=person, session=f"name-of-{token}") if person else None

    def sign_out(self, token: str) -> None:
        self.sessions.pop(token, None)

    def token(self, secret: str) -> FakeToken | None:
        return self.tokens.get(secret)


class FakeBenches:
    """Benches that answer what they are told to, and keep what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, Any], str, str]] = []
        self.refusal: Rejected | None = None
        self.picture: tuple[int, bytes] | None = (42_000, b"\xff\xd8jpeg")
        self.there = True
        self.busy: Any = None

    def opened(self, table: str) -> Any:
        return self.busy

    def has(self, table: str) -> bool:
        return self.there

    def live(self, table: str) -> tuple[int, bytes] | None:
        return self.picture

    def do(
        self, table: str, word: str, given: Mapping[str, Any], *, person: Any, page: str
    ) -> dict[str, Any]:
        self.asked.append((table, word, dict(given), person.person.name, page))
        if self.refusal is not None:
            raise self.refusal
        return {"word": word}


class FakePlatform:
    """Knows no platform: every call is a stranger's."""

    def call(self, **given: Any) -> dict[str, Any]:
        return given

    def admit(self, call: dict[str, Any]) -> dict[str, Any]:
        raise Rejected("refused.signature", "The call is not signed by a platform of this studio.")


@dataclass
class FakeService:
    """Views are counters; whoever has `step` called sees the next one."""

    names: tuple[str, ...] = ("ba1",)
    epoch: str = "epoch-1"
    studio_name: str = "Studio One"
    currency: str = "EUR"
    locale: str = "en"
    profile: str = "house"
    accounts: FakeAccounts = field(default_factory=FakeAccounts)
    asked: list[tuple[str, str, dict[str, Any], str, str, int | None]] = field(default_factory=list)
    seconded: list[tuple[str, str, str, bool, str]] = field(default_factory=list)
    kept: list[tuple[str, str, str, str]] = field(default_factory=list)
    dealing: str = ""
    broken: bool = False
    ready: bool = True
    state: str = "betting"
    slate: dict[str, Any] | None = None
    hands: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seqs = dict.fromkeys(self.names, 1)
        self.listeners: list[Callable[[str], None]] = []
        self.lock = threading.Lock()
        self.time_us = 1_700_000_000_000_000
        self.behind_us = 0
        """By how much the tables' own time is behind the studio's clock, which was set."""

        self.benches = FakeBenches()
        self.platform = FakePlatform()
        self.worked_out = SimpleNamespace(progress="in_work", bets=(), label=None)
        self.dealt = SimpleNamespace(table="ba1", game="baccarat", progress="in_work", groups=())

    def now_us(self) -> int:
        return self.time_us

    def step(self, table: str) -> int:
        with self.lock:
            self.seqs[table] += 1
        for listener in list(self.listeners):
            listener(table)
        return self.seqs[table]

    def tables(self) -> tuple[str, ...]:
        return self.names

    def view(self, table: str, audience: str) -> Envelope:
        seq = self.seqs[table]
        view: dict[str, Any] = {"table": table, "for": audience, "step": seq}
        if audience == "overlay":
            view |= {"slate": self.slate, "hands": self.hands}
        now_us = self.time_us - self.behind_us
        return Envelope(
            table=table, audience=audience, epoch=self.epoch, seq=seq, now_us=now_us, view=view
        )

    def wall(self) -> Envelope:
        tiles = [{"table": name, "step": seq} for name, seq in self.seqs.items()]
        return Envelope(
            table="",
            audience="wall",
            epoch=self.epoch,
            seq=sum(self.seqs.values()),
            now_us=self.time_us,
            view={"tiles": tiles},
        )

    def submit(
        self,
        table: str,
        name: str,
        args: Mapping[str, Any],
        *,
        person: Any,
        command_id: str,
        seq: int | None,
        timeout_s: float = 1.0,
    ) -> Any:
        if self.broken:
            raise RuntimeError("the disk said 7H of secrets")
        self.asked.append((table, name, dict(args), person.person.name, command_id, seq))
        if name == "open_bets":
            return SimpleNamespace(
                status="rejected", code="refused.table_held", text="The table is held.", seq=1
            )
        return SimpleNamespace(status="done", code="", text="", seq=self.step(table))

    def approve_here(
        self,
        table: str,
        approval: str,
        *,
        second: Any,
        approve: bool = True,
        reason: str = "",
        command_id: str,
    ) -> Any:
        self.seconded.append((table, approval, second.number or second.badge, approve, reason))
        if second.pin not in ("", PIN):
            return SimpleNamespace(
                status="rejected", code="refused.too_fast", text="Wait 7 s.", seq=0, retry_s=7
            )
        if second.number == "201":
            return SimpleNamespace(
                status="rejected", code="refused.approval_same_person", text="Another.", seq=0
            )
        return SimpleNamespace(status="done", code="", text="", seq=self.step(table))

    def leave(self, person: Any) -> Any:
        if person.number == self.dealing:
            return SimpleNamespace(
                status="rejected", code="refused.still_dealing", text="A round is open.", seq=0
            )
        return SimpleNamespace(status="done", code="", text="", seq=0)

    def refused(self, table: str, name: str, *, person: Any, code: str, text: str) -> None:
        self.kept.append((table, name, person.number, code))

    def subscribe(self, listener: Callable[[str], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def picture(self, table: str) -> bytes | None:
        return b"\xff\xd8jpeg" if table == "ba1" else None

    def evidence(self, table: str, fault: str) -> Any:
        if (table, fault) != ("ba1", "17"):
            return ()
        return (
            EvidenceView(name="shoe.wire", kind="wire", sha256="ab" * 32, size=5, at_us=7),
            EvidenceView(name="camera-0001.jpg", kind="picture", sha256="cd" * 32, size=6, at_us=8),
            EvidenceView(name="gone.jpg", kind="picture", sha256="cd" * 32, size=6, at_us=8),
        )

    def evidence_item(self, table: str, fault: str, name: str) -> bytes | None:
        if self.broken:
            raise Rejected("refused.evidence_damaged", "shoe.wire is not what was kept")
        kept = {"shoe.wire": b"<b>\n", "camera-0001.jpg": b"\xff\xd8jpeg", "secret": b"7H"}
        return kept.get(name) if (table, fault) == ("ba1", "17") else None

    def bundle(self, table: str, fault: str) -> bytes | None:
        return b"PK\x03\x04" if (table, fault) == ("ba1", "17") else None

    def rules(self, table: str) -> Any:
        lines = (Message("rule.decks", (("decks", 8),)), Message("rule.tie", (("pays", 8),)))
        return SimpleNamespace(
            table=table, game="baccarat", version="baccarat@1", digest="abc123", lines=lines
        )

    def figures(self, table: str) -> Any:
        return self.worked_out

    def observed(self, table: str) -> Any:
        return self.dealt

    def health(self) -> Any:
        findings = () if self.ready else ("The shoe of ba1 is silent: check its cable.",)
        tables = tuple(SimpleNamespace(table=name, state=self.state) for name in self.names)
        return SimpleNamespace(ready=self.ready, findings=findings, tables=tables)

    def metrics(self, screens: Mapping[str, int] | None = None) -> str:
        sockets = "".join(
            f'cutcard_sockets{{audience="{audience}"}} {number}.0\n'
            for audience, number in (screens or {}).items()
        )
        return f"# TYPE cards_dealt counter\ncards_dealt 7\n{sockets}"


def fake_settings(max_sockets: int = 20, bind: str = "127.0.0.1:0", key: str = "") -> Any:
    return SimpleNamespace(
        web=SimpleNamespace(bind=bind, max_sockets=max_sockets),
        secrets=SimpleNamespace(secret_key=SecretStr(key) if key else None),
    )
