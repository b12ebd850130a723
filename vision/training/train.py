"""One training slice: draw, train both nets, keep the weights' running mean, leave a checkpoint."""

import multiprocessing as mp
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.training import nets, ring

BATCH: Final = 192
WARM: Final = 12_000
"""Samples that must be there before the first step."""
DECAY: Final = 0.998
"""Of the running mean of the weights, a step."""
REPORT: Final = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """What one slice is told: folders, seed, minutes and the highest learning rate."""

    work: Path
    art: Path
    seed: int
    minutes: float
    rate: float
    resume: bool


class Pair(nn.Module):
    """Both nets as one module, so that one optimiser and one checkpoint do."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nets.whole()
        self.i = nets.index()


def _masked(loss: Tensor, mask: Tensor) -> Tensor:
    return (loss * mask).sum() / mask.sum().clamp(min=1)


def loss_of(pair: Pair, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """The sum of all losses of one batch."""
    small, corners, labels = batch
    with torch.autocast("cpu", torch.bfloat16):
        w = pair.w(nets.scaled(small))[0].float()
        i = pair.i(nets.scaled(corners))[0].float()
    rank, suit, kind = labels[:, 0], labels[:, 1], labels[:, 2]
    face = (kind == 0).float()
    safe_rank, safe_suit = rank.clamp(min=0), suit.clamp(min=0)
    total = _masked(functional.cross_entropy(w[:, :13], safe_rank, reduction="none"), face)
    total = total + _masked(
        functional.cross_entropy(w[:, 13:17], safe_suit, reduction="none"), face
    )
    total = total + functional.cross_entropy(w[:, 17:21], kind)
    way = labels[:, 5]
    turned = functional.binary_cross_entropy_with_logits(
        w[:, 21], way.clamp(min=0).float(), reduction="none"
    )
    total = total + 0.2 * _masked(turned, (way >= 0).float())
    seen = labels[:, 3]
    total = total + _masked(
        functional.cross_entropy(i[:, :13], safe_rank, reduction="none")
        + functional.cross_entropy(i[:, 13:17], safe_suit, reduction="none"),
        (seen == 1).float(),
    )
    there = functional.binary_cross_entropy_with_logits(
        i[:, 17], seen.clamp(min=0).float(), reduction="none"
    )
    return total + _masked(there, (seen >= 0).float())


class Mean:
    """The running mean of the weights, which is what is exported."""

    def __init__(self, pair: Pair) -> None:
        self.state = {key: value.detach().clone() for key, value in pair.state_dict().items()}

    def add(self, pair: Pair, step: int) -> None:
        """Take one step's weights in."""
        decay = min(DECAY, (1 + step) / (10 + step))
        with torch.no_grad():
            for key, value in pair.state_dict().items():
                held = self.state[key]
                if held.dtype.is_floating_point:
                    held.lerp_(value, 1 - decay)
                else:
                    held.copy_(value)

    def join(self, other: dict[str, Tensor]) -> None:
        """Halve the way to another mean: that of the middle of a slice makes what is kept surer."""
        for key, held in self.state.items():
            if key in other and held.dtype.is_floating_point:
                held.lerp_(other[key], 0.5)


def _load(pair: Pair, mean: Mean, path: Path) -> dict[str, Any]:
    if not path.exists():
        raise SystemExit(f"{path} is missing: train once without --resume, then resume")
    stored: dict[str, Any] = torch.load(path, weights_only=True)
    pair.load_state_dict(stored["pair"])
    mean.state = stored["mean"]
    return stored


