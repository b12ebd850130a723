"""House rules of blackjack as the mathematics needs them (RULES.md 2.3, CONTRACTS.md 6).

Boundless Blackjack is worked out with the same record: its rules are one choice of these flags and
a bar on surrender.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from studio.games.paytable import Odds, read_odds
from studio.games.reading import flag, known_only, one_of, whole


class HoleCard(StrEnum):
    """Whether the dealer has a second card while players decide, and what a late natural takes."""

    PEEK = "peek"
    """It lies face down and is looked at under an ace or a ten-value."""
    NONE_ALL_LOST = "none_all_lost"
    """It is dealt after the players; a natural takes doubled and split stakes too (D-27)."""
    NONE_ORIGINAL_LOST = "none_original_lost"
    """It is dealt after the players; a natural takes the original stake only (D-27)."""


class DoubleOn(StrEnum):
    """Two cards on which a stake may be doubled; the ranges are hard totals (D-24)."""

    ANY = "any"
    NINE_TO_ELEVEN = "9-11"
    TEN_TO_ELEVEN = "10-11"


class SplitBy(StrEnum):
    """What makes two cards a pair."""

    VALUE = "value"
    """Equal values: a king and a queen too."""
    RANK = "rank"
    """Equal ranks."""


class Surrender(StrEnum):
    """When a hand may be given up for half of its stake (D-26)."""

    NONE = "none"
    LATE = "late"
    """After the peek."""
    EARLY = "early"
    """Before it, so half is saved even from a natural."""


MOST_HANDS: Final = 4
THREE_TO_TWO: Final = Odds(3, 2)
"""What a natural pays unless the table says otherwise."""
CHARLIES: Final = (0, 5, 6, 7)
"""Cards of an automatic win; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """All rules that can change what a hand is worth. Names are those of the configuration."""

    decks: int = 8
    cut_card_from_end: int = 0
    """Cards behind the cut card, 0 for a quarter; the figures are of a fresh shoe without one."""
    dealer_hits_soft_17: bool = False
    hole_card: HoleCard = HoleCard.PEEK
    double_on: DoubleOn = DoubleOn.ANY
    double_after_split: bool = True
    max_hands: int = 2
    resplit_aces: bool = False
    hit_split_aces: bool = False
    split_by: SplitBy = SplitBy.VALUE
    charlie: int = 0
    surrender: Surrender = Surrender.NONE
    blackjack_pays: Odds = THREE_TO_TWO
    insurance: bool = True
    no_surrender_under: frozenset[int] = field(default=frozenset(), metadata={"public": False})
    """Values of the up card, ace 1, under which nobody may surrender; none in blackjack."""
    draws_to_soft_21: bool = field(default=True, metadata={"public": False})
    """Whether a player may draw to a soft 21 for a Charlie, as the figures of RULES.md 2.4 have it.

    Without a Charlie nobody would, so there it is no question.
    """

    def as_dict(self) -> dict[str, Any]:
        """All rules by their public names, JSON-ready, no floats."""
        plain: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if not each.metadata.get("public", True):
                continue
            match value:
                case Odds():
                    plain[each.name] = [value.win, value.stake]
                case StrEnum():
                    plain[each.name] = value.value
                case _:
                    plain[each.name] = value
        return plain


DEFAULT: Final = HouseRules()
"""The rules of a table on which nothing was set."""
_WORDS: Final[Mapping[str, type[StrEnum]]] = {
    "hole_card": HoleCard,
    "double_on": DoubleOn,
    "split_by": SplitBy,
    "surrender": Surrender,
}
_FLAGS: Final = (
    "dealer_hits_soft_17",
    "double_after_split",
    "resplit_aces",
    "hit_split_aces",
    "insurance",
)


def read_rules(given: Mapping[str, Any]) -> HouseRules:
    """Read rules by their public names; what is not given is the default.

    Raises:
        ValueError: one sentence that names the rule, the value and what is allowed.
    """
    known_only("blackjack", given, list(DEFAULT.as_dict()))
    decks = whole("decks", given.get("decks", DEFAULT.decks), 1, 8)
    read: dict[str, Any] = {
        "decks": decks,
        "cut_card_from_end": whole(
            "cut_card_from_end", given.get("cut_card_from_end", 0), 0, 52 * decks
        ),
        "max_hands": whole("max_hands", given.get("max_hands", DEFAULT.max_hands), 1, MOST_HANDS),
        "charlie": one_of("charlie", given.get("charlie", DEFAULT.charlie), CHARLIES),
    }
    read |= {name: flag(name, given.get(name, getattr(DEFAULT, name))) for name in _FLAGS}
    for name, kind in _WORDS.items():
        words = [word.value for word in kind]
        default = getattr(DEFAULT, name).value
        read[name] = kind(one_of(name, given.get(name, default), words))
    if "blackjack_pays" in given:
        read["blackjack_pays"] = read_odds("blackjack_pays", given["blackjack_pays"])
    rules = HouseRules(**read)
    if rules.surrender is Surrender.LATE and rules.hole_card is not HoleCard.PEEK:
        raise ValueError(
            "surrender is 'late', which comes after the peek, but hole_card is "
            f"{rules.hole_card.value!r}: set surrender to none or early, or hole_card to peek"
        )
    return rules
