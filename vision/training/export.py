"""From a checkpoint to what the product loads: ONNX with weights stored as bytes."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from vision import reader, weights
from vision.training import golden, nets, pack
from vision.training.train import Alone

FIRST_LIMITS: Final = {
    "temperature": 2.0,
    "suits": 2.0,
    "whole": 1.0,
    "kinds": 1.5,
    "sure": 0.99,
    "face": 0.9,
    "seen": 0.5,
    "contradicts": 0.8,
    "plain": 0.99,
}
"""Before `evaluate.fitted` has fitted temperatures and weight."""


def _write(net: nn.Module, size: tuple[int, int], path: Path) -> dict[str, Any]:
    free = {name: {0: "n"} for name in weights.OUTPUTS}
    return pack.written(net, torch.zeros(1, 3, *size), free, path, pack.steps)


def described(folder: Path, nets_: dict[str, Any], limits: dict[str, float], slices: Any) -> None:
    """Write reader.json."""
    about = {
        "format": 1,
        "nets": nets_,
        "limits": limits,
        "licence": "Apache-2.0, as the rest of this repository",
        "provenance": {
            "made_by": "vision/training (see README.md and provenance.json there)",
            "data": "procedural decks and art in CC0 only; no photograph, no copyleft art",
            "slices": slices,
        },
    }
    text = json.dumps(about, indent=2) + "\n"
    (folder / "reader.json").write_text(text, encoding="utf-8")


def write_golden(folder: Path) -> None:
    """Store what the nets say to the golden pictures, rounded."""
    votes = reader.Reader(folder).votes(golden.pictures())
    about = {
        "seed": golden.SEED,
        "tolerance": golden.TOLERANCE,
        "w": np.round(votes.w, 3).tolist(),
        "i": np.round(votes.i, 3).tolist(),
    }
    (folder / "golden.json").write_text(json.dumps(about) + "\n", encoding="utf-8")


def export(work: Path, folder: Path = reader.MODELS) -> None:
    """Write w.onnx, i.onnx, reader.json with first limits, and golden.json.

    `work` holds the checkpoints of W and of I, or an older one of both.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made, slices = {}, []
    for part, net, size in (("w", nets.whole(), nets.W_SIZE), ("i", nets.index(), nets.I_SIZE)):
        path = work / f"{part}.pt"
        stored = torch.load(path if path.exists() else work / Alone.before, weights_only=True)
        mean = {key: value for key, value in stored["mean"].items() if key.startswith(f"{part}.")}
        nn.ModuleDict({part: net}).load_state_dict(mean)
        made[part] = _write(net, size, folder / f"{part}.onnx")
        slices += [one for one in stored["slices"] if one not in slices]
    described(folder, made, FIRST_LIMITS, slices)
    write_golden(folder)
