"""Subcommands of `cutcard` for wires: `devices` and `simulate-device`."""

import contextlib
import json
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import entry_points
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click

from hardware.finding import cameras, serial_ports
from hardware.sim.script import HELP, Order, carry_out, parse_order, parse_script
from hardware.sim.wallclock import WallClock
from hardware.text_codes import Kind, as_csv, example
from studio.live.ports import Driver, SimulatedWire

_SCRIPT_HELP: Final = "\n".join(f"  {line}" for line in HELP.splitlines())


def installed_drivers() -> tuple[Driver, ...]:
    """All drivers that this installation has, by name; ours and those of the studio."""
    found = {each.name: each for each in entry_points(group="cutcard.drivers")}
    loaded = (found[name].load() for name in sorted(found))
    return tuple(each for each in loaded if isinstance(each, Driver))


@click.command(
    epilog="Example: cutcard devices --drivers",
)
@click.option("--drivers", is_flag=True, help="List the drivers, their settings and fault names.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def devices(*, drivers: bool, as_json: bool) -> None:
    """List cameras and serial ports, with the identity to write into the configuration."""
    if drivers:
        _list_drivers(as_json=as_json)
        return
    found = (*serial_ports(), *cameras())
    for each in found:
        if as_json:
            click.echo(json.dumps(asdict(each), ensure_ascii=False))
            continue
        click.echo(f"{each.kind}  {each.port}  {each.name}")
        click.echo(f"    {each.setting}")
        if each.note:
            click.echo(f"    {each.note}")
    if not found:
        click.echo("No serial port and no camera was found: plug one in and ask again.", err=True)


def _list_drivers(*, as_json: bool) -> None:
    for driver in installed_drivers():
        settings = [asdict(each) for each in driver.settings]
        if as_json:
            line: dict[str, Any] = {"driver": driver.name, "summary": driver.summary}
            click.echo(json.dumps({**line, "settings": settings, "faults": driver.faults}))
            continue
        click.echo(f"{driver.name}: {driver.summary}")
        for each in driver.settings:
            default = each.default or "empty"
            click.echo(f"    {each.name:<13} {each.meaning} (default {default})")
        click.echo(f"    faults of its simulated device: {' '.join(driver.faults)}")


@click.command(
    "simulate-device",
    epilog="\b\nExample: cutcard simulate-device cutcard-line --link /tmp/shoe --fault noise\n"
    f"Orders of a script, one a line:\n{_SCRIPT_HELP}",
)
@click.argument("driver")
@click.option("--link", default="", metavar="PATH", help="Path to open; default: a temporary one.")
@click.option("--fault", "faults", multiple=True, metavar="NAME", help="A fault to begin with.")
@click.option("--script", default="", metavar="FILE", help="Orders to carry out; - to type them.")
@click.option(
    "--set", "given", multiple=True, metavar="NAME=VALUE", help="A setting of the driver."
)
def simulate_device(
    *, driver: str, link: str, faults: tuple[str, ...], script: str, given: tuple[str, ...]
) -> None:
    """Run a simulated device on a pseudo-terminal until Ctrl-C."""
    chosen = _driver(driver)
    settings = _settings(chosen, given)
    for name in faults:
        if name not in chosen.faults:
            raise click.UsageError(
                f"{name!r} is no fault of {chosen.name}: take one of {', '.join(chosen.faults)}."
            )
    orders = _orders(script, chosen.faults)
    try:
        shoe = chosen.simulate({**settings, "link": link}, WallClock())
        shoe.start()
    except ValueError as trouble:
        raise click.UsageError(f"{trouble}.") from trouble
    with contextlib.suppress(KeyboardInterrupt), _stopping(shoe):
        click.echo(shoe.path)
        for name in faults:
            shoe.switch(name)
        _work(shoe, orders)


def _driver(name: str) -> Driver:
    known = {each.name: each for each in installed_drivers()}
    if name not in known:
        raise click.UsageError(f"{name!r} is no driver: take one of {', '.join(known) or 'none'}.")
    return known[name]


def _settings(driver: Driver, given: Iterable[str]) -> dict[str, str]:
    """Read settings as ``codes=unique``."""
    names = [each.name for each in driver.settings]
    settings = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or name not in names:
            raise click.UsageError(f"{each!r}: write NAME=VALUE with one of {', '.join(names)}.")
        settings[name] = value
    return settings


def _orders(script: str, faults: Iterable[str]) -> Iterable[Order]:
    """Read a script whole before anything is done; standard input is read as it is typed."""
    if not script:
        return ()
    if script == "-":
        return _typed(tuple(faults))
    try:
        text = Path(script).read_text(encoding="utf-8")
        return tuple(parse_script(text.splitlines(), faults))
    except (OSError, UnicodeDecodeError) as trouble:
        reason = getattr(trouble, "strerror", None) or "it is not text"
        raise click.UsageError(f"the script {script} cannot be read: {reason}.") from trouble
    except ValueError as trouble:
        raise click.UsageError(f"{script}, {trouble}.") from trouble


def _typed(faults: tuple[str, ...]) -> Iterator[Order]:
    for line in sys.stdin:
        try:
            order = parse_order(line, faults)
        except ValueError as trouble:
            click.echo(f"{trouble}.", err=True)
            continue
        if order is not None:
            yield order


@contextlib.contextmanager
def _stopping(shoe: SimulatedWire) -> Iterator[None]:
    """Let SIGTERM end the device as Ctrl-C does, so that its path goes away with it."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        shoe.stop()


def _work(shoe: SimulatedWire, orders: Iterable[Order]) -> None:
    forever = threading.Event()
    for order in orders:
        try:
            said = carry_out(order, shoe, forever.wait)
        except ValueError as trouble:
            click.echo(f"{trouble}.", err=True)
            if isinstance(orders, tuple):
                raise SystemExit(1) from trouble
            continue  # whoever types may type again
        if said:
            click.echo(said)
    forever.wait()


@click.command("make-codes", epilog="Example: cutcard make-codes --unique --packs 8 > codes.csv")
@click.option("--unique", is_flag=True, help="A code for each physical card, not for each value.")
@click.option("--packs", type=click.IntRange(1, 8), default=8, show_default=True)
def make_codes(*, unique: bool, packs: int) -> None:
    """Print a table of codes for serial-text, to print cards and stickers from."""
    kind = Kind.UNIQUE if unique else Kind.VALUE
    click.echo(as_csv(example(kind, packs), kind), nl=False)


COMMANDS: Final[tuple[click.Command, ...]] = (devices, simulate_device, make_codes)
"""What the entry point `hardware` of the group `cutcard.commands` gives."""
