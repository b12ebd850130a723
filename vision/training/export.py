"""From a checkpoint to what the product loads: ONNX with weights stored as bytes."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from vision import reader, weights
from vision.training import golden, nets, pack
from vision.training.train import Pair

FIRST_LIMITS: Final = {
    "temperature": 2.0,
    "suits": 2.0,
    "whole": 1.0,
    "kinds": 1.5,
    "sure": 0.99,
    "face": 0.9,
    "seen": 0.5,
    "contradicts": 0.5,
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


def export(checkpoint: Path, folder: Path = reader.MODELS) -> None:
    """Write w.onnx, i.onnx, reader.json with first limits, and golden.json."""
    stored = torch.load(checkpoint, weights_only=True)
    pair = Pair()
    pair.load_state_dict(stored["mean"])
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        "w": _write(pair.w, nets.W_SIZE, folder / "w.onnx"),
        "i": _write(pair.i, nets.I_SIZE, folder / "i.onnx"),
    }
    described(folder, made, FIRST_LIMITS, stored["slices"])
    write_golden(folder)
