"""The rules of a table of Baloot: two presets and every flag by its own name (RULES.md 4).

*Simple* is what the source text says, with its gaps filled; *saudi* is the practice of players who
grew up with the game. Any mixture of the flags is legal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from studio.games.paytable import Odds, read_odds
from studio.games.reading import flag, known_only, one_of, plain, whole

GAME: Final = "baloot"
"""Name in commands and configuration."""


class Preset(StrEnum):
    """From which set the flags come that are not given."""

    SIMPLE = "simple"
    SAUDI = "saudi"


class FirstLead(StrEnum):
    """Who leads to the first trick."""

    BUYER = "buyer"
    """Who won the bidding."""
    RIGHT_OF_DEALER = "right_of_dealer"


class Void(StrEnum):
    """What a player may play who has no card of the led suit."""

    FREE = "free"
    """Any card, hokum included."""
    MUST_TRUMP = "must_trump"
    """In hokum an opponent's card must be cut, and beaten if it is a hokum; with hokum led it must
    be beaten. Free while the partner is winning."""


class UnderTrump(StrEnum):
    """What must be played where an opponent's hokum wins and cannot be beaten."""

    MUST = "must"
    """A lower hokum; has no effect while `void` is free."""
    FREE = "free"


class Compare(StrEnum):
    """By which count the contract is decided."""

    BOARD = "board"
    """Round points."""
    RAW = "raw"
    """Card points, with counted projects as 20, 50, 100 and 200."""


class Tie(StrEnum):
    """What becomes of a contract when both sides are level."""

    BUYER_FAILS = "buyer_fails"
    STANDS = "stands"
    """The contract stands; in a raised round the last raiser loses."""
    RAW_POINTS = "raw_points"
    """Doubled and more: the last raiser loses. Otherwise the raw count with baloot decides, and
    where that is equal too a sun stands and a hokum fails."""


class KabootRaised(StrEnum):
    """Whether a kaboot in a raised round is multiplied (D-41)."""

    MULTIPLIED = "multiplied"
    PLAIN = "plain"


class KabootProjects(StrEnum):
    """Whose projects and baloot the winner of a kaboot writes."""

    BOTH = "both"
    WINNER = "winner"
    """Its own; those of the swept side fall away."""


class Closed(StrEnum):
    """When a raised round is closed: nobody may lead hokum while holding another suit."""

    X2_X4 = "x2_x4"
    """At two and four times."""
    RAISER_CHOOSES = "raiser_chooses"


class BalootOverlap(StrEnum):
    """Which other project takes baloot's king or queen away from it."""

    ANY = "any"
    """Any that the same seat announced."""
    HUNDRED = "hundred"
    """Only one of a hundred that counts."""


class SunDouble(StrEnum):
    """Scores of the buyers and of the others at which a sun may be doubled."""

    OVER100_UNDER100 = "over100_under100"
    OVER100_UPTO100 = "over100_upto100"
    FROM100_UNDER100 = "from100_under100"


class SunReclaim(StrEnum):
    """Who may take a sun away from the player who bid it."""

    ALL_IN_TURN = "all_in_turn"
    EARLIER_OPPONENTS = "earlier_opponents"
    """Opponents who had their turn before."""


class Hokum2Asks(StrEnum):
    """Who is asked after a hokum in the second round of bidding."""

    UNSPOKEN = "unspoken"
    """Those who have not spoken in it."""
    UNSPOKEN_AND_OPPONENTS = "unspoken_and_opponents"
    """Opponents who have, too, for a sun."""


class Kawesh(StrEnum):
    """What a first five without ace, king, queen, jack and ten may be shown for."""

    NONE = "none"
    SAME_DEALER = "same_dealer"
    """A new deal by the same dealer."""


class ProjectsRaised(StrEnum):
    """How projects are multiplied under three and four."""

    FULL = "full"
    AT_MOST_DOUBLE = "at_most_double"


class HokumRound(StrEnum):
    """What is done where both counts of a hokum end in six and would give 17 together (D-40)."""

    PAIR16 = "pair16"
    """The side with the larger count gives one point back."""
    INDIVIDUAL = "individual"
    """Nobody gives anything back."""
    LARGER_KEEPS = "larger_keeps"
    """The side with the smaller count gives one point back."""


