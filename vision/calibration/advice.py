"""What `cutcard check` says of a layout: whether cards are large enough, and what to change."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from vision.calibration import zones as felt
from vision.calibration.knock import WANTED
from vision.layout import MAX_RESIDUAL_MM, Layout, LayoutError, load_layout

UNREADABLE_PX: Final = 48.0
"""Under this width a card's index cannot be read at all (vision-spike.md 3)."""
OK: Final = "ok"
WARNING: Final = "warning"
WRONG: Final = "wrong"


def look_layout(path: Path, game: str) -> tuple[tuple[str, str], ...]:
    """What is to be said of a layout file for a table that deals this game.

    Each is a level (``ok``, ``warning`` or ``wrong``) and a sentence.
    """
    try:
        layout = load_layout(path)
    except LayoutError as error:
        return ((WRONG, str(error)),)
    if layout.game != game:
        words = f"{path} is for {layout.game}, but the table deals {game}: calibrate for {game}"
        return ((WRONG, words),)
    return tuple(_findings(path, layout))


def _findings(path: Path, layout: Layout) -> Iterator[tuple[str, str]]:
    faults = [
        (felt.card_px(layout, zone), fault)
        for zone in layout.zones
        if (fault := felt.fault(layout, zone)) is not None
    ]
    version = f" version {layout.revision}" if layout.revision else ""
    sizes = sorted((felt.card_px(layout, zone), zone.id) for zone in layout.zones if zone.slots)
    if sizes:
        seen, name = sizes[0]
        words = (
            f"{path.name}{version}: a card is at least {seen:.0f} px wide ({name}),"
            f" {felt.WANTED_PX:.0f} are needed; it was measured to {layout.residual_mm:.2f} of"
            f" {MAX_RESIDUAL_MM:.2f} mm"
        )
        yield OK, words
    for seen, fault in faults:
        small = fault.code == "zone_small"
        yield WRONG if small and seen < UNREADABLE_PX else WARNING, fault.text
    if layout.lens is None:
        words = (
            "no lens model: near the rim places may be wrong by several millimetres; measure the"
            " lens with `cutcard calibrate --again`"
        )
        yield WARNING, words
    if len(layout.watch) < WANTED:
        words = (
            f"{len(layout.watch)} fixed features are watched, two are needed to notice a knocked"
            " camera: calibrate again with the felt's print in the picture"
        )
        yield WARNING, words
