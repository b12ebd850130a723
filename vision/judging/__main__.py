"""The command `python -m vision.judging`: the table of VISION.md 3, measured."""

from collections.abc import Sequence
from pathlib import Path

import click

from vision.judging import hands, held_out, pasted
from vision.judging.measure import measure
from vision.judging.photos import HELD_OUT, Failure, Judged, PhotosUnfit, load
from vision.judging.report import page
from vision.judging.tables import Line, table, tallies, verdict_table, verdicts
from vision.judging.units import Unit, measured
from vision.judging.whole import Sum, by_name, lines, sums
from vision.see import See

PHOTOGRAPHED = (pasted.ROW,)
RENDERED = (hands.DEALT, hands.FIRST_SIGHT)
TRAINED = (
    held_out.CALIBRATED,
    held_out.ENROLLED,
    held_out.ENROLLED_HARD,
    held_out.OTHER_DECK,
    held_out.STRANGE,
    held_out.FOUND,
)
LOG = "judged.jsonl"
_FOLDER = click.Path(path_type=Path, file_okay=False)


def in_words(failure: Failure) -> str:
    """A line about one failure."""
    said = failure.said
    word = "" if said is None else f" said {said.likely} {said.confidence:.3f} by {said.by}"
    where = f"{failure.photo.set}/{failure.photo.path.name}"
    return f"{failure.verdict} {where} {failure.truth}{word}"


@click.command()
@click.argument(
    "folder", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True)
)
@click.option("--report", type=_FOLDER, help="HTML goes here.")
@click.option("--set", "sets", multiple=True, help="Only this set; may be given again.")
@click.option("--development", is_flag=True, help="Only the sets that are not held out.")
@click.option("--every", default=1, type=click.IntRange(1), help="Only each so-manieth picture.")
@click.option("--jobs", default=2, type=click.IntRange(1, 64), help="Processes side by side.")
@click.option("--list", "listed", is_flag=True, help="Name every failure that may be looked at.")
@click.option("--all", "whole", is_flag=True, help="The rows of the simulated camera as well.")
@click.option("--synthetic", is_flag=True, help="Only the rows of the simulated camera.")
@click.option("--readings", default=3000, type=click.IntRange(1), help="In each of these rows.")
@click.option("--enrolled", default=3000, type=click.IntRange(1), help="In the row so called.")
@click.option("--art", type=_FOLDER, help="Art of the training, for rows with its decks.")
@click.option(
    "--work",
    type=_FOLDER,
    default=Path("judged"),
    show_default=True,
    help="What is measured is kept here, and gone on with.",
)
@click.option("--anew", is_flag=True, help="Measure again what was kept.")
def main(  # noqa: PLR0913 - each is an option of its own
    *,
    folder: Path | None,
    report: Path | None,
    sets: tuple[str, ...],
    development: bool,
    every: int,
    jobs: int,
    listed: bool,
    whole: bool,
    synthetic: bool,
    readings: int,
    enrolled: int,
    art: Path | None,
    work: Path,
    anew: bool,
) -> None:
    """Judge the eye and print the table of VISION.md 3.

    FOLDER holds labelled photographs: `cutcard see` is judged on them, and with --all they are laid
    into the simulated camera too. Of sets that are held out only the numbers are told.
    """
    if folder is None and not (whole or synthetic):
        raise click.UsageError("give the folder of photographs, or --synthetic")
    version = See.loaded().version
    judged: list[Judged] = []
    if folder is not None and not synthetic:
        judged = _photographs(folder, sets, every, jobs, development=development)
    more: list[Line] = []
    counted: dict[str, Sum] = {}
    if whole or synthetic:
        if anew:
            (work / LOG).unlink(missing_ok=True)
        counted, more = _simulated(folder, art, work, version, jobs, readings, enrolled)
    click.echo(f"Weights {version}\n\n{verdict_table([*verdicts(judged), *more])}\n")
    if judged:
        click.echo(table(tallies(judged)))
    if counted:
        click.echo(f"\n{by_name(counted)}")
    if listed:
        for failure in (each for one in judged for each in one.failures):
            if failure.photo.set not in HELD_OUT:
                click.echo(in_words(failure))
    if report is not None:
        report.mkdir(parents=True, exist_ok=True)
        path = report / "index.html"
        path.write_text(page(judged, HELD_OUT, version, counted, more), encoding="utf-8")
        click.echo(f"\nReport with pictures: {path}", err=True)


def _photographs(
    folder: Path, sets: Sequence[str], every: int, jobs: int, *, development: bool
) -> list[Judged]:
    """Judge `cutcard see` on the photographs of a folder.

    Raises:
        ClickException: if they cannot be used; one sentence.
    """
    try:
        photos = load(folder, sets)
        if development:
            photos = [photo for photo in photos if photo.set not in HELD_OUT]
        return measure(photos[::every], jobs)
    except PhotosUnfit as error:
        raise click.ClickException(str(error)) from None


def _simulated(
    folder: Path | None,
    art: Path | None,
    work: Path,
    version: str,
    jobs: int,
    readings: int,
    enrolled: int,
) -> tuple[dict[str, Sum], list[Line]]:
    """Measure the rows of the simulated camera, as far as there is what they need."""
    skipped: dict[str, str] = {}
    units: list[Unit] = []
    if folder is None:
        skipped |= dict.fromkeys(PHOTOGRAPHED, "needs the folder of photographs")
    else:
        units += pasted.units(folder, readings)
    units += hands.units(readings)
    why = held_out.lacking(art)
    if why or art is None:
        skipped |= dict.fromkeys(TRAINED, why)
    else:
        units += held_out.units(art, work, readings, enrolled)
    for name, reason in skipped.items():
        click.echo(f"Skipped, {name}: {reason}", err=True)
    counted = sums(measured(units, work / LOG, version, jobs))
    return counted, lines(counted, skipped)


if __name__ == "__main__":
    main()
