"""`cutcard tokens`: secrets that open one thing, shown once."""

import json
import secrets
from pathlib import Path

import click

from studio.cli.shared import Sorry, accounts_of, config_option, database_option, settings_of
from studio.games.registry import game
from studio.live.seats import seats_of


@click.group(epilog="Example: cutcard tokens add overlay ba1")
def tokens() -> None:
    """Read-only addresses of overlays, seats of Baloot, keys of platforms."""


@tokens.group("add", epilog="Example: cutcard tokens add overlay ba1 --delay-ms 2000")
def tokens_add() -> None:
    """Make a token; its secret is shown this once."""


@tokens_add.command("overlay", epilog="Example: cutcard tokens add overlay ba1")
@click.argument("table")
@click.option("--delay-ms", type=click.IntRange(0, 600_000), default=0, show_default=True)
@config_option
@database_option
def tokens_add_overlay(table: str, delay_ms: int, config: Path, database: str | None) -> None:
    """Make the token of one overlay of a table."""
    settings = settings_of(config)
    if table not in settings.tables:
        known = ", ".join(settings.tables)
        raise Sorry(f"there is no table {table!r}; the tables are: {known}")
    added = accounts_of(database, config).add_token(table, delay_ms=delay_ms)
    click.echo("address (the secret is shown this once):", err=True)
    click.echo(f"http://{settings.web.bind}/overlay/{table}?token={added.secret}")


@tokens_add.command("seat", epilog="Example: cutcard tokens add seat --table bl1 --seat 2")
@click.option("--table", required=True, help="Name of the table.")
@click.option("--seat", type=click.IntRange(min=0), required=True, help="From 0, in play order.")
@config_option
@database_option
def tokens_add_seat(table: str, seat: int, config: Path, database: str | None) -> None:
    """Make the token of one seat: it sees that hand and chooses for it."""
    settings = settings_of(config)
    seats = {name: seats_of(game(each.game.value)) for name, each in settings.tables.items()}
    if not seats.get(table):
        known = ", ".join(name for name, count in seats.items() if count) or "none"
        raise Sorry(f"there is no table {table!r} whose seats choose; those that do: {known}")
    if seat >= seats[table]:
        raise Sorry(f"the table {table!r} has the seats 0 to {seats[table] - 1}, not {seat}")
    added = accounts_of(database, config).add_seat(table, seat)
    click.echo(f"token of seat {seat} of {table} (shown this once):", err=True)
    click.echo(added.secret)


@tokens_add.command("platform", epilog="Example: cutcard tokens add platform house")
@click.argument("platform")
@config_option
def tokens_add_platform(platform: str, config: Path) -> None:
    """Make a key for a betting platform, as the line of the environment that holds it."""
    settings = settings_of(config)
    if platform not in settings.platforms:
        known = ", ".join(settings.platforms) or "none; add a section [platforms.NAME]"
        raise Sorry(f"there is no platform {platform!r}; the platforms are: {known}")
    name = platform.upper().replace("-", "_")
    click.echo("give this to the studio's environment and the key to the platform", err=True)
    click.echo(
        "(shown this once, and kept nowhere; a new key takes the place of the old):", err=True
    )
    click.echo(f"CUTCARD_PLATFORM_{name}_KEY={secrets.token_urlsafe(32)}")


@tokens.command("list", epilog="Example: cutcard tokens list")
@config_option
@database_option
def tokens_list(config: Path, database: str | None) -> None:
    """List the tokens without their secrets, one JSON object a line."""
    accounts = accounts_of(database, config)
    for each in accounts.list_tokens():
        line = {"id": each.id, "table": each.table, "delay_ms": each.delay_ms}
        click.echo(json.dumps({**line, "revoked": each.revoked_us is not None}))
    for seat in accounts.list_seats():
        told = {"id": seat.id, "table": seat.table, "seat": seat.seat}
        click.echo(json.dumps({**told, "revoked": seat.revoked_us is not None}))


@tokens.command("revoke", epilog="Example: cutcard tokens revoke 0190f5e2-…")
@click.argument("token_id", metavar="ID")
@config_option
@database_option
def tokens_revoke(token_id: str, config: Path, database: str | None) -> None:
    """Take a token back; its overlay goes dark, its seat is closed at once."""
    accounts_of(database, config).revoke_token(token_id)
    click.echo(f"token {token_id} is revoked", err=True)
