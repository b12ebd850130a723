"""How fast the wire is: `python -m benchmarks.wires` from the root of the checkout.

One JSON object a line. Each figure stands beside what it is compared with: the parser and the
session beside what a line of 115,200 baud can carry (11,520 bytes a second), the way of a card
from the shoe to the report beside the bare way of one byte through the same kind of
pseudo-terminal.
"""

import json
import os
import random
import statistics
import threading
import tty
from time import perf_counter

from hardware.cutcard_line import DRIVER
from hardware.framing import Frame, FrameParser
from hardware.line_codec import Message, decode, encode
from hardware.line_session import LineSession
from hardware.sim.wallclock import WallClock
from studio.domain.cards import PACK
from studio.domain.observations import CardRead, DeviceOnline, Observation

FRAMES = 40_000
DRAWS = 1_000
LINE_BYTES_S = 11_520
PATIENCE_S = 10.0


def main() -> None:
    """Measure, and print one JSON object a line."""
    data = frames()
    show("parser, in pieces of 512 bytes", FRAMES, parse(data, 512), len(data))
    show("parser, byte by byte", FRAMES, parse(data, 1), len(data))
    noisy = with_noise(data)
    show("parser, one byte in ten is noise", FRAMES, parse(noisy, 512), len(noisy))
    show("parser, session and answers", FRAMES, converse(data), len(data))
    bare, card = bare_way(), way_of_a_card()
    for name, times in (("one byte through a pseudo-terminal", bare), ("shoe to report", card)):
        times.sort()
        median, p99 = statistics.median(times), times[len(times) * 99 // 100]
        print(
            json.dumps({"what": name, "median_us": round(median * 1e6), "p99_us": round(p99 * 1e6)})
        )


def show(what: str, count: int, seconds: float, size: int) -> None:
    """Print a rate, and how many full lines of 115,200 baud that is."""
    lines = size / seconds / LINE_BYTES_S
    rate = {"what": what, "frames_s": round(count / seconds), "lines_at_115200": round(lines)}
    print(json.dumps(rate))


def message(number: int) -> Message:
    """One card of an endless shoe."""
    return Message(
        device="shoe-7",
        boot="9F3A12C4",
        sequence=number % 65536,
        kind="CARD",
        payload=(PACK[number % 52].code,),
    )


def frames() -> bytes:
    """A long shoe as bytes."""
    return b"".join(encode(message(number)) for number in range(FRAMES))


def with_noise(data: bytes) -> bytes:
    """The same with stray bytes between the frames, a tenth of all."""
    chance = random.Random(1)
    return b"".join(line + b"\n" + chance.randbytes(4) for line in data.split(b"\n"))


def parse(data: bytes, size: int) -> float:
    """Seconds to cut the bytes into frames; none may be missing."""
    parser, found = FrameParser(), 0
    started = perf_counter()
    for at in range(0, len(data), size):
        found += sum(isinstance(each, Frame) for each in parser.feed(data[at : at + size]))
    seconds = perf_counter() - started
    assert found == FRAMES, found
    return seconds


def converse(data: bytes) -> float:
    """Seconds to cut, order, report and acknowledge all cards."""
    reports: list[Observation] = []
    session = LineSession(name="shoe", report=reports.append, send=lambda _: None)
    session.opened(now_s=0.0, clock_us=0)
    greeting = Message(device="shoe-7", boot="9F3A12C4", sequence=65535, kind="HELLO")
    session.heard(greeting, at_us=0, now_s=0.0, clock_us=0)
    parser = FrameParser()
    started = perf_counter()
    for at in range(0, len(data), 512):
        for each in parser.feed(data[at : at + 512]):
            assert isinstance(each, Frame)
            session.heard(decode(each.body), at_us=0, now_s=0.0, clock_us=0)
    seconds = perf_counter() - started
    assert len(reports) == FRAMES + 1, len(reports)
    return seconds


def bare_way() -> list[float]:
    """Seconds of one byte from one thread to another through a pseudo-terminal, each way once."""
    master, slave = os.openpty()
    tty.setraw(slave)
    times = []

    def echo() -> None:
        for _ in range(DRAWS):
            os.write(slave, os.read(slave, 1))

    other = threading.Thread(target=echo)
    other.start()
    for _ in range(DRAWS):
        started = perf_counter()
        os.write(master, b"x")
        os.read(master, 1)
        times.append((perf_counter() - started) / 2)
    other.join()
    os.close(master)
    os.close(slave)
    return times


def way_of_a_card() -> list[float]:
    """Seconds from the hand at the simulated shoe to the report of the real driver."""
    clock = WallClock()
    shoe = DRIVER.simulate({}, clock)
    shoe.start()
    device = DRIVER.open("shoe", {"url": shoe.path}, clock)
    online, read = threading.Event(), threading.Semaphore(0)

    def report(observation: Observation) -> None:
        if isinstance(observation, DeviceOnline):
            online.set()
        elif isinstance(observation, CardRead):
            read.release()

    device.start(report)
    assert online.wait(PATIENCE_S)
    shoe.load([card.code for card in PACK] * (DRAWS // 52 + 1))
    times = []
    for _ in range(DRAWS):
        started = perf_counter()
        shoe.draw()
        assert read.acquire(timeout=PATIENCE_S)
        times.append(perf_counter() - started)
        assert shoe.quiet(PATIENCE_S)
    device.stop()
    shoe.stop()
    return times


if __name__ == "__main__":
    main()
