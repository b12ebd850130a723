"""Every possible coup of a fresh shoe is counted and compared with the published win counts."""

from fractions import Fraction

import pytest

from studio.games.baccarat.coup import banker_draws, natural, player_draws


def win_counts(packs: int) -> dict[str, int]:
    """Orders of six cards in which each side wins; a coup of fewer cards counts all its rests."""
    left = [16 * packs] + [4 * packs] * 9
    wins = {"player": 0, "banker": 0, "tie": 0}
    size = 52 * packs
    for first in range(100):
        p1, p2 = divmod(first, 10)
        ways_p = _taken(left, (p1, p2))
        for second in range(100):
            b1, b2 = divmod(second, 10)
            ways = ways_p * _taken(left, (b1, b2))
            _finish(left, wins, ((p1 + p2) % 10, (b1 + b2) % 10), (ways, size - 4))
            _give(left, (b1, b2))
        _give(left, (p1, p2))
    return wins


def _finish(
    left: list[int], wins: dict[str, int], totals: tuple[int, int], ways: tuple[int, int]
) -> None:
    """Count what follows the first four cards; `ways` is (orders so far, cards left)."""
    (player, banker), (orders, rest) = totals, ways
    if natural(player) or natural(banker):
        wins[_winner(player, banker)] += orders * rest * (rest - 1)
    elif not player_draws(player):
        _banker(left, wins, (player, banker, None), orders * (rest - 1))
    else:
        for third in range(10):
            with_third = orders * left[third]
            left[third] -= 1
            _banker(left, wins, ((player + third) % 10, banker, third), with_third)
            left[third] += 1


def _banker(
    left: list[int], wins: dict[str, int], state: tuple[int, int, int | None], orders: int
) -> None:
    """Count the Banker's turn: one card of those that are left, drawn or not."""
    player, banker, third = state
    if not banker_draws(banker, third):
        wins[_winner(player, banker)] += orders * sum(left)
        return
    for drawn in range(10):
        wins[_winner(player, (banker + drawn) % 10)] += orders * left[drawn]


def _winner(player: int, banker: int) -> str:
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"


def _taken(left: list[int], values: tuple[int, int]) -> int:
    """Take two cards out; in how many ways they can come."""
    ways = 1
    for value in values:
        ways *= left[value]
        left[value] -= 1
    return ways


def _give(left: list[int], values: tuple[int, int]) -> None:
    for value in values:
        left[value] += 1


def test_eight_packs_give_the_published_win_counts_to_the_last_order() -> None:
    assert win_counts(8) == {
        "player": 2_230_518_282_592_256,
        "banker": 2_292_252_566_437_888,
        "tie": 475_627_426_473_216,
    }


@pytest.mark.parametrize(
    ("packs", "shares"),
    [
        (8, {"player": "0.446247", "banker": "0.458597", "tie": "0.095156"}),
        (6, {"player": "0.446279", "banker": "0.458653", "tie": "0.095069"}),
    ],
)
def test_the_shares_of_player_banker_and_tie_are_the_published_ones(
    packs: int, shares: dict[str, str]
) -> None:
    wins = win_counts(packs)
    size = 52 * packs
    everything = 1
    for drawn in range(6):
        everything *= size - drawn
    assert sum(wins.values()) == everything
    for side, share in shares.items():
        assert abs(Fraction(wins[side], everything) - Fraction(share)) <= Fraction(1, 2_000_000)
