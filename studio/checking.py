"""`cutcard check`: says in words what the configuration means, and tries each device once."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import click

from studio.domain.observations import (
    CameraFit,
    CameraUnfit,
    DeviceOffline,
    DeviceOnline,
    Observation,
)
from studio.live.clock import SystemClock
from studio.live.ports import Device, JournalError
from studio.logs import set_up
from studio.plugins import LaunchError, camera_kind, conflicts, driver, strangers
from studio.settings import CameraSettings, Settings, ShoeSettings, WalletKind, load
from studio.setups import SHOE, setup_of
from studio.storage.database import open_database, shown
from studio.table.state import SECOND_US, Setup

ANSWER_S: Final = 5.0
"""How long a device on a wire has for its first answer, in real seconds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, what was found, and whether it stands in the way."""

    what: str
    words: str
    level: str = "ok"
    """``ok``, ``warning`` (the studio runs all the same) or ``wrong``."""


def understood(settings: Settings) -> Iterator[str]:
    """Say in words what the configuration means.

    Raises:
        LaunchError: if a table cannot be as it is configured.
    """
    studio = settings.studio
    yield (
        f"{studio.name}: database {shown(studio.database)}, policy {studio.profile.value}, "
        f"amounts in minor units of {studio.currency}, screens in {studio.locale.value}, "
        f"the gaming day begins at {studio.gaming_day_starts} {studio.time_zone}."
    )
    yield f"Screens at http://{settings.web.bind}, at most {settings.web.max_sockets} at once."
    for name in settings.tables:
        yield from _table_words(settings, setup_of(name, settings))


def _table_words(settings: Settings, setup: Setup) -> Iterator[str]:
    table = settings.tables[setup.table]
    times, decks = setup.times, setup.rules.decks
    packs = f"{decks} {'pack' if decks == 1 else 'packs'}"
    yield (
        f"Table {setup.table} deals {setup.game.name} ({setup.game.version}) from "
        f"{packs}; a card is known by the {' and the '.join(setup.sources)}."
    )
    rules = ", ".join(f"{key} {_short(value)}" for key, value in setup.rules.as_dict().items())
    yield f"Table {setup.table}: rules {rules}."
    for sentence in setup.game.without_effect(setup.rules):
        yield f"Table {setup.table}: {sentence}."
    yield (
        f"Table {setup.table}: bets are open {times.betting / SECOND_US:g} s, a result is shown "
        f"{times.result / SECOND_US:g} s, the second source follows within "
        f"{times.evidence / SECOND_US:g} s."
    )
    offered = ", ".join(f"{bet} {low} to {high}" for bet, (low, high) in table.limits.items())
    yield f"Table {setup.table}: bets offered: {offered}."
    if table.enrolled_deck:
        yield f"Table {setup.table}: cards are dealt only with the studio's own enrolled deck."


def _short(value: Any) -> str:
    """A rule's value as the file has it: ``true``, and not as Python says it."""
    return json.dumps(value).replace('"', "")


def findings(settings: Settings) -> Iterator[Finding]:
    """Try everything that the studio needs, one after the other."""
    for sentence in (*strangers(), *conflicts()):
        yield Finding("installation", sentence, "wrong")
    yield _database(settings)
    yield _port(settings)
    yield from _platforms(settings)
    for name, table in settings.tables.items():
        if table.shoe is not None:
            yield _shoe(f"table {name}, shoe", table.shoe)
        if table.camera is not None:
            what = f"table {name}, camera"
            yield from _camera(what, table.camera, table.game.value)
            if table.camera.deck is not None:
                yield _deck(what, table.camera, table.camera.deck, needed=table.enrolled_deck)


def _database(settings: Settings) -> Finding:
    url = settings.studio.database
    try:
        open_database(url).close()
    except JournalError as wrong:
        return Finding("database", str(wrong), "wrong")
    return Finding("database", f"{shown(url)} opens and is of this release")


def _port(settings: Settings) -> Finding:
    web = settings.web
    family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((web.host, web.port))
        except OSError as wrong:
            why = (wrong.strerror or str(wrong)).lower()
            words = f"{web.bind} cannot be used now ({why}): change [web] bind"
            return Finding("web", words, "warning")
    return Finding("web", f"{web.bind} is free")


def _platforms(settings: Settings) -> Iterator[Finding]:
    """Who bets from outside and who keeps their money; nothing where neither is configured."""
    wallet = settings.wallet
    if wallet.kind is WalletKind.HTTP:
        yield _wallet(settings)
    elif settings.platforms:
        words = "the studio keeps the balances itself; for a platform's own give [wallet] a url"
        yield Finding("wallet", words)
    for name, platform in settings.platforms.items():
        variable = f"CUTCARD_PLATFORM_{name.upper().replace('-', '_')}_KEY"
        if name in settings.secrets.platform_keys:
            told = f"is told at {_host(platform.webhook)}" if platform.webhook else "reads the feed"
            yield Finding(f"platform {name}", f"it has a key, and {told}")
            continue
        told = ", and its webhook is told nothing" if platform.webhook else ""
        words = (
            f"it has no key: every call of it is refused{told}: make one with "
            f"`cutcard tokens add platform {name}` and set {variable} in the environment"
        )
        yield Finding(f"platform {name}", words, "warning")


