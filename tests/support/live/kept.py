"""A table with a keeper of evidence, a wire that is spoken to by hand, and a camera of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hardware.cutcard_line import CutcardLine, open_device
from hardware.line_codec import Message, encode
from studio.domain.envelope import Sealed
from studio.live.evidence import Keeper
from studio.storage.evidence import MemoryEvidence
from tests.support.live.bench import BOOT, Bench


@dataclass
class Lens:
    """A camera that keeps a picture every 200 ms of the hour around the present."""

    clock: Any
    name: str = "camera"
    broken: bool = False
    asked: list[tuple[int, int]] = field(default_factory=list)

    def start(self, report: Any) -> None: ...

    def stop(self) -> None: ...

    def picture(self) -> bytes | None:
        return None

    def pictures(self, since_us: int, until_us: int) -> Sequence[tuple[int, bytes]]:
        self.asked.append((since_us, until_us))
        if self.broken:
            raise RuntimeError("the lens fell off")
        first = -(-since_us // 200_000) * 200_000
        return [(at, b"\xff\xd8" + str(at).encode()) for at in range(first, until_us + 1, 200_000)]


class KeptBench(Bench):
    """The bench with evidence: cards go over the wire as frames."""

    def __init__(self, *args: Any, store: Any = None, camera: bool = True, **more: Any) -> None:
        super().__init__(*args, **more)
        self.store = store if store is not None else MemoryEvidence()
        self.keeper = Keeper(self.clock, self.store)
        self.lens = Lens(self.clock)
        self.wire: CutcardLine = open_device("shoe", {"url": "/dev/null"}, self.clock)
        self.wire._sink = self.runner.report
        self.frame_no = 0
        self.keeper.watch(
            self.setup.table,
            device=self.wire,
            camera=self.lens if camera else None,  # type: ignore[arg-type]
            report=self.runner.report,
            facts=[fact.event for fact in self.runner.shown.records],
        )
        self.runner._means = replace(self.runner._means, told=self.keeper.heed)

    def hello(self) -> None:
        """The device greets; its count begins."""
        self.send("HELLO", "Model S", "1.0.2", "SN00417")

    def shoe_online(self, boot: str = BOOT) -> None:
        self.hello()

    def send(self, kind: str, *payload: str) -> bytes:
        """One frame of the device, with the next number."""
        raw = encode(
            Message(device="shoe-7", boot=BOOT, sequence=self.frame_no, kind=kind, payload=payload)
        )
        self.frame_no += 1
        self.receive(raw)
        return raw

    def receive(self, raw: bytes) -> None:
        """Any bytes from the device."""
        self.wire.received(raw)
        self.runner.flush()

    def deal(self, codes: str) -> None:
        for code in codes.split():
            self.send("CARD", code)

    def pass_s(self, seconds: float) -> None:
        """Let time pass for table and keeper."""
        self.clock.advance(round(seconds * 1_000_000))
        self.keeper.turn()
        self.runner.flush()

    def kept(self, fault: str) -> dict[str, bytes]:
        """Name and bytes of what was kept of a fault."""
        table = self.setup.table
        return {
            item.name: self.store.read(table, fault, item.name) or b""
            for item in self.store.items(table, fault)
        }

    def of(self, kind: type) -> list[Any]:
        """All facts of one kind."""
        return [event for event in self.events() if isinstance(event, kind)]

    def sealed(self) -> dict[tuple[str, int], str]:
        """Card by (boot, sequence) of every draw whose identity was ever sealed."""
        found = {}
        for event in self.events():
            sealed = getattr(event, "sealed", None)
            if isinstance(sealed, Sealed) and sealed.card is not None:
                number = getattr(event, "of", getattr(event, "sequence", None))
                if number is not None:
                    found[event.boot, number] = sealed.card.code
        return found


Make = Callable[..., KeptBench]
