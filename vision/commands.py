"""The subcommand `cutcard see`: cards in pictures, videos and folders."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from vision.layout import Layout, LayoutError, load_layout

if TYPE_CHECKING:
    from rich.progress import Progress

    from vision.locate import Image
    from vision.see import See

PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".gif"})
VIDEOS: Final = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".mpg", ".mpeg"})
SUFFIXES: Final = PICTURES | VIDEOS
NO_PICTURES: Final = "no picture or video is in this folder: give another one"


@click.command(
    "see",
    epilog="Example: cutcard see --json photographs/ table.mp4",
)
@click.option(
    "--layout",
    "layout_file",
    type=click.Path(path_type=Path),
    help="Layout of the camera that took the pictures; cards are then looked for in its zones.",
)
@click.option(
    "--deck",
    "deck_file",
    type=click.Path(path_type=Path),
    help="The studio's own deck, as enrolled.",
)
@click.option(
    "--draw",
    "draw_folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write each picture with what was recognised into this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
def see_command(
    *,
    layout_file: Path | None,
    deck_file: Path | None,
    draw_folder: Path | None,
    as_json: bool,
    paths: tuple[Path, ...],
) -> None:
    """Recognise cards in image files, videos or folders of them.

    A card marked sure may be used without a person; one that is found and not surely read is told
    as ?? and has to be asked about.
    """
    layout = None
    if layout_file is not None:
        try:
            layout = load_layout(layout_file)
        except LayoutError as error:
            raise click.UsageError(str(error)) from None
    look = _eye(deck_file)
    if draw_folder is not None:
        try:
            draw_folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            text = f"--draw {draw_folder}: cannot be made ({error.strerror}); give another folder"
            raise click.UsageError(text) from None
    job = _Job(look, layout, draw_folder, as_json=as_json)
    if not job.run(list(paths)):
        sys.exit(1)


def _eye(deck_file: Path | None) -> "See":
    """The eye with its weights, and with a deck where one is given."""
    from vision.deck import DeckError, load_deck  # these load OpenCV
    from vision.reader import Reader
    from vision.see import See
    from vision.weights import ModelsUnfit

    try:
        deck = None if deck_file is None else load_deck(deck_file, Reader())
        return See.loaded(deck=deck)
    except DeckError as error:
        raise click.UsageError(str(error)) from None
    except ModelsUnfit as error:
        raise click.ClickException(str(error)) from None


def expand(paths: Iterable[Path]) -> Iterator[Path]:
    """Each file, and for a folder the pictures and videos in it and below, by name.

    A folder without any stands for itself, so that it can be complained about.
    """
    for path in paths:
        inside = sorted(path.rglob("*")) if path.is_dir() else []
        good = [each for each in inside if each.is_file() and each.suffix.lower() in SUFFIXES]
        yield from good or [path]


class _Job:
    """One call of `see`."""

    def __init__(
        self, look: "See", layout: Layout | None, draw: Path | None, *, as_json: bool
    ) -> None:
        self._look_at = look
        self._layout = layout
        self._draw = draw
        self._as_json = as_json
        self._progress: Progress | None = None

    def run(self, paths: list[Path]) -> bool:
        """Look at everything; whether all of it could be read."""
        files = list(expand(paths))
        with self._bar() or nullcontext():
            task = self._task("pictures", len(files)) if len(files) > 1 else None
            good = []
            for path in files:
                good.append(self._take(path))
                self._step(task)
        return all(good)

    def _bar(self) -> "Progress | None":
        """A progress bar on standard error, if a person is looking at it."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        console = Console(stderr=True)
        if not console.is_terminal:
            return None
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        # Lines for a pipe must not be moved to the console; on one terminal they stay above.
        self._progress = Progress(
            *columns, Remaining(), console=console, transient=True,
            redirect_stdout=sys.stdout.isatty(),
        )  # fmt: skip
        return self._progress

    def _task(self, words: str, total: int | None) -> Any:
        return None if self._progress is None else self._progress.add_task(words, total=total)

    def _step(self, task: Any) -> None:
        if self._progress is not None and task is not None:
            self._progress.advance(task)

    def _take(self, path: Path) -> bool:
        """Look at one file; whether it could be read."""
        from vision.pictures import read_picture

        if path.is_dir():
            return self._fail(path, NO_PICTURES)
        if not path.is_file():
            return self._fail(path, "there is no such file")
        if path.suffix.lower() in VIDEOS:
            return self._video(path)
        image = read_picture(path)
        if isinstance(image, str):
            return self._fail(path, image)
        return self._look(path, image, None)

    def _video(self, path: Path) -> bool:
        """Look at each frame of a video."""
        import cv2
        import numpy as np

        from vision.pictures import NOT_A_PICTURE

        device = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        total = int(device.get(cv2.CAP_PROP_FRAME_COUNT)) if device.isOpened() else 0
        task = self._task(path.name, total if total > 0 else None)
        frame = 0
        try:
            while device.isOpened():
                done, image = device.read()
                if not done:
                    break
                if not self._look(path, np.asarray(image, dtype=np.uint8), frame):
                    return False
                frame += 1
                self._step(task)
        finally:
            device.release()
            if self._progress is not None and task is not None:
                self._progress.remove_task(task)
        return frame > 0 or self._fail(path, NOT_A_PICTURE)

    def _look(self, path: Path, image: "Image", frame: int | None) -> bool:
        """Recognise, print and draw."""
        height, width = image.shape[:2]
        if self._layout is not None and (width, height) != self._layout.image:
            wide, high = self._layout.image
            return self._fail(
                path, f"{width} × {height} pixels, but the layout is for {wide} × {high}"
            )
        began = time.perf_counter()
        seen = self._look_at.at(image, self._layout)
        spent_ms = round(1000 * (time.perf_counter() - began), 1)
        line: dict[str, Any] = {"image": str(path)}
        if frame is not None:
            line["frame"] = frame
        line |= {"width": width, "height": height, "cards": [card.body() for card in seen.cards]}
        line |= {"backs": seen.backs, "cut": seen.cut, "ms": spent_ms}
        click.echo(json.dumps(line, ensure_ascii=False) if self._as_json else in_words(line))
        if self._draw is None:
            return True
        import cv2

        from vision.draw import drawn

        suffix = "" if frame is None else f"-{frame:06d}"
        name = "-".join(path.with_suffix("").parts[-2:]).strip("/.-") + suffix + ".jpg"
        if cv2.imwrite(str(self._draw / name), drawn(image, seen)):
            return True
        return self._fail(path, f"{self._draw / name} cannot be written: is there room for it?")

    def _fail(self, path: Path, error: str) -> bool:
        """Say that a file could not be read."""
        if self._as_json:
            click.echo(json.dumps({"image": str(path), "error": error}, ensure_ascii=False))
        else:
            click.echo(f"{path}: {error}", err=True)
        return False


def in_words(line: dict[str, Any]) -> str:
    """A line for people."""
    cards = [
        f"{card['card']} {card['confidence']:.3f}{'' if card['sure'] else ' (ask)'}"
        for card in line["cards"]
    ]
    others = [f"{line[name]} {word}" for name, word in (("backs", "face down"), ("cut", "cut card"))
              if line[name]]  # fmt: skip
    where = line["image"] + (f" frame {line['frame']}" if "frame" in line else "")
    return f"{where}: {', '.join([*cards, *others]) or 'no card found'}"


COMMANDS: Final[tuple[click.Command, ...]] = (see_command,)
"""What this package adds to `cutcard`, for the entry point ``cutcard.commands``."""
