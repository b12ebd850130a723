"""Deal, bidding, raises and play of Baloot by RULES.md 4.1 to 4.4, each test named after one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from studio.domain.cards import Card, Suit
from studio.games.baloot import GAME
from studio.games.baloot.cards import PACK
from studio.games.baloot.tricks import legal, winner
from studio.games.procedure import Choose, Deal, Facing, Move
from tests.support.baloot_round import Says, Table, cards, deck_of

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
