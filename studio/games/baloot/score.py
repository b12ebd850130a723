"""From card points to what is written: conversion, contract, kaboot, raises (RULES.md 4.6, 4.7)."""

from dataclasses import dataclass
from typing import Any, Final

from studio.games.baloot.cards import HAND, SIDES, Mode
from studio.games.baloot.rules import (
    BalootRules,
    Compare,
    HokumRound,
    KabootProjects,
    KabootRaised,
    ProjectsRaised,
    Tie,
)

Pair = tuple[int, int]
"""A figure of each of the two sides."""
ROUND: Final = {Mode.SUN: 26, Mode.HOKUM: 16}
"""Round points of a round without projects."""
KABOOT: Final = {Mode.SUN: 44, Mode.HOKUM: 25}
"""Round points for all eight tricks."""
BALOOT: Final = 2
"""Round points of baloot, never multiplied."""
RAW_BALOOT: Final = 20
_SIX: Final = 6
_TEN: Final = 10
_HALF: Final = 5
_TWICE: Final = 2
NOTHING: Final = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a round came to before it is written."""

    mode: Mode
    buyer: int
    """Side that bought."""
    abnat: Pair
    """Card points, the last trick among them."""
    tricks: Pair
    """Tricks won."""
    projects: Pair = NOTHING
    """Round points of the projects that count."""
    projects_raw: Pair = NOTHING
    """The same as 20, 50, 100, 200."""
    baloot: Pair = NOTHING
    """1 for the side that has it."""
    multiplier: int = 1
    """1 under gahwa too."""
    raiser: int | None = None
    """Side that raised last."""
    gahwa: bool = False

    @property
    def raised(self) -> bool:
        """Whether anybody raised."""
        return self.multiplier > 1 or self.gahwa


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The result of a round that was played."""

    card_gp: Pair
    """Round points from cards."""
    kaboot: int | None
    """Side that took all tricks."""
    failed: bool
    """Whether the buyers did not make it."""
    total_gp: Pair | None
    """Round points with projects and without baloot; None in a kaboot."""
    winner: int
    final: Pair
    """What is written."""
    game_won_by_gahwa: int | None

    def as_dict(self) -> dict[str, Any]:
        """All figures by their public names, JSON-ready."""
        plain: dict[str, Any] = {
            "card_gp": list(self.card_gp),
            "kaboot": self.kaboot,
            "failed": self.failed,
            "winner": self.winner,
            "game_won_by_gahwa": self.game_won_by_gahwa,
            "final": list(self.final),
        }
        if self.total_gp is not None:
            plain["total_gp"] = list(self.total_gp)
        return plain


def convert(rules: BalootRules, mode: Mode, abnat: Pair) -> Pair:
    """Round points of the two sides from their card points (RULES.md 4.6, D-40)."""
    if mode is Mode.SUN:
        return (_sun(abnat[0]), _sun(abnat[1]))
    first, second = (_hokum(count) for count in abnat)
    if first + second > ROUND[mode] and rules.hokum_round is not HokumRound.INDIVIDUAL:
        larger = 0 if abnat[0] > abnat[1] else 1
        gives = larger if rules.hokum_round is HokumRound.PAIR16 else 1 - larger
        return (first - int(gives == 0), second - int(gives == 1))
    return (first, second)


def _sun(count: int) -> int:
    """To the nearest ten, twice, by ten; a count that ends in five is not rounded."""
    tens, rest = divmod(count, _TEN)
    return 2 * tens + (0 if rest < _HALF else 1 if rest == _HALF else 2)


