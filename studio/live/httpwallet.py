"""A wallet that a platform keeps, spoken to over HTTP: signed, in batches, idempotent by key.

`POST <url>/reserve`, `/settle`, `/debit` and `/short`; docs/manual/platform.md has the shapes. A
call with many entries goes in parts, each with a key made from the call's.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from studio.live.calling import Caller, NotSent, Unanswered

AT_ONCE: Final = 5_000
"""Entries of one call, as in the other direction."""
PAY_S: Final = 10.0
"""Seconds to wait for an answer where no player waits for it."""

Entry = dict[str, Any]


class HttpWallet:
    """The wallet of a platform; each call waits for its answer. Any thread may use it."""

    def __init__(self, caller: Caller, *, left_s: Callable[[], float] | None = None) -> None:
        """Call through this; `left_s` gives the seconds that are left for a reservation."""
        self._caller = caller
        self._left_s = left_s or (lambda: PAY_S)

    def within(self, left_s: Callable[[], float]) -> "HttpWallet":
        """The same wallet, whose calls may take no longer than is left."""
        return HttpWallet(self._caller, left_s=left_s)

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Reserve stakes of (bet id, player, minor units); the ids that are not covered.

        Raises:
            Unanswered: if it is not known what was reserved: ask again with the same key.
        """
        return self._refused("/reserve", key, [_stake(*entry) for entry in entries], "id")

    def short(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Which of (id, player, minor units) the balance does not cover; nothing is reserved.

        Raises:
            Unanswered: if there is no answer.
        """
        return self._refused("/short", key, [_stake(*entry) for entry in entries], "id")

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        """Pay (player, minor units).

        Raises:
            Unanswered: if it is not known what was paid: pay again with the same key.
        """
        for part, some in _parts(key, [_amount(*entry) for entry in entries]):
            self._ask("/settle", part, some)

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Take (player, minor units) back, all or nothing per player; those who had too little.

        Raises:
            Unanswered: if it is not known what was taken: ask again with the same key.
        """
        return self._refused("/debit", key, [_amount(*entry) for entry in entries], "player")

    def _refused(self, under: str, key: str, entries: list[Entry], name: str) -> tuple[str, ...]:
        refused: list[str] = []
        for part, some in _parts(key, entries):
            answer = self._ask(under, part, some)
            told = answer.get("refused") if isinstance(answer, dict) else None
            asked = {entry[name] for entry in some}
            if not isinstance(told, list) or not all(
                isinstance(each, str) and each in asked for each in told
            ):
                raise Unanswered('it answered without {"refused": [ids that were asked]}')
            refused += told
        return tuple(dict.fromkeys(refused))

    def _ask(self, under: str, key: str, entries: list[Entry]) -> Any:
        left_s = self._left_s()
        if left_s <= 0:
            raise NotSent("it did not answer in time")
        told = self._caller.post(
            {"key": key, "entries": entries}, under=under, idempotency=key, timeout_s=left_s
        )
        try:
            return json.loads(told)
        except (ValueError, RecursionError):
            raise Unanswered("it answered what is not JSON") from None


def _stake(entry: str, player: str, amount: int) -> Entry:
    return {"id": entry, "player": player, "amount": amount}


def _amount(player: str, amount: int) -> Entry:
    return {"player": player, "amount": amount}


def _parts(key: str, entries: list[Entry]) -> list[tuple[str, list[Entry]]]:
    """The entries in calls that are not too large; one that fits keeps the key as it is."""
    if len(entries) <= AT_ONCE:
        return [(key, entries)]
    starts = range(0, len(entries), AT_ONCE)
    return [(f"{key}#{number}", entries[at : at + AT_ONCE]) for number, at in enumerate(starts, 1)]