def _batch(room: ring.Ring, filled: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    at: NDArray[np.int64] = np.sort(rng.integers(0, min(filled, ring.CAPACITY), BATCH))
    corner = rng.integers(0, 2, BATCH)
    labels = room.labels[at].astype(np.int64)
    labels[:, 3] = labels[np.arange(BATCH), 3 + corner]
    corners = room.pixels["i"][at, corner]
    whole = room.pixels["w"][at]
    if rng.random() < 0.5:  # a sample is used several times: the other way up it is a new one
        whole = np.ascontiguousarray(whole[:, ::-1, ::-1])
        labels[:, 5] = np.where(labels[:, 5] >= 0, 1 - labels[:, 5], -1)
    return (
        torch.from_numpy(whole),
        torch.from_numpy(corners),
        torch.from_numpy(labels),
    )


def run(told: Slice) -> Path:
    """Train for so many minutes and return the checkpoint.

    Each slice has its own stream of samples (seed plus number of the slice); the learning rate
    falls to nothing over the slice.
    """
    torch.set_num_threads(1)
    told.work.mkdir(parents=True, exist_ok=True)
    checkpoint = told.work / "checkpoint.pt"
    torch.manual_seed(told.seed)
    pair = Pair().to(memory_format=torch.channels_last)
    mean = Mean(pair)
    past: dict[str, Any] = {"slices": [], "step": 0}
    optimiser = torch.optim.AdamW(pair.parameters(), lr=told.rate, weight_decay=0.02)
    if told.resume:
        past = _load(pair, mean, checkpoint)
        optimiser.load_state_dict(past["optimiser"])
    seed = told.seed + 1000 * len(past["slices"])
    keep = told.resume and ring.stored(told.work)
    room = ring.Ring(told.work, fresh=not keep)
    shared = ring.counters(ring.CAPACITY if keep else 0)
    drawing = mp.get_context("fork").Process(
        target=ring.fill, args=(told.work, told.art, seed, shared), daemon=True
    )
    drawing.start()
    try:
        done = _loop(told, pair, mean, optimiser, room, shared, past, checkpoint, seed)
    finally:
        shared.stop.value = 1
        drawing.join(timeout=20)
    print(f"slice {len(done['slices'])} done at step {done['step']}: {done['slices'][-1]}")
    return checkpoint


def _loop(  # noqa: PLR0913, PLR0917
    told: Slice,
    pair: Pair,
    mean: Mean,
    optimiser: torch.optim.Optimizer,
    room: ring.Ring,
    shared: ring.Counters,
    past: dict[str, Any],
    checkpoint: Path,
    seed: int,
) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    begin = time.monotonic()
    while shared.written.value < WARM and time.monotonic() - begin < 600:
        time.sleep(0.2)
    step, start, running = int(past["step"]), int(past["step"]), 0.0
    saved = time.monotonic()
    curve: list[list[float]] = []
    half: dict[str, Tensor] = {}
    pair.train()
    while (share := (time.monotonic() - begin) / (60 * told.minutes)) < 1:
        warm = min(1.0, (step - start + 1) / 100)
        rate = told.rate * warm * (0.5 + 0.5 * float(np.cos(np.pi * share)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = loss_of(pair, _batch(room, shared.written.value, rng))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(pair.parameters(), 5.0)
        optimiser.step()
        mean.add(pair, step)
        step += 1
        if share > 0.5 and not half:
            half = {key: value.clone() for key, value in mean.state.items()}
        shared.trained.value += BATCH
        running += (float(loss.detach()) - running) * max(0.02, 1 / (step - start))
        if step % REPORT == 0:
            _tell(step, begin, running, rate, shared)
            minute = round((time.monotonic() - begin) / 60, 1)
            curve.append([minute, step, round(running, 3)])
        if time.monotonic() - saved > 240:
            _save(checkpoint, pair, mean, optimiser, {**past, "step": step})
            saved = time.monotonic()
    summary = {
        "seed": seed,
        "minutes": round((time.monotonic() - begin) / 60, 1),
        "steps": step - start,
        "drawn": int(shared.written.value),
        "loss": round(running, 4),
        "rate": told.rate,
        "curve": curve,
    }
    mean.join(half)
    done = {"step": step, "slices": [*past["slices"], summary]}
    _save(checkpoint, pair, mean, optimiser, done)
    return done


def _tell(step: int, begin: float, loss: float, rate: float, shared: ring.Counters) -> None:
    print(
        f"step {step} minute {(time.monotonic() - begin) / 60:.1f} loss {loss:.4f} "
        f"rate {rate:.5f} drawn {shared.written.value} cpu {time.process_time() / 60:.1f} min",
        flush=True,
    )


def _save(
    path: Path, pair: Pair, mean: Mean, optimiser: torch.optim.Optimizer, more: dict[str, Any]
) -> None:
    kept = {"slices": more["slices"], "step": more["step"]}
    state = {"pair": pair.state_dict(), "mean": mean.state, "optimiser": optimiser.state_dict()}
    spare = path.with_suffix(".new")
    torch.save({**state, **kept}, spare)
    spare.replace(path)
