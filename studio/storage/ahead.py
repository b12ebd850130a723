"""Reads the bet record on beside the tables, so that the first who asks need not wait for it.

A round of a million is millions of rows. They are written in small portions with rests between
them, long ones while anything happens at a table: a card waits for one portion at most, and seldom.
"""

import logging
import threading
from typing import Final

from studio.storage.betrecord import BetRecord

log = logging.getLogger("cutcard.record")
EVERY_S: Final = 1.0
"""How often it looks for new facts, in real seconds."""
REST: Final = 3.0
"""While nothing happens it rests so many times as long as a portion took."""
LONGEST_REST_S: Final = 0.5
"""It rests no longer, and so long after each portion while facts come in."""


class _Ended(Exception):  # noqa: N818  it says what happened
    """The studio ends in the middle of a fact: it is read again at the next start."""


class ReadingAhead:
    """A thread that keeps one bet record up to date."""

    def __init__(self, record: BetRecord) -> None:
        """Nothing is read before `start`."""
        self._record = record
        self._ending = threading.Event()
        self._failed = False
        self._newest = 0
        self._thread = threading.Thread(target=self._run, name="bet-record", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the portion that is being written."""
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ending.wait(EVERY_S):
            try:
                self._record.refresh(self._rest)
                self._failed = False
            except _Ended:
                return
            except Exception:  # whatever it is, it is tried again, and told to who asks
                if not self._failed:
                    log.exception("the bet record cannot be read on")
                self._failed = True

    def _rest(self, took_s: float) -> None:
        """Leave the machine to the tables, unless somebody waits for the record.

        Raises:
            _Ended: if the studio ends.
        """
        if self._ending.is_set():
            raise _Ended
        if self._record.wanted:
            return
        before, self._newest = self._newest, self._record.newest()
        quiet = before == self._newest
        self._ending.wait(min(REST * took_s, LONGEST_REST_S) if quiet else LONGEST_REST_S)
