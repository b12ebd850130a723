"""Train the corner nets D and J: draw scenes, train both, export, judge. See README.md.

`python -m vision.training.corner_train --art ART --work WORK --seed 21 --minutes 45`
"""

import argparse
import multiprocessing as mp
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.corners import STRIDE, UNIT
from vision.training import corner_nets, corner_train_ring, scenes
from vision.training.nets import scaled
from vision.training.scenes import ANGLE, HIGH, STATE, X, Y
from vision.training.trainer import Counters, Slice, Task, Trainer, counters

D_BATCH: Final = 24
J_BATCH: Final = 256


class Both(nn.Module):
    """D and J as one module, so that one optimiser and one checkpoint do."""

    def __init__(self) -> None:
        super().__init__()
        self.d = corner_nets.Finder()
        self.j = corner_nets.UprightReader()


@dataclass(frozen=True, slots=True)
class Aim:
    """What D ought to say of a batch."""

    heat: Tensor
    """(n, cells, cells): 1 at the cell of a visible index, falling off around it."""
    weight: Tensor
    """(n, cells, cells): 0 where an index is only part visible or foreign."""
    at: Tensor
    """(k, 3): places of cells whose pose counts."""
    pose: Tensor
    """(k, 5): offsets in cells, cosine, sine, log of the height."""


def aim(marks: NDArray[np.float32], cells: int) -> Aim:
    """D's targets from marks (n, most, 8)."""
    count = len(marks)
    heat = np.zeros((count, cells, cells), np.float32)
    weight = np.ones((count, cells, cells), np.float32)
    at, pose = [], []
    for k in range(count):
        for mark in marks[k]:
            if mark[HIGH] <= 0 or mark[STATE] == scenes.HIDDEN:
                continue
            u, v, tall = mark[X] / STRIDE, mark[Y] / STRIDE, mark[HIGH]
            reach = max(2, int(tall / STRIDE * 0.45))
            x, y = round(float(u)), round(float(v))
            x0, x1 = max(x - reach, 0), min(x + reach + 1, cells)
            y0, y1 = max(y - reach, 0), min(y + reach + 1, cells)
            if x0 >= x1 or y0 >= y1:
                continue
            sigma = max(0.8, tall / STRIDE * 0.12)
            across = np.exp(-((np.arange(x0, x1) - u) ** 2) / (2 * sigma * sigma))
            down = np.exp(-((np.arange(y0, y1) - v) ** 2) / (2 * sigma * sigma))
            bell = down[:, None] * across
            odd = mark[STATE] == scenes.IGNORED or not 7.5 <= tall <= 46
            if odd:
                weight[k, y0:y1, x0:x1][bell > 0.1] = 0
                continue
            spot = heat[k, y0:y1, x0:x1]
            np.maximum(spot, bell, out=spot)
            for row in range(max(y - 1, 0), min(y + 2, cells)):
                for column in range(max(x - 1, 0), min(x + 2, cells)):
                    at.append((k, row, column))
                    turn = mark[ANGLE]
                    pose.append(
                        (u - column, v - row, np.cos(turn), np.sin(turn), np.log(tall / UNIT))
                    )
            if 0 <= x < cells and 0 <= y < cells:
                heat[k, y, x] = 1
    return Aim(
        torch.from_numpy(heat),
        torch.from_numpy(weight),
        torch.tensor(np.array(at, np.int64).reshape(-1, 3)),
        torch.tensor(np.array(pose, np.float32).reshape(-1, 5)),
    )


def d_loss(answer: Tensor, told: Aim) -> Tensor:
    """Focal loss of the score; how far offset, direction and height are off."""
    score = answer[:, 0]
    share = torch.sigmoid(score).clamp(1e-4, 1 - 1e-4)
    hit = (told.heat >= 0.999).float()
    loss_hit = -hit * (1 - share) ** 2 * torch.log(share)
    loss_miss = -(1 - hit) * (1 - told.heat) ** 4 * share**2 * torch.log(1 - share) * told.weight
    total = (loss_hit + loss_miss).sum() / hit.sum().clamp(min=1)
    if len(told.at):
        said = answer[told.at[:, 0], 1:, told.at[:, 1], told.at[:, 2]]
        total = total + functional.l1_loss(said[:, :2], told.pose[:, :2])
        total = total + 2 * functional.l1_loss(said[:, 2:4], told.pose[:, 2:4])
        total = total + functional.l1_loss(said[:, 4], told.pose[:, 4])
    return total


