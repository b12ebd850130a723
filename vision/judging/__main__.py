"""The command `python -m vision.judging`: measure the eye on labelled photographs."""

from pathlib import Path

import click

from vision.judging.measure import measure
from vision.judging.photos import HELD_OUT, Failure, PhotosUnfit, load
from vision.judging.report import page
from vision.judging.tables import table, tallies, verdicts
from vision.see import See


def in_words(failure: Failure) -> str:
    """A line about one failure."""
    said = failure.said
    word = "" if said is None else f" said {said.likely} {said.confidence:.3f} by {said.by}"
    where = f"{failure.photo.set}/{failure.photo.path.name}"
    return f"{failure.verdict} {where} {failure.truth}{word}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--report", type=click.Path(path_type=Path, file_okay=False), help="HTML goes here.")
@click.option("--set", "sets", multiple=True, help="Only this set; may be given again.")
@click.option("--development", is_flag=True, help="Only the sets that are not held out.")
@click.option("--every", default=1, type=click.IntRange(1), help="Only each so-manieth picture.")
@click.option("--jobs", default=2, type=click.IntRange(1, 64), help="Processes side by side.")
@click.option("--list", "listed", is_flag=True, help="Name every failure that may be looked at.")
def main(
    *,
    folder: Path,
    report: Path | None,
    sets: tuple[str, ...],
    development: bool,
    every: int,
    jobs: int,
    listed: bool,
) -> None:
    """Judge `cutcard see` on the labelled photographs in FOLDER and print the table.

    Of sets that are held out only the numbers are told.
    """
    try:
        photos = load(folder, sets)
    except PhotosUnfit as error:
        raise click.ClickException(str(error)) from None
    if development:
        photos = [photo for photo in photos if photo.set not in HELD_OUT]
    photos = photos[::every]
    version = See.loaded().version
    try:
        judged = measure(photos, jobs)
    except PhotosUnfit as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"Weights {version}\n\n{verdicts(judged)}\n\n{table(tallies(judged))}")
    if listed:
        for failure in (each for one in judged for each in one.failures):
            if failure.photo.set not in HELD_OUT:
                click.echo(in_words(failure))
    if report is not None:
        report.mkdir(parents=True, exist_ok=True)
        path = report / "index.html"
        path.write_text(page(judged, HELD_OUT, version), encoding="utf-8")
        click.echo(f"\nReport with pictures: {path}", err=True)


if __name__ == "__main__":
    main()
