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


class Reader(nn.Module):
    """Convolutions, one hidden layer, one layer of logits."""

    def __init__(self, body: nn.Sequential, flat: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.body = body
        self.hidden = nn.Sequential(nn.Flatten(), nn.Linear(flat, hidden), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.15)
        self.out = nn.Linear(hidden, outputs)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of pixels that were scaled by `scaled`, and the features they come from."""
        features: Tensor = self.hidden(self.body(pixels))
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
    return Reader(body, 128 * 6 * 4, 128, W_OUT)


def index() -> Reader:
    """I."""
    body = nn.Sequential(
        _block(3, 24, 2, 5),
        _block(24, 32),
        _block(32, 48, 2),
        _block(48, 64, 2),
        _block(64, 96, 2),
    )
    return Reader(body, 96 * 5 * 3, 128, I_OUT)


def scaled(pixels: Tensor) -> Tensor:
    """From bytes (n, height, width, 3), blue first, to what a net takes."""
    floats = pixels.permute(0, 3, 1, 2).float()
    return ((floats - 127.5) / 64).contiguous(memory_format=torch.channels_last)
