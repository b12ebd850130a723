"""When a camera saw the face of a card that nobody may know yet: its pictures wait for the turn.

A dealer may lift the card that lies face down, or lay it open. What was read is sealed
(`studio.table.masked`); pictures of those seconds show it all the same.
"""

from dataclasses import dataclass
from typing import Final

from studio.domain import events as e
from studio.games.procedure import Facing

EARLIER_US: Final = 2_000_000
"""A card is seen lying open some frames after it was lifted; so much earlier counts as well."""
LINGER_US: Final = 1_000_000
"""Evidence is gathered so much later while a card lies face down: what is lifted in the last of
its pictures is reported only after them."""


@dataclass(slots=True)
class Lifted:
    """One table's open round as its facts tell of it. Fed and asked by one thread."""

    covered: bool = False
    """Whether a card of the open round lies face down."""
    _open: bool = False
    _from_us: int | None = None
    """Since when a face was seen; None if none was in this round, or the card was turned since."""
    _until_us: int | None = None
    """When it was seen no more; None while it is."""

    def learn(self, event: e.Event, at_us: int) -> None:
        """Take a fact and its instant, in order."""
        match event:
            case e.RoundOpened():
                self._forget(round_open=True)
            case e.RoundSettled() | e.RoundVoided():
                self._forget(round_open=False)
            case e.CardTurned():
                self._forget(round_open=self._open)
            case e.CardDealt(face=Facing.DOWN.value) if self._open:
                self.covered = True
            case e.FaultRaised(fault=fault) if self._open and fault.due_face == Facing.DOWN.value:
                self._seen(at_us, lasting=False)
            case e.FeltSeen() if self._open:
                self._look(event, at_us)
            case _:
                pass

    def between(self, since_us: int, until_us: int) -> bool:
        """Whether a picture of this time may show such a face."""
        if self._from_us is None or self._from_us - EARLIER_US > until_us:
            return False
        return self._until_us is None or self._until_us >= since_us

    def _look(self, felt: e.FeltSeen, at_us: int) -> None:
        if felt.hidden:
            self._seen(at_us, lasting=True)
        elif self._from_us is not None and self._until_us is None:
            self._until_us = at_us

    def _seen(self, at_us: int, *, lasting: bool) -> None:
        if self._from_us is None:
            self._from_us = at_us
            self._until_us = None if lasting else at_us
        elif lasting:
            self._until_us = None
        elif self._until_us is not None:
            self._until_us = max(self._until_us, at_us)

    def _forget(self, *, round_open: bool) -> None:
        self._open, self.covered = round_open, False
        self._from_us = self._until_us = None
