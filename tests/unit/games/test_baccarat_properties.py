"""What holds for every coup that can be dealt, whatever the cards, the rules and the stakes."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from studio.domain.cards import PACK, Card
from studio.games.baccarat.coup import CoupOutcome
from studio.games.baccarat.pays import commission
from studio.games.procedure import Deal, Dealt, Facing, run
from studio.games.registry import game

GAME = game("baccarat")
six_cards = st.lists(st.sampled_from(PACK), min_size=6, max_size=6)
rules_given = st.fixed_dictionaries(
    {},
    optional={
        "decks": st.integers(1, 8),
        "tie_pays": st.sampled_from([8, 9]),
        "banker_pays": st.sampled_from(["commission_5", "half_on_6", "push_on_three_card_7"]),
        "opposed_bets": st.booleans(),
        "big_pays": st.tuples(st.integers(1, 99), st.integers(1, 99)).map(list),
        "perfect_pair_pays": st.integers(1, 300),
        "lucky_six_pays": st.lists(st.integers(1, 50), min_size=2, max_size=2),
    },
)


def played(cards: list[Card], rules: Any) -> CoupOutcome:
    """Deal from these cards until the coup has ended."""
    inputs: list[Dealt] = []
    for card in cards:
        standing = run(lambda: GAME.round(rules), inputs)
        if standing.due is None:
            break
        assert isinstance(standing.due, Deal)
        assert standing.due.face is Facing.UP
        inputs.append(Dealt(card))
    outcome = run(lambda: GAME.round(rules), inputs).outcome
    assert isinstance(outcome, CoupOutcome), "six cards are always enough"
    return outcome


@given(six_cards)
def test_a_coup_takes_four_to_six_cards_and_no_total_is_above_nine(cards: list[Card]) -> None:
    outcome = played(cards, GAME.rules({}))
    assert 4 <= outcome.cards <= 6
    assert [card for _, card in outcome.dealt] == cards[: outcome.cards]
    for shown in GAME.totals(GAME.rules({}), tuple((z, Dealt(c)) for z, c in outcome.dealt)):
        assert shown.total is not None
        assert 0 <= shown.total <= 9
        assert shown.total == dict(outcome.as_dict()["totals"])[shown.zone]


@given(six_cards)
def test_a_natural_is_never_followed_by_a_third_card(cards: list[Card]) -> None:
    outcome = played(cards, GAME.rules({}))
    if outcome.natural:
        assert (outcome.cards, outcome.player_drew, outcome.banker_drew) == (4, False, False)
        assert max(outcome.player_total, outcome.banker_total) >= 8


@given(six_cards, rules_given, st.integers(0, 10**12))
def test_every_return_is_a_whole_number_that_is_never_negative(
    cards: list[Card], given_rules: dict[str, Any], stake: int
) -> None:
    rules = GAME.rules(given_rules)
    outcome = played(cards, rules)
    for pay in GAME.pays(rules, outcome).values():
        assert type(pay.returned(stake)) is int
        assert pay.returned(stake) >= 0
        # Never more than the exact fraction, and less than one minor unit below it.
        assert 0 <= stake * pay.numerator - pay.returned(stake) * pay.denominator < pay.denominator


@given(six_cards, st.integers(1, 10**12))
def test_exactly_one_of_player_banker_and_tie_wins(cards: list[Card], stake: int) -> None:
    rules = GAME.rules({})
    outcome = played(cards, rules)
    pays = GAME.pays(rules, outcome)
    back = {bet: pays[bet].returned(stake) for bet in ("player", "banker", "tie")}
    if outcome.code == "tie":
        assert back == {"player": stake, "banker": stake, "tie": 9 * stake}
    else:
        loser = "banker" if outcome.code == "player" else "player"
        assert (back[loser], back["tie"]) == (0, 0)
        assert back[outcome.code] + commission(rules, outcome, stake) == 2 * stake


@given(rules_given)
def test_rules_read_from_their_own_record_are_the_same_rules(given_rules: dict[str, Any]) -> None:
    rules = GAME.rules(given_rules)
    again = GAME.rules(rules.as_dict())
    assert again == rules
    assert hash(again) == hash(rules)


@given(six_cards, st.integers(0, 6))
def test_a_hand_with_an_unknown_card_has_no_total(cards: list[Card], known: int) -> None:
    rules = GAME.rules({})
    dealt = [
        (zone, Dealt(card if place < known else None))
        for place, (zone, card) in enumerate(played(cards, rules).dealt)
    ]
    for shown in GAME.totals(rules, tuple(dealt)):
        hand = [given.card for zone, given in dealt if zone == shown.zone]
        assert (shown.total is None) == (None in hand)
