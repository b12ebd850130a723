"""The subcommand `cutcard see`: cards in pictures, videos and folders."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from vision.layout import Layout, LayoutError, load_layout

if TYPE_CHECKING:
    from vision.locate import Image
    from vision.see import Seen

PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
VIDEOS: Final = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".mpg", ".mpeg"})
NOT_A_PICTURE: Final = "not a picture or video that can be read: give JPEG, PNG, MP4 or similar"


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

    Only separate cards that show whole are read. A card marked sure may be used without a person.
    """
    if deck_file is not None:
        raise click.UsageError("enrolled decks are not known to this version: leave --deck out")
    layout = None
    if layout_file is not None:
        try:
            layout = load_layout(layout_file)
        except LayoutError as error:
            raise click.UsageError(str(error)) from None
    from vision.reader import ModelsUnfit, Reader  # loads OpenCV

    try:
        reader = Reader()
    except ModelsUnfit as error:
        raise click.ClickException(str(error)) from None
    if draw_folder is not None:
        draw_folder.mkdir(parents=True, exist_ok=True)
    job = _Job(reader, layout, draw_folder, as_json=as_json)
    good = [job.take(path) for path in expand(paths)]
    if not all(good):
        sys.exit(1)


def expand(paths: Iterable[Path]) -> Iterator[Path]:
    """Each file, and for a folder the pictures and videos in it and below, by name."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for each in sorted(path.rglob("*")):
            if each.is_file() and each.suffix.lower() in PICTURES | VIDEOS:
                yield each


class _Job:
    """One call of `see`."""

    def __init__(
        self, reader: Any, layout: Layout | None, draw: Path | None, *, as_json: bool
    ) -> None:
        self._reader = reader
        self._layout = layout
        self._draw = draw
        self._as_json = as_json

    def take(self, path: Path) -> bool:
        """Look at one file; whether it could be read."""
        if not path.is_file():
            return self._fail(path, "there is no such file")
        if path.suffix.lower() in VIDEOS:
            return self._video(path)
        image = read_picture(path)
        if image is None:
            return self._fail(path, NOT_A_PICTURE)
        return self._look(path, image, None)

    def _video(self, path: Path) -> bool:
        """Look at each frame of a video."""
        import cv2
        import numpy as np

        device = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        frame = 0
        try:
            while device.isOpened():
                done, image = device.read()
                if not done:
                    break
                if not self._look(path, np.asarray(image, dtype=np.uint8), frame):
                    return False
                frame += 1
                if frame % 100 == 0:
                    click.echo(f"{path}: {frame} frames", err=True)
        finally:
            device.release()
        return frame > 0 or self._fail(path, NOT_A_PICTURE)

    def _look(self, path: Path, image: "Image", frame: int | None) -> bool:
        """Recognise, print and draw."""
        from vision.see import see

        height, width = image.shape[:2]
        if self._layout is not None and (width, height) != self._layout.image:
            wide, high = self._layout.image
            return self._fail(
                path, f"{width} × {height} pixels, but the layout is for {wide} × {high}"
            )
        began = time.perf_counter()
        seen = see(image, self._reader, self._layout)
        spent_ms = round(1000 * (time.perf_counter() - began), 1)
        line: dict[str, Any] = {"image": str(path)}
        if frame is not None:
            line["frame"] = frame
        line |= {"width": width, "height": height, "cards": [card.body() for card in seen.cards]}
        line |= {"backs": seen.backs, "cut": seen.cut, "ms": spent_ms}
        click.echo(json.dumps(line, ensure_ascii=False) if self._as_json else in_words(line))
        if self._draw is not None:
            suffix = "" if frame is None else f"-{frame:06d}"
            name = "-".join(path.with_suffix("").parts[-2:]).strip("/.-") + suffix + ".jpg"
            draw_seen(image, seen, self._draw / name)
        return True

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


def read_picture(path: Path) -> "Image | None":
    """Read an image file; None if it is none."""
    import cv2
    import numpy as np

    # Through our own bytes, so that any name works and the decoder prints no warning of its own.
    body = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    if not body.size:
        return None
    try:
        image = cv2.imdecode(body, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def draw_seen(image: "Image", seen: "Seen", path: Path) -> None:
    """Write a picture with the outlines and readings on it."""
    import cv2
    import numpy as np

    drawn = image.copy()
    thick = max(1, max(image.shape[:2]) // 500)
    for card in seen.cards:
        colour = (60, 200, 60) if card.sure else (40, 140, 255)
        corners = np.rint(np.asarray(card.quad)).astype(np.int32)
        cv2.polylines(drawn, [corners], isClosed=True, color=colour, thickness=thick)
        x, y = corners.min(axis=0)
        where = (int(x), max(12, int(y) - 4))
        cv2.putText(drawn, card.card, where, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * thick, colour, thick)
    cv2.imwrite(str(path), drawn)


COMMANDS: Final[tuple[click.Command, ...]] = (see_command,)
"""What this package adds to `cutcard`, for the entry point ``cutcard.commands``."""
