"""What a table may show now, and the numbers by which its screens follow.

The table's thread shows; any thread reads, and any may ask for a new number.
"""

import threading
from collections.abc import Sequence

from studio.domain import events as e
from studio.domain.envelope import Envelope, Recorded
from studio.domain.values import replace
from studio.live.means import Shown
from studio.table.state import Table


class Showing:
    """The newest `Shown` of one table; each change gives a whole new one."""

    def __init__(self, table: Table, records: Sequence[Recorded], at_us: int) -> None:
        """Show a table as it was taken over, as number 0."""
        self._changing = threading.Lock()
        self._now = Shown(table=table, seq=0, step_seq=0, heard_us=at_us, records=tuple(records))

    @property
    def now(self) -> Shown:
        """The newest state that may be shown."""
        return self._now

    def show(
        self, table: Table, events: Sequence[e.Event], envelope: Envelope, *, first: int, at_us: int
    ) -> None:
        """Show a table after these facts; `first` is the version of the first of them."""
        with self._changing:
            before = self._now
            seq = before.seq + 1
            kept, records = before.records, list[Recorded]()
            for version, event in enumerate(events, first):
                if isinstance(event, e.RoundOpened):
                    kept = ()
                    records.clear()
                records.append(
                    Recorded(
                        version=version,
                        at_us=envelope.at_us,
                        actor=envelope.actor,
                        command_id=envelope.command_id,
                        event=event,
                        cause=envelope.cause,
                    )
                )
            same_step = _step_of(before.table) == _step_of(table)
            self._now = Shown(
                table=table,
                seq=seq,
                step_seq=before.step_seq if same_step else seq,
                heard_us=at_us,
                records=(*kept, *records),
            )

    def heard(self, at_us: int) -> None:
        """All that was due until this instant was looked at, and nothing followed from it."""
        with self._changing:
            self._now = replace(self._now, heard_us=at_us)

    def renumber(self) -> None:
        """Give the screens a new number without a new fact."""
        with self._changing:
            self._now = replace(self._now, seq=self._now.seq + 1)


def _step_of(table: Table) -> tuple[object, ...]:
    """What a dealer's confirmation is about."""
    inputs = len(table.play.inputs) if table.play is not None else -1
    current = table.round
    collected = current is not None and current.collected
    return (table.phase, inputs, current.id if current else "", collected)
