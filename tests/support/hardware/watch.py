"""Collects what a device reports and lets a test wait for it, never longer than needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from studio.domain.observations import CardRead, LinkRates, Observation

PATIENCE_S = 20.0
"""A test that waits longer than this for an event has failed."""

Kind = TypeVar("Kind")


class Watch:
    """Pass `watch.report` to a device; ask from the test's thread."""

    def __init__(self) -> None:
        self._news = threading.Condition(threading.RLock())
        self._seen: list[Observation] = []

    def report(self, observation: Observation) -> None:
        """Take one observation."""
        with self._news:
            self._seen.append(observation)
            self._news.notify_all()

    @property
    def seen(self) -> list[Observation]:
        """All but the rates, in order."""
        with self._news:
            return [each for each in self._seen if not isinstance(each, LinkRates)]

    def of(self, kind: type[Kind]) -> list[Kind]:
        """All of one kind, in order."""
        with self._news:
            return [each for each in self._seen if isinstance(each, kind)]

    def codes(self) -> list[str]:
        """The cards that were read, in order; ``XX`` for a draw without identity."""
        return [each.card.code if each.card else "XX" for each in self.of(CardRead)]

    def until(self, met: Callable[[], bool], what: str = "") -> None:
        """Wait until the condition holds; fail with all that was seen if it never does."""
        with self._news:
            if not self._news.wait_for(met, PATIENCE_S):
                lines = "\n".join(map(str, self._seen))
                raise AssertionError(f"waited in vain for {what}; seen were:\n{lines}")

    def await_kind(self, kind: type[Kind], count: int = 1) -> Kind:
        """Wait for so many of a kind; the last of them."""
        self.until(lambda: len(self.of(kind)) >= count, f"{count} {kind.__name__}")
        return self.of(kind)[count - 1]

    def await_codes(self, *codes: str) -> None:
        """Wait until so many cards were read, then check that they are these."""
        self.until(lambda: len(self.codes()) >= len(codes), f"cards {codes}")
        assert self.codes() == list(codes)


def wait_until(met: Callable[[], bool], what: str = "") -> None:
    """Wait for something that tells nobody when it happens."""
    pause = threading.Event()
    for _ in range(int(PATIENCE_S / 0.005)):
        if met():
            return
        pause.wait(0.005)
    raise AssertionError(f"waited in vain for {what}")
