"""The rules of a baccarat table: what may be set, and what is so unless it is set."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from studio.games.paytable import Odds, PayTable, read_odds, read_table
from studio.games.reading import flag, known_only, one_of, plain, whole

LEAST_BEHIND_CUT: Final = 12
"""Cards behind the cut card: five more of a started coup, six of the last one, one spare (D-33)."""
LEAST_BEFORE_CUT: Final = 17
"""Cards before the cut card: a burn of eleven and one coup of six."""


class BankerPays(StrEnum):
    """How a win on Banker is paid (D-36)."""

    COMMISSION_5 = "commission_5"
    """1:1 less 5 % of the win, rounded up to the next minor unit (D-31)."""
    HALF_ON_6 = "half_on_6"
    """1:1 without commission; 1:2 if Banker wins with 6."""
    PUSH_ON_THREE_CARD_7 = "push_on_three_card_7"
    """1:1 without commission; the stake goes back if Banker wins with a 7 of three cards."""


PAIR: Final = Odds(11)
"""The first two cards of the hand are of one rank (D-37)."""
EITHER_PAIR: Final = Odds(5)
"""A pair in at least one hand (D-37)."""
BIG: Final = Odds(27, 50)
"""Five or six cards: 0.54:1 (D-37)."""
SMALL: Final = Odds(3, 2)
"""Four cards: 1.5:1 (D-37)."""
PERFECT_PAIR: Final = PayTable((("one_hand", Odds(25)), ("both_hands", Odds(200))))
"""Two cards of one rank and suit, in one hand or in both (D-37)."""
DRAGON: Final = PayTable(
    (
        ("natural", Odds(1)),
        ("by_4", Odds(1)),
        ("by_5", Odds(2)),
        ("by_6", Odds(4)),
        ("by_7", Odds(6)),
        ("by_8", Odds(10)),
        ("by_9", Odds(30)),
    )
)
"""A win with a natural, or another win by so many points (D-37)."""
LUCKY_SIX: Final = PayTable((("two_cards", Odds(12)), ("three_cards", Odds(20))))
"""Banker wins with 6, of two cards or of three (D-37)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratRules:
    """All rules of a table. The names are those of configuration, cases and journal."""

    decks: int = 8
    tie_pays: int = 8
    banker_pays: BankerPays = BankerPays.COMMISSION_5
    cut_card_from_end: int = 16
    opposed_bets: bool = True
    """Whether one player may bet on Player and on Banker (D-34)."""
    player_pair_pays: Odds = PAIR
    banker_pair_pays: Odds = PAIR
    either_pair_pays: Odds = EITHER_PAIR
    perfect_pair_pays: PayTable = PERFECT_PAIR
    big_pays: Odds = BIG
    small_pays: Odds = SMALL
    dragon_player_pays: PayTable = DRAGON
    dragon_banker_pays: PayTable = DRAGON
    lucky_six_pays: PayTable = LUCKY_SIX

    def as_dict(self) -> dict[str, Any]:
        """All rules by their public names, JSON-ready, no floats."""
        return plain(self)


DEFAULT: Final = BaccaratRules()
"""The rules of a table on which nothing was set."""
_ODDS: Final = (
    "player_pair_pays",
    "banker_pair_pays",
    "either_pair_pays",
    "big_pays",
    "small_pays",
)
_TABLES: Final = (
    "perfect_pair_pays",
    "dragon_player_pays",
    "dragon_banker_pays",
    "lucky_six_pays",
)


def read_rules(given: Mapping[str, Any]) -> BaccaratRules:
    """Read the rules of a table; what is not given is the default.

    Raises:
        ValueError: one sentence that names the rule, the value and what is allowed.
    """
    known_only("baccarat", given, [field.name for field in fields(BaccaratRules)])
    decks = whole("decks", given.get("decks", DEFAULT.decks), 1, 8)
    read: dict[str, Any] = {
        "decks": decks,
        "tie_pays": one_of("tie_pays", given.get("tie_pays", DEFAULT.tie_pays), (8, 9)),
        "banker_pays": BankerPays(
            one_of(
                "banker_pays",
                given.get("banker_pays", DEFAULT.banker_pays.value),
                [way.value for way in BankerPays],
            )
        ),
        "cut_card_from_end": whole(
            "cut_card_from_end",
            given.get("cut_card_from_end", DEFAULT.cut_card_from_end),
            LEAST_BEHIND_CUT,
            52 * decks - LEAST_BEFORE_CUT,
        ),
        "opposed_bets": flag("opposed_bets", given.get("opposed_bets", DEFAULT.opposed_bets)),
    }
    read |= {name: read_odds(name, given[name]) for name in _ODDS if name in given}
    read |= {
        name: read_table(name, given[name], getattr(DEFAULT, name))
        for name in _TABLES
        if name in given
    }
    return BaccaratRules(**read)
