"""The rules of a baccarat table: reading, refusing, writing, and the page for players."""

import json
from typing import Any

import pytest

from studio.games.paytable import Odds, PayTable, read_odds
from studio.games.registry import game

GAME = game("baccarat")


def test_the_defaults_are_those_of_the_contract() -> None:
    assert GAME.rules({}).as_dict() == {
        "decks": 8,
        "tie_pays": 8,
        "banker_pays": "commission_5",
        "cut_card_from_end": 16,
        "opposed_bets": True,
        "player_pair_pays": 11,
        "banker_pair_pays": 11,
        "either_pair_pays": 5,
        "perfect_pair_pays": {"one_hand": 25, "both_hands": 200},
        "big_pays": [27, 50],
        "small_pays": [3, 2],
        "dragon_player_pays": (
            dragon := {
                "natural": 1,
                "by_4": 1,
                "by_5": 2,
                "by_6": 4,
                "by_7": 6,
                "by_8": 10,
                "by_9": 30,
            }
        ),
        "dragon_banker_pays": dragon,
        "lucky_six_pays": {"two_cards": 12, "three_cards": 20},
    }


def test_rules_go_through_json_and_hold_no_floats() -> None:
    text = json.dumps(GAME.rules({}).as_dict())
    assert "." not in text
    assert GAME.rules(json.loads(text)) == GAME.rules({})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"deks": 8}, "baccarat has no rule 'deks'; its rules are banker_pair_pays, "),
        ({"decks": 9}, "decks is 9, but it must be a whole number from 1 to 8"),
        ({"decks": True}, "decks is True, but it must be a whole number from 1 to 8"),
        ({"decks": "8"}, "decks is '8', but it must be a whole number from 1 to 8"),
        ({"tie_pays": 7}, "tie_pays is 7, but it must be 8 or 9"),
        ({"tie_pays": 8.0}, "tie_pays is 8.0, but it must be 8 or 9"),
        ({"tie_pays": [8]}, "tie_pays is [8], but it must be 8 or 9"),
        (
            {"banker_pays": "even"},
            "banker_pays is 'even', but it must be commission_5 or half_on_6 or",
        ),
        ({"opposed_bets": 1}, "opposed_bets is 1, but it must be true or false"),
        (
            {"cut_card_from_end": 400},
            "cut_card_from_end is 400, but it must be a whole number from 12 to 399",
        ),
        (
            {"decks": 1, "cut_card_from_end": 36},
            "cut_card_from_end is 36, but it must be a whole number from 12 to 35",
        ),
        ({"big_pays": 0.54}, "big_pays is 0.54, but odds are a whole number as 11 (for 11:1)"),
        ({"big_pays": [27, 0]}, "big_pays is [27, 0], but odds are a whole number"),
        ({"big_pays": [27, 50, 1]}, "big_pays is [27, 50, 1], but odds are a whole number"),
        ({"big_pays": [True, 2]}, "big_pays is [True, 2], but odds are a whole number"),
        ({"small_pays": -1}, "small_pays is -1, but odds are a whole number"),
        ({"small_pays": None}, "small_pays is None, but odds are a whole number"),
        (
            {"dragon_player_pays": {"by_3": 1}},
            "dragon_player_pays has no row 'by_3'; its rows are natural, by_4, ",
        ),
        (
            {"lucky_six_pays": [12]},
            "lucky_six_pays has 1 entries, but it takes 2: two_cards, three_cards",
        ),
        ({"lucky_six_pays": {"two_cards": "12"}}, "lucky_six_pays.two_cards is '12', but odds"),
        ({"lucky_six_pays": "12"}, "lucky_six_pays is '12', but odds"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the sentence is compared below
        GAME.rules(given)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_table_of_odds_may_be_given_by_row_in_order_or_flat() -> None:
    by_row = GAME.rules({"lucky_six_pays": {"three_cards": 23}}).lucky_six_pays
    in_order = GAME.rules({"lucky_six_pays": [12, 23]}).lucky_six_pays
    assert by_row == in_order
    flat = GAME.rules({"perfect_pair_pays": 25}).perfect_pair_pays
    assert flat.plain() == {"one_hand": 25, "both_hands": 25}


def test_odds_are_kept_in_lowest_terms_and_written_as_players_read_them() -> None:
    assert read_odds("big_pays", [54, 100]) == Odds(27, 50)
    shown = [str(odds) for odds in (Odds(11), Odds(27, 50), Odds(3, 2), Odds(1, 3), Odds(21, 2))]
    assert shown == ["11:1", "0.54:1", "1.5:1", "1:3", "10.5:1"]


def test_a_table_of_odds_knows_its_rows() -> None:
    table = PayTable((("one", Odds(1)), ("two", Odds(2))))
    assert (table.names, table["two"]) == (("one", "two"), Odds(2))
    with pytest.raises(KeyError):
        table["three"]


def test_a_game_that_does_not_exist_is_refused_with_the_names_of_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"no game 'roulette'; the games are: .*baccarat"):
        game("roulette")


def test_the_rules_page_says_the_banker_table_row_by_row() -> None:
    rows = {
        dict(params)["total"]: (code.rsplit(".", 1)[1], dict(params).get("thirds"))
        for code, params in GAME.rule_text(GAME.rules({}))
        if code.startswith("rule.baccarat.banker_") and "stood" not in code
    }
    assert rows == {
        0: ("banker_draws", None),
        1: ("banker_draws", None),
        2: ("banker_draws", None),
        3: ("banker_draws_on", "0 1 2 3 4 5 6 7 9"),
        4: ("banker_draws_on", "2 3 4 5 6 7"),
        5: ("banker_draws_on", "4 5 6 7"),
        6: ("banker_draws_on", "6 7"),
        7: ("banker_stands", None),
    }


def test_the_rules_page_follows_the_rules_in_force() -> None:
    house = {
        "decks": 6,
        "tie_pays": 9,
        "banker_pays": "half_on_6",
        "opposed_bets": False,
        "big_pays": [1, 2],
        "cut_card_from_end": 14,
    }
    text = dict(GAME.rule_text(GAME.rules(house)))
    assert text["rule.shoe.packs"] == (("decks", 6), ("cards", 312))
    assert text["rule.baccarat.pays.tie"] == (("pays", "9:1"),)
    assert text["rule.baccarat.pays.big"] == (("pays", "0.5:1"),)
    assert text["rule.shoe.cut_card"] == (("from_end", 14),)
    assert text["rule.baccarat.pays.dragon_player.by_9"] == (("pays", "30:1"),)
    assert "rule.baccarat.pays.banker.half_on_6" in text
    assert "rule.baccarat.opposed_bets.forbidden" in text


def test_the_rules_page_names_each_bet() -> None:
    codes = [code for code, _ in GAME.rule_text(GAME.rules({}))]
    for bet in GAME.bets:
        assert any(code.startswith(f"rule.baccarat.pays.{bet}") for code in codes), bet


def test_an_unknown_bet_is_refused_as_not_offered() -> None:
    assert GAME.refuse_bet(GAME.rules({}), "dragon", frozenset(), 1) == "not_offered"
    assert GAME.offered(GAME.rules({}), 80) == GAME.bets
