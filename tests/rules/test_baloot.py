"""Baloot by the sections and decisions of RULES.md 4, each test named after one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from studio.domain.cards import Card, Suit
from studio.games.baloot import GAME
from studio.games.baloot.cards import PACK, Mode, all_points
from studio.games.baloot.projects import Kind, counting_side, detect
from studio.games.baloot.score import Played, Score, convert, score
from studio.games.baloot.tricks import legal, winner
from studio.games.procedure import Choose, Deal, Facing, Move
from tests.support.baloot_round import Says, Table, deck_of

FLAT = {3: "7C 8C 9C 7D 8D"}
"""Five cards without ace, king, queen, jack and ten."""


def table(
    deck: Iterator[Card] | None = None,
    *,
    dealer: int = 3,
    scores: tuple[int, int] = (0, 0),
    **rules: Any,
) -> Table:
    cards = deck or deck_of({}, "9S", receiver=0, dealer=dealer)
    return Table(GAME.rules(rules), cards, (*scores, dealer, 1, 1))


def called(says: Says, *steps: str) -> list[tuple[str, int, tuple[str, ...]]]:
    return [each for each in says.asked if each[0] in steps]


def said(*words: str, **rules: Any) -> tuple[Table, Says]:
    """A round up to its first play, with these calls one after the other, in turn as asked."""
    dealer = rules.pop("dealer", 3)
    scores = rules.pop("scores", (0, 0))
    deck = rules.pop("deck", None)
    calls = list(words)
    says = Says({"bidding": calls, "claim": calls, "confirm": calls})
    now = table(deck, dealer=dealer, scores=scores, **rules)
    return now.until("play", says), says


def bought(now: Table) -> dict[str, Any]:
    """The contract of a round that was played on to its end by silent seats."""
    now.play_on(Says({}))
    assert now.outcome is not None
    contract: dict[str, Any] = now.outcome.as_dict()["contract"]
    return contract


# -- 4.1 pack and deal ----------------------------------------------------------------------------


def test_41_the_pack_has_32_cards_and_the_shoe_one_round() -> None:
    assert len(set(PACK)) == 32
    assert {card.rank.value for card in PACK} == set("AKQJT987")
    assert (GAME.pack, GAME.rounds_in_shoe, GAME.rules({}).decks) == (PACK, 1, 1)


@pytest.mark.parametrize("dealer", range(4))
def test_41_packets_of_three_and_two_are_dealt_from_the_right_of_the_dealer(dealer: int) -> None:
    now, _ = said("pass", "sun", dealer=dealer, sun_reclaim="earlier_opponents")
    seats = [(dealer + step) % 4 for step in (1, 2, 3, 4)]
    deals = [due for due in now.asked if isinstance(due, Deal)]
    buyer = seats[1]
    last = [seat for seat in seats for _ in range(2 if seat == buyer else 3)]
    dealt = [seat for seat in seats for _ in range(3)] + [seat for seat in seats for _ in range(2)]
    assert [due.to for due in deals] == [
        *(f"H{seat}" for seat in dealt),
        "FACE",
        *(f"H{seat}" for seat in last),
    ]
    assert [due.to for due in deals if due.face is Facing.UP] == ["FACE"]


def test_41_the_receiver_takes_the_open_card_as_the_sixth_of_its_rack() -> None:
    now, _ = said("sun", "leave", "leave", "leave")
    (moved,) = [due for due in now.asked if isinstance(due, Move)]
    assert (moved.to, moved.face, moved.step) == ("H0", Facing.UP, "take_face")
    assert now.racks[0][5] == (moved.index, Card.parse("9S"))
    assert [len(rack) for rack in now.racks.values()] == [8, 8, 8, 8]


# -- 4.2 bidding ----------------------------------------------------------------------------------


def test_42_the_third_and_fourth_to_speak_may_bid_ashkal_too_but_not_on_an_ace() -> None:
    _, says = said(*["pass"] * 7, "sun", *["leave"] * 3)
    offers = [set(options) for _, _, options in says.asked[:8]]
    assert ["ashkal" in offer for offer in offers] == [False, False, True, True] * 2
    ace = deck_of({}, "AS", receiver=3)
    _, says = said(*["pass"] * 7, "sun", *["leave"] * 3, deck=ace)
    assert not any("ashkal" in options for _, _, options in says.asked[:8])


def test_42_in_the_second_round_hokum_is_one_of_the_other_three_suits() -> None:
    _, says = said(*["pass"] * 7, "sun", *["leave"] * 3)
    assert {o for o in says.asked[0][2] if o.startswith("hokum")} == {"hokum"}
    assert {o for o in says.asked[4][2] if o.startswith("hokum")} == {
        "hokum:C",
        "hokum:D",
        "hokum:H",
    }


def test_42_ashkal_gives_the_partner_the_open_card() -> None:
    deck = deck_of({}, "9S", receiver=0)
    now, _ = said("pass", "pass", "ashkal", "leave", "leave", "leave", deck=deck)
    contract = bought(now)
    assert (contract["caller"], contract["receiver"]) == (2, 0)
    assert (contract["mode"], contract["ashkal"]) == ("sun", True)


def test_42_without_the_flag_no_ashkal_is_bid_in_the_second_round() -> None:
    _, says = said(*["pass"] * 7, "sun", *["leave"] * 3, ashkal_round2=False)
    offers = [options for _, _, options in says.asked[:8]]
    assert ["ashkal" in offer for offer in offers] == [False, False, True, True] + [False] * 4


def test_42_after_a_hokum_the_others_may_say_sun_and_the_caller_confirms() -> None:
    now, says = said("pass", "hokum", "pass", "pass", "pass", "hokum")
    asked = called(says, "bidding", "confirm")
    assert [seat for _, seat, _ in asked] == [0, 1, 2, 3, 0, 1]
    assert [set(options) for _, _, options in asked[2:]] == [
        {"pass", "sun", "ashkal"},
        {"pass", "sun", "ashkal"},
        {"pass", "sun"},
        {"hokum", "sun"},
    ]
    assert bought(now)["trump"] == "S"


def test_42_a_hokum_that_its_caller_turns_into_sun_is_claimed_by_nobody() -> None:
    now, says = said("hokum", "pass", "pass", "pass", "sun")
    assert called(says, "claim") == []
    assert bought(now)["mode"] == "sun"


@pytest.mark.parametrize(
    ("rule", "position", "asked"),
    [
        ("all_in_turn", 0, [1, 2, 3]),
        ("all_in_turn", 2, [3, 0, 1]),
        ("earlier_opponents", 0, []),
        ("earlier_opponents", 1, [0]),
        ("earlier_opponents", 2, [1]),
        ("earlier_opponents", 3, [0, 2]),
    ],
)
def test_42_who_may_take_a_sun(rule: str, position: int, asked: list[int]) -> None:
    deck = deck_of({}, "9S", receiver=position)
    calls = ["pass"] * position + ["sun"] + ["leave"] * len(asked)
    _, says = said(*calls, deck=deck, sun_reclaim=rule)
    assert says.seats("claim") == asked


def test_42_the_first_who_takes_a_sun_has_it() -> None:
    deck = deck_of({}, "9S", receiver=1)
    now, says = said("pass", "pass", "ashkal", "leave", "leave", "take", deck=deck)
    assert says.seats("claim") == [3, 0, 1]
    contract = bought(now)
    assert (contract["caller"], contract["receiver"], contract["ashkal"]) == (1, 1, False)


@pytest.mark.parametrize(
    ("rule", "asked"),
    [("unspoken", [(3, True)]), ("unspoken_and_opponents", [(3, True), (1, False)])],
)
def test_42_who_is_asked_after_a_hokum_in_the_second_round(
    rule: str, asked: list[tuple[int, bool]]
) -> None:
    """Seats that have spoken in it are opponents or nobody, for pass and sun alone."""
    calls = ["pass"] * 6 + ["hokum:H"] + ["pass"] * len(asked) + ["hokum"]
    deck = deck_of({}, "9S", receiver=2)
    _, says = said(*calls, deck=deck, hokum2_asks=rule)
    later = called(says, "bidding")[7:]
    assert [(seat, "ashkal" in options) for _, seat, options in later] == asked
    assert all({"pass", "sun"} <= set(options) for _, _, options in later)


def test_42_all_passed_twice_the_deal_goes_to_the_right_and_nothing_is_written() -> None:
    now = table(scores=(40, 60)).play_on(Says({}))
    assert now.outcome is not None
    assert (now.outcome.code, now.outcome.next_dealer) == ("passed", 0)
    assert GAME.carried(now.outcome) == (40, 60, 0, 1, 1)
    assert now.outcome.as_dict()["redeal"] is True


def test_42_a_hand_without_high_cards_may_be_shown_while_all_passed_by_who_has_not_spoken() -> None:
    deck = deck_of(FLAT, "9S", receiver=0)
    now = table(deck, scores=(40, 60), kawesh="same_dealer")
    now.until("bidding", Says({}))
    assert isinstance(now.due, Choose)
    assert now.due.besides == tuple((seat, "kawesh") for seat in range(4))
    says = Says({"bidding": ["pass", "3=kawesh"]})
    now.play_on(says)
    assert now.outcome is not None
    assert (now.outcome.code, now.outcome.next_dealer) == ("kawesh", 3)
    assert GAME.carried(now.outcome) == (40, 60, 3, 1, 1)
    told = now.outcome.as_dict()
    assert told["kawesh"] == 3
    assert [packet for packet in told["dealt"] if packet[0] == 3] == [
        [3, ["7C", "8C", "9C"]],
        [3, ["7D", "8D"]],
    ]


def test_42_a_hand_with_a_high_card_that_is_shown_is_a_misdeal() -> None:
    deck = deck_of({3: "7C 8C 9C 7D TD"}, "9S", receiver=0)
    now = table(deck, kawesh="same_dealer").play_on(Says({"bidding": ["3=kawesh"]}))
    assert now.outcome is not None
    assert (now.outcome.code, now.outcome.next_dealer) == ("misdeal", 3)


def test_42_after_another_call_than_pass_and_without_the_flag_no_hand_is_shown() -> None:
    now = table(kawesh="same_dealer")
    now.until("confirm", Says({"bidding": ["hokum"]}))
    shown = [due.besides for due in now.asked if isinstance(due, Choose)]
    assert shown[1:] == [()] * 3
    plain = table().play_on(Says({}))
    assert all(due.besides == () for due in plain.asked if isinstance(due, Choose))


# -- 4.3 raises -----------------------------------------------------------------------------------


def raised(*words: str, **rules: Any) -> tuple[dict[str, Any], Says]:
    """A round in hokum (or sun) of seat 0 with these answers to the raises, played by the clock."""
    mode = rules.pop("mode", "hokum")
    scores = rules.pop("scores", (0, 0))
    calls = ["hokum", "pass", "pass", "pass", "hokum"] if mode == "hokum" else ["sun"]
    both = list(words)
    says = Says({"bidding": calls, "confirm": calls, "raise": both, "closed": both})
    now = table(scores=scores, **rules).play_on(says)
    assert now.outcome is not None
    return now.outcome.as_dict(), says


def test_43_a_hokum_is_raised_one_step_at_a_time_by_the_sides_in_turn() -> None:
    told, says = raised("pass", "double", "triple", "four", "gahwa")
    assert says.seats("raise") == [1, 3, 0, 3, 0]
    assert (told["gahwa"], told["multiplier"], told["closed"]) == (True, 1, False)
    assert told["score"]["game_won_by_gahwa"] == told["score"]["winner"] == told["game_winner"]
    told, says = raised("double", "pass")
    assert says.seats("raise") == [1, 0]
    assert (told["multiplier"], told["closed"]) == (2, True)


@pytest.mark.parametrize(
    ("words", "multiplier", "closed"),
    [
        (["double", "pass"], 2, True),
        (["double", "triple", "pass"], 3, False),
        (["double", "triple", "four", "pass"], 4, True),
    ],
)
def test_43_a_round_is_closed_at_two_and_four_times(
    words: list[str], multiplier: int, closed: bool
) -> None:
    told, _ = raised(*words)
    assert (told["multiplier"], told["closed"]) == (multiplier, closed)


def test_43_the_last_raiser_chooses_whether_the_round_is_closed() -> None:
    words = ("double", "open", "triple", "closed", "pass")
    told, says = raised(*words, closed="raiser_chooses")
    assert (says.seats("closed"), told["closed"]) == ([1, 0], True)
    longer = ("double", "closed", "triple", "closed", "four", "closed", "gahwa")
    told, says = raised(*longer, closed="raiser_chooses")
    assert (says.seats("closed"), told["closed"]) == ([1, 0, 1], False)


def test_43_a_sun_is_doubled_only_and_by_the_scores_only() -> None:
    told, says = raised("double", mode="sun", scores=(101, 99))
    assert (says.seats("raise"), told["multiplier"], told["closed"]) == ([1], 2, False)
    told, says = raised("double", mode="sun", scores=(100, 99))
    assert (says.seats("raise"), told["multiplier"]) == ([], 1)


def cards(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def may(hand: str, trick: str, *, closed: bool = False, **rules: Any) -> str:
    """What seat 0 may play in spades, to cards of seats 1, 2, 3 that lie there so far."""
    seats = (1, 2, 3)[3 - len(trick.split()) :]
    lying = list(zip(seats, cards(trick), strict=True))
    found = legal(GAME.rules(rules), cards(hand), lying, 0, Suit.SPADES, closed=closed)
    return " ".join(card.code for card in found)


def test_43_in_a_closed_round_hokum_is_led_by_who_holds_nothing_else() -> None:
    assert may("7S 8H JS", "", closed=True) == "8H"
    assert may("7S JS", "", closed=True) == "7S JS"
    assert may("7S 8H", "9C", closed=True) == "7S 8H"


# -- 4.4 play -------------------------------------------------------------------------------------


def test_44_hokum_ranks_jack_nine_ace_ten_and_other_suits_ace_ten_king() -> None:
    order = "J9ATKQ87"
    for high, low in pairwise(order):
        trick = list(enumerate(cards(f"{low}S {high}S")))
        assert winner(trick, Suit.SPADES) == 1
    for high, low in zip("ATKQJ987", "TKQJ987", strict=False):
        trick = list(enumerate(cards(f"{low}S {high}S")))
        assert winner(trick, None) == winner(trick, Suit.HEARTS) == 1


def test_44_the_highest_hokum_wins_else_the_highest_of_the_led_suit() -> None:
    trick = list(enumerate(cards("KC AD 7S TC")))
    assert winner(trick, Suit.SPADES) == 2
    assert winner(trick, Suit.DIAMONDS) == 1
    assert winner(trick, None) == winner(trick, Suit.HEARTS) == 3


def test_44_the_led_suit_is_followed_and_else_all_is_free() -> None:
    assert may("7C AC JS", "9C KS") == "7C AC"
    assert may("7D AH JS", "9C KS") == "7D AH JS"


def test_44_under_must_trump_an_opponent_is_cut_and_over_cut_and_a_partner_is_left_alone() -> None:
    rule: dict[str, Any] = {"void": "must_trump", "under_trump": "free"}
    assert may("7D 7S JS", "9C", **rule) == "7S JS"
    assert may("7D 7S JS", "AC 9C", **rule) == "7D 7S JS"
    assert may("7D 7S JS", "9C 8C KS", **rule) == "JS"
    assert may("7D 7S 8S", "9C 8C KS", **rule) == "7D 7S 8S"
    assert may("7D 7S 8S", "9C 8C KS", void="must_trump", under_trump="must") == "7S 8S"
    assert may("7S JS 9D", "8C AS 7C", **rule) == "7S JS 9D"
    assert may("7S AS JS", "KS", **rule) == "AS JS"
    assert may("7S 8S", "KS", **rule) == "7S 8S"


def test_44_the_buyer_leads_or_the_seat_right_of_the_dealer_and_then_who_won() -> None:
    for rule, lead in (("buyer", 1), ("right_of_dealer", 0)):
        now, _ = said("pass", "sun", "leave", "leave", "leave", first_lead=rule)
        now.play_on(Says({}))
        assert now.outcome is not None
        tricks = now.outcome.as_dict()["tricks"]
        assert tricks[0]["lead"] == lead
        assert [trick["lead"] for trick in tricks[1:]] == [t["winner"] for t in tricks[:-1]]


# -- 4.5 projects ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "sun", "hokum"),
    [
        ("7C 8C 9C QD KD AD 7H 9S", "sira sira", "sira sira"),
        ("7C 8C 9C TC QD AD 7H 9S", "fifty", "fifty"),
        ("7C 8C 9C TC JC AD 7H 9S", "hundred", "hundred"),
        ("8C 9C TC JC QC KC 7H 9S", "hundred", "hundred"),
        ("AC KC QC JC TC 9C 8C 7C", "hundred sira", "hundred sira"),
        ("AC AD AH AS 7C 8D 9H TS", "four_hundred", "hundred"),
        ("KC KD KH KS 7C 8D 9H TS", "hundred", "hundred"),
        ("9C 9D 9H 9S 7C 8D KH TS", "", ""),
        ("TC TD TH TS JC QC KC AC", "hundred", "hundred"),
        ("KC KD KH KS QC JC TC 7D", "hundred sira", "hundred sira"),
        ("KC KD KH KS AC AD AH AS", "four_hundred hundred", "hundred hundred"),
        ("AC KC 7C 8C 9H TH QS JD", "", ""),
    ],
)
def test_45_the_projects_of_a_hand(hand: str, sun: str, hokum: str) -> None:
    """One card serves one project only; the best is taken first."""
    for mode, words in ((Mode.SUN, sun), (Mode.HOKUM, hokum)):
        found = detect(cards(hand), mode)
        assert " ".join(each.kind.value for each in found) == words


def test_45_round_points_of_projects() -> None:
    sun = [kind.points(Mode.SUN) for kind in (Kind.SIRA, Kind.FIFTY, Kind.HUNDRED)]
    hokum = [kind.points(Mode.HOKUM) for kind in (Kind.SIRA, Kind.FIFTY, Kind.HUNDRED)]
    assert (sun, hokum, Kind.FOUR_HUNDRED.points(Mode.SUN)) == ([4, 10, 20], [2, 5, 10], 40)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AC AD AH AS", "KC QC JC TC 9C"),
        ("9C TC JC QC KC", "KD KH KS KC"),
        ("9C TC JC QC KC", "8D 9D TD JD QD"),
        ("KC KD KH KS", "QC QD QH QS"),
        ("7C 8C 9C TC", "QD KD AD"),
        ("QC KC AC", "JD QD KD"),
    ],
)
def test_45_the_side_with_the_best_project_counts(better: str, worse: str) -> None:
    """400, 100, 50, sira; of two hundreds the run; then the higher top card."""
    for seat in range(4):
        hands = {
            seat: detect(cards(better), Mode.SUN),
            (seat + 1) % 4: detect(cards(worse), Mode.SUN),
        }
        assert counting_side(hands, [0, 1, 2, 3], cancels=False) == seat % 2


def test_45_of_equal_projects_the_earlier_players_counts_or_both_cancel() -> None:
    hands = {1: detect(cards("QC KC AC"), Mode.SUN), 2: detect(cards("QD KD AD"), Mode.SUN)}
    assert counting_side(hands, [0, 1, 2, 3], cancels=False) == 1
    assert counting_side(hands, [2, 3, 0, 1], cancels=False) == 0
    assert counting_side(hands, [0, 1, 2, 3], cancels=True) is None
    partners = {0: hands[1], 2: hands[2]}
    assert counting_side(partners, [0, 1, 2, 3], cancels=True) == 0
    assert counting_side({}, [0, 1, 2, 3], cancels=False) is None


def baloot_of(first: str, *said_words: str, **rules: Any) -> tuple[list[int], list[int]]:
    """Baloot of the sides, and project points, of a hokum in spades of seat 0."""
    deck = deck_of({0: first, 1: "7C 9D 7D QC 8D"}, "JS", {0: "TD 7H"}, receiver=0)
    calls = ["hokum", "pass", "pass", "pass", "hokum"]
    says = Says({"bidding": calls, "confirm": calls, "projects": list(said_words)})
    now = table(deck, **rules).play_on(says)
    assert now.outcome is not None
    told = now.outcome.as_dict()
    return told["baloot"], told["project_points"]


def test_45_baloot_is_king_and_queen_of_hokum_in_one_hand() -> None:
    assert baloot_of("KS QS 9H AD 8C") == ([1, 0], [0, 0])
    assert baloot_of("KS AH 9H AD 8C") == ([0, 0], [0, 0])


def test_45_a_card_of_baloot_in_another_project_blocks_it_as_the_flag_says() -> None:
    sira, hundred = "KS QS 9H AD 8C", "KS QS AS TS 8C"
    assert baloot_of(sira, "sira") == ([0, 0], [2, 0])
    assert baloot_of(sira, "sira", baloot_overlap="hundred") == ([1, 0], [2, 0])
    assert baloot_of(hundred, "hundred", baloot_overlap="hundred") == ([0, 0], [10, 0])
    assert baloot_of(hundred, "none", baloot_overlap="hundred") == ([1, 0], [0, 0])


def test_45_of_equal_projects_that_is_meant_which_leaves_baloot_alone() -> None:
    """A seat that announces one of two equal siras gives up nothing by the name of a suit."""
    found = baloot_of("KS QS KH QH JH", "sira")
    assert found == ([1, 0], [2, 0])


# -- 4.6 conversion -------------------------------------------------------------------------------


def test_46_card_points_sum_to_130_in_sun_and_162_in_hokum() -> None:
    assert (all_points(Mode.SUN), all_points(Mode.HOKUM)) == (130, 162)


@pytest.mark.parametrize(
    ("mode", "counts", "points"),
    [
        ("sun", (65, 65), (13, 13)),
        ("sun", (66, 64), (14, 12)),
        ("sun", (75, 55), (15, 11)),
        ("sun", (105, 25), (21, 5)),
        ("sun", (128, 2), (26, 0)),
        ("hokum", (81, 81), (8, 8)),
        ("hokum", (85, 77), (8, 8)),
        ("hokum", (86, 76), (8, 8)),
        ("hokum", (95, 67), (9, 7)),
        ("hokum", (156, 6), (15, 1)),
    ],
)
def test_46_the_table_of_counts_and_points(
    mode: str, counts: tuple[int, int], points: tuple[int, int]
) -> None:
    assert convert(GAME.rules({}), Mode(mode), counts) == points
    assert convert(GAME.rules({}), Mode(mode), counts[::-1]) == points[::-1]


@pytest.mark.parametrize(
    ("rule", "close", "far"),
    [
        ("pair16", (8, 8), (9, 7)),
        ("larger_keeps", (9, 7), (10, 6)),
        ("individual", (9, 8), (10, 7)),
    ],
)
def test_d40_of_two_counts_that_end_in_six_one_side_gives_a_point_back(
    rule: str, close: tuple[int, int], far: tuple[int, int]
) -> None:
    rules = GAME.rules({"hokum_round": rule})
    assert convert(rules, Mode.HOKUM, (86, 76)) == close
    assert convert(rules, Mode.HOKUM, (96, 66)) == far


# -- 4.7 result -----------------------------------------------------------------------------------


def written(mode: str, abnat: tuple[int, int], rules: dict[str, Any], **more: Any) -> Score:
    tricks = more.pop("tricks", (4, 4))
    played = Played(mode=Mode(mode), buyer=0, abnat=abnat, tricks=tricks, **more)
    return score(GAME.rules(rules), played)


SAUDI = {"preset": "saudi"}
SIRA_AGAINST = {"projects": (0, 2), "projects_raw": (0, 20), "baloot": (1, 0)}
FIFTY_AGAINST = {"projects": (0, 5), "projects_raw": (0, 50)}


def test_d40_only_the_contract_is_decided_by_the_raw_count() -> None:
    """106-56 with a fifty against it is raw 106-106 and, standing, written 10-11."""
    found = written("hokum", (106, 56), SAUDI, **FIFTY_AGAINST)
    assert (found.failed, found.final) == (False, (10, 11))
    assert written("hokum", (84, 78), SAUDI, **SIRA_AGAINST).final == (10, 10)
    against = written("hokum", (78, 84), SAUDI, **SIRA_AGAINST)
    assert (against.failed, against.final) == (True, (0, 20))


def test_47_a_level_contract_fails_stands_or_goes_by_the_raw_count() -> None:
    assert written("sun", (65, 65), {}).final == (0, 26)
    assert written("sun", (65, 65), {"tie": "stands"}).final == (13, 13)
    raw = {"tie": "raw_points"}
    assert written("sun", (65, 65), raw).final == (13, 13)
    assert written("hokum", (81, 81), raw).final == (0, 16)
    assert written("hokum", (80, 82), raw, baloot=(1, 0)).final == (10, 8)
    assert written("hokum", (82, 80), raw, multiplier=2, raiser=1).final == (32, 0)
    assert written("hokum", (82, 80), raw, multiplier=3, raiser=0).final == (0, 48)


def test_47_a_level_raised_round_that_stands_is_lost_by_the_last_raiser() -> None:
    rules = {"tie": "stands"}
    assert written("hokum", (81, 81), rules, multiplier=2, raiser=1).final == (32, 0)
    assert written("hokum", (81, 81), rules, multiplier=3, raiser=0).final == (0, 48)
    gahwa = written("hokum", (81, 81), rules, gahwa=True, raiser=0)
    assert (gahwa.winner, gahwa.game_won_by_gahwa) == (1, 1)


def test_47_baloot_is_never_multiplied_and_goes_with_a_failure() -> None:
    made = written("hokum", (100, 62), {}, multiplier=2, raiser=1, baloot=(0, 1))
    assert made.final == (32, 2)
    failed = written("hokum", (62, 100), {}, multiplier=3, raiser=0, baloot=(1, 0))
    assert failed.final == (0, 50)


def test_47_projects_are_multiplied_in_full_or_at_most_doubled() -> None:
    sira = {"projects": (2, 0), "projects_raw": (20, 0), "multiplier": 3, "raiser": 0}
    assert written("hokum", (100, 62), {}, **sira).final == (54, 0)
    less = {"projects_raised": "at_most_double"}
    assert written("hokum", (100, 62), less, **sira).final == (52, 0)


SWEEP: dict[str, Any] = {
    "tricks": (8, 0),
    "projects": (0, 2),
    "projects_raw": (0, 20),
    "baloot": (0, 1),
    "multiplier": 2,
    "raiser": 1,
}


@pytest.mark.parametrize(
    ("raised_as", "whose", "final"),
    [
        ("multiplied", "both", 25 * 2 + 2 * 2 + 2),
        ("multiplied", "winner", 25 * 2),
        ("plain", "both", 25 + 2 + 2),
        ("plain", "winner", 25),
    ],
)
def test_d41_a_kaboot_in_a_raised_round(raised_as: str, whose: str, final: int) -> None:
    rules = {"kaboot_raised": raised_as, "kaboot_projects": whose}
    found = written("hokum", (162, 0), rules, **SWEEP)
    assert (found.kaboot, found.final, found.failed) == (0, (final, 0), False)


def test_47_a_kaboot_is_decided_by_tricks_and_not_by_card_points() -> None:
    assert written("sun", (130, 0), {}, tricks=(7, 1)).final == (26, 0)
    against = written("sun", (0, 130), {}, tricks=(0, 8))
    assert (against.kaboot, against.failed, against.final) == (1, True, (0, 44))


def test_47_a_failed_contract_writes_sixteen_also_where_the_counts_would_give_seventeen() -> None:
    """RULES.md 4.7 says 16, whatever `hokum_round` makes of the two counts."""
    rules = {"hokum_round": "individual"}
    assert written("hokum", (76, 86), rules).final == (0, 16)
    assert written("hokum", (86, 76), rules).final == (9, 8)


@pytest.mark.parametrize(
    ("before", "ended"),
    [((151, 151), 0), ((100, 0), None), ((140, 170), 1)],
)
def test_47_the_game_goes_to_152_and_to_the_higher_total(
    before: tuple[int, int], ended: int | None
) -> None:
    now, _ = said("hokum", "pass", "pass", "pass", "hokum", scores=before)
    now.play_on(Says({}))
    assert now.outcome is not None
    after = now.outcome.game_scores
    winner_now = None if max(after) < 152 or after[0] == after[1] else int(after[1] > after[0])
    assert now.outcome.game_winner == winner_now
    assert (winner_now is None) is (ended is None)
    figures = GAME.carried(now.outcome)
    assert figures == ((*after, 0, 1, 2) if ended is None else (0, 0, 0, 2, 1))
