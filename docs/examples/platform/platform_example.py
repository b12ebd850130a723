"""A small betting platform for a Cutcard studio, in the standard library of Python alone.

It keeps the players' money (the studio's configuration says `[wallet] kind = "http"`), takes the
studio's webhooks, and reads the feed to catch up with what it missed. Copy what you need; the
parts stand one after the other: signing, books, the server, and the calls to the studio.

    export CUTCARD_URL=http://127.0.0.1:8000 CUTCARD_PLATFORM=house CUTCARD_KEY=… WALLET_KEY=…
    python platform_example.py platform.db 127.0.0.1:9000
"""

import hashlib
import hmac
import http.client
import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

SKEW_S = 60
LARGEST = 4 * 1024 * 1024


# -- signing ---------------------------------------------------------------------------------------


def sign(secret: str, method: str, target: str, timestamp: str, body: bytes) -> str:
    """The signature of a call, in both directions; `target` is the path with its query."""
    lines = "\n".join((method, target, timestamp, hashlib.sha256(body).hexdigest()))
    return hmac.new(secret.encode(), lines.encode(), hashlib.sha256).hexdigest()


# -- books -----------------------------------------------------------------------------------------

TABLES = """
CREATE TABLE IF NOT EXISTS balances (player TEXT PRIMARY KEY, amount INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, digest TEXT NOT NULL, answer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (id TEXT PRIMARY KEY, n INTEGER, place TEXT, told TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS read_to (place TEXT PRIMARY KEY, n INTEGER NOT NULL);
"""


class KeyUsedError(Exception):
    """A key came again with another content: nothing is moved."""


