"""Counts how the bets of a table ended, from the journal, by table, dealer and shift."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from studio.domain import events as e
from studio.domain.cards import HIDDEN, Card
from studio.domain.envelope import Recorded
from studio.live.observed import Asked, Group, Of
from studio.odds.observed import Counts, End, ends
from studio.settings import Settings
from studio.storage.database import open_existing
from studio.storage.journal import SqlJournal
from studio.storage.readmodels import RoundSummary, read_rounds

DAYS: Final = 31
"""So many of the newest gaming days of a table are counted: a month, and never all of history."""
SHIFT_MINUTES: Final = 8 * 60
"""A gaming day has three shifts of eight hours by the clock on the wall, from its beginning on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsOf:
    """Counts in the database at an address; can be sent to another process."""

    database: str
    day_starts: str
    """Local time HH:MM at which a gaming day begins."""
    zone: str
    """Name in the tz database."""

    def __call__(self, asked: Asked) -> tuple[Group, ...]:
        """Count the settled rounds under these rules of the newest days.

        Raises:
            JournalError: if the database cannot be read.
        """
        database = open_existing(self.database)
        try:
            journal = SqlJournal(database)
            prefix = f"table/{asked.table}/"
            streams = [name for name in journal.streams() if name.startswith(prefix)][-DAYS:]
            return count(asked, _rounds(journal, streams), self.shift)
        finally:
            database.close()

    def shift(self, at_us: int) -> str:
        """Number of the shift that an instant (UTC in microseconds) falls into."""
        local = datetime.fromtimestamp(at_us / 1_000_000, UTC).astimezone(ZoneInfo(self.zone))
        hour, minute = (int(part) for part in self.day_starts.split(":"))
        begun = local - timedelta(hours=hour, minutes=minute)
        return str((begun.hour * 60 + begun.minute) // SHIFT_MINUTES + 1)


def rounds_of(settings: Settings) -> RoundsOf:
    """Who counts in the database of a studio."""
    studio = settings.studio
    return RoundsOf(
        database=studio.database, day_starts=studio.gaming_day_starts, zone=studio.time_zone
    )


_Dealt = tuple[RoundSummary, e.RoundOpened]


def _rounds(journal: SqlJournal, streams: Sequence[str]) -> Iterator[_Dealt]:
    """The rounds of these streams as all corrections have them, each with its opening."""
    openings: dict[str, e.RoundOpened] = {}

    def noted(stream: str) -> Iterator[Recorded]:
        for fact in journal.read(stream):
            if isinstance(fact.event, e.RoundOpened):
                openings[fact.event.round_id] = fact.event
            yield fact

    found = read_rounds((stream, noted(stream)) for stream in streams)
    return ((summary, openings[summary.round_id]) for summary in found)


def count(asked: Asked, rounds: Iterable[_Dealt], shift: Callable[[int], str]) -> tuple[Group, ...]:
    """Count settled rounds of these rules: the table first, then dealers, then shifts."""
    numbers: dict[tuple[Of, str], int] = defaultdict(int)
    counts: dict[tuple[Of, str], dict[str, list[int]]] = defaultdict(dict)
    for summary, opening in rounds:
        if summary.state != "settled" or opening.rules_digest != asked.digest:
            continue
        cards = [(to, None if code == HIDDEN else Card.parse(code)) for to, code in summary.cards]
        ended = ends(asked.game, asked.rules, cards)
        keys = ((Of.TABLE, ""), (Of.DEALER, opening.dealer), (Of.SHIFT, shift(summary.opened_us)))
        for key in keys:
            numbers[key] += 1
            for bet, end in ended.items():
                counts[key].setdefault(bet, [0] * len(End))[end] += 1
    order = list(Of)
    return tuple(
        Group(of=key[0], name=key[1], rounds=number, bets=_as_pairs(counts[key]))
        for key, number in sorted(numbers.items(), key=lambda of: (order.index(of[0][0]), of[0][1]))
    )


def _as_pairs(counts: Mapping[str, Sequence[int]]) -> tuple[tuple[str, Counts], ...]:
    return tuple((bet, (won, pushed, lost)) for bet, (won, pushed, lost) in counts.items())
