"""Layout files with their history: written whole or not at all, old versions kept beside the new.

``layout.json`` is in force; ``layout.v6.json`` is how it was as version 6. A version is a number in
the file (`revision`), one higher each time.
"""

import contextlib
import hashlib
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from vision.calibration.words import refuse
from vision.layout import Layout, LayoutError, Lens, load_layout, save_layout, write_whole


@dataclass(frozen=True, slots=True)
class Kept:
    """What was written: the version, the file and the digest of its bytes."""

    version: int
    file: Path
    sha256: str


def old_file(path: Path, version: int) -> Path:
    """Where a version is kept once another is in force."""
    return path.with_name(f"{path.stem}.v{version}{path.suffix}")


def lens_file(path: Path) -> Path:
    """Where the lens of a layout's camera is kept that was measured by itself."""
    return path.with_name(f"{path.stem}.lens{path.suffix}")


def keep_lens(path: Path, lens: Lens, size: tuple[int, int], rms_px: float) -> Path:
    """Keep the lens of a layout's camera in its own file; the file.

    Raises:
        CalibrationRefused: if it cannot be written.
    """
    file = lens_file(path)
    body = {
        "version": 1,
        "image": list(size),
        "lens": {"K": list(lens.matrix), "dist": list(lens.distortion)},
        "rms_px": round(rms_px, 3),
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(body, indent=1) + "\n")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise refuse("cannot_write", file=str(file), why=why) from None
    return file


def kept_lens(path: Path) -> tuple[Lens, tuple[int, int]] | None:
    """The lens that was measured by itself since the layout in force was kept, and its size.

    One that is older than the layout, or that cannot be read, does not count.
    """
    file = lens_file(path)
    if not file.is_file():
        return None
    if path.is_file() and path.stat().st_mtime_ns >= file.stat().st_mtime_ns:
        return None
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        wide, high = (int(each) for each in body["image"])
        matrix, bend = body["lens"]["K"], body["lens"]["dist"]
        lens = Lens(tuple(map(float, matrix)), tuple(map(float, bend)))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    good = len(lens.matrix) == 9 and len(lens.distortion) == 5 and min(wide, high) > 0
    return (lens, (wide, high)) if good and lens.matrix[0] > 0 and lens.matrix[4] > 0 else None


def in_force(path: Path) -> Layout | None:
    """The layout as it is now; None if there is none yet.

    Raises:
        LayoutError: if there is one that cannot be used.
    """
    return load_layout(path) if path.exists() else None


def versions(path: Path) -> tuple[int, ...]:
    """All versions that are kept, the one in force included, ascending."""
    found = set()
    shape = re.compile(re.escape(path.stem) + r"\.v(\d+)" + re.escape(path.suffix))
    if path.parent.is_dir():
        for each in path.parent.iterdir():
            if (match := shape.fullmatch(each.name)) is not None:
                found.add(int(match[1]))
    if path.exists():
        # A damaged file has no number; what is kept beside it still has.
        with contextlib.suppress(LayoutError):
            found.add(load_layout(path).revision)
    return tuple(sorted(found))


def keep(layout: Layout, path: Path) -> Kept:
    """Write a layout as the next version; the one in force until now is kept beside it.

    Raises:
        CalibrationRefused: if the folder or the file cannot be written.
    """
    number = max(versions(path), default=0) + 1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _set_aside(path, number)
        save_layout(replace(layout, revision=number), path)
        body = path.read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise refuse("cannot_write", file=str(path), why=why) from None
    return Kept(number, path, hashlib.sha256(body).hexdigest())


def take_back(path: Path, version: int, game: str = "") -> Kept:
    """Put an old version in force again, as the next version; of this game, if one is given.

    Raises:
        LayoutError: if it is not kept, cannot be used, is another game's or cannot be written.
    """
    known = versions(path)
    if version not in known:
        shown = " ".join(str(each) for each in known) or "none"
        raise refuse("no_version", version=version, versions=shown)
    file = old_file(path, version)
    layout = load_layout(file if file.exists() else path)
    if game and layout.game != game:
        raise refuse("other_game", file=file.name, old=layout.game, game=game)
    return keep(layout, path)


def _set_aside(path: Path, number: int) -> None:
    """Copy the file in force to its own name.

    A damaged one, and one that is not what that version was, get a name of their own.
    """
    body = path.read_bytes()
    other = path.with_name(f"{path.stem}.before-v{number}{path.suffix}")
    try:
        aside = old_file(path, load_layout(path).revision)
    except LayoutError:
        aside = other
    if aside.exists() and aside.read_bytes() != body:
        aside = other
    aside.write_bytes(body)
