"""Puts together what the studio speaks to outside: the platforms' wallet and their receivers."""

import time
from collections.abc import Callable
from typing import Final

from pydantic import SecretStr

from studio.live.calling import Caller
from studio.live.httpwallet import HttpWallet
from studio.live.messenger import Messenger
from studio.live.ports import Clock, Journal
from studio.live.teller import Teller, TellerStore
from studio.settings import Settings

WALLET_KEY: Final = "wallet"
"""Name of the key with which calls to a platform's wallet are signed."""


def platform_keys(settings: Settings) -> dict[str, str]:
    """The key of each platform that has one, by the platform's name."""
    return {name: _plain(key) for name, key in settings.secrets.platform_keys.items()}


def messengers_of(
    settings: Settings, journal: Journal, clock: Clock, lag: Callable[[str, float], None]
) -> list[Messenger]:
    """One for each platform that has a key and an address for webhooks; none is started."""
    keys = platform_keys(settings)
    return [
        Messenger(
            receiver=name,
            caller=Caller(url=each.webhook, key=name, secret=keys[name], now_s=_now_s),
            journal=journal,
            clock=clock,
            lag=lag,
        )
        for name, each in settings.platforms.items()
        if each.webhook and name in keys
    ]


def teller_of(settings: Settings, table: str, store: TellerStore, clock: Clock) -> Teller:
    """A table's way to the wallet that a platform keeps; it is not started."""
    caller = Caller(
        url=settings.wallet.url,
        key=WALLET_KEY,
        secret=_plain(settings.secrets.wallet_key),
        now_s=_now_s,
    )
    return Teller(
        table=table,
        wallet=HttpWallet(caller),
        store=store,
        clock=clock,
        funds_s=settings.wallet.funds_s,
    )


def _plain(key: SecretStr | None) -> str:
    return "" if key is None else key.get_secret_value()


def _now_s() -> int:
    """Calls are signed by the machine's time, also where a demonstration's clock runs faster."""
    return int(time.time())
