"""The names of all metrics, and one registry a studio to count in.

Label values are bounded: tables, devices, codes and audiences, never cards, players or rounds.
Every method may be called from any thread and takes a few microseconds.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

FAST_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Upper edges in seconds of the histograms: from half a millisecond to five seconds."""


class Metrics:
    """Everything that is counted in one studio.

    Safe from any thread. A second studio in the same process (tests) has a registry of its own.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._cards = self._counter("cards_dealt", "Cards accepted", "table")
        self._rounds = self._counter("rounds", "Rounds by their end", "table", "state")
        self._faults = self._counter("faults", "Faults by code", "table", "code")
        self._holds = self._counter(
            "holds", "Holds by the code of their first fault", "table", "code"
        )
        self._rejected = self._counter("rejections", "Rejected commands by reason", "table", "code")
        self._bytes = self._counter("device_bytes", "Bytes or frames captured", "table", "device")
        self._frames = self._counter("device_frames", "Frames understood", "table", "device")
        self._garbage = self._counter(
            "device_garbage", "Bytes that made no frame", "table", "device"
        )
        self._inbox = self._histogram("inbox_wait", "From arrival to the table's thread", "table")
        self._commit = self._histogram("commit", "One commit of the journal", "table")
        self._view = self._histogram("view", "From what was seen to the view sent", "table")
        self._depth = self._gauge("inbox_depth", "Notes waiting in the inbox", "table")
        self._held = self._gauge("table_held", "1 while the table is held", "table")
        self._stopped = self._gauge("table_stopped", "1 once the table has stopped", "table")
        self._online = self._gauge("device_online", "1 while the device answers", "table", "device")
        self._sockets = self._gauge("sockets", "Open live connections", "audience")
        self._outbox = self._gauge("outbox_age_seconds", "Age of the oldest entry", "receiver")

    def card_dealt(self, table: str) -> None:
        """A card was accepted."""
        self._cards.labels(table).inc()

    def round_ended(self, table: str, state: str) -> None:
        """A round ended; `state` is ``settled`` or ``voided``."""
        self._rounds.labels(table, state).inc()

    def fault(self, table: str, code: str) -> None:
        """A fault was journalled; `code` is a `FaultCode`."""
        self._faults.labels(table, code).inc()

    def held(self, table: str, code: str) -> None:
        """The table went from free to held; `code` is that of the first fault."""
        self._holds.labels(table, code).inc()
        self._held.labels(table).set(1)

    def released(self, table: str) -> None:
        """The hold was lifted."""
        self._held.labels(table).set(0)

    def stopped(self, table: str) -> None:
        """The table has stopped: it takes nothing any more until the studio is started again."""
        self._stopped.labels(table).set(1)

    def rejected(self, table: str, code: str) -> None:
        """A command was rejected; `code` is the message code of the reason."""
        self._rejected.labels(table, code).inc()

    def inbox(self, table: str, *, wait_s: float, depth: int) -> None:
        """One note was taken from the inbox after so many seconds; so many are left."""
        self._inbox.labels(table).observe(wait_s)
        self._depth.labels(table).set(depth)

    def commit(self, table: str, seconds: float) -> None:
        """One commit of the journal took so many seconds."""
        self._commit.labels(table).observe(seconds)

    def view_sent(self, table: str, seconds: float) -> None:
        """From the instant of the observation to the view handed to the sockets."""
        self._view.labels(table).observe(seconds)

    def device(self, table: str, device: str, *, size: int, frames: int, garbage: int) -> None:
        """What a device did since the last call: bytes, frames, bytes of garbage.

        Raises:
            ValueError: if one of them is negative.
        """
        self._bytes.labels(table, device).inc(size)
        self._frames.labels(table, device).inc(frames)
        self._garbage.labels(table, device).inc(garbage)

    def device_online(self, table: str, device: str, *, online: bool) -> None:
        """A device was found or lost."""
        self._online.labels(table, device).set(int(online))

    def sockets(self, audience: str, count: int) -> None:
        """So many live connections are open for an audience, as ``dealer``."""
        self._sockets.labels(audience).set(count)

    def outbox_age(self, receiver: str, seconds: float) -> None:
        """The oldest entry that this receiver has not confirmed is so many seconds old."""
        self._outbox.labels(receiver).set(seconds)

    def text(self) -> str:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry).decode()

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"cutcard_{name}", meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(f"cutcard_{name}", meaning, labels, registry=self.registry)

    def _histogram(self, name: str, meaning: str, *labels: str) -> Histogram:
        return Histogram(
            f"cutcard_{name}_seconds", meaning, labels, registry=self.registry, buckets=FAST_S
        )
