"""Punto banco by the numbers of the decisions in force, each test named after the one it holds."""

import itertools

import pytest

from studio.domain.cards import PACK, Card, Rank, Suit
from studio.games import registry
from studio.games.baccarat import GAME, rounds_after_cut
from studio.games.baccarat.coup import BANKER, PLAYER, CoupOutcome, Step, coup
from studio.games.baccarat.pays import commission, offered, pays, refuse_bet
from studio.games.baccarat.rules import DEFAULT, BaccaratRules, read_rules
from studio.games.procedure import (
    Clear,
    Confirm,
    Confirmed,
    Deal,
    Dealt,
    Facing,
    Standing,
    run,
)
from studio.games.shoe import BURN, Burn, ShoeStep, new_shoe

# Rows: Banker's total. Columns: value of the Player's third card 0 to 9, then "the Player stood".
TABLE = (
    "DDDDDDDDDD D",
    "DDDDDDDDDD D",
    "DDDDDDDDDD D",
    "DDDDDDDDSD D",
    "SSDDDDDDSS D",
    "SSSSDDDDSS D",
    "SSSSSSDDSS S",
    "SSSSSSSSSS S",
)
BY_VALUE = dict(enumerate("TA23456789"))


def hand(value: int, first: int = 0) -> tuple[Card, Card]:
    """Two cards with this total, the first of this value."""
    return (
        Card(Rank(BY_VALUE[first]), Suit.SPADES),
        Card(Rank(BY_VALUE[(value - first) % 10]), Suit.HEARTS),
    )


