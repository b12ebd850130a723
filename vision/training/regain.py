"""From the committed weights back to checkpoints, for who has the repository and no work folder.

An exported net has its batch normalisation folded into the convolutions and its weights in 255
steps (`pack`). Here each normalisation is put back as the one that changes nothing: what the layer
gives is measured on drawn samples, and the normalisation scales by just what it divides by. So the
net answers as the product does, and can be trained on. The optimiser starts anew.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from vision.training import decks, nets, ring, samples, style
from vision.training.train import Alone, batch_of
from vision.training.trainer import Counters, Mean, counters

DRAWN: Final = 3_000
"""Samples on which the layers are measured."""
BATCHES: Final = 12
SAME: Final = 1e-3
"""Most that a logit may differ from the file's."""
Values = dict[str, NDArray[np.float32]]


def exported(path: Path) -> Values:
    """The weights of an exported net by the name of their part, as the product uses them."""
    graph = onnx.load(str(path)).graph
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    out: Values = {}
    for name, values in stored.items():
        base, _, way = name.rpartition(".")
        if way == "steps":
            out[base] = (values * stored[f"{base}.step"]).astype(np.float32)
        elif way == "half":
            out[base] = values.astype(np.float32)
        elif way != "step":
            out[name] = values.astype(np.float32)
    return out


def _layers(net: nn.Module) -> list[tuple[str, nn.Conv2d, nn.BatchNorm2d]]:
    """Each convolution that a normalisation follows, with its name."""
    return [
        (f"{name}.{at}", part[at], part[at + 1])
        for name, part in net.named_modules()
        if isinstance(part, nn.Sequential)
        for at in range(len(part) - 1)
        if isinstance(part[at], nn.Conv2d) and isinstance(part[at + 1], nn.BatchNorm2d)
    ]


def regained(net: nn.Module, values: Values, batches: list[Tensor]) -> nn.Module:
    """The net with these weights and normalisations that change nothing.

    `batches` are scaled pictures as the net takes them; what a layer gives is measured on them.

    Raises:
        SystemExit: the weights are of another net.
    """
    layers = _layers(net)
    folded = {f"{name}.bias" for name, _, _ in layers}
    state = {key: torch.from_numpy(v) for key, v in values.items() if key not in folded}
    missing, stray = net.load_state_dict(state, strict=False)
    norms = tuple(f"{name[:-1]}{int(name[-1]) + 1}." for name, _, _ in layers)
    if wrong := [*stray, *(key for key in missing if not key.startswith(norms))]:
        raise SystemExit(f"the weights are of another net: it is about {wrong[0]}")
    given: dict[str, list[Tensor]] = {name: [] for name, _, _ in layers}
    hooks = []
    for name, conv, norm in layers:
        nn.init.ones_(norm.weight)
        norm.bias.data.copy_(torch.from_numpy(values[f"{name}.bias"]))
        norm.eps, kept = 0.0, norm.eps
        hooks.append((conv.register_forward_hook(_kept(given[name])), norm, kept))
    with torch.no_grad():
        net.eval()
        for batch in batches:
            net(batch)
    for (hook, norm, eps), (name, _, _) in zip(hooks, layers, strict=True):
        hook.remove()
        _as_measured(norm, given[name], eps)
    return net


def _kept(into: list[Tensor]) -> Callable[[nn.Module, object, Tensor], None]:
    """A hook that keeps mean and mean square of each channel."""

    def keep(_: nn.Module, __: object, out: Tensor) -> None:
        into.append(torch.stack([out.mean((0, 2, 3)), out.square().mean((0, 2, 3))]))

    return keep


def _as_measured(norm: nn.BatchNorm2d, seen: list[Tensor], eps: float) -> None:
    """Set a normalisation so that it only adds the bias it holds."""
    mean, square = torch.stack(seen).mean(0)
    spread = (square - mean.square()).clamp(min=0)
    norm.eps = eps
    norm.running_mean.copy_(mean)  # type: ignore[union-attr]
    norm.running_var.copy_(spread)  # type: ignore[union-attr]
    norm.weight.data.copy_((spread + eps).sqrt())
    norm.bias.data.add_(mean)


def _check(net: nn.Module, path: Path, pictures: Tensor) -> None:
    """See that the net answers as the file does.

    Raises:
        SystemExit: it does not.
    """
    product = cv2.dnn.readNetFromONNX(str(path))
    product.setInput(pictures.contiguous().numpy())
    answers = product.forward(product.getUnconnectedOutLayersNames())
    with torch.no_grad():
        logits = net.eval()(pictures)[0].numpy()
    theirs = next(each for each in answers if each.shape == logits.shape)
    if (apart := float(np.abs(theirs - logits).max())) > SAME:
        raise SystemExit(f"{path} was not regained: the answers are {apart:.3g} apart")


def draw(work: Path, art: Path, seed: int) -> tuple[ring.Ring, Counters]:
    """A store of its own with samples in it: that of a slice fills up anew."""
    store = work / "regained"
    store.mkdir(exist_ok=True)
    borrowed = ring.trained_art(art, work / "art")
    known = [decks.of_art(faces, k) for k, faces in enumerate(borrowed)]
    pool = style.parts(borrowed, for_training=True)
    source = samples.Source(pool, seed, ring.POOL, known * ring.ART_COPIES)
    room = ring.Ring(store, fresh=True)
    for at in range(DRAWN):
        room.put(at, *source.sample())
    return room, counters(DRAWN)


def regain(work: Path, art: Path, models: Path, seed: int) -> None:
    """Write w.pt and i.pt into `work` as if the slices of the committed weights had ended there."""
    work.mkdir(parents=True, exist_ok=True)
    room, shared = draw(work, art, seed)
    story = json.loads((models / "reader.json").read_text(encoding="utf-8"))
    slices = story["provenance"]["slices"]
    rng = np.random.default_rng(seed)
    batches = [batch_of(room, DRAWN, rng) for _ in range(BATCHES)]
    for part, at in (("w", 0), ("i", 1)):
        task = Alone(part, room, shared)
        net = task.nets[part]  # type: ignore[index]
        pictures = [nets.scaled(batch[at]) for batch in batches]
        regained(net, exported(models / f"{part}.onnx"), pictures)
        _check(net, models / f"{part}.onnx", pictures[0])
        optimiser = torch.optim.AdamW(task.nets.parameters(), fused=True)
        mine = [one for one in slices if one.get("net", part) == part]
        torch.save(
            {
                Alone.key: task.nets.state_dict(), "mean": Mean(task.nets).state,
                "optimiser": optimiser.state_dict(), "slices": mine,
                "step": sum(one["steps"] for one in mine),
            },
            work / task.file,
        )  # fmt: skip
