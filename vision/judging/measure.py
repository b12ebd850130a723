"""Looks at labelled photographs as `cutcard see` does, in some processes side by side."""

import time
from multiprocessing import get_context

import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from vision.judging.photos import Judged, Photo, PhotosUnfit, judge
from vision.pictures import read_picture
from vision.see import See


def measure(photos: list[Photo], jobs: int) -> list[Judged]:
    """Look at each photograph and judge what was seen.

    Raises:
        PhotosUnfit: if one of them cannot be read.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress,
        get_context("spawn").Pool(jobs, _start) as pool,
    ):
        task = progress.add_task("photographs", total=len(photos))
        out = []
        for judged in pool.imap(_one, photos):
            if isinstance(judged, str):
                raise PhotosUnfit(judged)
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