def cards(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def play(*dealt: Card, rules: BaccaratRules = DEFAULT) -> Standing[CoupOutcome]:
    return run(lambda: coup(rules), [Dealt(card) for card in dealt])


def outcome(codes: str) -> CoupOutcome:
    """The result of a whole coup, its cards in the order of dealing."""
    standing = play(*cards(codes))
    assert standing.outcome is not None, f"{standing.due} is still due"
    return standing.outcome


def returned(codes: str, bet: str, stake: int, **rules: object) -> int:
    return pays(read_rules(rules), outcome(codes))[bet].returned(stake)


def test_d30_every_pair_of_totals_and_every_third_card_follows_the_table() -> None:
    for first, player, banker in itertools.product((0, 3, 9), range(10), range(10)):
        (p1, p2), (b1, b2) = hand(player, first), hand(banker, first)
        standing = play(p1, b1, p2, b2)
        if player >= 8 or banker >= 8:
            assert standing.outcome is not None
            assert standing.outcome.natural
            continue
        if player >= 6:
            due = Deal(BANKER, Facing.UP, Step.BANKER_THIRD, sideways=True)
            assert standing.due == (due if TABLE[banker][11] == "D" else None)
            continue
        assert standing.due == Deal(PLAYER, Facing.UP, Step.PLAYER_THIRD, sideways=True)
        for third in range(10):
            after = play(p1, b1, p2, b2, Card(Rank(BY_VALUE[third]), Suit.CLUBS))
            if TABLE[banker][third] == "D":
                assert after.due == Deal(BANKER, Facing.UP, Step.BANKER_THIRD, sideways=True)
            else:
                assert after.due is None, (player, banker, third)


def test_d30_the_worked_round_of_the_source_ends_with_banker_three_against_two() -> None:
    result = outcome("KC 2D 4H AS 8C")
    assert (result.code, result.player_total, result.banker_total) == ("banker", 2, 3)
    assert not result.banker_drew


def test_d30_the_first_four_go_player_banker_player_banker_face_up() -> None:
    asked = play(*cards("7C 7D TC TD")).asked
    assert [(deal.to, deal.face, deal.step) for deal in asked if isinstance(deal, Deal)] == [
        (zone, Facing.UP, Step.FIRST_FOUR) for zone in (PLAYER, BANKER, PLAYER, BANKER)
    ]


@pytest.mark.parametrize(
    ("stake", "win"),
    [(1, 0), (105, 99), (333, 316), (20, 19), (19, 18), (1000, 950), (10**15, None)],
)
def test_d31_the_commission_is_rounded_up_to_the_next_minor_unit(
    stake: int, win: int | None
) -> None:
    expected = stake * 95 // 100 if win is None else win
    assert returned("TC 9D TD TS", "banker", stake) == stake + expected
    assert commission(DEFAULT, outcome("TC 9D TD TS"), stake) == stake - expected


def test_d31_commission_is_taken_of_a_win_on_banker_only() -> None:
    assert commission(DEFAULT, outcome("9D TC TS TD"), 1000) == 0
    assert commission(DEFAULT, outcome("9D 9C TS TD"), 1000) == 0
    assert commission(read_rules({"banker_pays": "half_on_6"}), outcome("TC 9D TD TS"), 1000) == 0


@pytest.mark.parametrize(("multiple", "back"), [(8, 900), (9, 1000)])
def test_d31_a_tie_pays_eight_or_nine_and_returns_the_main_bets(multiple: int, back: int) -> None:
    assert returned("9D 9C TS TD", "tie", 100, tie_pays=multiple) == back
    assert returned("9D 9C TS TD", "player", 333) == 333
    assert returned("9D 9C TS TD", "banker", 333) == 333
    assert returned("9D 8C TS TD", "tie", 100) == 0


@pytest.mark.parametrize(
    ("shown", "down"), [("AS", 1), ("2S", 2), ("9H", 9), ("TD", 10), ("JC", 10), ("KH", 10)]
)
def test_d32_as_many_cards_are_burned_face_down_as_the_shown_one_counts(
    shown: str, down: int
) -> None:
    inputs = [Confirmed(), Confirmed(), Confirmed(), Dealt(Card.parse(shown))]
    inputs += [Dealt(None)] * down
    standing = run(lambda: new_shoe(DEFAULT), [*inputs, Confirmed()])
    assert standing.asked == (
        Confirm(ShoeStep.SHUFFLE),
        Confirm(ShoeStep.CUT),
        Confirm(ShoeStep.LOAD),
        Deal(BURN, Facing.UP, ShoeStep.BURN_SHOWN),
        *([Deal(BURN, Facing.DOWN, ShoeStep.BURN_DOWN)] * down),
        Clear((BURN,), ShoeStep.BURN_CLEARED),
    )
    assert standing.outcome == Burn(Card.parse(shown), down)
    assert standing.outcome.cards == down + 1


@pytest.mark.parametrize(("dealt_before", "further"), [(0, 0), (1, 1), (4, 1), (5, 1)])
def test_d33_one_more_coup_unless_the_cut_card_came_instead_of_a_first_card(
    dealt_before: int, further: int
) -> None:
    assert rounds_after_cut(DEFAULT, dealt_before) == further


def test_d33_the_cut_card_lies_sixteen_from_the_end_and_never_under_twelve() -> None:
    assert read_rules({}).cut_card_from_end == 16
    assert read_rules({"cut_card_from_end": 12}).cut_card_from_end == 12
    with pytest.raises(ValueError, match=r"cut_card_from_end is 11, .* from 12 to 399"):
        read_rules({"cut_card_from_end": 11})


def test_d34_opposed_bets_are_allowed_unless_the_table_forbids_them() -> None:
    strict = read_rules({"opposed_bets": False})
    assert refuse_bet(DEFAULT, "banker", frozenset({"player"}), 1) is None
    assert refuse_bet(strict, "banker", frozenset({"player"}), 1) == "opposed_bets"
    assert refuse_bet(strict, "player", frozenset({"tie", "banker"}), 1) == "opposed_bets"
    assert refuse_bet(strict, "player", frozenset({"player", "tie"}), 1) is None


def test_d34_tie_and_side_bets_may_be_placed_alone() -> None:
    strict = read_rules({"opposed_bets": False})
    for bet in offered(strict, 1):
        assert refuse_bet(strict, bet, frozenset(), 1) is None


def test_d35_a_third_card_of_value_nought_is_not_a_player_who_stood() -> None:
    drew_a_king = play(*cards("2C 2D 3C 2H KC"))
    assert drew_a_king.due is None, "Banker stands on 4 against a third card of value 0"
    stood = play(*cards("2C 2D 4C 2H"))
    assert isinstance(stood.due, Deal)
    assert stood.due.step == Step.BANKER_THIRD, "Banker draws on 4 if the Player stood"


def test_d35_the_banker_looks_at_the_third_card_and_not_at_the_new_total() -> None:
    # The Player's 5 and 8 make 3: on its own 3 the Banker would draw against a 3, not against an 8.
    assert play(*cards("2C AD 3C 2H 8C")).due is None
    # The Player's 5 and 3 make 8: the Banker draws against the 3.
    assert play(*cards("2C AD 3C 2H 3H")).due is not None


@pytest.mark.parametrize(
    ("variant", "codes", "back"),
    [
        ("commission_5", "2C 3D 3H KS TC 3S", 1950),
        ("commission_5", "TC 9D TD TS", 1950),
        ("half_on_6", "2C 3D 3H KS TC 3S", 1500),
        ("half_on_6", "TC 9D TD TS", 2000),
        ("push_on_three_card_7", "AC TD TC 2S TD 5H", 1000),
        ("push_on_three_card_7", "TC 7D 6D TS", 2000),
        ("push_on_three_card_7", "2C 3D 3H KS TC 3S", 2000),
    ],
)
def test_d36_a_win_on_banker_is_paid_as_the_variant_says(
    variant: str, codes: str, back: int
) -> None:
    assert returned(codes, "banker", 1000, banker_pays=variant) == back


@pytest.mark.parametrize(
    ("codes", "winning"),
    [
        (
            "4C 9D 4H KD",
            {"player_pair": 1200, "either_pair": 600, "small": 250, "dragon_banker": 200},
        ),
        ("9C KD KH JS", {"small": 250, "dragon_player": 200}),
        ("9C 9D KH JS", {"small": 250, "dragon_player": 100, "dragon_banker": 100}),
        ("6C 6D KH QS", {"small": 250}),
        ("TC 6D 5H KS AD", {"big": 154}),
        (
            "2C 5D 2H AS 9C",
            {"player_pair": 1200, "either_pair": 600, "big": 154, "lucky_six": 1300},
        ),
        ("2C 3D 3H KS TC 3S", {"big": 154, "lucky_six": 2100}),
        (
            "7C AD KC AD 9H",
            {"banker_pair": 1200, "either_pair": 600, "perfect_pair": 2600}
            | {"big": 154, "dragon_player": 500},
        ),
        (
            "3C 3D 3C 3D",
            {"player_pair": 1200, "banker_pair": 1200, "either_pair": 600}
            | {"perfect_pair": 20100, "small": 250},
        ),
    ],
)
def test_d37_side_bets_are_paid_by_the_standard_tables(codes: str, winning: dict[str, int]) -> None:
    table = pays(DEFAULT, outcome(codes))
    main = {"player", "banker", "tie"}
    back = {bet: pay.returned(100) for bet, pay in table.items() if bet not in main}
    assert {bet: sum_ for bet, sum_ in back.items() if sum_} == winning


@pytest.mark.parametrize(
    ("margin", "win"), [(1, -1), (2, -1), (3, -1), (4, 1), (5, 2), (6, 4), (7, 6), (8, 10), (9, 30)]
)
def test_d37_the_dragon_bonus_pays_by_the_margin_of_a_win_without_natural(
    margin: int, win: int
) -> None:
    coups = {
        1: "7C 6D TC TD",
        2: "AC 2D 4C TD 2C 3C",
        3: "AC 2D 4C TD 3C 3H",
        4: "7C TD TC AD 2D",
        5: "7C TD TC TD 2D",
        6: "7C TD TC TH AD",
        7: "7C TD TC TH TS",
        8: "AC TD 4C AH 4H TS",
        9: "AC TD 4C TH 4H TS",
    }
    result = outcome(coups[margin])
    assert result.player_total - result.banker_total == margin
    assert pays(DEFAULT, result)["dragon_player"].returned(100) == 100 * (win + 1)
    assert pays(DEFAULT, result)["dragon_banker"].returned(100) == 0


def test_d37_pay_tables_are_settings() -> None:
    rules = read_rules(
        {
            "player_pair_pays": 12,
            "perfect_pair_pays": 25,
            "big_pays": [1, 2],
            "lucky_six_pays": [12, 23],
            "dragon_player_pays": {"by_9": 40},
        }
    )
    both = pays(rules, outcome("3C 3D 3C 3D"))
    assert both["player_pair"].returned(10) == 130
    assert both["perfect_pair"].returned(10) == 260
    assert pays(rules, outcome("2C 3D 3H KS TC 3S"))["lucky_six"].returned(10) == 240
    assert pays(rules, outcome("TC 6D 5H KS AD"))["big"].returned(10) == 15
    nine = pays(rules, outcome("AC TD 4C TH 4H TS"))
    assert (nine["dragon_player"].returned(1), rules.dragon_player_pays["by_4"].win) == (41, 1)


def test_every_bet_of_the_game_has_a_pay_and_no_other() -> None:
    assert tuple(pays(DEFAULT, outcome("7C 7D TC TD"))) == GAME.bets
    assert len(GAME.bets) == len(set(GAME.bets)) == 12


def test_every_card_of_the_pack_has_the_value_of_the_rule_book() -> None:
    values = {card.code: GAME.totals(DEFAULT, ((PLAYER, Dealt(card)),))[0].total for card in PACK}
    assert values == {
        card.code: {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}.get(card.rank.value)
        if card.rank.value in "ATJQK"
        else int(card.rank.value)
        for card in PACK
    }


def test_baccarat_is_registered_under_its_name_and_version() -> None:
    assert registry.game("baccarat") is GAME
    assert {"baccarat@1", "shoe@1"} <= registry.VERSIONS
