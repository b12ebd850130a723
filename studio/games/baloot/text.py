"""The rules in force as message codes with parameters; the catalogue of a language words them.

Everything is read from the rules and from the figures by which a round is scored, so that the page
that players read cannot say something else than what is played.
"""

from typing import Any

from studio.games.baloot.cards import PACK, Mode, all_points
from studio.games.baloot.projects import Kind
from studio.games.baloot.rules import BalootRules, Void
from studio.games.baloot.score import BALOOT, KABOOT, ROUND

Line = tuple[str, tuple[tuple[str, Any], ...]]
"""A message code and its parameters."""


def rule_text(rules: BalootRules) -> tuple[Line, ...]:
    """Give every rule in force, in the order in which a newcomer meets them."""
    return (*_bidding(rules), *_play(rules), *_score(rules), *_bets(rules))


def _bidding(rules: BalootRules) -> tuple[Line, ...]:
    """Pack, deal, bidding and raises."""
    return (
        ("rule.baloot.preset." + rules.preset.value, ()),
        ("rule.baloot.pack", (("cards", len(PACK)),)),
        ("rule.baloot.partners", ()),
        ("rule.baloot.deal", ()),
        ("rule.baloot.bidding", ()),
        ("rule.baloot.hokum", ()),
        ("rule.baloot.sun", ()),
        _flag(rules, "sun_reclaim"),
        ("rule.baloot.ashkal", ()),
        ("rule.baloot.round2", ()),
        _flag(rules, "hokum2_asks"),
        ("rule.baloot.ashkal_round2." + ("yes" if rules.ashkal_round2 else "no"), ()),
        _flag(rules, "kawesh"),
        ("rule.baloot.passed", ()),
        ("rule.baloot.receiver", ()),
        ("rule.baloot.raise_hokum", ()),
        _flag(rules, "sun_double"),
        _flag(rules, "closed"),
        ("rule.baloot.closed_means", ()),
    )


def _play(rules: BalootRules) -> tuple[Line, ...]:
    """Tricks and projects."""
    return (
        _flag(rules, "first_lead"),
        ("rule.baloot.ranks", ()),
        ("rule.baloot.follow", ()),
        _flag(rules, "void"),
        *([_flag(rules, "under_trump")] if rules.void is Void.MUST_TRUMP else []),
        ("rule.baloot.projects", (("most", rules.max_projects),)),
        *(_project(kind) for kind in reversed(Kind)),
        ("rule.baloot.projects_compare", ()),
        _flag(rules, "project_tie"),
        ("rule.baloot.baloot", (("points", BALOOT),)),
        _flag(rules, "baloot_overlap"),
    )


def _score(rules: BalootRules) -> tuple[Line, ...]:
    """What is written for a round, and how a game ends."""
    sun, hokum = Mode.SUN, Mode.HOKUM
    return (
        ("rule.baloot.points", (("sun", all_points(sun)), ("hokum", all_points(hokum)))),
        ("rule.baloot.conversion", (("sun", ROUND[sun]), ("hokum", ROUND[hokum]))),
        _flag(rules, "hokum_round"),
        _flag(rules, "compare"),
        ("rule.baloot.baloot_compares." + ("yes" if rules.baloot_compares else "no"), ()),
        _flag(rules, "tie"),
        ("rule.baloot.failed", (("sun", ROUND[sun]), ("hokum", ROUND[hokum]))),
        ("rule.baloot.kaboot", (("sun", KABOOT[sun]), ("hokum", KABOOT[hokum]))),
        _flag(rules, "kaboot_projects"),
        ("rule.baloot.multiplied", ()),
        _flag(rules, "projects_raised"),
        _flag(rules, "kaboot_raised"),
        ("rule.baloot.gahwa", ()),
        ("rule.baloot.qayd", ()),
        ("rule.baloot.game", (("target", rules.target),)),
    )


def _bets(rules: BalootRules) -> tuple[Line, ...]:
    """What is done for a silent seat, and what bets pay."""
    return (
        ("rule.baloot.silent", ()),
        ("rule.baloot.pays.round", (("pays", str(rules.round_pays)),)),
        ("rule.baloot.pays.game", (("pays", str(rules.game_pays)),)),
        ("rule.baloot.pays.kaboot_yes", (("pays", str(rules.kaboot_yes_pays)),)),
        ("rule.baloot.pays.kaboot_no", (("pays", str(rules.kaboot_no_pays)),)),
        ("rule.baloot.redeal", ()),
        ("rule.money.rounding", ()),
        ("rule.baloot.void_round", ()),
    )


def _flag(rules: BalootRules, name: str) -> Line:
    """The line of a flag as it is set."""
    return (f"rule.baloot.{name}.{getattr(rules, name).value}", ())


def _project(kind: Kind) -> Line:
    """What a project is, and its round points in sun and, where it exists there, in hokum."""
    sun, hokum = ("sun", kind.points(Mode.SUN)), ("hokum", kind.points(Mode.HOKUM))
    in_both = kind is not Kind.FOUR_HUNDRED
    return (f"rule.baloot.project.{kind.value}", (sun, hokum) if in_both else (sun,))
