"""100,000 bets in batches through HTTP, while another table deals to its screens.

One studio in a process of its own: at ``ba1`` a simulated dealer deals to ten overlays as in
`benchmarks.latency`, at ``big`` bets are open. A platform in a third process sends signed batches
of 5,000 bets, one after the other, each answered entry by entry once the wallet has reserved it.
Told: seconds for all bets, the studio's and the platform's CPU seconds meanwhile, and how long a
card took from its commit to the screens, alone first and then under the bets.

Run with ``python -m benchmarks.platform`` on a quiet machine. Two JSON lines.
"""

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from benchmarks.latency import (
    SPEED,
    TARGET_MS,
    Screen,
    Watched,
    Way,
    _drain,
    _greeting,
    _told,
    connect,
    listen,
)
from studio.domain import commands as c
from studio.live.signing import call_headers
from studio.plugins import face
from studio.settings import PlatformSettings, Secrets, Settings
from studio.simulate.demo import TABLE, Wanted

BIG = "big"
KEY = "benchmark-key-0123456789"
BETS = 100_000
BATCH = 5_000
TARGET_S = 10.0
OVERLAYS = 10
CARDS = ("2C", "3C", "4C", "9S", "2D", "KH", "5D")


def player(number: int) -> str:
    """The name of a player."""
    return f"player-{number:06}"


# -- the studio's process ------------------------------------------------------------------------


class Loaded(Watched):
    """A demonstration at one table; at the other bets are open for a hundred thousand players."""

    def __init__(self, wanted: Wanted, database: str, notes: Path) -> None:
        super().__init__(wanted, database, notes)
        settings = with_big(self.settings)
        self._again(settings)

    def _again(self, settings: Settings) -> None:
        """Put the studio together once more, with the further table and the platform."""
        notes, options, codes = self._notes, self.options, self.codes
        super(Watched, self).__init__(self.wanted, settings, options.clock)
        self._notes, self.options, self.codes = notes, options, codes

    def _at_point(self, point: str) -> None:
        if threading.current_thread().name == f"table-{TABLE}":
            super()._at_point(point)

    def _send_dealer(self, table: str) -> None:
        if table != BIG:
            super()._send_dealer(table)

    def open_bets(self) -> str:
        """Open the round at the big table; its id."""
        assert self.wallet is not None
        for at in range(0, BETS, BATCH):
            some = [(player(number), 1_000_000) for number in range(at, at + BATCH)]
            self.wallet.settle(f"opening-{at}", some)
        desk, wire = self.desk(BIG), self.wires[BIG]
        until(lambda: desk.table().device("shoe").online)
        wire.load(CARDS)
        desk.ask(c.OpenTable(), who="2001", role="supervisor")
        desk.ask(c.StartShoe(), who="1001", role="dealer")
        for _ in range(3):
            desk.ask(c.ConfirmStep(), who="1001", role="dealer")
        for _ in range(3):
            version = desk.table().version
            wire.draw()
            until(lambda before=version: desk.table().version > before)
        desk.ask(c.ConfirmStep(), who="1001", role="dealer")
        desk.ask(c.OpenBets(), who="1001", role="dealer")
        current = desk.table().round
        assert current is not None
        return current.id


def with_big(settings: Settings) -> Settings:
    """The configuration with the further table and a platform."""
    big = settings.tables[TABLE].model_copy(update={"betting_s": 600.0})
    return settings.model_copy(
        update={
            "tables": {**settings.tables, BIG: big},
            "platforms": {"house": PlatformSettings()},
            "secrets": Secrets(platform_keys={"house": SecretStr(KEY)}),
        }
    )


def until(wanted: Any) -> None:
    """Wait until something is so."""
    pause = threading.Event()
    while not wanted():
        pause.wait(0.01)


def serve(folder: Path) -> None:
    """Run the studio until it is told to end; its address is the first line told."""
    wanted = Wanted(speed=SPEED, sources=("shoe",), port=8720, seed=5)
    studio = Loaded(wanted, f"sqlite:///{folder}/demo.db", folder / "cards")

    def ready(address: str) -> None:
        told = {
            "address": address,
            "overlay": studio.overlays[TABLE],
            "round": studio.open_bets(),
            "pid": os.getpid(),
        }
        sys.stderr.write(json.dumps(told) + "\n")
        sys.stderr.flush()

    face("web").serve(studio, studio.settings, ready=ready, next_port=True)


