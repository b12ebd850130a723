"""Bounds of shares: what so few readings can and cannot say."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

Z: Final = 1.959964
"""Two-sided 95 % of a normal variable."""
_ROUNDS: Final = 4000
_LEAST_DESIGNS: Final = 4
"""With fewer clusters a bootstrap says nothing."""


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The two-sided 95 % interval of a share of independent readings (Wilson's score)."""
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    middle = share + Z * Z / (2 * of)
    reach = Z * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    below = 1 + Z * Z / of
    return max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below)


def at_most(hits: int, of: int) -> float:
    """The one-sided 95 % upper bound of a share (Clopper and Pearson).

    With no hit that is nearly 3 in `of`, the rule of three.
    """
    if of == 0 or hits >= of:
        return 1.0
    low, high = hits / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _no_more(hits, of, middle) > 0.05:
            low = middle
        else:
            high = middle
    return high


def by_design(counts: Mapping[str, tuple[int, int]], seed: int = 1) -> tuple[float, float] | None:
    """The 95 % interval of a share where readings of one design go together.

    `counts` gives hits and readings of each design; whole designs are drawn again with
    replacement. None where there are fewer than four designs.
    """
    kept = [pair for pair in counts.values() if pair[1]]
    if len(kept) < _LEAST_DESIGNS:
        return None
    rng = np.random.default_rng(seed)
    table = np.asarray(kept, dtype=np.float64)
    drawn = table[rng.integers(len(kept), size=(_ROUNDS, len(kept)))].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
    return float(low), float(high)


def _no_more(hits: int, of: int, share: float) -> float:
    """The probability of no more than so many hits."""
    if share >= 1:
        return 0.0
    logs = [
        math.lgamma(of + 1)
        - math.lgamma(k + 1)
        - math.lgamma(of - k + 1)
        + k * math.log(share)
        + (of - k) * math.log1p(-share)
        for k in range(hits + 1)
        if share > 0 or k == 0
    ]
    return sum(math.exp(each) for each in logs) if share > 0 else 1.0
