"""Rules of a Boundless table, the page for players, and what screens show of a round."""

import json
from typing import Any

import pytest

from studio.domain.cards import Card
from studio.games import registry
from studio.games.boundless import GAME
from studio.games.hands21 import Hand, by_itself, natural, score
from studio.games.procedure import Dealt
from studio.games.spec import HandTotal
from tests.support.shared_course import play

RULES = GAME.rules({})


def test_the_game_is_registered_under_its_name_and_version() -> None:
    assert registry.game("boundless-blackjack") is GAME
    assert GAME.version == "boundless-blackjack@1"
    assert GAME.version in registry.VERSIONS
    assert GAME.seat == "main"
    assert GAME.steps == (
        *("bets", "first_four", "insurance", "peek", "decision"),
        *("lane_card", "hole_card", "dealer_draws"),
    )


def test_the_defaults_are_those_of_the_contract() -> None:
    assert RULES.as_dict() == {
        "schedule": "waves",
        "decks": 8,
        "cut_card_from_end": 104,
        "pair_rounds": 40,
        "side_bet_rounds": 45,
        "pair_pays": {"mixed": 5, "coloured": 10, "perfect": 30},
        "bust_bonus_pays": {"3": 1, "4": 2, "5": 9, "6": 50, "7": 100, "8": 250},
        "lucky_trio_pays": {
            "total_19_20": 2,
            "unsuited_21": 3,
            "suited_21": 10,
            "unsuited_678": 30,
            "unsuited_777": 50,
            "suited_678": 100,
            "suited_777": 200,
        },
        "poker_trio_pays": {
            "flush": 5,
            "straight": 10,
            "three_of_a_kind": 30,
            "straight_flush": 40,
            "suited_trips": 100,
        },
        "deal_without_bets": False,
    }