class Books:
    """Balances, the answers that were given, and what the studio told. Any thread may use it."""

    def __init__(self, path: str) -> None:
        """Open or make the database."""
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; {TABLES}")
        self._lock = threading.RLock()

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; an answer is given only after this."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._db.close()

    def balance(self, player: str) -> int:
        """What a player has, minor units; 0 for one who is not known."""
        with self._lock:
            query = "SELECT amount FROM balances WHERE player = ?"
            row = self._db.execute(query, (player,)).fetchone()
        return int(row[0]) if row else 0

    def total(self) -> int:
        """What all players have together."""
        with self._lock:
            query = "SELECT COALESCE(SUM(amount), 0) FROM balances"
            return int(self._db.execute(query).fetchone()[0])

    def call(self, name: str, key: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
        """Do what the studio asks of the wallet, once: the same key gets the same answer."""
        digest = hashlib.sha256(json.dumps([name, entries], sort_keys=True).encode()).hexdigest()
        if name == "short":
            poor = [e["id"] for e in entries if self.balance(e["player"]) < e["amount"]]
            return {"refused": poor}
        with self._commit() as db:
            query = "SELECT digest, answer FROM calls WHERE key = ?"
            known = db.execute(query, (f"{name}:{key}",)).fetchone()
            if known is not None:
                if known[0] != digest:
                    raise KeyUsedError(key)
                return dict(json.loads(known[1]))
            answer = self._move(name, entries)
            row = (f"{name}:{key}", digest, json.dumps(answer))
            db.execute("INSERT INTO calls VALUES (?, ?, ?)", row)
        return answer

    def _move(self, name: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
        refused = []
        for entry in entries:
            amount = entry["amount"] if name == "settle" else -entry["amount"]
            if self.balance(entry["player"]) + amount < 0:
                refused.append(entry.get("id", entry["player"]))
                continue
            self._db.execute(
                "INSERT INTO balances VALUES (?, ?) "
                "ON CONFLICT (player) DO UPDATE SET amount = amount + excluded.amount",
                (entry["player"], amount),
            )
        return {"refused": refused}

    def take(self, entries: list[dict[str, Any]]) -> int:
        """Keep what the studio told; how many entries were new. What came before is dropped."""
        with self._commit() as db:
            before = db.total_changes
            db.executemany(
                "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?)",
                [(e["id"], e["n"], e["table"], json.dumps(e)) for e in entries],
            )
            return db.total_changes - before

    def told(self, place: str) -> list[dict[str, Any]]:
        """What was told of a table, in order."""
        with self._lock:
            query = "SELECT told FROM entries WHERE place = ? ORDER BY n"
            return [json.loads(row[0]) for row in self._db.execute(query, (place,))]

    def read_to(self, place: str) -> int:
        """Up to which entry the feed of a table was read."""
        with self._lock:
            query = "SELECT n FROM read_to WHERE place = ?"
            row = self._db.execute(query, (place,)).fetchone()
        return int(row[0]) if row else 0

    def have_read(self, place: str, entries: list[dict[str, Any]], n: int) -> None:
        """Keep a page of the feed and how far it goes, together."""
        self.take(entries)
        with self._commit() as db:
            db.execute("INSERT OR REPLACE INTO read_to VALUES (?, ?)", (place, n))


# -- the server ------------------------------------------------------------------------------------


class Platform(ThreadingHTTPServer):
    """Takes the studio's calls: `/wallet/…` and `/webhook`. Each must be signed."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self,
        address: tuple[str, int],
        books: Books,
        keys: Mapping[str, str],
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Listen; `keys` has the secret of ``wallet`` and of the platform's own name."""
        super().__init__(address, Handler)
        self.books = books
        self.keys = keys
        self.now = now

    def answer(self, target: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Do what a call asks; (status, answer)."""
        if target == "/webhook":
            return 200, {"new": self.books.take(given["entries"])}
        name = target.removeprefix("/wallet/")
        if name not in {"reserve", "settle", "debit", "short"}:
            return 404, {"detail": "there is nothing here"}
        try:
            return 200, self.books.call(name, given["key"], given["entries"])
        except KeyUsedError:
            return 409, {"detail": "this key was used for another call"}


class Handler(BaseHTTPRequestHandler):
    """One call of the studio."""

    server: Platform
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Look at the signature first, then at the rest; 2xx only after the commit."""
        size = int(self.headers.get("Content-Length", "0"))
        if not 0 < size <= LARGEST:
            self._send(413, {"detail": "too large"})
            return
        body = self.rfile.read(size)
        refused = self._refusal(body)
        if refused:
            self._send(401, {"detail": refused})
            return
        try:
            status, answer = self.server.answer(self.path, json.loads(body))
        except (ValueError, KeyError, TypeError):
            status, answer = 400, {"detail": "this cannot be read"}
        self._send(status, answer)

    def _refusal(self, body: bytes) -> str:
        """Why this call is not let in; empty if it is."""
        name, at = self.headers.get("Cutcard-Key", ""), self.headers.get("Cutcard-Timestamp", "")
        wanted = sign(self.server.keys.get(name, ""), "POST", self.path, at, body)
        given = self.headers.get("Cutcard-Signature", "")
        known = name in self.server.keys
        if not hmac.compare_digest(wanted.encode(), given.encode()) or not known:
            return "the signature does not fit"
        if not at.isdigit() or abs(int(at) - self.server.now()) > SKEW_S:
            return "the clocks of studio and platform differ: set them"
        return ""

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing: bodies and headers hold what is nobody's business."""


# -- calls to the studio ---------------------------------------------------------------------------


class Studio:
    """Calls the studio; what got no answer is sent again with the same key."""

    def __init__(self, url: str, key: str, secret: str, *, tries: int = 5) -> None:
        """`key` is the platform's name in the studio's configuration."""
        self._place = urlsplit(url).netloc
        self._key, self._secret, self._tries = key, secret, tries

    def get(self, target: str) -> Any:
        """Read something."""
        return self._send("GET", target, b"", "")

    def bets(self, table: str, round_id: str, bets: list[dict[str, Any]], *, key: str) -> Any:
        """Place at most 5,000 bets; keep `key` until there is an answer, also over a crash."""
        body = json.dumps({"bets": bets}).encode()
        return self._send("POST", f"/api/v1/tables/{table}/rounds/{round_id}/bets", body, key)

    def catch_up(self, books: Books, table: str, *, wait_s: int = 0) -> int:
        """Read the feed from where it was left; how many entries there were."""
        found = 0
        while True:
            after = books.read_to(table)
            page = self.get(f"/api/v1/tables/{table}/feed?after={after}&wait={wait_s}")
            if not page["entries"]:
                return found
            books.have_read(table, page["entries"], page["next"])
            found += len(page["entries"])
            wait_s = 0

    def _send(self, method: str, target: str, body: bytes, key: str) -> Any:
        for left in range(self._tries - 1, -1, -1):
            try:
                status, told = self._once(method, target, body, key)
            except (OSError, http.client.HTTPException):
                if not left:
                    raise
                status, told = 503, b""
            if status not in {429, 503} or not left:
                break
            time.sleep(0.2)
        answer = json.loads(told)
        if status != 200:  # noqa: PLR2004
            raise RuntimeError(f"{status} {answer.get('code')}: {answer.get('detail')}")
        return answer

    def _once(self, method: str, target: str, body: bytes, key: str) -> tuple[int, bytes]:
        at = str(int(time.time()))
        headers = {
            "Cutcard-Key": self._key,
            "Cutcard-Timestamp": at,
            "Cutcard-Signature": sign(self._secret, method, target, at, body),
            "Content-Type": "application/json",
        }
        if key:
            headers["Idempotency-Key"] = key
        connection = http.client.HTTPConnection(self._place, timeout=40)
        try:
            connection.request(method, target, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def main() -> None:
    """Serve, and read the feed of every table, until interrupted."""
    path, bind = sys.argv[1:3]
    host, _, port = bind.rpartition(":")
    name, secret = os.environ["CUTCARD_PLATFORM"], os.environ["CUTCARD_KEY"]
    books = Books(path)
    server = Platform((host, int(port)), books, {name: secret, "wallet": os.environ["WALLET_KEY"]})
    threading.Thread(target=server.serve_forever, daemon=True).start()
    studio = Studio(os.environ["CUTCARD_URL"], name, secret)
    tables = [each["table"] for each in studio.get("/api/v1/tables")["tables"]]
    while True:
        for table in tables:
            studio.catch_up(books, table, wait_s=25 if len(tables) == 1 else 1)


if __name__ == "__main__":
    main()
