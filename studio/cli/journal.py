"""`cutcard journal`: check, print and export the journal; the studio need not run."""

import itertools
import json
import sys
from pathlib import Path
from typing import Final

import click

from studio.cli.bundle import bundle, purge_evidence, verify_bundle
from studio.cli.shared import Failed, config_option, database_option, instant_of, url_of

PROGRESS: Final = 10_000
"""So many facts between two lines of progress."""


@click.group(epilog="Example: cutcard journal verify --database sqlite:///var/cutcard.db")
def journal() -> None:
    """Check and print the journal; the studio need not run."""


journal.add_command(bundle)
journal.add_command(purge_evidence)


@journal.command("verify", epilog="Example: cutcard journal verify --config config.toml")
@config_option
@database_option
@click.option("--public-key", default="", help="Every signature must be of this key.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
def journal_verify(
    config: Path, database: str | None, public_key: str, file: Path | None, *, as_json: bool
) -> None:
    """Check the chain, the seals, the amounts and the signatures. Exit 1 if something is wrong.

    With FILE a bundle is checked instead; that needs neither studio nor database.
    """
    from studio.live.ports import JournalDamaged
    from studio.storage.verify import verify

    if file is not None:
        verify_bundle(file, public_key, as_json=as_json)
        return
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


@journal.command("export", epilog="Example: cutcard journal export --format csv > facts.csv")
@config_option
@database_option
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl")
@click.option("--table", default="", metavar="NAME", help="Facts of this table only.")
@click.option("--round", "round_id", default="", metavar="ID", help="Facts of this round only.")
@click.option("--since", default="", metavar="INSTANT", help="Recorded then or later.")
@click.option("--until", default="", metavar="INSTANT", help="Recorded before that.")
def journal_export(
    config: Path,
    database: str | None,
    form: str,
    table: str,
    round_id: str,
    since: str,
    until: str,
) -> None:
    """Write the facts in their order, as JSON lines or CSV; what was sealed stays sealed."""
    from studio.storage.export import Wanted, Writer, facts

    wanted = Wanted(
        table=table, round_id=round_id, since_us=instant_of(since), until_us=instant_of(until)
    )
    found = facts(url_of(database, config), wanted)
    first = next(found, None)  # a wrong name is told before anything is written
    writer = Writer(sys.stdout, as_csv=form == "csv")
    count = 0
    for fact in itertools.chain(() if first is None else (first,), found):
        writer.write(fact)
        count += 1
        if count % PROGRESS == 0:
            click.echo(f"{count} facts, up to {fact['at']}", err=True)
    sys.stdout.flush()
    click.echo(f"{count} facts", err=True)