def test_rules_read_from_their_own_record_are_the_same_rules() -> None:
    house = {
        "schedule": "lanes",
        "pair_pays": [6, 12, 25],
        "bust_bonus_pays": {"8": [1001, 4]},
        "deal_without_bets": True,
        "cut_card_from_end": 60,
    }
    for given in ({}, house):
        rules = GAME.rules(given)
        text = json.dumps(rules.as_dict())
        assert "." not in text
        assert GAME.rules(json.loads(text)) == rules
        assert hash(GAME.rules(json.loads(text))) == hash(rules)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"shedule": "waves"}, "boundless-blackjack has no rule 'shedule'; its rules are "),
        ({"schedule": "wave"}, "schedule is 'wave', but it must be waves or lanes"),
        ({"decks": 6}, "decks is 6, but it must be 8"),
        ({"cut_card_from_end": 51}, "cut_card_from_end is 51, but it must be a whole number from "),
        ({"pair_rounds": -1}, "pair_rounds is -1, but it must be a whole number from 0 to 104"),
        ({"side_bet_rounds": 4.5}, "side_bet_rounds is 4.5, but it must be a whole number from 0"),
        ({"pair_pays": {"suited": 3}}, "pair_pays has no row 'suited'; its rows are mixed, "),
        ({"bust_bonus_pays": [1, 2, 9]}, "bust_bonus_pays has 3 entries, but it takes 6: 3, 4, "),
        ({"lucky_trio_pays": {"suited_21": 0}}, "lucky_trio_pays.suited_21 is 0, but odds are"),
        ({"deal_without_bets": 1}, "deal_without_bets is 1, but it must be true or false"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the sentence is compared below
        GAME.rules(given)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_pay_tables_of_the_house_are_paid() -> None:
    course = play("7S 6D 7C TC 9D", "stand", bust_bonus_pays=[2, 3, 4, 5, 6, 7], pair_pays=8)
    assert (course.returned("bust_bonus", 10), course.returned("pair", 10)) == (30, 90)


def test_the_rules_page_follows_the_rules_in_force() -> None:
    plain = dict(GAME.rule_text(RULES))
    assert plain["rule.boundless.pays.main"] == (("pays", "1:1"), ("blackjack", "3:2"))
    assert plain["rule.boundless.pays.lucky_trio.suited_777"] == (("pays", "200:1"),)
    assert plain["rule.boundless.limits.pair"] == (("rounds", 40),)
    assert plain["rule.boundless.limits.others"] == (("rounds", 45),)
    assert plain["rule.boundless.dealer"] == (("stands", 17),)
    assert plain["rule.boundless.automatic"] == (("upto", 11),)
    house = {"schedule": "lanes", "deal_without_bets": True, "cut_card_from_end": 60}
    changed = set(GAME.rule_text(GAME.rules(house))) - set(plain.items())
    assert {code for code, _ in changed} == {
        "rule.boundless.schedule.lanes",
        "rule.boundless.without_bets.dealt",
        "rule.shoe.cut_card",
    }


def test_the_rules_page_names_each_row_of_each_pay_table() -> None:
    codes = {code for code, _ in GAME.rule_text(RULES)}
    plain = RULES.as_dict()
    for bet in ("pair", "bust_bonus", "lucky_trio", "poker_trio"):
        for row in plain[f"{bet}_pays"]:
            assert f"rule.boundless.pays.{bet}.{row}" in codes


@pytest.mark.parametrize("lang", ["ar", "en", "ur"])
def test_every_rule_is_worded_with_all_its_figures(lang: str, root: Any) -> None:
    texts = json.loads((root / "web/ui/messages" / f"{lang}.json").read_text("utf-8"))
    for given in ({}, {"schedule": "lanes", "deal_without_bets": True}):
        for code, params in GAME.rule_text(GAME.rules(given)):
            said = texts[code].format(**dict(params))
            assert all(str(value) in said for _, value in params), code


@pytest.mark.parametrize(
    ("codes", "total", "soft"),
    [
        ("AS", 11, True),
        ("AS AD", 12, True),
        ("AS AD AC AH", 14, True),
        ("AS AD 9C", 21, True),
        ("AS 9D", 20, True),
        ("AS 9D 5C", 15, False),
        ("AS KD", 21, True),
        ("KS QD 2C", 22, False),
        ("KS QD AC", 21, False),
        ("6D AS", 17, True),
        ("6D AS TC", 17, False),
    ],
)
def test_an_ace_counts_eleven_unless_that_takes_the_hand_over_twenty_one(
    codes: str, total: int, soft: bool
) -> None:
    cards = [Card.parse(code) for code in codes.split()]
    hand = Hand(cards)
    assert (hand.score, hand.soft, score(cards)) == (total, soft, total)
    assert hand.scores == [score(cards[:n]) for n in range(len(cards) + 1)]


def test_only_two_cards_make_a_natural() -> None:
    ace, king, seven = (Card.parse(code) for code in ("AS", "KD", "7C"))
    assert natural(ace, king)
    assert natural(king, ace)
    assert not natural(ace, ace)
    assert not natural(king, king)
    assert Hand((king, ace)).natural
    assert not Hand((seven, seven, seven)).natural


def test_automatic_play_goes_by_eleven() -> None:
    assert [by_itself(n) for n in (4, 11, 12, 20)] == ["hit", "hit", "stand", "stand"]


def told(zone: str, code: str) -> tuple[str, Dealt]:
    return zone, Dealt(Card.parse(code) if code != "XX" else None)


def test_totals_count_images_and_leave_out_what_is_hidden() -> None:
    laid = (told("M", "8S"), told("D", "AD"), told("M", "8C"), told("D", "XX"))
    assert GAME.totals(RULES, laid) == (
        HandTotal(zone="M", total=16),
        HandTotal(zone="L", total=None),
        HandTotal(zone="R", total=None),
        HandTotal(zone="D", total=11, low=1),
    )
    split = (*laid, told("L", "AH"), told("R", "3H"), told("M", "XX"))
    assert GAME.totals(RULES, split)[:3] == (
        HandTotal(zone="M", total=16),
        HandTotal(zone="L", total=19, low=9),
        HandTotal(zone="R", total=11),
    )


def test_the_plan_names_the_first_four_cards_and_then_every_zone_once() -> None:
    plan = GAME.plan(RULES)
    assert [zone for zone, _, perhaps in plan if not perhaps] == ["M", "D", "M", "D"]
    assert [zone for zone, _, perhaps in plan if perhaps] == ["M", "L", "R", "D"]
    assert not any(across for _, across, _ in plan)


def test_a_word_is_said_of_a_hand_that_ended_and_of_the_dealer_once_the_card_is_turned() -> None:
    course = play("8S KD 8C AC TH", seated=1)
    peeked = course.inputs[:-1]
    assert [GAME.word(RULES, tuple(peeked), zone) for zone in "MLRD"] == [None] * 4
    assert GAME.word(RULES, tuple(course.inputs), "D") == "natural"
    bust = play("8S 6D 8C TC KH", "hit", bets=("bust_bonus", "main"))
    assert [GAME.word(RULES, tuple(bust.inputs), zone) for zone in "MD"] == ["bust", "draws"]
    stands = play("8S 9D 8C TC", "stand")
    assert [GAME.word(RULES, tuple(stands.inputs), zone) for zone in "MD"] == [None, "stands"]
    blackjack = play("AS 9D KC")
    assert GAME.word(RULES, tuple(blackjack.inputs), "M") == "natural"


def test_the_outcome_says_all_that_a_record_needs_without_floats() -> None:
    course = play("8S 6D 8C TC 3H 4H 5H TH", "split", "hit,stand", "stand", bets=("main", "pair"))
    told = course.done.as_dict()
    assert "." not in json.dumps(told)
    assert told["code"] == "dealer_bust"
    assert told["totals"] == [["M", 16], ["L", 16], ["R", 12], ["D", 26]]
    assert told["marks"] == ["pair_coloured", "bust_bonus_3"]
    assert told["cohorts"] == {"M:split L:hit,R:stand L:stand": 1}
    assert [wave["cards"] for wave in told["waves"]] == [
        [["L", "3H"], ["R", "4H"]],
        [["L", "5H"]],
        [],
    ]
    assert told["cards_used"] == len(told["dealt"]) == 8


def test_the_code_of_an_outcome_is_what_the_dealer_made() -> None:
    assert play("8S KD 8C AC").done.code == "dealer_blackjack"
    assert play("8S 9D 8C TC", "stand").done.code == "dealer_19"
    assert play("8S 9D 8C 4C TH", "hit", bets=("main",)).done.code == "dealer_13"


@pytest.mark.parametrize(
    ("lane", "action", "kind", "back"),
    [
        ("", "insure", "insurance", 50),
        ("M", "split", "split", 101),
        ("M", "double", "double:M", 101),
        ("L", "double", "double:L", 101),
        ("R", "double", "double:R", 101),
    ],
)
def test_a_costly_action_adds_a_bet_of_its_own_kind(
    lane: str, action: str, kind: str, back: int
) -> None:
    found, share = GAME.extra(RULES, lane, action)
    assert (found, share.returned(101)) == (kind, back)


def test_an_action_that_costs_nothing_adds_no_bet() -> None:
    for lane, action in (("M", "hit"), ("M", "stand"), ("D", "double"), ("", "decline")):
        with pytest.raises(KeyError, match="costs nothing"):
            GAME.extra(RULES, lane, action)


def test_an_answer_of_the_wrong_kind_stops_the_round() -> None:
    for answers in ([None], [4]):
        procedure = GAME.round(RULES)
        next(procedure)
        with pytest.raises(TypeError, match="closed bets are due"):
            procedure.send(answers[0])
