"""Identifiers: sorted by time in a studio, counted in tests, `play` and seeded demonstrations."""

from threading import Lock

from uuid_utils import uuid7


class TimeSortedIds:
    """UUIDs of version 7 (RFC 9562): unique without asking anybody, in order of creation."""

    def new(self) -> str:
        """Give an identifier that was never given before, 36 characters."""
        return str(uuid7())


class SequentialIds:
    """The prefix with a rising number, so that the same seed gives the same journal."""

    def __init__(self, prefix: str = "id-", *, start: int = 1) -> None:
        """Count from `start`."""
        self._prefix = prefix
        self._next = start
        self._lock = Lock()

    def new(self) -> str:
        """Give the next one, as ``id-1``."""
        with self._lock:
            number = self._next
            self._next += 1
        return f"{self._prefix}{number}"
