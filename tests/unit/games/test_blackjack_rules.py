"""Rules of a table of blackjack, the page for players, and what screens show of a round."""

import json
from pathlib import Path
from typing import Any

import pytest

from studio.domain.cards import Card
from studio.games import registry
from studio.games.blackjack import GAME
from studio.games.boundless import GAME as BOUNDLESS
from studio.games.procedure import Dealt
from studio.games.spec import LOST, PUSHED, HandTotal, Pay
from tests.support.seats_course import Course, play

RULES = GAME.rules({})
HOUSE: dict[str, Any] = {
    "decks": 6,
    "cut_card_from_end": 90,
    "dealer_hits_soft_17": True,
    "hole_card": "none_original_lost",
    "double_on": "9-11",
    "double_after_split": False,
    "max_hands": 4,
    "resplit_aces": True,
    "hit_split_aces": True,
    "split_by": "rank",
    "charlie": 7,
    "surrender": "early",
    "blackjack_pays": [6, 5],
    "insurance": False,
}
"""Every rule is another one than the default."""


def test_the_game_is_registered_under_its_name_and_version() -> None:
    assert registry.game("blackjack") is GAME
    assert GAME.version == "blackjack@1"
    assert GAME.version in registry.VERSIONS
    assert (GAME.seat, GAME.bets) == ("main", ("main", "insurance"))
    assert GAME.seats == ("S1", "S2", "S3", "S4", "S5", "S6", "S7")
    assert BOUNDLESS.seats == ()


def test_the_defaults_are_those_of_the_contract() -> None:
    assert RULES.as_dict() == {
        "decks": 8,
        "cut_card_from_end": 104,
        "dealer_hits_soft_17": False,
        "hole_card": "peek",
        "double_on": "any",
        "double_after_split": True,
        "max_hands": 2,
        "resplit_aces": False,
        "hit_split_aces": False,
        "split_by": "value",
        "charlie": 0,
        "surrender": "none",
        "blackjack_pays": [3, 2],
        "insurance": True,
    }


def test_rules_read_from_their_own_record_are_the_same_rules() -> None:
    rules = GAME.rules(HOUSE)
    assert rules.as_dict() == HOUSE
    assert GAME.rules(json.loads(json.dumps(rules.as_dict()))) == rules
    assert hash(rules) != hash(RULES)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"packs": 6}, "blackjack has no rule 'packs'; its rules are blackjack_pays, charlie, "),
        ({"decks": 9}, "decks is 9, but it must be a whole number from 1 to 8"),
        ({"decks": 0}, "decks is 0, but it must be a whole number from 1 to 8"),
        ({"max_hands": 5}, "max_hands is 5, but it must be a whole number from 1 to 4"),
        ({"charlie": 4}, "charlie is 4, but it must be 0 or 5 or 6 or 7"),
        ({"charlie": False}, "charlie is False, but it must be 0 or 5 or 6 or 7"),
        ({"hole_card": "yes"}, "hole_card is 'yes', but it must be peek or none_all_lost or none_"),
        ({"double_on": "8-11"}, "double_on is '8-11', but it must be any or 9-11 or 10-11"),
        ({"split_by": "suit"}, "split_by is 'suit', but it must be value or rank"),
        ({"surrender": True}, "surrender is True, but it must be none or late or early"),
        ({"insurance": 1}, "insurance is 1, but it must be true or false"),
        ({"blackjack_pays": [3, 0]}, "blackjack_pays is [3, 0], but odds are a whole number as 11"),
        ({"decks": 1, "cut_card_from_end": 40}, "cut_card_from_end is 40, but with 1 packs a full"),
        ({"cut_card_from_end": 416}, "cut_card_from_end is 416, but with 8 packs a full table can"),
        ({"cut_card_from_end": False}, "cut_card_from_end is False, but with 8 packs a full table"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the sentence is compared below
        GAME.rules(given)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("pays", "returned"), [([3, 2], 250), ([6, 5], 220), (1, 200), ([2, 1], 300)]
)
def test_a_natural_pays_what_the_house_says(pays: object, returned: int) -> None:
    assert play("AS 9D KC TC", blackjack_pays=pays).returned("main", 100) == returned


