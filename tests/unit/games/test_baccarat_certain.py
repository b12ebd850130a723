"""What is decided before a coup has ended, against every way in which it can go on."""

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.domain.cards import PACK, Card, Suit
from studio.games.procedure import Dealt, Input, run
from studio.games.registry import game
from studio.games.spec import LOST, Pay

GAME = game("baccarat")
RULES = GAME.rules({})
ONE_SUIT = tuple(card for card in PACK if card.suit is Suit.SPADES)


def inputs_of(codes: str) -> tuple[Input, ...]:
    """Cards as inputs of a coup."""
    return tuple(Dealt(Card.parse(code)) for code in codes.split())


def endings(inputs: tuple[Input, ...], cards: tuple[Card, ...]) -> Iterator[Mapping[str, Pay]]:
    """What all bets pay in every way to end the coup; thirds need no suit."""
    now = run(lambda: GAME.round(RULES), inputs)
    if now.outcome is not None:
        yield GAME.pays(RULES, now.outcome)
        return
    for card in cards if len(inputs) < 4 else ONE_SUIT:
        yield from endings((*inputs, Dealt(card)), cards)


def by_force(inputs: tuple[Input, ...]) -> dict[str, Pay]:
    """Bets that pay the same in all of them."""
    first, *others = endings(inputs, PACK)
    return {bet: pay for bet, pay in first.items() if all(o[bet] == pay for o in others)}


@pytest.mark.parametrize(
    "codes",
    ["9C KD 9C", "8H TC KS", "4C 7D AH", "KC QD KH", "2S 2S 7D", "9C KD 2H", "7C 5H TD"],
)
def test_with_three_cards_what_is_certain_is_what_every_ending_has_in_common(codes: str) -> None:
    inputs = inputs_of(codes)
    assert GAME.certain(RULES, inputs) == by_force(inputs)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PACK), min_size=4, max_size=5))
def test_from_four_cards_on_it_is_what_every_ending_has_in_common(cards: list[Card]) -> None:
    inputs: tuple[Input, ...] = ()
    for card in cards:
        if run(lambda: GAME.round(RULES), inputs).outcome is None:
            inputs = (*inputs, Dealt(card))
    assert GAME.certain(RULES, inputs) == by_force(inputs)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PACK), max_size=2))
def test_with_two_cards_nothing_is_certain(seen: list[Card]) -> None:
    assert GAME.certain(RULES, tuple(Dealt(card) for card in seen)) == {}


@pytest.mark.parametrize("seen", ["", "9C", "9C 8D", "KC KD", "2S 5H"])
def test_with_two_cards_each_bet_can_still_end_in_two_ways(seen: str) -> None:
    """So nothing could be certain; one card per value and one mate are enough to show it."""
    inputs = inputs_of(seen)
    values = tuple(Card.parse(f"{rank}C") for rank in "A23456789K")
    mates = tuple(given.card for given in inputs if isinstance(given, Dealt) and given.card)
    found: dict[str, set[Pay]] = {bet: set() for bet in GAME.bets}
    few = (*values[::2], values[7], *mates)
    for pays in endings(inputs, few) if inputs else _from_nothing():
        for bet, pay in pays.items():
            found[bet].add(pay)
    assert [bet for bet, ways in found.items() if len(ways) < 2] == []


def _from_nothing() -> Iterator[Mapping[str, Pay]]:
    for codes in (
        "9C KD KC 2D",
        "KC 9D 2C KD",
        "9C 9D KC KD",
        "2C 2D 2C 2D KS 2S",
        "KC 6D 5C KD 6S",
    ):
        inputs = inputs_of(codes)
        done: tuple[Input, ...] = ()
        for given_card in inputs:
            if run(lambda done=done: GAME.round(RULES), done).outcome is None:
                done = (*done, given_card)
        yield from endings(done, PACK[:13])


def test_a_natural_of_the_player_decides_big_small_and_lucky_six() -> None:
    found = GAME.certain(RULES, inputs_of("9C KD KC"))
    assert found["small"] == RULES.small_pays.pay
    assert found["big"] == LOST
    assert found["lucky_six"] == LOST
    assert "player" not in found


def test_the_pairs_are_decided_by_the_first_four_cards() -> None:
    found = GAME.certain(RULES, inputs_of("4C 7D 4H TS"))
    assert found["player_pair"] == RULES.player_pair_pays.pay
    assert found["banker_pair"] == LOST
    assert found["either_pair"] == RULES.either_pair_pays.pay
    assert found["perfect_pair"] == LOST
