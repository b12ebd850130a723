"""From a checkpoint of the corner nets to what the product loads."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from torch import nn

from vision import corners, weights
from vision.training import corner_train_golden as corner_golden
from vision.training.corner_train import Both
from vision.training.export import _half as half

FIRST_LIMITS: Final = {"score": 0.15, "temperature": 2.0}
"""Before they are fitted on held-out designs."""
_SIDE: Final = 64


def _folded(net: nn.Module) -> nn.Module:
    """The same net with each batch normalisation folded into the convolution before it."""
    for part in net.modules():
        if not isinstance(part, nn.Sequential):
            continue
        for at in range(len(part) - 1):
            if isinstance(part[at], nn.Conv2d) and isinstance(part[at + 1], nn.BatchNorm2d):
                part[at] = nn.utils.fusion.fuse_conv_bn_eval(part[at], part[at + 1])
                part[at + 1] = nn.Identity()
    return net


def _write(
    net: nn.Module, example: torch.Tensor, outputs: list[str], free: dict[int, str], path: Path
) -> dict[str, Any]:
    torch.onnx.export(
        _folded(net.eval()),
        (example,),
        str(path),
        opset_version=17,
        input_names=["pixels"],
        output_names=outputs,
        dynamic_axes={"pixels": free, **{name: dict(free) for name in outputs}},
        dynamo=False,
    )
    onnx.save(half(onnx.load(str(path))), str(path))
    body = path.read_bytes()
    return {"file": path.name, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}


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
    nets = {
        "d": _write(both.d, picture, ["map"], {0: "n", 2: "high", 3: "wide"}, folder / "d.onnx"),
        "j": _write(
            both.j, torch.zeros(1, 3, *corners.WINDOW), list(weights.OUTPUTS), {0: "n"},
            folder / "j.onnx",
        ),
    }  # fmt: skip
    describe(folder, nets, FIRST_LIMITS, stored["slices"])
    write_golden(folder)


def relimit(folder: Path, limits: dict[str, float]) -> None:
    """Put other limits into corners.json."""
    path = folder / "corners.json"
    about = json.loads(path.read_text(encoding="utf-8"))
    about["limits"] = limits
    path.write_text(json.dumps(about, indent=2) + "\n", "utf-8")
