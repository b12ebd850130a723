"""What the commands share: mistakes as one sentence, options, and what they open."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from studio.live.accounts import Accounts
    from studio.settings import Settings


class Sorry(click.ClickException):
    """Called wrongly: one sentence that says what to change, exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the sentence to standard error."""
        click.echo(self.format_message(), file=file, err=file is None)


class Failed(Sorry):
    """It ran and the answer is bad: one sentence, exit status 1."""

    exit_code = 1


def config_option(function: Any) -> Any:
    """Add `--config FILE`."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path("config.toml"),
        show_default=True,
        help="The configuration file.",
    )(function)


def database_option(function: Any) -> Any:
    """Add `--database URL`."""
    return click.option(
        "--database",
        metavar="URL",
        help="Address of the database, as sqlite:///FILE; else that of the configuration.",
    )(function)


def settings_of(config: Path) -> "Settings":
    """Read the configuration; a studio that has none yet gets the words for it."""
    from studio.settings import load

    return load(config, os.environ)


def url_of(database: str | None, config: Path) -> str:
    """Give the address of the database: as it was given, else that of the configuration."""
    return database or settings_of(config).studio.database


def accounts_of(database: str | None, config: Path) -> "Accounts":
    """Open the people of a studio; closed again when the command ends."""
    from studio.live.accounts import Accounts
    from studio.live.clock import SystemClock
    from studio.live.ids import TimeSortedIds
    from studio.storage.database import open_database
    from studio.storage.people import SqlPeople

    opened = open_database(url_of(database, config))
    click.get_current_context().call_on_close(opened.close)
    return Accounts(SqlPeople(opened), SystemClock(), TimeSortedIds())


def instant_of(text: str) -> int | None:
    """Read an instant as ``2026-01-31T18:00:00Z`` or a day, in UTC; microseconds, None for none.

    Raises:
        Sorry: if it is neither.
    """
    from datetime import UTC, datetime, timedelta

    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Sorry(
            f"{text!r} is no instant: write it as 2026-01-31T18:00:00Z, or a day as 2026-01-31"
        ) from None
    since = moment.replace(tzinfo=moment.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return since // timedelta(microseconds=1)
