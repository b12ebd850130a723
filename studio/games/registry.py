"""The games that exist, by the name that configuration and commands use."""

from typing import Final

from studio.games import baccarat, baloot, blackjack, boundless, shoe
from studio.games.spec import Game

GAMES: Final[dict[str, Game]] = {
    each.name: each for each in (baccarat.GAME, blackjack.GAME, boundless.GAME, baloot.GAME)
}
"""Every game by its name."""
VERSIONS: Final = frozenset({shoe.VERSION, *(each.version for each in GAMES.values())})
"""Versions of procedures that can be run; a round of another one comes back held."""


def game(name: str) -> Game:
    """Give the game of this name.

    Raises:
        ValueError: one sentence with the names that exist.
    """
    try:
        return GAMES[name]
    except (KeyError, TypeError):
        names = ", ".join(GAMES)
        raise ValueError(f"there is no game {name!r}; the games are: {names}") from None
