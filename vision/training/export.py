"""From a checkpoint to what the product loads: ONNX with weights stored as fp16."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from vision import reader, weights
from vision.training import golden, nets
from vision.training.train import Pair

FIRST_LIMITS: Final = {
    "temperature": 2.0,
    "whole": 1.0,
    "kinds": 1.5,
    "sure": 0.99,
    "face": 0.9,
    "seen": 0.5,
    "contradicts": 0.5,
    "plain": 0.99,
}
"""Before calibrate.py has fitted them."""


def _folded(net: nn.Module) -> nn.Module:
    """The same net with each batch normalisation folded into its convolution."""
    for block in net.body:  # type: ignore[union-attr]
        conv, norm = block[0], block[1]
        block[0] = nn.utils.fusion.fuse_conv_bn_eval(conv, norm)
        block[1] = nn.Identity()
    return net


def _half(model: onnx.ModelProto) -> onnx.ModelProto:
    """Store every large weight as fp16 and cast it back when the net is loaded."""
    graph = model.graph
    kept, casts = [], []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > 64:
            name = f"{tensor.name}.half"
            kept.append(numpy_helper.from_array(values.astype(np.float16), name))
            casts.append(helper.make_node("Cast", [name], [tensor.name], to=TensorProto.FLOAT))
        else:
            kept.append(tensor)
    nodes = list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(casts + nodes)
    onnx.checker.check_model(model)
    return model


def _write(net: nn.Module, size: tuple[int, int], path: Path) -> dict[str, Any]:
    example: Tensor = torch.zeros(1, 3, *size)
    torch.onnx.export(
        _folded(net.eval()),
        (example,),
        str(path),
        opset_version=17,
        input_names=["pixels"],
        output_names=list(weights.OUTPUTS),
        dynamic_axes={name: {0: "n"} for name in ("pixels", *weights.OUTPUTS)},
        dynamo=False,
    )
    onnx.save(_half(onnx.load(str(path))), str(path))
    body = path.read_bytes()
    return {"file": path.name, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}


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
