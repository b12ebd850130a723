"""From a checkpoint of the corner nets to what the product loads."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from vision import corners, weights
from vision.training import corner_train_golden as corner_golden
from vision.training import pack
from vision.training.corner_train import Both

FIRST_LIMITS: Final = {"score": 0.15, "temperature": 2.0}
"""Before they are fitted on held-out designs."""
_SIDE: Final = 64
_PLACES: Final = {0: "n", 2: "high", 3: "wide"}


def write_golden(folder: Path) -> None:
    """Store what the nets say to the golden pictures, rounded."""
    said = corner_golden.answers(corners.Corners(folder))
    about = {"seed": corner_golden.SEED, "tolerance": corner_golden.TOLERANCE}
    kept = {name: np.round(values, 3).tolist() for name, values in said.items()}
    (folder / "corners-golden.json").write_text(json.dumps({**about, **kept}) + "\n", "utf-8")


def describe(folder: Path, nets: dict[str, Any], limits: dict[str, float], slices: Any) -> None:
    """Write corners.json."""
    about = {
        "format": weights.FORMAT,
        "nets": nets,
        "limits": limits,
        "licence": "Apache-2.0, as the rest of this repository",
        "provenance": {
            "made_by": "vision/training (see README.md and provenance.json there)",
            "data": "procedural decks and art in CC0 only; no photograph, no copyleft art",
            "slices": slices,
        },
    }
    (folder / "corners.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")


def export(checkpoint: Path, folder: Path = corners.MODELS) -> None:
    """Write d.onnx, j.onnx, corners.json with first limits, and corners-golden.json."""
    stored = torch.load(checkpoint, weights_only=True)
    both = Both()
    both.load_state_dict(stored["mean"])
    folder.mkdir(parents=True, exist_ok=True)
    picture = torch.zeros(1, 3, _SIDE, _SIDE)
    window, free = torch.zeros(1, 3, *corners.WINDOW), {name: {0: "n"} for name in weights.OUTPUTS}
    nets = {
        "d": pack.written(both.d, picture, {"map": _PLACES}, folder / "d.onnx", pack.halves),
        "j": pack.written(both.j, window, free, folder / "j.onnx", pack.halves),
    }
    describe(folder, nets, FIRST_LIMITS, stored["slices"])
    write_golden(folder)


def relimit(folder: Path, limits: dict[str, float]) -> None:
    """Put other limits into corners.json."""
    path = folder / "corners.json"
    about = json.loads(path.read_text(encoding="utf-8"))
    about["limits"] = limits
    path.write_text(json.dumps(about, indent=2) + "\n", "utf-8")