class ProjectTie(StrEnum):
    """Whose projects count where the best ones of both sides are equal."""

    EARLIER_PLAYER = "earlier_player"
    CANCEL = "cancel"
    """Nobody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BalootRules:
    """All rules of a table. The names are those of configuration, cases and journal."""

    preset: Preset = Preset.SIMPLE
    first_lead: FirstLead = FirstLead.BUYER
    void: Void = Void.FREE
    under_trump: UnderTrump = UnderTrump.MUST
    compare: Compare = Compare.BOARD
    baloot_compares: bool = False
    """Whether baloot counts, as 2 or 20, when the contract is decided."""
    tie: Tie = Tie.BUYER_FAILS
    kaboot_raised: KabootRaised = KabootRaised.MULTIPLIED
    kaboot_projects: KabootProjects = KabootProjects.BOTH
    closed: Closed = Closed.X2_X4
    baloot_overlap: BalootOverlap = BalootOverlap.ANY
    sun_double: SunDouble = SunDouble.OVER100_UNDER100
    sun_reclaim: SunReclaim = SunReclaim.ALL_IN_TURN
    hokum2_asks: Hokum2Asks = Hokum2Asks.UNSPOKEN
    kawesh: Kawesh = Kawesh.NONE
    projects_raised: ProjectsRaised = ProjectsRaised.FULL
    hokum_round: HokumRound = HokumRound.PAIR16
    ashkal_round2: bool = True
    """Whether ashkal may be bid in the second round too."""
    project_tie: ProjectTie = ProjectTie.EARLIER_PLAYER
    max_projects: int = 2
    """Projects that one player may announce; a hand of eight cards cannot hold more than two."""
    target: int = 152
    """Round points with which a game is won."""
    round_pays: Odds = Odds(19, 20)  # noqa: RUF009  a frozen value
    """For a stake on the side that wins the round."""
    game_pays: Odds = Odds(19, 20)  # noqa: RUF009
    """For a stake on the side that wins the game."""
    kaboot_yes_pays: Odds = Odds(8)  # noqa: RUF009
    kaboot_no_pays: Odds = Odds(1, 20)  # noqa: RUF009

    @property
    def decks(self) -> int:
        """Packs in the shoe: one, of 32 cards."""
        return 1

    @property
    def cut_card_from_end(self) -> int:
        """Cards behind the cut card: there is none, since each round has its own shuffle."""
        return 0

    @property
    def deal_without_bets(self) -> bool:
        """Whether a round without bets is dealt: always, since the four at the table play."""
        return True

    def as_dict(self) -> dict[str, Any]:
        """All rules by their public names, JSON-ready, no floats."""
        return plain(self, pairs=True)


PRESETS: Final = {
    Preset.SIMPLE: BalootRules(),
    Preset.SAUDI: BalootRules(
        preset=Preset.SAUDI,
        first_lead=FirstLead.RIGHT_OF_DEALER,
        void=Void.MUST_TRUMP,
        under_trump=UnderTrump.FREE,
        compare=Compare.RAW,
        baloot_compares=True,
        tie=Tie.STANDS,
        kaboot_raised=KabootRaised.PLAIN,
        kaboot_projects=KabootProjects.WINNER,
        closed=Closed.RAISER_CHOOSES,
        baloot_overlap=BalootOverlap.HUNDRED,
        sun_double=SunDouble.OVER100_UPTO100,
        sun_reclaim=SunReclaim.EARLIER_OPPONENTS,
        hokum2_asks=Hokum2Asks.UNSPOKEN_AND_OPPONENTS,
        kawesh=Kawesh.SAME_DEALER,
    ),
}
"""The rules of a table on which nothing but the preset was set."""
_FLAGS: Final = ("baloot_compares", "ashkal_round2")
_CHOICES: Final[tuple[tuple[str, type[StrEnum]], ...]] = (
    ("first_lead", FirstLead),
    ("void", Void),
    ("under_trump", UnderTrump),
    ("compare", Compare),
    ("tie", Tie),
    ("kaboot_raised", KabootRaised),
    ("kaboot_projects", KabootProjects),
    ("closed", Closed),
    ("baloot_overlap", BalootOverlap),
    ("sun_double", SunDouble),
    ("sun_reclaim", SunReclaim),
    ("hokum2_asks", Hokum2Asks),
    ("kawesh", Kawesh),
    ("projects_raised", ProjectsRaised),
    ("hokum_round", HokumRound),
    ("project_tie", ProjectTie),
)
_PAYS: Final = ("round_pays", "game_pays", "kaboot_yes_pays", "kaboot_no_pays")
MOST_PROJECTS: Final = 2
HIGHEST_TARGET: Final = 1_000


def read_rules(given: Mapping[str, Any]) -> BalootRules:
    """Read the rules of a table; what is not given comes from the preset, *simple* if none is.

    Raises:
        ValueError: one sentence that names the rule, the value and what is allowed.
    """
    known_only(GAME, given, [field.name for field in fields(BalootRules)])
    named = one_of("preset", given.get("preset", Preset.SIMPLE.value), [p.value for p in Preset])
    preset = PRESETS[Preset(named)]
    read: dict[str, Any] = {"preset": preset.preset}
    for name in _FLAGS:
        read[name] = flag(name, given.get(name, getattr(preset, name)))
    for name, kind in _CHOICES:
        value = given.get(name, getattr(preset, name).value)
        read[name] = kind(one_of(name, value, [each.value for each in kind]))
    for name in _PAYS:
        read[name] = read_odds(name, given[name]) if name in given else getattr(preset, name)
    most = given.get("max_projects", preset.max_projects)
    read["max_projects"] = whole("max_projects", most, 0, MOST_PROJECTS)
    read["target"] = whole("target", given.get("target", preset.target), 1, HIGHEST_TARGET)
    return BalootRules(**read)


def without_effect(rules: BalootRules) -> tuple[str, ...]:
    """Say which rules were set and change nothing, each in one sentence."""
    asked = PRESETS[rules.preset].under_trump
    if rules.void is Void.FREE and rules.under_trump is not asked:
        return ("under_trump has no effect: with void 'free' nobody must cut",)
    return ()
