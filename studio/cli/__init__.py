"""The command `cutcard`: everything that can be done without a browser.

A command starts in a blink because it loads only what it needs. Exit status: 0 done, 2 called
wrongly (one sentence says what to change), 1 it ran and the answer is bad. Results go to standard
output, everything else to standard error.
"""

import importlib
from pathlib import Path
from typing import Any, Final

import click

from studio import __version__
from studio.cli.shared import Failed, Sorry, config_option, settings_of
from studio.configuration import SettingsError

__all__ = ["Failed", "Sorry", "cli", "main"]

ELSEWHERE: Final = {
    "backup": "studio.cli.store:backup",
    "check": "studio.checking:COMMAND",
    "demo": "studio.simulate.demo:COMMAND",
    "journal": "studio.cli.journal:journal",
    "odds": "studio.cli.odds:odds",
    "people": "studio.cli.people:people",
    "play": "studio.play:COMMAND",
    "replay": "studio.cli.replay:replay",
    "restore": "studio.cli.store:restore",
    "tokens": "studio.cli.tokens:tokens",
}
"""Commands that have a module of their own."""


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


@cli.command(epilog="Example: cutcard run --config config.toml")
@config_option
@click.option("--log", type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"]), default="INFO")
def run(config: Path, log: str) -> None:
    """Run the studio as it is configured, until it is interrupted."""
    import logging

    from studio.launch import Studio
    from studio.logs import set_up
    from studio.plugins import face

    settings = settings_of(config)
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


def main() -> None:
    """Run the command line."""
    cli.main(prog_name="cutcard")