def j_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Rank and suit where an index is there, and whether one is."""
    there = labels[:, 2] > 0
    total = functional.binary_cross_entropy_with_logits(logits[:, 17], labels[:, 2].float())
    if bool(there.any()):
        total = total + functional.cross_entropy(logits[there, :13], labels[there, 0])
        total = total + functional.cross_entropy(logits[there, 13:17], labels[there, 1])
    return total


def _turned(
    pictures: NDArray[np.uint8], marks: NDArray[np.float32], quarter: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Scenes and marks turned anticlockwise by quarters."""
    side = pictures.shape[1]
    marks = marks.copy()
    for _ in range(quarter):
        x, y = marks[..., X].copy(), marks[..., Y].copy()
        marks[..., X], marks[..., Y] = y, side - 1 - x
        marks[..., ANGLE] -= np.pi / 2
    return np.ascontiguousarray(np.rot90(pictures, quarter, (1, 2))), marks


def _varied(pixels: Tensor) -> Tensor:
    """Brightness and cast a little different each time a sample is used."""
    count = len(pixels)
    gain = 1 + 0.05 * torch.randn(count, 3, 1, 1) + 0.1 * torch.randn(count, 1, 1, 1)
    lift = 0.15 * torch.randn(count, 1, 1, 1)
    return ((pixels + 2) * gain - 2 + lift).contiguous(memory_format=torch.channels_last)


class Corners(Task):
    """D and J; `found_by` is a folder of weights whose D finds corners for J, or empty."""

    file: ClassVar[str] = "corners.pt"
    key: ClassVar[str] = "both"
    batch: ClassVar[int] = D_BATCH
    least: ClassVar[int] = 1_200

    def __init__(self, found_by: str = "") -> None:
        self.both = Both()
        self._found_by = found_by
        super().__init__(self.both)

    def open(self, told: Slice) -> Counters:
        """Make room for scenes and windows, or take over that of an earlier slice."""
        keep = told.resume and corner_train_ring.stored(told.work)
        self._room = corner_train_ring.Ring(told.work, fresh=not keep)
        self._crops = mp.Value("q", corner_train_ring.CROPS if keep else 0)
        return counters(corner_train_ring.SCENES if keep else 0)

    def draw(self, told: Slice, seed: int, shared: Counters) -> None:
        """Draw scenes until told to stop; runs in a process of its own."""
        room = (told.work, told.art, seed, shared, self._crops, self._found_by)
        corner_train_ring.fill(*room)

    def counts(self) -> dict[str, int]:
        """How many windows were cut for J."""
        return {"corners": int(self._crops.value)}

    def losses(self, made: int, rng: np.random.Generator) -> dict[str, Tensor]:
        """D's and J's loss of one step."""
        room, cut = self._room, self._crops.value
        at = rng.integers(0, min(made, corner_train_ring.SCENES) - 1, D_BATCH)
        pictures, marks = _turned(room.scenes[at], room.marks[at], int(rng.integers(4)))
        with torch.autocast("cpu", torch.bfloat16):
            answer = self.both.d(_varied(scaled(torch.from_numpy(pictures))))
        first = d_loss(answer.float(), aim(marks, scenes.SIZE // STRIDE))
        at = rng.integers(0, min(cut, corner_train_ring.CROPS) - 1, J_BATCH)
        crops = torch.from_numpy(room.crops[at])
        labels = torch.from_numpy(room.labels[at].astype(np.int64))
        with torch.autocast("cpu", torch.bfloat16):
            logits, _ = self.both.j(_varied(scaled(crops)))
        return {"d_loss": first, "j_loss": j_loss(logits.float(), labels)}


def main() -> None:
    """Read the command line, train one slice, export and report."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.corner_train")
    parser.add_argument("--art", type=Path, required=True, help="folder with the unpacked art")
    parser.add_argument("--work", type=Path, required=True, help="folder for samples (1.3 GB)")
    parser.add_argument("--minutes", type=float, default=45.0, help="length of the slice")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--rate", type=float, default=2.5e-3, help="highest learning rate")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--found-by", default="", help="weights whose D finds corners for J")
    parser.add_argument("--count", type=int, default=45, help="scenes a row of the report")
    parser.add_argument("--only-train", action="store_true", help="no export, no report")
    parser.add_argument("--only-finish", action="store_true", help="export and report only")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    if not given.only_finish:
        told = Slice(
            work=given.work, art=given.art, seed=given.seed, minutes=given.minutes,
            rate=given.rate, resume=given.resume,
        )  # fmt: skip
        Trainer(Corners(given.found_by), told).run()
    if not given.only_train:
        finish(given.work, given.art, given.count)


def finish(work: Path, art: Path, count: int) -> None:
    """Export the checkpoint, fit limits on one half of what was held out, report on the other."""
    from vision import corners  # noqa: PLC0415
    from vision.training import corner_train_export as out  # noqa: PLC0415
    from vision.training import corner_train_judge as judge  # noqa: PLC0415

    out.export(work / "corners.pt")
    made = judge.maker(art, work / "art", 0, 55)
    limits = judge.fitted(corners.Corners(), made, 8 * count)
    out.relimit(corners.MODELS, limits)
    found = corners.Corners()
    print(judge.report(found, judge.maker(art, work / "art", 1, 77), count))
    print(judge.speed(found))


if __name__ == "__main__":
    main()
