"""`cutcard backup` and `cutcard restore`: a checked copy of the database, and its way back."""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from studio.cli.shared import Failed, config_option, database_option, url_of


@click.command(epilog="Example: cutcard backup backups/monday.db")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@config_option
@database_option
@click.option("--force", is_flag=True, help="Replace a backup of the same name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def backup(file: Path, config: Path, database: str | None, *, force: bool, as_json: bool) -> None:
    """Copy the database to FILE while the studio runs, and check the copy."""
    from studio.storage.backup import EVIDENCE, MANIFEST, BackupBad, back_up

    url = url_of(database, config)
    if not file.absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder {file.parent}: make it first.")
    made = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    click.echo(f"copying to {file} …", err=True)
    try:
        manifest = back_up(url, file, made=made, force=force)
    except BackupBad as failure:
        raise Failed(str(failure)) from failure
    if as_json:
        click.echo(json.dumps({"file": str(file), **asdict(manifest)}))
        return
    click.echo(f"{file}: {manifest.facts} facts, {manifest.rounds} rounds, checked and verified")
    click.echo(f"{file}{MANIFEST}: sha256 {manifest.sha256}")
    if manifest.evidence:
        click.echo(f"{file}{EVIDENCE}: {manifest.evidence} pieces of evidence")
    click.echo("It holds the studio's secrets: keep it where only its owner reads it.", err=True)


@click.command(epilog="Example: cutcard restore backups/monday.db")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@config_option
@database_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def restore(file: Path, config: Path, database: str | None, *, as_json: bool) -> None:
    """Put the backup FILE in the place of the database; what was there is kept beside it."""
    from studio.storage.backup import BackupBad, restore_backup

    url = url_of(database, config)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    click.echo(f"checking {file} …", err=True)
    try:
        done = restore_backup(url, file, stamp=stamp)
    except BackupBad as failure:
        raise Failed(str(failure)) from failure
    if as_json:
        line = {
            "facts": done.report.facts,
            "rounds": done.report.rounds,
            "replaced": "" if done.replaced is None else str(done.replaced),
            "lost": done.lost,
            "evidence": done.evidence,
            "manifest": done.checked,
        }
        click.echo(json.dumps(line))
    else:
        click.echo(f"restored: {done.report.facts} facts, {done.report.rounds} rounds, verified")
        if done.replaced is not None:
            click.echo(f"the database that was there is now {done.replaced}")
        if done.evidence:
            click.echo(f"{done.evidence} pieces of evidence were put back")
    if not done.checked:
        click.echo("There was no manifest beside it: only its content was checked.", err=True)
    if done.lost:
        click.echo(
            f"The replaced database has {done.lost} facts more; they are lost to this one.",
            err=True,
        )