def test_bets_other_than_the_main_bet_are_not_placed() -> None:
    assert GAME.offered(RULES, 1) == ("main",)
    assert GAME.refuse_bet(RULES, "main", frozenset(), 1) is None
    assert GAME.refuse_bet(RULES, "insurance", frozenset(), 1) == "not_offered"
    assert GAME.refuse_bet(RULES, "pair", frozenset({"main"}), 1) == "not_offered"
    with pytest.raises(KeyError):
        GAME.extra(RULES, "S1", "hit")


# -- the page for players -------------------------------------------------------------------------


def test_the_rules_page_follows_the_rules_in_force() -> None:
    plain = dict(GAME.rule_text(RULES))
    assert plain["rule.blackjack.pays.main"] == (("pays", "1:1"), ("blackjack", "3:2"))
    assert plain["rule.blackjack.insurance.offered"] == (("pays", "2:1"),)
    assert "rule.blackjack.charlie" not in plain
    assert "rule.blackjack.resplit_aces.no" not in plain
    house = dict(GAME.rule_text(GAME.rules(HOUSE)))
    assert house["rule.blackjack.charlie"] == (("cards", 7),)
    assert house["rule.blackjack.split.rank"] == (("hands", 4),)
    changed = set(plain.items()) - set(house.items())
    assert {code for code, _ in changed} == {
        "rule.shoe.packs",
        "rule.shoe.cut_card",
        "rule.blackjack.deal.hole",
        "rule.blackjack.dealer.stands",
        "rule.blackjack.double.any",
        "rule.blackjack.double_after_split.yes",
        "rule.blackjack.hit_stand",
        "rule.blackjack.hole_card.peek",
        "rule.blackjack.insurance.offered",
        "rule.blackjack.pays.main",
        "rule.blackjack.split.value",
        "rule.blackjack.split_aces.one_card",
        "rule.blackjack.surrender.none",
    }


@pytest.mark.parametrize("lang", ["ar", "en", "ur"])
def test_every_rule_is_worded_with_all_its_figures(lang: str, root: Path) -> None:
    texts = json.loads((root / "web/ui/messages" / f"{lang}.json").read_text("utf-8"))
    others: tuple[dict[str, Any], ...] = (
        {"max_hands": 1, "double_on": "10-11", "hole_card": "none_all_lost"},
        {"max_hands": 3, "surrender": "late"},
    )
    for given in ({}, HOUSE, *others):
        for code, params in GAME.rule_text(GAME.rules(given)):
            said = texts[code].format(**dict(params))
            assert all(str(value) in said for _, value in params), code


# -- what screens show ----------------------------------------------------------------------------


def test_totals_are_counted_hand_by_hand_from_the_cards_that_are_known() -> None:
    named = (("S1", "AS"), ("S2:1", "8S"), ("D", "TD"), ("S1", "6D"), ("S2:1", "9H"))
    cards = (*((zone, Dealt(Card.parse(code))) for zone, code in named), ("D", Dealt(None)))
    told = {total.zone: total for total in GAME.totals(RULES, cards)}
    assert told["S1"] == HandTotal(zone="S1", total=17, low=7)
    assert told["S2:1"] == HandTotal(zone="S2:1", total=17)
    assert told["D"] == HandTotal(zone="D", total=10)
    assert told["S3"] == HandTotal(zone="S3", total=None)


def states(course: Course) -> dict[str, str]:
    crowd = GAME.crowd(course.rules, tuple(course.inputs))
    return {lane.zone: lane.state for lane in crowd.lanes}


