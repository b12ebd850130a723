"""The kinds of camera that this package opens, for the entry point ``cutcard.cameras``.

Importing this module loads no OpenCV: cameras do so in processes of their own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from studio.live.ports import CameraKind, CameraOptions, Clock
from vision.camera import ProcessCamera
from vision.deckfile import check_deck
from vision.layout import LayoutError, load_layout, no_layout
from vision.synthetic.camera import look_synthetic, open_synthetic
from vision.synthetic.world import FAULTS


def open_real(name: str, options: CameraOptions, clock: Clock) -> ProcessCamera:
    """Make a camera on a real source; it is not started yet.

    Raises:
        ValueError: if no layout file is named, or the one that is there cannot be used.
    """
    if options.layout is None:
        raise LayoutError(
            f"camera {name} has no layout: set `layout` to its file, made by `cutcard calibrate`"
        )
    if not options.layout.exists():
        # It runs all the same, so that it can be calibrated; nothing is dealt under it.
        return ProcessCamera(name, options, clock, no_layout(options.game))
    return ProcessCamera(name, options, clock, load_layout(options.layout))


def look_real(source: str, settings: Mapping[str, Any] | None = None) -> str:
    """Open a real source once and say what was found, and what it refused of its settings.

    Raises:
        OSError: with a sentence that says what to do.
    """
    from vision.capture import look

    return look(source, settings)


def look_layout(path: Path, game: str) -> Sequence[tuple[str, str]]:
    """Say of a layout file whether it suits a game and cards are large enough in it."""
    from vision.calibration.advice import look_layout as look

    return look(path, game)


def look_deck(path: Path) -> str:
    """Read a deck file and say in a sentence what it is.

    Raises:
        DeckError: with a sentence that says what to do.
    """
    head = check_deck(path)
    return f"deck {head.short}, enrolled on {head.made_at[:10]}"


CAMERAS: Final[tuple[CameraKind, ...]] = (
    CameraKind(
        name="synthetic",
        summary="a rendered table whose frames go through the real recogniser",
        schemes=("synthetic:",),
        faults=FAULTS,
        open=open_synthetic,
        look=look_synthetic,
        look_layout=look_layout,
        look_deck=look_deck,
    ),
    CameraKind(
        name="opencv",
        summary="a camera by index or device path, a file, or an http or rtsp address",
        schemes=("",),
        faults=(),
        open=open_real,
        look=look_real,
        look_layout=look_layout,
        look_deck=look_deck,
    ),
)
"""All kinds; the one with the empty scheme opens what no other does."""
