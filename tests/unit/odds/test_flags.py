"""No flag of blackjack (D-23) is without effect: by the exact return, or by what may be played.

Returns are those of all hands against a six and against a ten-value, two up cards between which
every flag of the main bet matters; insurance is the bet beside it.
"""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from itertools import combinations
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from studio.domain import commands as c
from studio.domain.faults import FaultCode
from studio.games.blackjack.rules import BlackjackRules, HoleCard, read_rules, without_effect
from studio.odds.analysis import against, best_line, worth
from studio.odds.play import WORTH
from studio.odds.sidebets import insurance
from tests.support.seats_course import play
from tests.support.shared import SharedRig

FLAGS: Final[Mapping[str, tuple[Any, ...]]] = {
    "decks": (1, 6, 8),
    "dealer_hits_soft_17": (False, True),
    "hole_card": ("peek", "none_all_lost", "none_original_lost"),
    "double_on": ("any", "9-11", "10-11"),
    "double_after_split": (True, False),
    "max_hands": (1, 2, 3, 4),
    "resplit_aces": (False, True),
    "hit_split_aces": (False, True),
    "charlie": (0, 5, 6, 7),
    "surrender": ("none", "early", "late"),
    "blackjack_pays": ((3, 2), (6, 5)),
    "insurance": (True, False),
}
"""Every flag that changes an exact return, with its values."""
EXEMPT: Final = {
    "split_by": ("value", "rank"),
    "cut_card_from_end": (104, 200),
}
"""Flags that change no exact return: splitting tens is best play under no rules, and the figures
are those of a fresh shoe. That each of them changes play has a test of its own."""
BASE: Final[Mapping[str, Any]] = {"max_hands": 4}
UPS: Final = (6, 10)
LEAST: Final = 1e-9
"""Far more than what double precision loses, far less than any flag changes."""


def rules_with(**given_: Any) -> BlackjackRules:
    plain = {name: list(v) if isinstance(v, tuple) else v for name, v in given_.items()}
    return read_rules(plain)


@cache
def returned(rules: BlackjackRules) -> tuple[float, ...]:
    """Mean result of the main bet against each of the up cards; and of insurance if offered."""
    found = []
    for up in UPS:
        place = against(rules, up)
        found.append(float(worth(place, best_line(place)[0])[WORTH]))
    return (*found, insurance(rules.decks).returned) if rules.insurance else tuple(found)


def same(one: BlackjackRules, other: BlackjackRules) -> bool:
    mine, theirs = returned(one), returned(other)
    if len(mine) != len(theirs):
        return False
    return all(abs(a - b) < LEAST for a, b in zip(mine, theirs, strict=True))


def test_every_rule_of_the_game_is_named_here() -> None:
    assert {*FLAGS, *EXEMPT} == {field.name for field in fields(BlackjackRules)}


@pytest.mark.parametrize("flag", FLAGS)
def test_no_two_values_of_a_flag_give_the_same_exact_return(flag: str) -> None:
    each = [rules_with(**{**BASE, flag: value}) for value in FLAGS[flag]]
    assert [pair for pair in combinations(each, 2) if same(*pair)] == []


@pytest.mark.parametrize("flag", EXEMPT)
def test_only_flags_that_change_no_exact_return_are_exempt(flag: str) -> None:
    one, other = (rules_with(**{**BASE, flag: value}) for value in EXEMPT[flag])
    assert one != other
    assert same(one, other)


def lawful(rules: Mapping[str, Any]) -> bool:
    return bool(rules["surrender"] != "late" or rules["hole_card"] == "peek")


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, BlackjackRules, BlackjackRules]:
    """A flag, any house rules, and the same with another value of the flag."""
    flag = draw(st.sampled_from(sorted(FLAGS)))
    house = {name: draw(st.sampled_from(values)) for name, values in FLAGS.items()}
    others = [{**house, flag: value} for value in FLAGS[flag] if value != house[flag]]
    may = [other for other in others if lawful(other)]
    if not lawful(house) or not may:
        house = {**house, "hole_card": "peek"}
        may = [{**house, flag: value} for value in FLAGS[flag] if value != house[flag]]
        may = [other for other in may if lawful(other)] or [{**house, "surrender": "none"}]
    return flag, rules_with(**house), rules_with(**draw(st.sampled_from(may)))


@settings(max_examples=8)
@given(changes())
def test_under_any_house_rules_a_flag_changes_the_return_unless_the_check_says_otherwise(
    change: tuple[str, BlackjackRules, BlackjackRules],
) -> None:
    flag, one, other = change
    # Between these only a hand makes a difference that is bust after a split or a blind double, or
    # a Charlie; under rules that bring none of them they return the same.
    assume({one.hole_card, other.hole_card} != {HoleCard.PEEK, HoleCard.ORIGINAL_LOST})
    idle = [said for rules in (one, other) for said in without_effect(rules)]
    told = any(said.startswith(f"{flag} has no effect") for said in idle)
    assert same(one, other) is told


def test_split_by_changes_which_tens_may_be_split() -> None:
    cards = "KS 6D QD TC"
    assert "split" in play(cards, split_by="value").windows[-1][1]
    assert "split" not in play(cards, split_by="rank").windows[-1][1]


@pytest.mark.parametrize(("behind", "missed"), [(104, False), (412, True)])
def test_cut_card_from_end_changes_after_which_card_the_cut_card_is_missed(
    behind: int, missed: object
) -> None:
    rig = SharedRig(game="blackjack", rules={"cut_card_from_end": behind}).seated(p001=1000)
    rig.cards("TS 6D 8C TC")
    rig.answer("p001 S1 stand")
    rig.turn_hole("TC")
    rig.cards("9D")
    rig.give(c.ConfirmStep())
    noted = [note.code for note in rig.table.notes]
    assert (FaultCode.CUT_CARD_MISSING in noted) is missed
