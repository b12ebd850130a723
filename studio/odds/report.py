"""What is known of a bet and of a game: the shape that `cutcard odds` prints (CONTRACTS.md 6)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from studio.games.spec import Pay

Progress = Callable[[str], None]
"""Is told in one sentence what is being worked out; whoever prints it decides when."""


def silent(sentence: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetOdds:
    """One bet: probabilities by the sign of the net result, and its mean, per unit staked."""

    bet: str
    win: float
    push: float
    lose: float
    returned: float
    """Mean of what goes back, the stake included: 0.989421 is 98.9421 %."""
    house_edge: float
    """What the house keeps on average: 1 − `returned`."""
    exact: str | None = None
    """The house edge as a reduced fraction ``n/d``, where the method gives one."""

    def as_dict(self) -> dict[str, Any]:
        """Give the fields by their public names, JSON-ready."""
        plain: dict[str, Any] = {
            "bet": self.bet,
            "win": self.win,
            "push": self.push,
            "lose": self.lose,
            "return": self.returned,
            "house_edge": self.house_edge,
        }
        return plain if self.exact is None else plain | {"exact": self.exact}


NO_EXTRAS: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOdds:
    """All bets of a game under one set of rules."""

    game: str
    rules: Mapping[str, Any]
    bets: tuple[BetOdds, ...]
    method: str
    """How the figures were found and how far they can be off, for a person who checks them."""
    extras: Mapping[str, Any] = field(default_factory=lambda: NO_EXTRAS)
    """What a game says beyond its bets, by name: a table of best plays, a label."""

    def as_dict(self) -> dict[str, Any]:
        """Give the object that `cutcard odds --json` prints."""
        return {
            "game": self.game,
            "rules": dict(self.rules),
            "bets": [bet.as_dict() for bet in self.bets],
            **self.extras,
            "method": self.method,
        }

    def bet(self, name: str) -> BetOdds:
        """Give one bet; KeyError if the game has none of that name."""
        for bet in self.bets:
            if bet.bet == name:
                return bet
        raise KeyError(name)


class Tally:
    """Counts of equally likely deals by what one bet returns."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        """Start with no deals."""
        self._counts: dict[Pay, int] = {}

    def add(self, pay: Pay, deals: int) -> None:
        """So many deals return this for the stake."""
        self._counts[pay] = self._counts.get(pay, 0) + deals

    def odds(self, bet: str) -> BetOdds:
        """Divide by all deals; exact, then rounded once to double precision.

        Raises:
            ValueError: if no deal was counted.
        """
        deals = sum(self._counts.values())
        if not deals:
            raise ValueError(f"no deal was counted for {bet}")
        net = {pay: Fraction(pay.numerator, pay.denominator) - 1 for pay in self._counts}
        edge = -sum((gain * self._counts[pay] for pay, gain in net.items()), Fraction()) / deals

        def share(pays: Iterable[Pay]) -> float:
            return float(Fraction(sum(self._counts[pay] for pay in pays), deals))

        return BetOdds(
            bet=bet,
            win=share(pay for pay, gain in net.items() if gain > 0),
            push=share(pay for pay, gain in net.items() if gain == 0),
            lose=share(pay for pay, gain in net.items() if gain < 0),
            returned=float(1 - edge),
            house_edge=float(edge),
            exact=f"{edge.numerator}/{edge.denominator}",
        )
