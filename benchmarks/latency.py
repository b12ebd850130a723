"""From the commit of a card to its receipt by the screens, over real sockets on one machine.

A demonstration runs in a process of its own, as `cutcard demo` does: simulated shoe on a
pseudo-terminal, and with `eye` the camera's child process that renders, encodes, decodes and reads
each frame. Overlays are bare WebSocket connections read by one loop in this process, so both
processes and the eye share the machine's cores. A card counts as committed when `Journal.append`
has returned, and as received by a screen when the first view with its number, or a newer one, has
arrived there as a whole frame. `load` adds both consoles, and a person who reloads pages and a
monitor that scrapes `/metrics` at twenty requests a second.

Run with ``python -m benchmarks.latency`` on a quiet machine; `--seconds` is the length of each of
the four ways. One JSON line each.
"""

import argparse
import base64
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from studio.plugins import face
from studio.simulate.demo import TABLE, DemoStudio, Wanted, settings_of
from studio.simulate.scaled import ScaledClock

SPEED = 8.0
"""Waits of the dealer are divided by this, so that a minute has enough cards for a p99."""
REQUESTS_PER_S = 20
PAGES = ("/status", "/metrics", f"/rules/{TABLE}", "/", "/health/ready")
TARGET_MS = 100.0
SEQ = re.compile(rb'"seq":(\d+)')


@dataclass(frozen=True)
class Way:
    """One way to run it."""

    name: str
    sockets: int
    eye: bool
    load: bool


WAYS = (
    Way("1 overlay, no eye, no load", 1, eye=False, load=False),
    Way("50 overlays, no eye, no load", 50, eye=False, load=False),
    Way("50 overlays and the eye", 50, eye=True, load=False),
    Way("50 overlays, the eye and load", 50, eye=True, load=True),
)


# -- the studio's process ----------------------------------------------------------------------


class Watched(DemoStudio):
    """A demonstration that writes down when each card was committed, and its view's number."""

    def __init__(self, wanted: Wanted, database: str, notes: Path) -> None:
        super().__init__(wanted, settings_of(wanted, database), ScaledClock(SPEED))
        self._notes = notes
        self._committed_ns = 0
        self._dealt = 0
        self.options = replace(self.options, at_point=self._at_point)

    def _at_point(self, point: str) -> None:
        """Called on the table's thread; a card has been dealt when the round has one more."""
        if point == "after_commit":
            self._committed_ns = time.monotonic_ns()
        elif point == "after_publish":
            shown = self.desk(TABLE).runner.shown
            play = shown.table.play
            dealt = len(play.places) if play is not None else 0
            if dealt > self._dealt:
                with self._notes.open("a") as notes:
                    notes.write(f"{shown.seq} {self._committed_ns}\n")
            self._dealt = dealt


def serve(eye: bool, folder: Path) -> None:  # noqa: FBT001  the studio's own process
    """Run the demonstration until it is told to end; its address is the first line told."""
    sources = ("shoe", "camera") if eye else ("shoe",)
    wanted = Wanted(speed=SPEED, sources=sources, port=8700, seed=5)
    studio = Watched(wanted, f"sqlite:///{folder}/demo.db", folder / "cards")

    def ready(address: str) -> None:
        told = {"address": address, "overlay": studio.overlays[TABLE], "codes": studio.codes}
        sys.stderr.write(json.dumps(told) + "\n")
        sys.stderr.flush()

    face("web").serve(studio, studio.settings, ready=ready, next_port=True)


# -- the screens -------------------------------------------------------------------------------


@dataclass
class Screen:
    """One connection and what has arrived on it so far."""

    plug: socket.socket
    waiting: bytearray = field(default_factory=bytearray)
    got: list[tuple[int, int]] = field(default_factory=list)
    """(number of the view, instant of its receipt)."""

    def read(self) -> None:
        """Take what is there; note each view that is whole by now."""
        data = self.plug.recv(1 << 16)
        if not data:
            raise ConnectionResetError("the studio closed a screen")
        now_ns = time.monotonic_ns()
        self.waiting += data
        for text in self._frames():
            if text[:1] == b"2":
                self.send(b"3")
            elif b'["view"' in text[:40]:
                found = SEQ.search(text)
                if found is not None:
                    self.got.append((int(found[1]), now_ns))

    def _frames(self) -> Iterator[bytes]:
        """Cut whole WebSocket frames out of what has arrived."""
        while len(self.waiting) >= 2:
            size, at = self.waiting[1] & 127, 2
            if size == 126:
                size, at = int.from_bytes(self.waiting[2:4], "big"), 4
            elif size == 127:
                size, at = int.from_bytes(self.waiting[2:10], "big"), 10
            if len(self.waiting) < at + size:
                return
            text = bytes(self.waiting[at : at + size])
            del self.waiting[: at + size]
            yield text

    def send(self, text: bytes) -> None:
        """Send one masked text frame of less than 64 KiB."""
        size = (
            bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
        )
        self.plug.sendall(b"\x81" + size + bytes(4) + text)


