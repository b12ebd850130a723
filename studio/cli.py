"""The command `cutcard`: everything that can be done without a browser.

A command starts in a blink because it loads only what it needs. Exit status: 0 done, 2 called
wrongly (one sentence says what to change), 1 it ran and the answer is bad. Results go to standard
output, everything else to standard error.
"""

import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from studio import __version__
from studio.configuration import SettingsError

if TYPE_CHECKING:
    from studio.live.accounts import Accounts
    from studio.settings import Settings

ELSEWHERE: Final = {
    "check": "studio.checking:COMMAND",
    "play": "studio.play:COMMAND",
    "demo": "studio.simulate.demo:COMMAND",
}
"""Commands that have a module of their own."""


class Sorry(click.ClickException):
    """Called wrongly: one sentence that says what to change, exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the sentence to standard error."""
        click.echo(self.format_message(), file=file, err=file is None)


class Failed(Sorry):
    """It ran and the answer is bad: one sentence, exit status 1."""

    exit_code = 1


class Cutcard(click.Group):
    """The group; finds commands elsewhere when they are asked for, and tells mistakes plainly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all commands."""
        return sorted({*super().list_commands(ctx), *ELSEWHERE, *self._brought()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Give the command of this name, loading it if need be."""
        known = super().get_command(ctx, cmd_name)
        if known is not None:
            return known
        if cmd_name in ELSEWHERE:
            module, _, name = ELSEWHERE[cmd_name].partition(":")
            try:
                found = getattr(importlib.import_module(module), name)
            except ModuleNotFoundError as missing:
                if missing.name != module:
                    raise
                return None
            return found if isinstance(found, click.Command) else None
        return self._brought().get(cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a mistake that has a sentence becomes this sentence."""
        from studio.domain.commands import Rejected
        from studio.live.ports import JournalError
        from studio.plugins import LaunchError

        try:
            return super().invoke(ctx)
        except SettingsError as wrong:
            raise Sorry(str(wrong)) from wrong
        except LaunchError as wrong:
            kind = Sorry if wrong.status == Sorry.exit_code else Failed
            raise kind(str(wrong)) from wrong
        except (JournalError, Rejected) as wrong:
            raise Sorry(str(wrong)) from wrong

    def _brought(self) -> dict[str, click.Command]:
        """The commands that other packages bring."""
        from studio.plugins import LaunchError, subcommands

        found: dict[str, click.Command] = {}
        try:
            for command in subcommands():
                found[command.name] = command
        except LaunchError as wrong:
            click.echo(f"some commands are missing: {wrong}", err=True)
        return found


@click.group(cls=Cutcard, epilog="Example: cutcard check --config config.toml")
@click.version_option(__version__, prog_name="cutcard")
def cli() -> None:
    """Cutcard, a control system for live-dealer studios."""


def _config_option(function: Any) -> Any:
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path("config.toml"),
        show_default=True,
        help="The configuration file.",
    )(function)


def _database_option(function: Any) -> Any:
    return click.option(
        "--database",
        metavar="URL",
        help="Address of the database, as sqlite:///FILE; else that of the configuration.",
    )(function)


def _settings(config: Path) -> "Settings":
    """Read the configuration; a studio that has none yet gets the words for it."""
    from studio.settings import load

    return load(config, os.environ)


def _url(database: str | None, config: Path) -> str:
    return database or _settings(config).studio.database


@cli.command(epilog="Example: cutcard run --config config.toml")
@_config_option
@click.option("--log", type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"]), default="INFO")
def run(config: Path, log: str) -> None:
    """Run the studio as it is configured, until it is interrupted."""
    import logging

    from studio.launch import Studio
    from studio.logs import set_up
    from studio.plugins import face

    settings = _settings(config)
    set_up(level=log)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    studio = Studio(settings)
    studio.inspect()
    try:
        face().serve(studio, settings, ready=lambda address: _say_ready(studio, address))
    except OSError as wrong:
        raise Failed(str(wrong)) from wrong


def _say_ready(studio: Any, address: str) -> None:
    click.echo(f"{studio.studio_name} runs at {address}", err=True)
    if not studio.accounts.list_people():
        click.echo(
            'Nobody can sign in yet: cutcard people add "Your name" --role supervisor --number 1',
            err=True,
        )


# -- the journal ---------------------------------------------------------------------------------


@cli.group(epilog="Example: cutcard journal verify --database sqlite:///var/cutcard.db")
def journal() -> None:
    """Check and print the journal; the studio need not run."""


@journal.command("verify", epilog="Example: cutcard journal verify --config config.toml")
@_config_option
@_database_option
@click.option("--public-key", default="", help="Every signature must be of this key.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def journal_verify(config: Path, database: str | None, public_key: str, *, as_json: bool) -> None:
    """Check the chain, the seals, the amounts and the signatures. Exit 1 if something is wrong."""
    from studio.live.ports import JournalDamaged
    from studio.storage.verify import verify

    try:
        report = verify(_url(database, config), public_key=public_key)
    except JournalDamaged as damaged:
        raise Failed(str(damaged)) from damaged
    if as_json:
        line = {
            "ok": report.ok,
            "streams": report.streams,
            "facts": report.facts,
            "rounds": report.rounds,
            "signed": report.signed,
            "problems": list(report.problems),
        }
        click.echo(json.dumps(line))
    else:
        for sentence in report.lines():
            click.echo(sentence)
    if not report.ok:
        raise SystemExit(1)


@journal.command("show", epilog="Example: cutcard journal show --round r-2026-01-01-ba1-17")
@_config_option
@_database_option
@click.option("--round", "round_id", required=True, metavar="ID", help="The round.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def journal_show(config: Path, database: str | None, round_id: str, *, as_json: bool) -> None:
    """Print the facts of a round; what nobody may know yet stays sealed."""
    from studio.storage.shown import show_round

    for fact in show_round(_url(database, config), round_id):
        click.echo(json.dumps(fact.as_dict()) if as_json else fact.line())


@cli.command(epilog="Example: cutcard replay --round r-2026-01-01-ba1-17")
@_config_option
@_database_option
@click.option("--round", "round_id", required=True, metavar="ID", help="The round.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def replay(config: Path, database: str | None, round_id: str, *, as_json: bool) -> None:
    """Play a journalled round again and say whether the result is the same. Exit 1 if not."""
    from studio.live.replay import OtherRules, facts_of
    from studio.live.replay import replay as play_again
    from studio.storage.database import open_existing
    from studio.storage.journal import SqlJournal

    with open_existing(_url(database, config)) as opened:
        kept = SqlJournal(opened)
        for stream in kept.streams():
            facts = facts_of(kept.read(stream), round_id)
            if facts:
                break
        else:
            raise Sorry(f"there is no round {round_id} in this journal: name one that is")
    table = stream.split("/")[1]
    try:
        done = play_again(table, facts, _rules(config, table, facts[0].event.game))
    except OtherRules as wrong:
        raise Sorry(str(wrong)) from wrong
    if as_json:
        click.echo(json.dumps(done.line()))
    else:
        click.echo(f"round {done.round_id}, {done.state}, journalled {done.journalled_version}")
        click.echo(f"journalled: {json.dumps(done.journalled)}")
        click.echo(f"again:      {json.dumps(done.again)} by {done.present_version}")
        click.echo("the result is the same" if done.same else "the result is NOT the same")
    if not done.same:
        raise SystemExit(1)


def _rules(config: Path, table: str, game_name: str) -> Iterator[Any]:
    """Rules that a round may have been dealt under: the table's own, then the game's defaults."""
    from studio.games.registry import game

    dealt = game(game_name)
    if config.exists():
        found = _settings(config).tables.get(table)
        if found is not None and found.game.value == game_name:
            yield dealt.rules(found.rules)
    yield dealt.rules({})


# -- people --------------------------------------------------------------------------------------


def _accounts(database: str | None, config: Path) -> "Accounts":
    from studio.live.accounts import Accounts
    from studio.live.clock import SystemClock
    from studio.live.ids import TimeSortedIds
    from studio.storage.database import open_database
    from studio.storage.people import SqlPeople

    opened = open_database(_url(database, config))
    click.get_current_context().call_on_close(opened.close)
    return Accounts(SqlPeople(opened), SystemClock(), TimeSortedIds())


@cli.group(epilog='Example: cutcard people add "Sana Malik" --role supervisor --number 12')
def people() -> None:
    """Who may sign in, and as what."""


@people.command("add", epilog='Example: cutcard people add "Jonas" --role dealer --number 7')
@click.argument("name")
@click.option("--role", required=True, help="dealer, supervisor, pit-boss, engineer or auditor.")
@click.option("--number", required=True, help="Staff number.")
@click.option("--badge", help="What the badge reader sends.")
@click.option("--locale", default="", help="Language of this person's screens, as ur.")
@_config_option
@_database_option
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
    accounts = _accounts(database, config)
    added = accounts.add_person(name, role, number=number, badge=badge, locale=locale)
    click.echo(f"{added.person.name}, {added.person.role}, number {added.person.number}", err=True)
    click.echo("PIN (shown this once):", err=True)
    click.echo(added.pin)


@people.command("list", epilog="Example: cutcard people list --json")
@_config_option
@_database_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def people_list(config: Path, database: str | None, *, as_json: bool) -> None:
    """List the people of this studio."""
    from studio.storage.database import open_existing

    open_existing(_url(database, config)).close()  # a mistyped address is no empty studio
    stored = _accounts(database, config).list_people()
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
@_config_option
@_database_option
def people_disable(number: str, config: Path, database: str | None) -> None:
    """Take the right to sign in away; the person stays on record."""
    _accounts(database, config).enable(number, enabled=False)
    click.echo(f"number {number} may not sign in any more", err=True)


@people.command("passwd", epilog="Example: cutcard people passwd 7")
@click.argument("number")
@_config_option
@_database_option
def people_passwd(number: str, config: Path, database: str | None) -> None:
    """Make a new PIN and print it, this once."""
    pin = _accounts(database, config).new_pin(number)
    click.echo("PIN (shown this once):", err=True)
    click.echo(pin)


# -- overlays' addresses ---------------------------------------------------------------------------


@cli.group(epilog="Example: cutcard tokens add overlay ba1")
def tokens() -> None:
    """Read-only addresses for overlays."""


@tokens.group("add", epilog="Example: cutcard tokens add overlay ba1 --delay-ms 2000")
def tokens_add() -> None:
    """Make a token; its secret is shown this once."""


@tokens_add.command("overlay", epilog="Example: cutcard tokens add overlay ba1")
@click.argument("table")
@click.option("--delay-ms", type=click.IntRange(0, 600_000), default=0, show_default=True)
@_config_option
@_database_option
def tokens_add_overlay(table: str, delay_ms: int, config: Path, database: str | None) -> None:
    """Make the token of one overlay of a table."""
    settings = _settings(config)
    if table not in settings.tables:
        known = ", ".join(settings.tables)
        raise Sorry(f"there is no table {table!r}; the tables are: {known}")
    added = _accounts(database, config).add_token(table, delay_ms=delay_ms)
    click.echo("address (the secret is shown this once):", err=True)
    click.echo(f"http://{settings.web.bind}/overlay/{table}?token={added.secret}")


@tokens.command("list", epilog="Example: cutcard tokens list")
@_config_option
@_database_option
def tokens_list(config: Path, database: str | None) -> None:
    """List the tokens without their secrets, one JSON object a line."""
    for each in _accounts(database, config).list_tokens():
        line = {"id": each.id, "table": each.table, "delay_ms": each.delay_ms}
        click.echo(json.dumps({**line, "revoked": each.revoked_us is not None}))


@tokens.command("revoke", epilog="Example: cutcard tokens revoke 0190f5e2-…")
@click.argument("token_id", metavar="ID")
@_config_option
@_database_option
def tokens_revoke(token_id: str, config: Path, database: str | None) -> None:
    """Take a token back; its overlay goes dark at once."""
    _accounts(database, config).revoke_token(token_id)
    click.echo(f"token {token_id} is revoked", err=True)


def main() -> None:
    """Run the command line."""
    cli.main(prog_name="cutcard")
