"""The command `python -m vision.judging`: measure the eye on labelled photographs."""

import time
from multiprocessing import get_context
from pathlib import Path

import click
import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from vision.judging.photos import HELD_OUT, Failure, Judged, Photo, PhotosUnfit, judge, load
from vision.judging.report import page
from vision.judging.tables import table, tallies, verdicts
from vision.pictures import read_picture
from vision.see import See


def measure(photos: list[Photo], jobs: int) -> list[Judged]:
    """Look at each photograph as `cutcard see` does and judge what was seen."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress,
        get_context("spawn").Pool(jobs, _start) as pool,
    ):
        task = progress.add_task("photographs", total=len(photos))
        out = []
        for judged in pool.imap(_one, photos):
            if isinstance(judged, str):
                raise click.ClickException(judged)
            out.append(judged)
            progress.update(task, advance=1, description=judged.photo.set)
    return out


_eyes: list[See] = []
"""The eye of a process of the pool."""


def _start() -> None:
    """Load the eye of a process."""
    cv2.setNumThreads(1)
    _eyes.append(See.loaded())


def _one(photo: Photo) -> Judged | str:
    """Judge one photograph; why it cannot be read, if it cannot."""
    image = read_picture(photo.path)
    if isinstance(image, str):
        return f"{photo.path}: {image}"
    began = time.process_time()
    seen = _eyes[0].at(image)
    return judge(photo, seen, 1000 * (time.process_time() - began))


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
    judged = measure(photos, jobs)
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
