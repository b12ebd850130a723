"""A camera whose felt is laid by hand, and whose pictures can be searched for what lies open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from studio.domain import observations as o
from studio.domain.cards import Card

HEAD = b"\xff\xd8 felt: "
"""Begins like a JPEG; the codes of the open cards follow as text."""


class Eye:
    """A camera of a table; `lay` and `turn` are the dealer's hands."""

    def __init__(self, name: str, clock: Any, zones: Sequence[str]) -> None:
        self.name, self.clock = name, clock
        self.felt: dict[str, list[o.SeenCard]] = {zone: [] for zone in zones}
        self.open: set[str] = set()
        self._report: Callable[[Any], None] = lambda _seen: None
        self._kept: list[tuple[int, bytes]] = []
        self._count = 0

    # -- as the studio has it --------------------------------------------------------------------

    def start(self, report: Callable[[Any], None]) -> None:
        """Come up over the felt as it lies."""
        self._report = report
        now = {"device": self.name, "at_us": self.clock.now_us()}
        report(o.DeviceOnline(**now, model="Eye", firmware="1", serial="E1"))
        report(o.CameraFit(**now))
        self.show()

    def stop(self) -> None:
        """Nothing runs."""

    def picture(self) -> bytes | None:
        return HEAD + " ".join(sorted(self.open)).encode()

    def pictures(self, since_us: int, until_us: int) -> Sequence[tuple[int, bytes]]:
        return [each for each in self._kept if since_us <= each[0] <= until_us]

    # -- by hand ---------------------------------------------------------------------------------

    def lay(self, zone: str, code: str) -> None:
        """A card comes to rest: a code, or ``XX`` for a back."""
        self._count += 1
        back = code == "XX"
        self.felt[zone].append(
            o.SeenCard(
                track=self._count,
                look=o.Look.BACK if back else o.Look.FACE,
                card=None if back else Card.parse(code),
                sure=not back,
                confidence_milli=998,
            )
        )
        self.open |= set() if back else {code}
        self.show()

    def turn(self, zone: str, at: int, code: str) -> None:
        """A card shows its face: a code, or ``??`` for one that cannot be read."""
        read = None if code == "??" else Card.parse(code)
        look = o.Look.UNKNOWN if read is None else o.Look.FACE
        card = replace(self.felt[zone][at], look=look, card=read, sure=read is not None)
        self.felt[zone][at] = card
        self.open |= set() if read is None else {code}
        self.show()

    def cover(self, zone: str, at: int, code: str) -> None:
        """That card lies face down again."""
        card = replace(self.felt[zone][at], look=o.Look.BACK, card=None, sure=False)
        self.felt[zone][at] = card
        self.open -= {code}
        self.show()

    def take(self, zone: str) -> None:
        """The cards of a zone are put away."""
        self.open -= {card.card.code for card in self.felt[zone] if card.card is not None}
        self.felt[zone].clear()
        self.show()

    def show(self) -> None:
        """Report what lies there, and keep a picture of it."""
        now_us = self.clock.now_us()
        self._kept.append((now_us, self.picture() or b""))
        zones = tuple(
            o.ZoneSeen(zone=zone, settled=True, cards=tuple(cards))
            for zone, cards in self.felt.items()
        )
        self._count += 1
        self._report(o.CardsSeen(device=self.name, at_us=now_us, frame=self._count, zones=zones))


def kind_of(eyes: list[Eye], zones: Sequence[str]) -> Callable[[str], Any]:
    """What stands in for `studio.launch.camera_kind`: every source is an `Eye`, noted in `eyes`."""

    def opened(name: str, _options: Any, clock: Any) -> Eye:
        eyes.append(Eye(name, clock, zones))
        return eyes[-1]

    return lambda _source: SimpleNamespace(open=opened)
