"""A table's fixed set-up, read from the configuration."""

from typing import Final

from studio.games.registry import game
from studio.games.spec import Game
from studio.live.replay import digest_of
from studio.plugins import LaunchError, drivers
from studio.settings import Settings, TableSettings
from studio.table.state import SECOND_US, Limit, Setup, Times

SHOE: Final = "shoe"
CAMERA: Final = "camera"
"""Names of a table's devices, in the journal and on the screens."""


def setup_of(name: str, settings: Settings) -> Setup:
    """Give the fixed set-up of a table.

    Raises:
        LaunchError: if the game does not exist, a rule is wrong, or a limit is of no bet of it.
    """
    table = settings.tables[name]
    where = f"tables.{name}"
    try:
        dealt = game(table.game.value)
        rules = dealt.rules(table.rules)
    except ValueError as wrong:
        raise LaunchError(f"{settings.file}: {where}: {wrong}") from None
    families = tuple(dict.fromkeys(_family(bet) for bet in dealt.bets))
    strange = sorted(set(table.limits) - set(families))
    if strange:
        raise LaunchError(
            f"{settings.file}: {where}.limits.{strange[0]}: {dealt.name} has no such bet; "
            f"its bets are: {', '.join(families)}"
        )
    return Setup(
        table=name,
        game=dealt,
        rules=rules,
        rules_digest=digest_of(rules),
        config_digest=settings.digest(),
        sources=tuple(source.value for source in table.sources),
        shoe=SHOE,
        camera=CAMERA,
        currency=settings.studio.currency,
        limits=_limits(table, dealt),
        times=_times(table, settings.wallet.funds_s),
        profile=settings.studio.profile.value,
        shares=table.shares,
        expected_serial=table.shoe.identity if table.shoe is not None else "",
        numbered=table.shoe is None or _numbered(table.shoe.driver),
    )


def _limits(table: TableSettings, dealt: Game) -> tuple[tuple[str, Limit], ...]:
    """The limits of every bet that is offered, in the order of the configuration."""
    return tuple(
        (bet, Limit(*limit))
        for family, limit in table.limits.items()
        for bet in dealt.bets
        if _family(bet) == family
    )


def _family(bet: str) -> str:
    """The name by which limits are given: of ``round:0`` and ``round:1`` it is ``round``."""
    return bet.partition(":")[0]


def _numbered(name: str) -> bool:
    """Whether the devices of a driver number their reports; one that is not there is told later."""
    found = drivers().get(name)
    return found is None or found.numbered


def _times(table: TableSettings, funds_s: float) -> Times:
    def us(seconds: float) -> int:
        return round(seconds * SECOND_US)

    return Times(
        betting=us(table.betting_s),
        result=us(table.result_s),
        reopen_min=us(table.reopen_min_s),
        pace=us(table.pace_s),
        evidence=us(table.silence_s),
        late=max(Times().late, us(table.pace_s)),
        decision=us(table.decision_s),
        insurance=us(table.insurance_s),
        peek=us(table.peek_s),
        funds=us(funds_s),
    )
