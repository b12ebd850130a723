"""The rules of a table of blackjack: every house variation, and which of them cannot go together.

RULES.md 2.3: flags D-23, restricted doubles D-24, Charlie D-25, surrender D-26, no hole card D-27,
the shoe D-38.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from studio.games.hands21 import DEALER_STANDS, POINTS, TWENTY_ONE
from studio.games.paytable import Odds, read_odds
from studio.games.reading import flag, known_only, one_of, plain, whole

GAME: Final = "blackjack"
"""Name in commands and configuration."""
SEATS: Final = 7
"""Most players that can have a hand at the table (CONTRACTS.md 10: zones S1 to S7)."""
PACK: Final = 52
MOST_PACKS: Final = 8
OF_A_RANK: Final = 4
"""Cards of each rank in a pack."""


class HoleCard(StrEnum):
    """Whether the dealer has a second card before the seats play, and what is lost without."""

    PEEK = "peek"
    """Dealt face down, looked at in secret under an ace or a ten-value."""
    ALL_LOST = "none_all_lost"
    """None; a dealer's natural takes the stakes of doubles and splits too."""
    ORIGINAL_LOST = "none_original_lost"
    """None; a dealer's natural takes the first stake only, the others go back."""


class DoubleOn(StrEnum):
    """Which first two cards may be doubled; a restriction means hard totals only (D-24)."""

    ANY = "any"
    NINE = "9-11"
    TEN = "10-11"

    @property
    def least(self) -> int:
        """Lowest total that may be doubled."""
        return {"any": 0, "9-11": 9, "10-11": 10}[self.value]


class SplitBy(StrEnum):
    """What makes two cards a pair."""

    VALUE = "value"
    RANK = "rank"


class Surrender(StrEnum):
    """Whether and when a hand may be given up for half its stake (D-26)."""

    NONE = "none"
    LATE = "late"
    """After the secret look, as the first decision."""
    EARLY = "early"
    """Before insurance and the secret look; half is saved even against a natural."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackRules:
    """All rules of a table. The names are those of configuration, cases and journal."""

    decks: int = MOST_PACKS
    cut_card_from_end: int = 104
    dealer_hits_soft_17: bool = False
    hole_card: HoleCard = HoleCard.PEEK
    double_on: DoubleOn = DoubleOn.ANY
    double_after_split: bool = True
    max_hands: int = 2
    """Hands that one seat may have after splits."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    """Split aces are played as any other split hand; without this each gets one card."""
    split_by: SplitBy = SplitBy.VALUE
    charlie: int = 0
    """So many cards that are not bust win at once; 0 for no such rule."""
    surrender: Surrender = Surrender.NONE
    blackjack_pays: Odds = Odds(3, 2)  # noqa: RUF009  a frozen value
    insurance: bool = True

    @property
    def peeks(self) -> bool:
        """Whether the dealer has a hole card, looked at in secret."""
        return self.hole_card is HoleCard.PEEK

    @property
    def deal_without_bets(self) -> bool:
        """A round without a seat is never dealt: all bets of the game have one."""
        return False

    def as_dict(self) -> dict[str, Any]:
        """All rules by their public names, JSON-ready, no floats."""
        return plain(self, pairs=True)


DEFAULT: Final = BlackjackRules()
"""The rules of a table on which nothing was set."""
_FLAGS: Final = (
    "dealer_hits_soft_17",
    "double_after_split",
    "resplit_aces",
    "hit_split_aces",
    "insurance",
)
_CHOICES: Final[tuple[tuple[str, type[StrEnum]], ...]] = (
    ("hole_card", HoleCard),
    ("double_on", DoubleOn),
    ("split_by", SplitBy),
    ("surrender", Surrender),
)
_OF_SPLITS: Final = ("double_after_split", "resplit_aces", "hit_split_aces", "split_by")


def full_table(decks: int) -> int:
    """Cards that seven seats and the dealer can need at most, as long as nobody splits.

    Each seat draws on a hard 20 at most and the dealer on a hard 16, so all cards but the last of
    each hand count 7 times 20 and 16 together; that is the most cards if they are the lowest of
    the shoe. A table on which many seats split low cards at once can need more than any shoe has.
    """
    points, cards = SEATS * (TWENTY_ONE - 1) + DEALER_STANDS - 1, SEATS + 1
    for worth in sorted(POINTS.values()):
        fitting = min(OF_A_RANK * decks, points // worth)
        points -= fitting * worth
        cards += fitting
    return cards


def read_rules(given: Mapping[str, Any]) -> BlackjackRules:
    """Read the rules of a table; what is not given is the default.

    Raises:
        ValueError: one sentence that names the rule, the value and what is allowed.
    """
    known_only(GAME, given, [field.name for field in fields(BlackjackRules)])
    read: dict[str, Any] = {
        name: flag(name, given.get(name, getattr(DEFAULT, name))) for name in _FLAGS
    }
    for name, kind in _CHOICES:
        value = given.get(name, getattr(DEFAULT, name).value)
        read[name] = kind(one_of(name, value, [each.value for each in kind]))
    read["decks"] = whole("decks", given.get("decks", DEFAULT.decks), 1, MOST_PACKS)
    read["max_hands"] = whole("max_hands", given.get("max_hands", DEFAULT.max_hands), 1, 4)
    read["charlie"] = one_of("charlie", given.get("charlie", DEFAULT.charlie), (0, 5, 6, 7))
    if "blackjack_pays" in given:
        read["blackjack_pays"] = read_odds("blackjack_pays", given["blackjack_pays"])
    read["cut_card_from_end"] = _behind_cut(read["decks"], given.get("cut_card_from_end", 0))
    if read["surrender"] is Surrender.LATE and read["hole_card"] is not HoleCard.PEEK:
        raise ValueError(
            f"surrender is 'late' and hole_card is {read['hole_card'].value!r}, but without a "
            "hole card there is nothing to wait for: set surrender to 'early' or 'none', or "
            "hole_card to 'peek'"
        )
    return BlackjackRules(**read)


def _behind_cut(decks: int, given: object) -> int:
    """Cards behind the cut card: a quarter of the pack, never fewer than a full table can need."""
    least = full_table(decks)
    if given == 0 and not isinstance(given, bool | float):
        return max(PACK * decks // 4, least)
    most = PACK * decks - 1
    if isinstance(given, int) and not isinstance(given, bool) and least <= given <= most:
        return given
    raise ValueError(
        f"cut_card_from_end is {given!r}, but with {decks} packs a full table can need {least} "
        f"cards: it must be a whole number from {least} to {most}, or 0 for a quarter of the pack"
    )


def without_effect(rules: BlackjackRules) -> tuple[str, ...]:
    """Say which rules were set and change nothing, each in one sentence (D-38)."""
    idle: tuple[str, ...] = ()
    if rules.max_hands == 1:
        idle = tuple(name for name in _OF_SPLITS if getattr(rules, name) != getattr(DEFAULT, name))
        why = "with max_hands 1 nobody splits"
    elif rules.max_hands == 2 and rules.resplit_aces:  # noqa: PLR2004  one split and no more
        idle = ("resplit_aces",)
        why = "with max_hands 2 no hand is split a second time"
    else:
        return ()
    return tuple(f"{name} has no effect: {why}" for name in idle)