# -- the platform's process ----------------------------------------------------------------------


def bet(address: str, round_id: str) -> None:
    """Send all bets; how long that took is printed."""
    target = f"/api/v1/tables/{BIG}/rounds/{round_id}/bets"
    bodies = []
    for at in range(0, BETS, BATCH):
        bets = [
            {"id": f"bet-{n:06}", "player": player(n), "bet": "player", "stake": 1000}
            for n in range(at, at + BATCH)
        ]
        bodies.append(json.dumps({"bets": bets}, separators=(",", ":")).encode())
    accepted, slowest_s, began_s = 0, 0.0, time.monotonic()
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    for number, body in enumerate(bodies):
        sent_s = time.monotonic()
        headers = call_headers(
            "house", KEY, method="POST", target=target, at_s=int(time.time()), body=body
        )
        connection.request("POST", target, body, {**headers, "Idempotency-Key": f"batch-{number}"})
        accepted += json.loads(connection.getresponse().read())["accepted"]
        slowest_s = max(slowest_s, time.monotonic() - sent_s)
    took_s = time.monotonic() - began_s
    told = {
        "bets": BETS,
        "accepted": accepted,
        "seconds": round(took_s, 2),
        "slowest_batch_s": round(slowest_s, 2),
        "platform_cpu_s": round(time.process_time(), 2),
    }
    sys.stdout.write(json.dumps(told))


# -- measuring ------------------------------------------------------------------------------------


def cpu_s(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(seconds: float) -> bool:
    """Run it; whether the targets are met."""
    with tempfile.TemporaryDirectory(prefix="cutcard-platform-", dir=Path.cwd()) as made:
        folder = Path(made)
        command = [sys.executable, "-m", "benchmarks.platform"]
        studio = subprocess.Popen(  # noqa: S603  our own program
            [*command, "--serve", str(folder)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        try:
            told = _greeting(studio)
            threading.Thread(target=_drain, args=(studio,), daemon=True).start()
            auth = {"table": TABLE, "token": told["overlay"]}
            overlays = [connect(told["address"], "/overlay", auth) for _ in range(OVERLAYS)]
            cards = folder / "cards"
            while not cards.exists():
                listen(overlays, 0.5)
            alone = watch(cards, overlays, "cards alone", seconds)
            print(json.dumps(alone), flush=True)
            before_s = cpu_s(told["pid"])
            betting = subprocess.Popen(  # noqa: S603  our own program
                [*command, "--bet", told["address"], told["round"]], stdout=subprocess.PIPE
            )
            under = watch(cards, overlays, "cards under 100,000 bets", seconds, betting)
            assert betting.stdout is not None
            bets = json.loads(betting.stdout.read())
            bets["studio_cpu_s"] = round(cpu_s(told["pid"]) - before_s, 2)
            print(json.dumps({**under, **bets}), flush=True)
        finally:
            studio.send_signal(signal.SIGTERM)
            studio.wait(30)
    done = bets["accepted"] == BETS and bets["seconds"] <= TARGET_S
    return bool(done and under["p99_ms"] <= TARGET_MS and not under["lost"])


def watch(
    cards: Path,
    overlays: list[Screen],
    what: str,
    seconds: float,
    beside: "subprocess.Popen[bytes] | None" = None,
) -> dict[str, Any]:
    """Listen for so long, or as long as something runs beside; what the screens got."""
    began_ns = time.monotonic_ns()
    if beside is None:
        listen(overlays, seconds)
    else:
        while beside.poll() is None:
            listen(overlays, 0.2)
    ended_ns = time.monotonic_ns()
    listen(overlays, 2)
    dealt = [tuple(map(int, line.split())) for line in cards.read_text().splitlines()]
    wanted = [(seq, at_ns) for seq, at_ns in dealt if began_ns < at_ns < ended_ns]
    took_s = round((ended_ns - began_ns) / 1e9, 1)
    return _told(Way(what, len(overlays), eye=False, load=False), took_s, wanted, overlays)


def main() -> int:
    """Print two lines; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--bet", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        serve(given.serve)
        return 0
    if given.bet is not None:
        bet(*given.bet)
        return 0
    return 0 if measure(given.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
