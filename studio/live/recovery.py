"""What a table was, from its journal alone. After any stop it comes back held (DESIGN.md 5)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from studio.domain import events as e
from studio.domain.envelope import Recorded
from studio.live.ports import Journal
from studio.live.treasury import Treasury
from studio.table.evolve import evolve
from studio.table.state import Table

RECENT_STREAMS = 2
"""Gaming days whose payments are offered to the wallet again; it knows those it has made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A table as its journal tells it."""

    table: Table = field(default_factory=Table)
    stream: str = ""
    """The newest stream; empty if there is none."""
    version: int = 0
    """Version of that stream."""
    records: tuple[Recorded, ...] = ()
    """Facts since the newest round was opened."""


def prefix_of(table: str) -> str:
    """What the names of a table's streams begin with."""
    return f"table/{table}/"


def restore(journal: Journal, table: str, treasury: Treasury | None = None) -> Restored:
    """Fold all streams of a table in their order.

    The treasury, if given, is left with what the wallet may not have been told.

    Raises:
        JournalError: if a fact cannot be read by this release.
    """
    prefix = prefix_of(table)
    streams = [name for name in journal.streams() if name.startswith(prefix)]
    state, version = Table(), 0
    records: list[Recorded] = []
    for left, stream in zip(range(len(streams) - 1, -1, -1), streams, strict=True):
        version = 0
        for fact in journal.read(stream, secrets=True):
            state = evolve(state, fact.event, fact.at_us)
            version = fact.version
            if isinstance(fact.event, e.RoundOpened):
                records.clear()
            records.append(fact)
            if treasury is not None:
                treasury.heed((fact.event,))
        if treasury is not None and left >= RECENT_STREAMS:
            treasury.forget_paid()
    if treasury is not None:
        treasury.forget_answered()
    return Restored(
        table=state,
        stream=streams[-1] if streams else "",
        version=version,
        records=tuple(records),
    )


def known_counts(table: Table) -> Iterator[tuple[str, str, int]]:
    """Give (device, boot, sequence) of the newest report that the journal has of each device."""
    newest = dict(table.sensing.newest)
    for device in table.devices:
        if device.boot in newest:
            yield device.name, device.boot, newest[device.boot]
