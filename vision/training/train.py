"""W and I as a task of the common trainer: their losses and where their samples come from."""

from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.training import nets, ring
from vision.training.trainer import Counters, Slice, Task, counters

BATCH: Final = 192
W_REACH: Final = 0.02
"""How far W's pictures are moved and stretched, as a share of their sides."""
I_REACH: Final = 0.035
"""The same of the corners for I."""


class Pair(nn.Module):
    """Both nets as one module, so that one optimiser and one checkpoint do."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nets.whole()
        self.i = nets.index()


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


def losses_of(pair: Pair, batch: tuple[Tensor, Tensor, Tensor]) -> dict[str, Tensor]:
    """The losses of W and of I on one batch."""
    small, corners, labels = batch
    whole_card = varied(nets.scaled(small), W_REACH)
    corner = varied(nets.scaled(corners), I_REACH)
    with torch.autocast("cpu", torch.bfloat16):
        w = pair.w(whole_card)[0].float()
        i = pair.i(corner)[0].float()
    rank, suit, kind = labels[:, 0], labels[:, 1], labels[:, 2]
    face = (kind == 0).float()
    safe_rank, safe_suit = rank.clamp(min=0), suit.clamp(min=0)
    whole = _masked(functional.cross_entropy(w[:, :13], safe_rank, reduction="none"), face)
    whole = whole + _masked(
        functional.cross_entropy(w[:, 13:17], safe_suit, reduction="none"), face
    )
    whole = whole + functional.cross_entropy(w[:, 17:21], kind)
    way = labels[:, 5]
    turned = functional.binary_cross_entropy_with_logits(
        w[:, 21], way.clamp(min=0).float(), reduction="none"
    )
    whole = whole + 0.2 * _masked(turned, (way >= 0).float())
    seen = labels[:, 3]
    index = _masked(
        functional.cross_entropy(i[:, :13], safe_rank, reduction="none")
        + functional.cross_entropy(i[:, 13:17], safe_suit, reduction="none"),
        (seen == 1).float(),
    )
    there = functional.binary_cross_entropy_with_logits(
        i[:, 17], seen.clamp(min=0).float(), reduction="none"
    )
    return {"w_loss": whole, "i_loss": index + _masked(there, (seen >= 0).float())}


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


class Readers(Task):
    """W and I."""

    file: ClassVar[str] = "checkpoint.pt"
    key: ClassVar[str] = "pair"
    batch: ClassVar[int] = BATCH
    least: ClassVar[int] = 12_000
    joined: ClassVar[bool] = True

    def __init__(self) -> None:
        self.pair = Pair()
        super().__init__(self.pair)

    def open(self, told: Slice) -> Counters:
        """Make room for samples, or take over that of an earlier slice."""
        keep = told.resume and ring.stored(told.work)
        self._room = ring.Ring(told.work, fresh=not keep)
        return counters(ring.CAPACITY if keep else 0)

    def draw(self, told: Slice, seed: int, shared: Counters) -> None:
        """Draw samples until told to stop; runs in a process of its own."""
        ring.fill(told.work, told.art, seed, shared)

    def losses(self, made: int, rng: np.random.Generator) -> dict[str, Tensor]:
        """W's and I's loss of one step."""
        return losses_of(self.pair, batch_of(self._room, made, rng))
