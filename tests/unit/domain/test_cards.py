"""Cards and their codes."""

import pytest

from studio.domain.cards import CUT, HIDDEN, PACK, UNREADABLE, Card, Suit, pack_count


def test_a_pack_has_fifty_two_different_cards_that_read_back() -> None:
    assert len(set(PACK)) == 52
    assert [Card.parse(card.code) for card in PACK] == list(PACK)


@pytest.mark.parametrize("code", [CUT, HIDDEN, UNREADABLE, "10H", "7h", "H7", "", "1S", "7H "])
def test_what_is_no_card_is_refused_with_an_example(code: str) -> None:
    with pytest.raises(ValueError, match="as 7H"):
        Card.parse(code)


def test_diamonds_and_hearts_are_red() -> None:
    assert [suit for suit in Suit if suit.red] == [Suit.DIAMONDS, Suit.HEARTS]


def test_eight_packs_hold_eight_of_each_card() -> None:
    assert set(pack_count(8).values()) == {8}
    assert sum(pack_count(8).values()) == 416
