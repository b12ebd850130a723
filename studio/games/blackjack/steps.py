"""The steps of a round of blackjack, in order of dealing."""

from enum import StrEnum


class Step(StrEnum):
    """What a round may wait for."""

    BETS = "bets"
    """The bets as they were closed."""
    FIRST_CARDS = "first_cards"
    """Two cards for each seat, in two turns of the table, and the dealer's first one after one."""
    HIDDEN_CARD = "hidden_card"
    """The dealer's second card, face down; not dealt where the rules have no hole card."""
    EARLY_SURRENDER = "early_surrender"
    """Seats choose whether they give up before insurance and the secret look (D-26)."""
    INSURANCE = "insurance"
    """Seats choose whether they insure their stake (D-21)."""
    PEEK = "peek"
    """Whether the hole card makes a natural, without anybody's seeing it."""
    DECISION = "decision"
    """A seat chooses what to do with one of its hands."""
    SEAT_CARD = "seat_card"
    """A card for a hand of a seat, face up."""
    HOLE_CARD = "hole_card"
    """The dealer's second card is turned."""
    SECOND_CARD = "second_card"
    """The dealer's second card, face up after the seats, where there is no hole card (D-27)."""
    DEALER_DRAWS = "dealer_draws"
    """A further card for the dealer, face up."""
