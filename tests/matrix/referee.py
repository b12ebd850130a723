"""A plain referee: what each bet of a coup brings, from the cards as they were laid.

Written again from RULES.md 3 without a word of the product's code, so that both can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

POINTS = {"A": 1} | {str(n): n for n in range(2, 10)} | dict.fromkeys("TJQK", 0)
DRAGON = {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}


def points(cards: Sequence[str]) -> int:
    """Total of a hand."""
    return sum(POINTS[card[0]] for card in cards) % 10


def complete(player: Sequence[str], banker: Sequence[str]) -> bool:
    """Whether the coup was dealt to its end by the rules of drawing, and not beyond."""
    first_p, first_b = points(player[:2]), points(banker[:2])
    if max(first_p, first_b) >= 8:
        return len(player) == len(banker) == 2
    if (len(player) == 3) != (first_p <= 5):
        return False
    if len(player) == 2:
        return (len(banker) == 3) == (first_b <= 5)
    third = POINTS[player[2][0]]
    draws = {
        0: True,
        1: True,
        2: True,
        3: third != 8,
        4: 2 <= third <= 7,
        5: 4 <= third <= 7,
        6: third in (6, 7),
        7: False,
    }[first_b]
    return (len(banker) == 3) == draws


def returned(  # noqa: C901, PLR0911  one line per bet, as in the rule book
    bet: str, stake: int, player: Sequence[str], banker: Sequence[str]
) -> int:
    """What goes back for one bet, the stake included, rounded down."""
    p, b = points(player), points(banker)
    pair_p, pair_b = player[0][0] == player[1][0], banker[0][0] == banker[1][0]
    perfect = (player[0] == player[1]) + (banker[0] == banker[1])
    natural = max(points(player[:2]), points(banker[:2])) >= 8
    four = len(player) + len(banker) == 4

    def dragon(mine: int, other: int) -> int:
        if mine == other:
            return stake if natural else 0
        if mine < other:
            return 0
        if natural:
            return 2 * stake
        return stake * (1 + DRAGON[mine - other]) if mine - other >= 4 else 0

    match bet:
        case "player":
            return 2 * stake if p > b else stake if p == b else 0
        case "banker":
            return stake * 195 // 100 if b > p else stake if p == b else 0
        case "tie":
            return 9 * stake if p == b else 0
        case "player_pair":
            return 12 * stake if pair_p else 0
        case "banker_pair":
            return 12 * stake if pair_b else 0
        case "either_pair":
            return 6 * stake if pair_p or pair_b else 0
        case "perfect_pair":
            return stake * (0, 26, 201)[perfect]
        case "big":
            return 0 if four else stake * 154 // 100
        case "small":
            return stake * 5 // 2 if four else 0
        case "dragon_player":
            return dragon(p, b)
        case "dragon_banker":
            return dragon(b, p)
        case "lucky_six":
            if not (b > p and b == 6):
                return 0
            return stake * (21 if len(banker) == 3 else 13)
        case _:
            raise AssertionError(bet)