def _wallet(settings: Settings) -> Finding:
    """Whether calls to a platform's wallet can be signed; nothing is asked of it."""
    if settings.secrets.wallet_key is None:
        words = (
            "the platform's wallet has no key, and the studio does not start: set "
            "CUTCARD_WALLET_KEY in the environment, the same as at the platform"
        )
        return Finding("wallet", words, "wrong")
    words = f"a platform keeps the balances, asked at {_host(settings.wallet.url)} with a key"
    return Finding("wallet", words)


def _host(url: str) -> str:
    """Host and port alone: what follows them, or stands before, may be a secret."""
    return urlsplit(url).netloc.rpartition("@")[2]


def _shoe(what: str, shoe: ShoeSettings) -> Finding:
    """Open the port and wait for the device's first word."""
    clock = SystemClock()
    try:
        found = driver(shoe.driver)
        names = {doc.name for doc in found.settings}
        given = shoe.for_driver()
        chosen = {key: given[key] for key in given if key in names or key in shoe.model_fields_set}
        chosen |= shoe.options
        if not shoe.simulated:
            return _first_word(what, found.open(SHOE, chosen, clock))
        wire = found.simulate({**chosen, "url": ""}, clock)
        wire.start()
        try:
            return _first_word(what, found.open(SHOE, {**chosen, "url": wire.path}, clock))
        finally:
            wire.stop()
    except (LaunchError, ValueError, OSError) as wrong:
        return Finding(what, str(wrong), "wrong")


def _first_word(what: str, device: Device) -> Finding:
    heard: list[Observation] = []
    word = threading.Event()

    def listen(seen: Observation) -> None:
        if isinstance(seen, DeviceOnline | DeviceOffline | CameraFit | CameraUnfit):
            heard.append(seen)
            word.set()

    device.start(listen)
    try:
        word.wait(ANSWER_S)
    finally:
        device.stop()
    match heard[0] if heard else None:
        case DeviceOnline(model=model, firmware=firmware, serial=serial, expected_serial=expected):
            if expected and expected != serial:
                words = (
                    f"{model} {firmware} answers as {serial}, but identity is {expected}: "
                    "change the device, or identity"
                )
                return Finding(what, words, "wrong")
            if not firmware:
                return Finding(what, f"its port opens; {model} does not say who it is")
            return Finding(what, f"{model} {firmware} answers, serial number {serial}")
        case DeviceOffline(reason=reason):
            return Finding(what, reason, "wrong")
        case _:
            words = f"nothing answered within {ANSWER_S:g} s: check the cable and the power"
            return Finding(what, words, "wrong")


def _camera(what: str, camera: CameraSettings, game: str) -> Iterator[Finding]:
    if camera.source.isdigit():
        yield Finding(
            what,
            f"source {camera.source} is a bare index, which changes when devices are plugged in: "
            "write the identity that `cutcard devices` gives",
            "warning",
        )
    if camera.layout is not None and not camera.layout.is_file():
        words = (
            f"layout {camera.layout}: there is no such file: calibrate the camera, on its page or "
            "with `cutcard calibrate`"
        )
        yield Finding(what, words, "wrong")
    try:
        if camera.layout is not None and camera.layout.is_file():
            for level, words in camera_kind(camera.source).look_layout(camera.layout, game):
                yield Finding(what, words, level)
        said = camera_kind(camera.source).look(camera.source, camera.tuning)
        # After a semicolon stands what the camera refused of its settings.
        yield Finding(what, said, "warning" if "; " in said else "ok")
    except (LaunchError, OSError, ValueError) as wrong:
        yield Finding(what, str(wrong), "wrong")


def _deck(what: str, camera: CameraSettings, deck: Path, *, needed: bool) -> Finding:
    """Whether the studio's own deck can be read with."""
    if not deck.exists():
        words = (
            f"deck {deck}: there is no such file: show the deck to the camera, on its page or with "
            "`cutcard enrol`"
        )
        if needed:
            return Finding(what, f"{words}; until then this table does not deal", "wrong")
        return Finding(what, f"{words}; until then cards are read as any deck's", "warning")
    try:
        return Finding(what, camera_kind(camera.source).look_deck(deck))
    except (LaunchError, ValueError) as wrong:
        return Finding(what, str(wrong), "wrong")


@click.command("check", epilog="Example: cutcard check --config config.toml")
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("config.toml"),
    show_default=True,
    help="The configuration file.",
)
def check(config: Path) -> None:
    """Say what the configuration means, then try each device. Exit 1 if one does not answer."""
    settings = load(config, os.environ)
    set_up(level="ERROR")  # what devices say is told as findings
    for sentence in understood(settings):
        click.echo(sentence)
    signs = {"ok": "ok      ", "warning": "warning ", "wrong": "WRONG   "}
    bad = False
    for finding in findings(settings):
        click.echo(f"{signs[finding.level]} {finding.what}: {finding.words}")
        bad = bad or finding.level == "wrong"
    if bad:
        raise SystemExit(1)


COMMAND: Final = check
"""What `studio.cli` finds here."""
