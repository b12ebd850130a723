"""The rules of a table of Boundless Blackjack: what may be set, and what is so unless it is set."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from studio.games.paytable import Odds, PayTable, read_table
from studio.games.reading import flag, known_only, one_of, plain, whole

LEAST_BEHIND_CUT: Final = 52
"""Cards behind the cut card: with so many a round can always be finished (D-14)."""
MOST_BEHIND_CUT: Final = 208
"""Cards behind the cut card at most: half of the shoe (D-14)."""
MOST_ROUNDS: Final = 104
"""Highest round limit that can be set; a shoe of 416 cards has no more rounds of four cards."""


class Schedule(StrEnum):
    """In which order the lanes are played (D-04)."""

    WAVES = "waves"
    """All open hands answer in one window; then each lane with takers gets one card."""
    LANES = "lanes"
    """The first window is common; then M alone to its end, then L, then R."""


PAIR: Final = PayTable((("mixed", Odds(5)), ("coloured", Odds(10)), ("perfect", Odds(30))))
"""The first two cards of the shared hand are of one rank (RULES.md 1.6)."""
BUST_BONUS: Final = PayTable(
    (
        ("3", Odds(1)),
        ("4", Odds(2)),
        ("5", Odds(9)),
        ("6", Odds(50)),
        ("7", Odds(100)),
        ("8", Odds(250)),
    )
)
"""The dealer busts with so many cards, the last row with that many or more (D-20)."""
LUCKY_TRIO: Final = PayTable(
    (
        ("total_19_20", Odds(2)),
        ("unsuited_21", Odds(3)),
        ("suited_21", Odds(10)),
        ("unsuited_678", Odds(30)),
        ("unsuited_777", Odds(50)),
        ("suited_678", Odds(100)),
        ("suited_777", Odds(200)),
    )
)
"""Total of the shared hand's first two cards and the dealer's first one (D-18)."""
POKER_TRIO: Final = PayTable(
    (
        ("flush", Odds(5)),
        ("straight", Odds(10)),
        ("three_of_a_kind", Odds(30)),
        ("straight_flush", Odds(40)),
        ("suited_trips", Odds(100)),
    )
)
"""The same three cards as a hand of poker (D-19)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundlessRules:
    """All rules of a table. The names are those of configuration, cases and journal."""

    schedule: Schedule = Schedule.WAVES
    decks: int = 8
    cut_card_from_end: int = 104
    pair_rounds: int = 40
    """Last round of a shoe in which Pair may be bet (D-13)."""
    side_bet_rounds: int = 45
    """Last round of a shoe in which the other three side bets may be placed (D-13)."""
    pair_pays: PayTable = PAIR
    bust_bonus_pays: PayTable = BUST_BONUS
    lucky_trio_pays: PayTable = LUCKY_TRIO
    poker_trio_pays: PayTable = POKER_TRIO
    deal_without_bets: bool = False
    """Whether a round is dealt on which nobody has bet (D-08)."""

    def as_dict(self) -> dict[str, Any]:
        """All rules by their public names, JSON-ready, no floats."""
        return plain(self)


DEFAULT: Final = BoundlessRules()
"""The rules of a table on which nothing was set."""
_TABLES: Final = ("pair_pays", "bust_bonus_pays", "lucky_trio_pays", "poker_trio_pays")
_NUMBERS: Final = (
    ("cut_card_from_end", LEAST_BEHIND_CUT, MOST_BEHIND_CUT),
    ("pair_rounds", 0, MOST_ROUNDS),
    ("side_bet_rounds", 0, MOST_ROUNDS),
)


def read_rules(given: Mapping[str, Any]) -> BoundlessRules:
    """Read the rules of a table; what is not given is the default.

    Raises:
        ValueError: one sentence that names the rule, the value and what is allowed.
    """
    known_only("boundless-blackjack", given, [field.name for field in fields(BoundlessRules)])
    schedules = [schedule.value for schedule in Schedule]
    read: dict[str, Any] = {
        "schedule": Schedule(
            one_of("schedule", given.get("schedule", DEFAULT.schedule.value), schedules)
        ),
        "decks": one_of("decks", given.get("decks", DEFAULT.decks), (DEFAULT.decks,)),
        "deal_without_bets": flag(
            "deal_without_bets", given.get("deal_without_bets", DEFAULT.deal_without_bets)
        ),
    }
    read |= {
        name: whole(name, given.get(name, getattr(DEFAULT, name)), least, most)
        for name, least, most in _NUMBERS
    }
    read |= {
        name: read_table(name, given[name], getattr(DEFAULT, name))
        for name in _TABLES
        if name in given
    }
    return BoundlessRules(**read)
