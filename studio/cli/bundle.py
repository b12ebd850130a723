"""`cutcard journal bundle` and the check of a bundle: a round or a fault outside the studio."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli.shared import Failed, Sorry, config_option, database_option, settings_of, url_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("bundle", epilog="Example: cutcard journal bundle --fault 88 case-88.zip")
@config_option
@database_option
@click.option("--fault", default="", metavar="ID", help="The fault, with the round it lies in.")
@click.option("--round", "round_id", default="", metavar="ID", help="The round.")
@click.option("--table", default="", metavar="NAME", help="Where the fault was, if several fit.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def bundle(
    config: Path, database: str | None, fault: str, round_id: str, table: str, file: Path
) -> None:
    """Write facts and evidence of a round or a fault to FILE, to be checked without the studio.

    What was sealed stays sealed. `cutcard journal verify FILE` checks it.
    """
    from studio.live.clock import SystemClock
    from studio.live.ports import EvidenceError
    from studio.storage.bundle import Asked, make_bundle
    from studio.storage.database import open_existing
    from studio.storage.evidence import FileEvidence, evidence_folder

    if bool(fault) == bool(round_id):
        raise Sorry("say which one: --fault ID or --round ID")
    url = url_of(database, config)
    rules = dict(_rules(config))
    with open_existing(url) as opened, opened.reading() as connection:
        kept = FileEvidence(evidence_folder(url, config.resolve().parent), opened)
        asked = Asked(round_id=round_id, fault=fault, table=table)
        try:
            data = make_bundle(
                connection, kept, asked, at_us=SystemClock().now_us(), rules=rules.get
            )
        except EvidenceError as wrong:
            raise Failed(str(wrong)) from wrong
    try:
        with file.open("xb") as out:
            out.write(data)
    except FileExistsError:
        raise Sorry(f"{file} is there already: give another name") from None
    except OSError as wrong:
        raise Sorry(f"{file} cannot be written: {wrong.strerror}") from wrong
    click.echo(f"{file}: {len(data)} bytes; cutcard journal verify {file}", err=True)


@click.command("purge-evidence", epilog="Example: cutcard journal purge-evidence --dry-run")
@config_option
@click.option("--dry-run", is_flag=True, help="Say how much would go, and take nothing away.")
def purge_evidence(config: Path, *, dry_run: bool) -> None:
    """Take away evidence that is older than [studio.retention] says; its digests stay.

    A running studio does so by itself, every six hours.
    """
    from datetime import UTC, datetime

    from studio.live.clock import SystemClock
    from studio.live.ports import EvidenceError
    from studio.storage.database import open_existing
    from studio.storage.evidence import Days, FileEvidence, evidence_folder

    studio = settings_of(config).studio
    days = Days(studio.retention.video_days, studio.retention.raw_wire_days)
    today = datetime.fromtimestamp(SystemClock().now_us() / 1e6, UTC).date()
    with open_existing(studio.database) as opened:
        folder = evidence_folder(studio.database, config.resolve().parent)
        kept = FileEvidence(folder, opened, days)
        try:
            gone = kept.overdue(today) if dry_run else kept.purge(today)
        except EvidenceError as wrong:
            raise Failed(str(wrong)) from wrong
    click.echo(f"{gone} pieces of evidence {'would go' if dry_run else 'taken away'}", err=True)


def _rules(config: Path) -> "Iterator[tuple[str, str]]":
    """Digest and text of the rules that a round may have been dealt under, as far as known."""
    from studio.games.registry import GAMES, game
    from studio.live.replay import digest_of, rules_text

    tables = settings_of(config).tables if config.exists() else {}
    known = [
        (table.game.value, table.rules) for table in tables.values() if table.game.value in GAMES
    ]
    for name, chosen in [*known, *((name, {}) for name in GAMES)]:
        rules = game(name).rules(chosen)
        yield digest_of(rules), rules_text(rules)


def verify_bundle(file: Path, public_key: str, *, as_json: bool) -> None:
    """Check a bundle and print what was found; exit 1 if something is wrong.

    Raises:
        Sorry: if there is no such file.
        Failed: if it is no bundle, or not one that may be opened.
    """
    from studio.storage.archive import BundleRefused
    from studio.storage.unbundle import check_bundle

    if not file.is_file():
        raise Sorry(f"there is no file {file}: name a bundle")
    try:
        report = check_bundle(file, public_key=public_key)
    except BundleRefused as refused:
        if as_json:
            click.echo(json.dumps({"ok": False, "problems": [str(refused)]}))
        raise Failed(str(refused)) from refused
    if as_json:
        click.echo(json.dumps(report.as_dict()))
    else:
        for sentence in report.lines():
            click.echo(sentence)
    if not report.ok:
        raise SystemExit(1)
