"""The two corner nets: D finds index corners anywhere, J reads one that was turned upright."""

from typing import Final

import torch
from torch import Tensor, nn

from vision.corners import WINDOW

D_OUT: Final = 6
"""Of each cell: score, offset right and down in cells, cosine, sine, log of the height."""
J_OUT: Final = 13 + 4 + 1
"""Rank, suit, whether a readable index is there."""
HIDDEN: Final = 80
"""Features from which J answers."""


def block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """A convolution with its normalisation."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """D: two halvings, a coarser look around, both joined at a quarter of the picture."""

    def __init__(self, first: int = 12, second: int = 24, third: int = 40) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            block(3, first, 2), block(first, second, 2), block(second, second)
        )
        self.coarse = nn.Sequential(
            block(second, third, 2), block(third, third), block(third, third)
        )
        self.bridge = nn.Sequential(nn.Conv2d(third, second, 1, bias=False), nn.BatchNorm2d(second))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.relu = nn.ReLU(inplace=True)
        self.join = block(second, third)
        self.out = nn.Conv2d(third, D_OUT, 1)
        nn.init.zeros_(self.out.bias)
        with torch.no_grad():
            self.out.bias[0] = -4.0

    def forward(self, pixels: Tensor) -> Tensor:
        """(n, 6, high / 4, wide / 4) of pixels scaled by `nets.scaled`, sides multiples of 8."""
        fine = self.fine(pixels)
        both = self.relu(fine + self.up(self.bridge(self.coarse(fine))))
        answer: Tensor = self.out(self.join(both))
        return answer


class UprightReader(nn.Module):
    """J: convolutions, a narrow neck, one hidden layer, one layer of logits."""

    def __init__(self) -> None:
        super().__init__()
        tall, wide = WINDOW
        self.body = nn.Sequential(
            block(3, 24, 2, 5),
            block(24, 40),
            block(40, 64, 2),
            block(64, 64),
            block(64, 88, 2),
            block(88, 36, 1, 1),
        )
        flat = 36 * (tall // 8) * (wide // 8)
        self.hidden = nn.Sequential(nn.Flatten(), nn.Linear(flat, HIDDEN), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(HIDDEN, J_OUT)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and features of pixels that were scaled by `nets.scaled`."""
        features: Tensor = self.hidden(self.body(pixels))
        logits: Tensor = self.out(self.drop(features))
        return logits, features


def count(net: nn.Module) -> int:
    """How many numbers a net has learned."""
    return sum(weight.numel() for weight in net.parameters())
