"""`cutcard journal`: check, print and export the journal; the studio need not run."""

import json
from pathlib import Path

import click

from studio.cli.shared import Failed, config_option, database_option, url_of


@click.group(epilog="Example: cutcard journal verify --database sqlite:///var/cutcard.db")
def journal() -> None:
    """Check and print the journal; the studio need not run."""


@journal.command("verify", epilog="Example: cutcard journal verify --config config.toml")
@config_option
@database_option
@click.option("--public-key", default="", help="Every signature must be of this key.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def journal_verify(config: Path, database: str | None, public_key: str, *, as_json: bool) -> None:
    """Check the chain, the seals, the amounts and the signatures. Exit 1 if something is wrong."""
    from studio.live.ports import JournalDamaged
    from studio.storage.verify import verify

    try:
        report = verify(url_of(database, config), public_key=public_key)
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
@config_option
@database_option
@click.option("--round", "round_id", required=True, metavar="ID", help="The round.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def journal_show(config: Path, database: str | None, round_id: str, *, as_json: bool) -> None:
    """Print the facts of a round; what nobody may know yet stays sealed."""
    from studio.storage.shown import show_round

    for fact in show_round(url_of(database, config), round_id):
        click.echo(json.dumps(fact.as_dict()) if as_json else fact.line())
