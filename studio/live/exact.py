"""The exact figures of the tables' games: worked out beside the studio, so that no table waits.

Each game under each set of rules is worked out once, in a process of its own that gives way to
everything else; one process at a time. What asks meanwhile is told that it is being worked out.
"""

import contextlib
import logging
import multiprocessing
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from studio.games.spec import Game, no_choices

log = logging.getLogger("cutcard.exact")

_T = TypeVar("_T")

LONGEST_S: Final = 1800.0
"""How long anything may take: 20 s of work at most, and it gets what the tables leave it."""
GIVES_WAY: Final = 10
"""How much less of the processor it gets than a table, as `nice` counts."""


class Progress(StrEnum):
    """How far the figures of a table are."""

    READY = "ready"
    IN_WORK = "in_work"
    FAILED = "failed"
    """They cannot be worked out; the log says why."""
    NONE = "none"
    """There are none: how people at the table play decides its bets, not the cards alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetFigures:
    """One bet as `cutcard odds` has it; shares of 1, per unit staked."""

    bet: str
    """A bet of the game, or ``main_auto`` and the like: the main bet under a way of playing."""
    win: float
    push: float
    lose: float
    returned: float
    """Mean of what goes back, the stake included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All bets of a game under one set of rules, as far as they are known."""

    progress: Progress
    bets: tuple[BetFigures, ...] = ()
    label: float | None = None
    """The return of the main bet that the house shows, where the game has such a label."""


Work = Callable[[str, Mapping[str, Any]], Figures]
"""(game, its rules by public names) → its figures."""


def work_out(game: str, rules: Mapping[str, Any]) -> Figures:
    """Work out the figures here and now; failed where the game has none."""
    from studio.odds.registry import odds  # noqa: PLC0415  no table needs numpy for this

    try:
        found = odds(game, rules)
    except ValueError:
        log.exception("the figures of %s cannot be worked out", game)
        return Figures(progress=Progress.FAILED)
    bets = tuple(
        BetFigures(bet=b.bet, win=b.win, push=b.push, lose=b.lose, returned=b.returned)
        for b in found.bets
    )
    return Figures(progress=Progress.READY, bets=bets, label=found.extras.get("label_return"))


def beside(game: str, rules: Mapping[str, Any]) -> Figures:
    """Work out the figures in a process of their own; failed where that ends without an answer."""
    return in_process(work_out, game, dict(rules)) or Figures(progress=Progress.FAILED)


def in_process(work: Callable[..., _T], *given: Any) -> _T | None:
    """Do something that can be sent to another process there, and give way to everything else.

    None where it takes longer than `LONGEST_S`, or ends without an answer.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(theirs, work, given), daemon=True)
    process.start()
    theirs.close()
    try:
        if ours.poll(LONGEST_S):
            answer: _T = ours.recv()
            return answer
        log.error("%s took longer than %.0f s", work, LONGEST_S)
    except (EOFError, OSError):
        log.exception("the process for %s ended", work)
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()
    return None


def _child(pipe: Connection, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_studio, daemon=True).start()
    os.nice(GIVES_WAY)
    answer = work(*given)
    with contextlib.suppress(BrokenPipeError):  # the studio ended in this very moment
        pipe.send(answer)


def _end_with_studio() -> None:
    """End this process with the one that began it: nobody waits for the answer any more."""
    studio = multiprocessing.parent_process()
    if studio is not None:
        studio.join()
        os._exit(1)


_Key = tuple[str, str]


@dataclass(slots=True)
class Exact:
    """The figures that were worked out so far, by game and rules. Any thread may ask."""

    work: Work = beside
    _known: dict[_Key, Figures] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def of(self, game: Game, rules: Any, digest: str) -> Figures:
        """Give the figures; the first to ask starts the work, and nobody waits for it."""
        if game.choices is not no_choices:
            return Figures(progress=Progress.NONE)
        key = (game.name, digest)
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                return found
            waiting = self._known[key] = Figures(progress=Progress.IN_WORK)
        threading.Thread(
            target=self._find, args=(key, rules.as_dict()), name="figures", daemon=True
        ).start()
        return waiting

    def _find(self, key: _Key, rules: Mapping[str, Any]) -> None:
        found = Figures(progress=Progress.FAILED)
        try:
            with self._turn:
                found = self.work(key[0], rules)
        except Exception:  # nobody waits for an answer: what went wrong is told to the log
            log.exception("the figures of %s could not be worked out", key[0])
        finally:
            with self._lock:
                self._known[key] = found
