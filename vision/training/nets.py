"""The two readers: W sees the whole card small, I sees one index corner large."""

from typing import Final

import torch
from torch import Tensor, nn

W_SIZE: Final = (88, 64)
"""Height and width of what W is given."""
I_SIZE: Final = (72, 48)
"""Height and width of what I is given: a corner of the crop of 176 by 126, not scaled."""
W_OUT: Final = 13 + 4 + 4 + 1
"""Rank, suit, kind (face, back, cut card, other), turned."""
I_OUT: Final = 13 + 4 + 1
"""Rank, suit, whether there is an index to be read."""


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Detour(nn.Module):
    """Two convolutions beside a straight way; at first the straight way alone counts.

    So a trained net can be made deeper without forgetting anything.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _block(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )
        nn.init.zeros_(self.second[1].weight)

    def forward(self, features: Tensor) -> Tensor:
        """The same shape again."""
        return torch.relu(features + self.second(self.first(features)))


class Reader(nn.Module):
    """Convolutions with detours behind some of them, one hidden layer, one layer of logits."""

    def __init__(
        self, body: nn.Sequential, detours: dict[int, int], flat: int, hidden: int, outputs: int
    ) -> None:
        """`detours` names the blocks of the body that one follows, and their channels."""
        super().__init__()
        self.body = body
        self.detours = nn.ModuleDict({str(at): Detour(n) for at, n in detours.items()})
        self.hidden = nn.Sequential(nn.Flatten(), nn.Linear(flat, hidden), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.15)
        self.out = nn.Linear(hidden, outputs)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of pixels that were scaled by `scaled`, and the features they come from."""
        seen = pixels
        for at, block in enumerate(self.body):
            seen = block(seen)
            if str(at) in self.detours:
                seen = self.detours[str(at)](seen)
        features: Tensor = self.hidden(seen)
        return self.out(self.drop(features)), features


def whole() -> Reader:
    """W."""
    body = nn.Sequential(
        _block(3, 24, 2),
        _block(24, 40, 2),
        _block(40, 56),
        _block(56, 80, 2),
        _block(80, 112),
        _block(112, 128, 2),
    )
    return Reader(body, {4: 112, 5: 128}, 128 * 6 * 4, 128, W_OUT)


def index() -> Reader:
    """I."""
    body = nn.Sequential(
        _block(3, 24, 2, 5),
        _block(24, 32),
        _block(32, 48, 2),
        _block(48, 64, 2),
        _block(64, 96, 2),
    )
    return Reader(body, {3: 64, 4: 96}, 96 * 5 * 3, 128, I_OUT)


def scaled(pixels: Tensor) -> Tensor:
    """From bytes (n, height, width, 3), blue first, to what a net takes."""
    floats = pixels.permute(0, 3, 1, 2).float()
    return ((floats - 127.5) / 64).contiguous(memory_format=torch.channels_last)