def _hokum(count: int) -> int:
    """By ten to the nearest whole number, a half down."""
    return (count + _TEN // 2 - 1) // _TEN


def score(rules: BalootRules, played: Played) -> Score:
    """Work out what is written for a round that was played to its end."""
    card_gp = convert(rules, played.mode, played.abnat)
    swept = next((side for side in range(SIDES) if played.tricks[side] == HAND), None)
    if swept is not None:
        final = _one_side(swept, _kaboot(rules, played, swept))
        return _score(played, card_gp, winner=swept, kaboot=swept, total=None, final=final)
    total = _add(card_gp, played.projects)
    made = _made(rules, played, total)
    winner = played.buyer if made else 1 - played.buyer
    if not made:
        final = _one_side(winner, written_against(rules, played, played.projects, played.baloot))
    elif played.multiplier > 1:
        owned = BALOOT * played.baloot[0], BALOOT * played.baloot[1]
        final = _add(owned, _one_side(winner, _pot(rules, played, played.projects)))
    else:
        final = _add(total, (BALOOT * played.baloot[0], BALOOT * played.baloot[1]))
    return _score(played, card_gp, winner=winner, kaboot=None, total=total, final=final)


def _score(
    played: Played,
    card_gp: Pair,
    *,
    winner: int,
    kaboot: int | None,
    total: Pair | None,
    final: Pair,
) -> Score:
    return Score(
        card_gp=card_gp,
        kaboot=kaboot,
        failed=winner != played.buyer,
        total_gp=total,
        winner=winner,
        final=final,
        game_won_by_gahwa=winner if played.gahwa else None,
    )


def written_against(rules: BalootRules, played: Played, projects: Pair, baloot: Pair) -> int:
    """What one side writes when all is lost by the other: the whole round, projects and baloot."""
    return _pot(rules, played, projects) + BALOOT * sum(baloot)


def _pot(rules: BalootRules, played: Played, projects: Pair) -> int:
    """All points of a round and its projects, multiplied; without baloot."""
    return ROUND[played.mode] * played.multiplier + sum(projects) * _times(rules, played)


def _times(rules: BalootRules, played: Played) -> int:
    """How often a project counts in a raised round."""
    if rules.projects_raised is ProjectsRaised.AT_MOST_DOUBLE:
        return min(played.multiplier, _TWICE)
    return played.multiplier


def _kaboot(rules: BalootRules, played: Played, swept: int) -> int:
    """What the side writes that took all eight tricks (RULES.md 4.7, D-41)."""
    both = rules.kaboot_projects is KabootProjects.BOTH
    projects = sum(played.projects) if both else played.projects[swept]
    baloot = sum(played.baloot) if both else played.baloot[swept]
    plain = rules.kaboot_raised is KabootRaised.PLAIN
    multiplier, times = (1, 1) if plain else (played.multiplier, _times(rules, played))
    return KABOOT[played.mode] * multiplier + projects * times + BALOOT * baloot


def _made(rules: BalootRules, played: Played, total: Pair) -> bool:
    """Whether the buyers have more than the others; level as `tie` says."""
    raw = _add(played.abnat, played.projects_raw)
    with_baloot = _add(raw, (RAW_BALOOT * played.baloot[0], RAW_BALOOT * played.baloot[1]))
    if rules.compare is Compare.RAW:
        counts = with_baloot if rules.baloot_compares else raw
    elif rules.baloot_compares:
        counts = _add(total, (BALOOT * played.baloot[0], BALOOT * played.baloot[1]))
    else:
        counts = total
    own, other = counts[played.buyer], counts[1 - played.buyer]
    if own != other:
        return own > other
    match rules.tie:
        case Tie.BUYER_FAILS:
            return False
        case Tie.STANDS:
            return not played.raised or played.raiser != played.buyer
        case Tie.RAW_POINTS:
            if played.multiplier > 1:
                return played.raiser != played.buyer
            own, other = with_baloot[played.buyer], with_baloot[1 - played.buyer]
            return own > other or (own == other and played.mode is Mode.SUN)


def _add(one: Pair, other: Pair) -> Pair:
    return (one[0] + other[0], one[1] + other[1])


def _one_side(side: int, written: int) -> Pair:
    return (written, 0) if side == 0 else (0, written)
