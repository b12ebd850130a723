"""Hands at a simulated bench: they hold the board, lay cards to try, and show a deck card by card.

``source = "synthetic:calibrate"`` puts them under a synthetic camera, so that an engineer can try
both pages without a camera, and a test can do as an engineer does.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from studio.domain.cards import CUT, HIDDEN, PACK
from vision.locate import Image
from vision.synthetic.bench import BenchScene

SOURCE: Final = "synthetic:calibrate"
PATIENCE: Final = 8
"""Looks after which a card that is not taken is laid aside, to be shown again later."""
EXTRAS: Final = {HIDDEN: "back", CUT: "cut"}
"""What is shown beside the faces, and its name in an enrolment's answer."""


class Hands:
    """The bench with somebody at it; see `vision.bench.Shows`."""

    def __init__(self, seed: int = 0) -> None:
        """Begin with the felt, and a deck that is shuffled by the seed."""
        self._scene = BenchScene(seed=seed)
        self._rng = np.random.default_rng(seed)
        codes = [*(card.code for card in PACK), *EXTRAS]
        self._deck = [codes[at] for at in self._rng.permutation(len(codes))]
        self._shown = ""
        self._looks = 0
        self._cleared = False

    def frame(self) -> Image:
        """The next picture."""
        return self._scene.frame()

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Show what the session's answer asks for."""
        if "step" in answer:
            self._scene.follow(answer)
        elif "cards" in answer:
            self._show(answer)

    def _show(self, answer: Mapping[str, Any]) -> None:
        """Show the next card that is not in, after the bare felt; nothing once all are."""
        self._looks += 1
        if not self._cleared:
            self._cleared = True
            self._scene.show(None)
            return
        if self._shown and not is_in(answer, self._shown) and self._looks < PATIENCE:
            return
        left = [code for code in self._deck if not is_in(answer, code)]
        if not left:
            if self._shown:
                self._scene.show(None)
            self._shown = ""
            return
        at = left.index(self._shown) + 1 if self._shown in left else 0
        self._shown, self._looks = left[at % len(left)], 0
        self._scene.show(self._shown, float(self._rng.uniform(-20, 20)))


def is_in(answer: Mapping[str, Any], code: str) -> bool:
    """Whether the enrolment has this card, and does not want it again."""
    if code in EXTRAS:
        return answer[EXTRAS[code]]["state"] in {"in", "absent"}
    return bool(answer["cards"][code]["state"] == "in")
