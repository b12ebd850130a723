"""From a trained net to a small ONNX file that OpenCV from 4.10 on loads."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn

Stored = tuple[list[TensorProto], list[NodeProto]]
"""What is kept of a weight, and the nodes that make it a float again when the net is loaded."""
LARGE: Final = 64
"""Weights of more numbers than this are stored small."""


def folded(net: nn.Module) -> nn.Module:
    """The same net with each batch normalisation folded into the convolution before it."""
    for part in net.modules():
        if not isinstance(part, nn.Sequential):
            continue
        for at in range(len(part) - 1):
            if isinstance(part[at], nn.Conv2d) and isinstance(part[at + 1], nn.BatchNorm2d):
                part[at] = nn.utils.fusion.fuse_conv_bn_eval(part[at], part[at + 1])
                part[at + 1] = nn.Identity()
    return net


def halves(name: str, values: NDArray[np.float32]) -> Stored:
    """A weight stored as fp16."""
    short = numpy_helper.from_array(values.astype(np.float16), f"{name}.half")
    return [short], [helper.make_node("Cast", [short.name], [name], to=TensorProto.FLOAT)]


def steps(name: str, values: NDArray[np.float32]) -> Stored:
    """A weight stored in 255 steps, of a length of its own for each output; biases as fp16."""
    if values.ndim < 2:
        return halves(name, values)
    rows = values.reshape(len(values), -1)
    step = np.maximum(np.abs(rows).max(axis=1) / 127, 1e-9).astype(np.float32)
    step = step.reshape(-1, *[1] * (values.ndim - 1))
    whole = numpy_helper.from_array(np.rint(values / step).astype(np.int8), f"{name}.steps")
    length = numpy_helper.from_array(step, f"{name}.step")
    cast = helper.make_node("Cast", [whole.name], [f"{name}.count"], to=TensorProto.FLOAT)
    return [whole, length], [cast, helper.make_node("Mul", [f"{name}.count", length.name], [name])]


def shrunk(
    model: onnx.ModelProto, way: Callable[[str, NDArray[np.float32]], Stored]
) -> onnx.ModelProto:
    """The same net with every large weight stored that way."""
    graph = model.graph
    kept: list[TensorProto] = []
    first: list[NodeProto] = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > LARGE:
            parts, nodes = way(tensor.name, values)
            kept += parts
            first += nodes
        else:
            kept.append(tensor)
    nodes = [*first, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


def written(
    net: nn.Module,
    example: Tensor,
    outputs: Mapping[str, Mapping[int, str]],
    path: Path,
    way: Callable[[str, NDArray[np.float32]], Stored],
) -> dict[str, Any]:
    """Write a net and describe the file: name, bytes and hash.

    `outputs` names what the net gives, each with its free dimensions; those of the input are
    those of the first output.
    """
    free = dict(next(iter(outputs.values())))
    torch.onnx.export(
        folded(net.eval()),
        (example,),
        str(path),
        opset_version=17,
        input_names=["pixels"],
        output_names=list(outputs),
        dynamic_axes={"pixels": free, **{name: dict(dims) for name, dims in outputs.items()}},
        dynamo=False,
    )
    onnx.save(shrunk(onnx.load(str(path)), way), str(path))
    body = path.read_bytes()
    return {"file": path.name, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
