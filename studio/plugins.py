"""Finds what stands behind the ports: drivers, cameras, faces and subcommands, by entry point.

A studio adds its own reader by an entry point of its own; nothing here has to change for that.
"""

import importlib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from pathlib import Path
from typing import Any, Final

from studio.live.ports import CameraKind, Driver, Face

DRIVERS: Final = "cutcard.drivers"
CAMERAS: Final = "cutcard.cameras"
FACES: Final = "cutcard.faces"
COMMANDS: Final = "cutcard.commands"
OURS: Final = ("vision", "hardware", "web")
"""Packages of this distribution whose names are common ones."""
HOME: Final = Path(__file__).resolve().parent.parent
"""Where the four packages lie side by side, in a checkout as in an installation."""
CONFLICTING: Final = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
"""Distributions that all bring the module cv2; of two of them half of each remains."""


class LaunchError(Exception):
    """The studio cannot be put together; the text is one sentence that says what to do."""

    def __init__(self, sentence: str, *, status: int = 2) -> None:
        """Keep the sentence; `status` is the exit status: 2 called wrongly, 1 the answer is bad."""
        super().__init__(sentence)
        self.status = status


def strangers() -> Iterator[str]:
    """Give one sentence for each package that answers to one of our names and is not ours."""
    for name in OURS:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            yield (f"the package {name} is missing: install Cutcard again, with all its packages")
            continue
        places = [Path(place).resolve().parent for place in getattr(module, "__path__", [])]
        if HOME not in places:
            where = getattr(module, "__file__", None) or (places[0] if places else "elsewhere")
            yield (
                f"the package {name} ({where}) is another program's: "
                "run Cutcard in a virtual environment of its own"
            )


def conflicts() -> Iterator[str]:
    """Give one sentence if more than one build of OpenCV is installed."""
    there = []
    for name in CONFLICTING:
        try:
            there.append(distribution(name).metadata["Name"])
        except PackageNotFoundError:
            continue
    if len(there) > 1:
        yield f"{' and '.join(there)} are installed together and spoil each other: uninstall one"


def drivers() -> dict[str, Driver]:
    """Give the drivers by name.

    Raises:
        LaunchError: if one cannot be loaded.
    """
    found = [each for point in _points(DRIVERS) for each in _several(_load(point))]
    return {driver.name: driver for driver in found}


def camera_kinds() -> tuple[CameraKind, ...]:
    """Give the kinds of camera, those with a scheme of their own first.

    Raises:
        LaunchError: if one cannot be loaded.
    """
    found = [each for point in _points(CAMERAS) for each in _several(_load(point))]
    return tuple(sorted(found, key=lambda kind: "" in kind.schemes))


def camera_kind(source: str) -> CameraKind:
    """Give the kind that opens a source.

    Raises:
        LaunchError: if there is none.
    """
    for kind in camera_kinds():
        if any(source.startswith(scheme) for scheme in kind.schemes):
            return kind
    raise LaunchError(
        f"no kind of camera opens {source!r}: install Cutcard with its package vision"
    )


def driver(name: str) -> Driver:
    """Give the driver of this name.

    Raises:
        LaunchError: with the names that exist.
    """
    known = drivers()
    if name not in known:
        names = ", ".join(sorted(known)) or "none"
        raise LaunchError(f"there is no driver {name!r}; the drivers are: {names}")
    return known[name]


def face(name: str = "web") -> Face:
    """Give the face of this name.

    Raises:
        LaunchError: if it is not installed or cannot be loaded.
    """
    for point in _points(FACES):
        if point.name == name:
            loaded: Face = _load(point)
            return loaded
    raise LaunchError(f"the face {name!r} is not installed: install Cutcard with all its packages")


def subcommands() -> Iterator[Any]:
    """Give the subcommands that other packages bring.

    Raises:
        LaunchError: if one cannot be loaded.
    """
    for point in _points(COMMANDS):
        yield from _several(_load(point))


def _points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, each once, in order of their names."""
    found = {(point.name, point.value): point for point in entry_points(group=group)}
    return tuple(found[key] for key in sorted(found))


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except (ImportError, AttributeError) as failure:
        raise LaunchError(
            f"{point.value} cannot be loaded ({failure}): install what it needs, or take its "
            "package out"
        ) from failure


def _several(loaded: Any) -> tuple[Any, ...]:
    """An entry point gives one thing or several."""
    return tuple(loaded) if isinstance(loaded, tuple | list) else (loaded,)
