"""`cutcard people`: who may sign in, and as what."""

import json
from pathlib import Path

import click

from studio.cli.shared import accounts_of, config_option, database_option, url_of


@click.group(epilog='Example: cutcard people add "Sana Malik" --role supervisor --number 12')
def people() -> None:
    """Who may sign in, and as what."""


@people.command("add", epilog='Example: cutcard people add "Jonas" --role dealer --number 7')
@click.argument("name")
@click.option("--role", required=True, help="dealer, supervisor, pit-boss, engineer or auditor.")
@click.option("--number", required=True, help="Staff number.")
@click.option("--badge", help="What the badge reader sends.")
@click.option("--locale", default="", help="Language of this person's screens, as ur.")
@config_option
@database_option
def people_add(
    name: str,
    role: str,
    number: str,
    badge: str | None,
    locale: str,
    config: Path,
    database: str | None,
) -> None:
    """Add a person and print the PIN, this once."""
    accounts = accounts_of(database, config)
    added = accounts.add_person(name, role, number=number, badge=badge, locale=locale)
    click.echo(f"{added.person.name}, {added.person.role}, number {added.person.number}", err=True)
    click.echo("PIN (shown this once):", err=True)
    click.echo(added.pin)


@people.command("list", epilog="Example: cutcard people list --json")
@config_option
@database_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def people_list(config: Path, database: str | None, *, as_json: bool) -> None:
    """List the people of this studio."""
    from studio.storage.database import open_existing

    open_existing(url_of(database, config)).close()  # a mistyped address is no empty studio
    stored = accounts_of(database, config).list_people()
    if as_json:
        for each in stored:
            person = each.person
            line = {"number": person.number, "name": person.name, "role": person.role.value}
            click.echo(
                json.dumps({**line, "enabled": each.enabled, "badge": bool(each.badge_hash)})
            )
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    shown = Table("number", "name", "role", "badge", "may sign in")
    for each in stored:
        person = each.person
        badge, may = ("yes" if flag else "no" for flag in (each.badge_hash, each.enabled))
        shown.add_row(person.number, escape(person.name), person.role.value, badge, may)
    Console().print(shown)


@people.command("disable", epilog="Example: cutcard people disable 7")
@click.argument("number")
@config_option
@database_option
def people_disable(number: str, config: Path, database: str | None) -> None:
    """Take the right to sign in away; the person stays on record."""
    accounts_of(database, config).enable(number, enabled=False)
    click.echo(f"number {number} may not sign in any more", err=True)


@people.command("passwd", epilog="Example: cutcard people passwd 7")
@click.argument("number")
@config_option
@database_option
def people_passwd(number: str, config: Path, database: str | None) -> None:
    """Make a new PIN and print it, this once."""
    pin = accounts_of(database, config).new_pin(number)
    click.echo("PIN (shown this once):", err=True)
    click.echo(pin)