def test_screens_are_told_which_hand_is_asked_and_which_takes_the_next_card() -> None:
    cards = "8S TS AS 6D 8D 7S KD TC"
    assert states(play("8S", seats=3)) == {"S1": "", "S2": "next", "S3": ""}
    asked = play(cards, seats=3)
    assert states(asked) == {"S1": "asked", "S2": "", "S3": "blackjack"}
    assert states(play(cards, "split", seats=3)) == {
        "S1:1": "next",
        "S1:2": "",
        "S2": "",
        "S3": "blackjack",
    }
    doubled = play(f"{cards} 3C TH", "split", "double", seats=3)
    assert states(doubled)["S1:1"] == "done"
    assert states(doubled)["S1:2"] == "next"
    later = play(f"{cards} 3C TH 9H", "split", "double", "stand", seats=3)
    assert states(later) == {"S1:1": "done", "S1:2": "closed", "S2": "asked", "S3": "blackjack"}
    assert GAME.crowd(later.rules, tuple(later.inputs)).seated == 3


@pytest.mark.parametrize(
    ("codes", "answers", "rules", "state"),
    [
        ("TS 6D 6S TC 9C", ("hit",), {}, "bust"),
        ("TS 6D 6S TC", ("surrender",), {"surrender": "late"}, "surrender"),
        ("2S TD 2D 9C 2H 3C 4D", ("hit",) * 3, {"charlie": 5}, "done"),
        ("5S TD 6D 9C TH", ("hit",), {}, "done"),
        ("5S TD 6D 9C", ("stand",), {}, "closed"),
    ],
)
def test_screens_are_told_how_a_hand_ended(
    codes: str, answers: tuple[str, ...], rules: dict[str, Any], state: str
) -> None:
    assert states(play(codes, *answers, **rules)) == {"S1": state}


def test_the_cards_of_split_hands_are_found_again_among_those_of_their_seat() -> None:
    course = play("8S 6D 8D TC 8H 8C TH", "split", "split", max_hands=4)
    assert GAME.hands_of(course.rules, tuple(course.inputs)) == (
        ("S1", "S1:11", (1, 8)),
        ("S1", "S1:12", (6,)),
        ("S1", "S1:2", (3,)),
    )
    assert GAME.hands_of(RULES, tuple(play("8S 6D 8D TC").inputs)) == ()


def test_the_dealers_hand_is_worded_only_once_both_cards_lie_open() -> None:
    def word(course: Course, zone: str = "D") -> str | None:
        return GAME.word(course.rules, tuple(course.inputs), zone)

    assert word(play("8S TD 9D AC")) is not None
    assert word(play("8S TD 9D 7C")) is None
    assert word(play("8S 6D 9D 8C", "stand")) == "draws"
    assert word(play("8S 6D 9D 8C TC", "stand")) == "bust"
    assert word(play("8S TD 9D 8C", "stand")) == "stands"
    assert word(play("AS TD KD 8C"), "S1") == "natural"
    assert word(play("TS TD 5D 8C 9C", "hit"), "S1") == "bust"


# -- what is certain ------------------------------------------------------------------------------


def certain(course: Course) -> dict[str, Pay]:
    return dict(GAME.certain(course.rules, tuple(course.inputs)))


def test_what_no_further_card_can_change_is_known_before_the_end() -> None:
    begun = play("8S TS AS 6D 8D 6S KD TC", seats=3)
    assert certain(begun) == {"main@S3": Pay(5, 2)}
    bust = play("8S TS AS 6D 8D 6S KD TC 9C", "stand", "hit", seats=3)
    assert certain(bust)["main@S2 S2:hit"] == LOST
    under_ten = play("AS TD KD", hole_card="none_all_lost")
    assert certain(under_ten) == {}
    insured = play("AS AD 9D 8C", insured=(1,))
    assert certain(insured) == {"insurance": LOST}
    late = play("9S AD 9D TC", insured=(1,))
    assert late.outcome is not None
    assert certain(late)["insurance"] == Pay(3)


def test_a_doubled_hand_that_is_bust_loses_both_stakes_for_certain() -> None:
    course = play("8S 6D 8D TC 9H 9C", "double", seats=1)
    key = "S1 S1:double"
    assert certain(course)[f"main@{key}"] == LOST
    assert certain(course)[f"double:S1@{key}"] == LOST
    assert PUSHED not in certain(course).values()