def connect(address: str, namespace: str, auth: dict[str, Any], cookie: str = "") -> Screen:
    """Open a screen and join."""
    host, _, port = address.removeprefix("http://").partition(":")
    plug = socket.create_connection((host, int(port)), timeout=20)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        f"Origin: {address}",
        *([f"Cookie: cutcard_session={cookie}"] if cookie else []),
    ]
    plug.sendall("\r\n".join([*lines, "", ""]).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += plug.recv(4096)
    head, _, rest = head.partition(b"\r\n\r\n")
    if b" 101 " not in head.split(b"\r\n")[0]:
        raise ConnectionRefusedError(head.decode(errors="replace"))
    screen = Screen(plug, bytearray(rest))
    screen.send(f"40{namespace},{json.dumps(auth)}".encode())
    return screen


def listen(screens: list[Screen], seconds: float) -> None:
    """Read whatever arrives on all screens for so long."""
    selector = selectors.DefaultSelector()
    for screen in screens:
        selector.register(screen.plug, selectors.EVENT_READ, screen)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        for key, _ in selector.select(left):
            key.data.read()


# -- the load ----------------------------------------------------------------------------------


def sign_in(address: str, number: str, pin: str) -> str:
    """Sign in as a console does; the session's token."""
    body = json.dumps({"number": number, "pin": pin}).encode()
    request = urllib.request.Request(  # noqa: S310  our own address
        f"{address}/api/ui/sign-in", body, {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310  our own address
        return str(answer.headers["Set-Cookie"]).partition("=")[2].partition(";")[0]


def press(address: str, ended: threading.Event) -> None:
    """Ask for pages until told to stop."""
    number = 0
    while not ended.wait(1 / REQUESTS_PER_S):
        try:
            with urllib.request.urlopen(  # noqa: S310  our own address
                address + PAGES[number % len(PAGES)], timeout=20
            ) as page:
                page.read()
        except OSError:  # 503 of a page that tells of a hold
            pass
        number += 1


# -- measuring ---------------------------------------------------------------------------------


def measure(way: Way, seconds: float) -> dict[str, Any]:
    """Run one way; what is told of it."""
    with tempfile.TemporaryDirectory(prefix="cutcard-latency-", dir=Path.cwd()) as made:
        folder = Path(made)
        command = [sys.executable, "-m", "benchmarks.latency", "--serve", str(folder)]
        studio = subprocess.Popen(  # noqa: S603  our own program
            command + ["--eye"] * way.eye, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        try:
            return _measure(way, seconds, folder, studio)
        finally:
            studio.send_signal(signal.SIGTERM)
            studio.wait(30)


def _measure(
    way: Way, seconds: float, folder: Path, studio: "subprocess.Popen[bytes]"
) -> dict[str, Any]:
    told = _greeting(studio)
    threading.Thread(target=_drain, args=(studio,), daemon=True).start()
    address, token = told["address"], {"table": TABLE, "token": told["overlay"]}
    overlays = [connect(address, "/overlay", token) for _ in range(way.sockets)]
    others, ended = [], threading.Event()
    if way.load:
        pins = {role: (number, pin) for _, role, number, pin in told["codes"]}
        for role in ("dealer", "supervisor"):
            cookie = sign_in(address, *pins[role])
            others.append(connect(address, f"/{role}", {"table": TABLE}, cookie))
        threading.Thread(target=press, args=(address, ended), daemon=True).start()
    cards = folder / "cards"
    while not cards.exists():
        listen([*overlays, *others], 0.5)
    began_ns = time.monotonic_ns()
    listen([*overlays, *others], seconds)
    ended_ns = time.monotonic_ns()
    ended.set()
    listen([*overlays, *others], 2)
    dealt = [tuple(map(int, line.split())) for line in cards.read_text().splitlines()]
    wanted = [(seq, at_ns) for seq, at_ns in dealt if began_ns < at_ns < ended_ns]
    for screen in (*overlays, *others):
        screen.plug.close()
    return _told(way, seconds, wanted, overlays)


def _greeting(studio: "subprocess.Popen[bytes]") -> dict[str, Any]:
    assert studio.stderr is not None
    for line in studio.stderr:
        if line.startswith(b'{"address"'):
            told: dict[str, Any] = json.loads(line)
            return told
    raise RuntimeError("the demonstration did not start")


def _drain(studio: "subprocess.Popen[bytes]") -> None:
    assert studio.stderr is not None
    for line in studio.stderr:
        if b'"level": "error"' in line or b"Traceback" in line:
            sys.stderr.write(line.decode())


def _told(
    way: Way, seconds: float, cards: list[tuple[int, int]], overlays: list[Screen]
) -> dict[str, Any]:
    waits: list[float] = []
    lost = 0
    for screen in overlays:
        place = 0
        for seq, at_ns in cards:
            while place < len(screen.got) and screen.got[place][0] < seq:
                place += 1
            if place == len(screen.got):
                lost += 1
            else:
                waits.append((screen.got[place][1] - at_ns) / 1e6)
    waits.sort()

    def at(share: float) -> float:
        return round(waits[min(len(waits) - 1, int(share * len(waits)))], 2)

    return {
        "what": way.name,
        "seconds": seconds,
        "cards": len(cards),
        "receipts": len(waits),
        "lost": lost,
        "p50_ms": at(0.5),
        "p99_ms": at(0.99),
        "max_ms": at(1.0),
        "load_1min": round(os.getloadavg()[0], 1),
    }


def main() -> int:
    """Print one line per way; 1 if a p99 is above the target or a view was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", type=int, choices=range(1, len(WAYS) + 1), help="one way")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--eye", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        serve(given.eye, given.serve)
        return 0
    good = True
    for way in WAYS if given.only is None else (WAYS[given.only - 1],):
        told = measure(way, given.seconds)
        good = good and told["p99_ms"] <= TARGET_MS and not told["lost"]
        print(json.dumps(told), flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
