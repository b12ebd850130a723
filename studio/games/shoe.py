"""What is done with a shoe before its first round and after its last one (``shoe@1``).

The same for every game that is dealt from a shoe: shuffle, cut, load, burn; and the closing count.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.cards import Card, Rank
from studio.games.procedure import Clear, Confirm, Count, Deal, Dealt, Facing, Input, Procedure
from studio.games.spec import Rules

VERSION: Final = "shoe@1"
"""Version of the two procedures of a shoe."""
BURN: Final = "BURN"
"""Zone of the burned cards."""
SMALL_PACK: Final = 32
"""Cards of a pack without 2 to 6."""


class ShoeStep(StrEnum):
    """What a shoe's procedures may wait for."""

    SHUFFLE = "shuffle"
    CUT = "cut"
    """The packs are cut and the cut card is placed."""
    LOAD = "load"
    BURN_SHOWN = "burn_shown"
    """The first card of the shoe, face up."""
    BURN_DOWN = "burn_down"
    """As many face down as the shown card counts."""
    BURN_CLEARED = "burn_cleared"
    REMAINDER = "remainder"
    """The cards that are left in the shoe are counted."""


@dataclass(frozen=True, slots=True)
class Burn:
    """What was burned: the shown card, and how many face down after it."""

    shown: Card
    down: int

    @property
    def cards(self) -> int:
        """All cards that are gone from the shoe, the shown one too."""
        return self.down + 1


def burn_value(shown: Card) -> int:
    """How many cards are burned face down: ace 1, ten and pictures 10, else as printed (D-32)."""
    if shown.rank is Rank.ACE:
        return 1
    return int(shown.rank.value) if shown.rank.value.isdigit() else 10


def new_shoe(rules: Rules) -> Procedure[Burn]:  # noqa: ARG001  one shape for all games
    """Shuffle, cut, load; the first card is shown and decides how many are burned (D-32)."""
    for step in (ShoeStep.SHUFFLE, ShoeStep.CUT, ShoeStep.LOAD):
        yield Confirm(step)
    shown = yield Deal(to=BURN, face=Facing.UP, step=ShoeStep.BURN_SHOWN)
    if not isinstance(shown, Card):
        raise TypeError(f"a card face up is due, not {shown!r}")
    down = burn_value(shown)
    for _ in range(down):
        yield Deal(to=BURN, face=Facing.DOWN, step=ShoeStep.BURN_DOWN)
    yield Clear(zones=(BURN,), step=ShoeStep.BURN_CLEARED)
    return Burn(shown, down)


def burn_one(rules: Rules) -> Procedure[int]:  # noqa: ARG001  one shape for all games
    """Shuffle, cut, load; one card is burned face down (D-38). The outcome is how many."""
    for step in (ShoeStep.SHUFFLE, ShoeStep.CUT, ShoeStep.LOAD):
        yield Confirm(step)
    yield Deal(to=BURN, face=Facing.DOWN, step=ShoeStep.BURN_DOWN)
    yield Clear(zones=(BURN,), step=ShoeStep.BURN_CLEARED)
    return 1


def load_only(rules: Rules) -> Procedure[int]:  # noqa: ARG001  one shape for all games
    """Shuffle, cut, load; no card is burned (RULES.md 4.1). The outcome is how many were: 0."""
    for step in (ShoeStep.SHUFFLE, ShoeStep.CUT, ShoeStep.LOAD):
        yield Confirm(step)
    return 0


def count_rest(rules: Rules) -> Procedure[int]:  # noqa: ARG001  one shape for all games
    """Count what is left of a pack of 32 after its round; the outcome is that number."""
    remainder = yield Count(ShoeStep.REMAINDER, least=0, most=SMALL_PACK)
    if not isinstance(remainder, int):
        raise TypeError(f"a number of cards is due, not {remainder!r}")
    return remainder


def end_shoe(rules: Rules) -> Procedure[int]:
    """Count what is left in the shoe; the outcome is that number."""
    remainder = yield Count(ShoeStep.REMAINDER, least=0, most=52 * rules.decks)
    if not isinstance(remainder, int):
        raise TypeError(f"a number of cards is due, not {remainder!r}")
    return remainder


def burn_size(inputs: tuple[Input, ...]) -> int:
    """How many cards go face down once the shown card is known; 0 before."""
    for given in inputs:
        if isinstance(given, Dealt) and given.card is not None:
            return burn_value(given.card)
    return 0
