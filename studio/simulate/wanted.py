"""What a demonstration is asked to be, and the configuration of its studio."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from studio.settings import Settings, parse
from studio.simulate.faults import Planned

BACCARAT: Final = "baccarat"
BLACKJACK: Final = "blackjack"
BOUNDLESS: Final = "boundless-blackjack"
BALOOT: Final = "baloot"
WITH_HANDS: Final = frozenset({BLACKJACK, BOUNDLESS})
"""Games in which players have a hand and choose what is done with it."""
TABLE: Final = "ba1"
"""The table of a demonstration of baccarat; further ones are ``ba2``, ``ba3`` …"""
MOST_TABLES: Final = 6
"""Each has an eye, which takes about an eighth of a core at speed 1."""
MOST_PLAYERS: Final = 100_000
LETTERS: Final = {BACCARAT: "ba", BLACKJACK: "bj", BOUNDLESS: "bb", BALOOT: "bl"}
"""What the names of a game's tables begin with."""
PLAYERS: Final = {BACCARAT: 40, BLACKJACK: 7, BOUNDLESS: 2_000, BALOOT: 40}
"""How many play at each table unless it is said."""
LIMITS: Final[dict[str, dict[str, list[int]]]] = {
    BACCARAT: {
        "player": [100, 500000], "banker": [100, 500000], "tie": [100, 50000],
        "player_pair": [100, 50000], "banker_pair": [100, 50000], "either_pair": [100, 50000],
        "perfect_pair": [100, 10000], "big": [100, 50000], "small": [100, 50000],
        "dragon_player": [100, 20000], "dragon_banker": [100, 20000], "lucky_six": [100, 20000],
    },
    BLACKJACK: {"main": [100, 500000]},
    BOUNDLESS: {
        "main": [100, 500000], "pair": [100, 50000], "bust_bonus": [100, 10000],
        "lucky_trio": [100, 20000], "poker_trio": [100, 20000],
    },
    BALOOT: {"round": [100, 50000], "game": [100, 50000], "kaboot": [100, 10000]},
}  # fmt: skip
"""Least and greatest stake of each bet, minor units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a demonstration is asked to be."""

    game: str = BACCARAT
    rounds: int | None = None
    speed: float = 1.0
    seed: int = 1
    port: int = 8000
    headless: bool = False
    as_json: bool = False
    sources: tuple[str, ...] = ("shoe", "camera")
    faults: tuple[Planned, ...] = ()
    database: str = ""
    by_hand: bool = False
    tables: int = 1
    profile: str = "house"
    players: int | None = None
    """How many play at each table; None: as many as is usual for the game."""
    stacked: tuple[str, ...] = ()
    """Cards on top of each new pack, where certain coups are wanted."""
    camera: dict[str, Any] = field(default_factory=dict)
    """Further options of the synthetic camera."""

    @property
    def crowd(self) -> int:
        """How many play at each table."""
        return self.players or PLAYERS.get(self.game, PLAYERS[BACCARAT])


def settings_of(wanted: Wanted, database: str) -> Settings:
    """The configuration of the embedded studio.

    Raises:
        SettingsError: if the wish cannot be configured.
    """
    table: dict[str, Any] = {
        "game": wanted.game,
        "sources": list(wanted.sources),
        "limits": LIMITS.get(wanted.game, LIMITS[BACCARAT]),
    }
    if "shoe" in wanted.sources:
        table["shoe"] = {"driver": "cutcard-line", "url": "sim:"}
    if "camera" in wanted.sources:
        table["camera"] = {"source": "synthetic:"}
    values = {
        "studio": {
            "name": "Studio One",
            "database": database,
            "time_zone": "UTC",
            "profile": wanted.profile,
        },
        "web": {"bind": f"127.0.0.1:{wanted.port}"},
        "tables": dict.fromkeys(tables_of(wanted), table),
    }
    return parse(values, Path.cwd() / "demo.toml", {})


def tables_of(wanted: Wanted) -> tuple[str, ...]:
    """Names of the tables of a demonstration."""
    letters = LETTERS.get(wanted.game, "t")
    return tuple(f"{letters}{number}" for number in range(1, wanted.tables + 1))
