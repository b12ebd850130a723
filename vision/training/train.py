"""W and I as tasks of the common trainer: their losses and where their samples come from."""

import multiprocessing as mp
from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.training import nets, ring
from vision.training.trainer import Counters, Slice, Task, Trainer, counters, slices_in

BATCH: Final = 192
W_REACH: Final = 0.02
"""How far W's pictures are moved and stretched, as a share of their sides."""
I_REACH: Final = 0.035
"""The same of the corners for I."""


def _masked(loss: Tensor, mask: Tensor) -> Tensor:
    return (loss * mask).sum() / mask.sum().clamp(min=1)


def varied(pixels: Tensor, reach: float) -> Tensor:
    """Scaled pictures moved, stretched, lit and tinted a little, anew each time they are used.

    Up to `reach` of a side and of the size; brightness and each colour by some per cent.
    """
    count = len(pixels)
    grow = 1 + reach * (2 * torch.rand(count, 2) - 1)
    move = 2 * reach * (2 * torch.rand(count, 2) - 1)
    still = torch.zeros(count)
    rows = [grow[:, 0], still, move[:, 0], still, grow[:, 1], move[:, 1]]
    theta = torch.stack(rows, dim=1).reshape(count, 2, 3)
    grid = functional.affine_grid(theta, list(pixels.shape), align_corners=False)
    moved = functional.grid_sample(
        pixels, grid, mode="bilinear", padding_mode="border", align_corners=False
    )
    gain = 1 + 0.04 * torch.randn(count, 3, 1, 1) + 0.08 * torch.randn(count, 1, 1, 1)
    lift = 0.12 * torch.randn(count, 1, 1, 1)
    return ((moved + 2) * gain - 2 + lift).contiguous(memory_format=torch.channels_last)


def w_loss(w: Tensor, labels: Tensor) -> Tensor:
    """W's: rank and suit of a face, what lies there, and which way up it is."""
    rank, suit, kind, way = labels[:, 0], labels[:, 1], labels[:, 2], labels[:, 5]
    named = functional.cross_entropy(w[:, :13], rank.clamp(min=0), reduction="none")
    named = named + functional.cross_entropy(w[:, 13:17], suit.clamp(min=0), reduction="none")
    turned = functional.binary_cross_entropy_with_logits(
        w[:, 21], way.clamp(min=0).float(), reduction="none"
    )
    total = _masked(named, (kind == 0).float()) + functional.cross_entropy(w[:, 17:21], kind)
    return total + 0.2 * _masked(turned, (way >= 0).float())


def i_loss(i: Tensor, labels: Tensor) -> Tensor:
    """I's: rank and suit where an index can be read, and whether one can."""
    rank, suit, seen = labels[:, 0], labels[:, 1], labels[:, 3]
    named = functional.cross_entropy(i[:, :13], rank.clamp(min=0), reduction="none")
    named = named + functional.cross_entropy(i[:, 13:17], suit.clamp(min=0), reduction="none")
    there = functional.binary_cross_entropy_with_logits(
        i[:, 17], seen.clamp(min=0).float(), reduction="none"
    )
    return _masked(named, (seen == 1).float()) + _masked(there, (seen >= 0).float())


def batch_of(room: ring.Ring, made: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Samples at random of the `made` first ones: W's picture, one corner for I, labels."""
    at: NDArray[np.int64] = np.sort(rng.integers(0, min(made, ring.CAPACITY), BATCH))
    corner = rng.integers(0, 2, BATCH)
    labels = room.labels[at].astype(np.int64)
    labels[:, 3] = labels[np.arange(BATCH), 3 + corner]
    corners = room.pixels["i"][at, corner]
    whole = room.pixels["w"][at]
    if rng.random() < 0.5:  # a sample is used several times: the other way up it is a new one
        whole = np.ascontiguousarray(whole[:, ::-1, ::-1])
        labels[:, 5] = np.where(labels[:, 5] >= 0, 1 - labels[:, 5], -1)
    return (
        torch.from_numpy(whole),
        torch.from_numpy(corners),
        torch.from_numpy(labels),
    )


class Alone(Task):
    """W or I alone (`part` is "w" or "i"); both learn from one store at the same time."""

    key: ClassVar[str] = "pair"
    batch: ClassVar[int] = BATCH
    least: ClassVar[int] = 12_000
    draws: ClassVar[bool] = False
    before: ClassVar[str] = "checkpoint.pt"

    def __init__(self, part: str, room: ring.Ring, shared: Counters) -> None:
        self.file = f"{part}.pt"
        self._part, self._room, self._shared = part, room, shared
        self._net = nets.whole() if part == "w" else nets.index()
        super().__init__(nn.ModuleDict({part: self._net}))

    def open(self, told: Slice) -> Counters:  # noqa: ARG002  # the store is there already
        """The counters of the store that both nets learn from."""
        return self._shared

    def counts(self) -> dict[str, int | str]:
        """Which net it was."""
        return {"net": self._part}

    def losses(self, made: int, rng: np.random.Generator) -> dict[str, Tensor]:
        """The net's loss of one step."""
        small, corners, labels = batch_of(self._room, made, rng)
        whole = self._part == "w"
        pixels = varied(nets.scaled(small if whole else corners), W_REACH if whole else I_REACH)
        with torch.autocast("cpu", torch.bfloat16):
            answer = self._net(pixels)[0]
        loss = w_loss if whole else i_loss
        return {"loss": loss(answer.float(), labels)}


def run(told: Slice) -> None:
    """One slice of W and one of I in a process each, while a third draws samples for both.

    Raises:
        SystemExit: one of them failed.
    """
    told.work.mkdir(parents=True, exist_ok=True)
    keep = told.resume and ring.stored(told.work)
    room = ring.Ring(told.work, fresh=not keep)
    shared = counters(ring.CAPACITY if keep else 0)
    fork = mp.get_context("fork")
    seed = told.seed + 1000 * slices_in(told.work, Alone.before) if told.resume else told.seed
    drawing = fork.Process(target=ring.fill, args=(told.work, told.art, seed, shared), daemon=True)
    learning = [fork.Process(target=_learn, args=(part, told, room, shared)) for part in ("w", "i")]
    for process in (drawing, *learning):
        process.start()
    for process in learning:
        process.join()
    shared.stop.value = 1
    drawing.join(timeout=20)
    if any(process.exitcode for process in learning):
        raise SystemExit("training stopped: its reason stands above")


def _learn(part: str, told: Slice, room: ring.Ring, shared: Counters) -> None:
    """The slice of one net; runs in a process of its own."""
    torch.manual_seed(told.seed + (part == "i"))
    Trainer(Alone(part, room, shared), told).run()
