"""The gaming day: which day an instant belongs to, by the studio's own hour and time zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

MICROSECONDS = 1_000_000


class GamingDay:
    """Names the gaming day of an instant. Owned by one thread: it remembers the day it gave last.

    A day begins at a local wall-clock time. Where that time does not exist or comes twice (summer
    time), the day begins at the instant that the tz database gives for its first occurrence.
    """

    def __init__(self, starts: str, zone: ZoneInfo) -> None:
        """Take the local time HH:MM at which a day begins."""
        hour, minute = (int(part) for part in starts.split(":"))
        self._starts = time(hour, minute)
        self._zone = zone
        self._known: tuple[int, int, str] = (0, 0, "")

    def of(self, at_us: int) -> str:
        """The day, as ``2026-11-30``, of an instant (UTC in microseconds)."""
        first, end, day = self._known
        if not first <= at_us < end:
            self._known = self._around(at_us)
            day = self._known[2]
        return day

    def _around(self, at_us: int) -> tuple[int, int, str]:
        """First instant, end and name of the day around an instant."""
        local = datetime.fromtimestamp(at_us / MICROSECONDS, UTC).astimezone(self._zone)
        day = local.date()
        if at_us < self._begin_us(day):
            day -= timedelta(days=1)
        elif at_us >= self._begin_us(day + timedelta(days=1)):
            day += timedelta(days=1)
        return self._begin_us(day), self._begin_us(day + timedelta(days=1)), day.isoformat()

    def _begin_us(self, day: date) -> int:
        begin = datetime.combine(day, self._starts, self._zone)
        return int(begin.timestamp()) * MICROSECONDS
