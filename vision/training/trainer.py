"""One slice of training, of whatever nets: draw beside it, step, keep a running mean, store it.

What differs between the readers (`train`) and the corner nets (`corner_train`) is a `Task`; the
loop, the learning rate, the running mean and the checkpoint are the same and stand here.
"""

import multiprocessing as mp
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

DECAY: Final = 0.998
"""Of the running mean of the weights, a step."""
CLIP: Final = 5.0
"""Longest gradient of each net."""
WARM: Final = 100
"""Steps over which the learning rate rises at the start of a slice."""
REPORT: Final = 100
"""Steps from one line of the log to the next."""
SAVE_S: Final = 240.0
"""Seconds from one checkpoint to the next."""
PATIENCE_S: Final = 600.0
"""Longest wait for the first samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """What one slice is told: folders, seed, minutes and the highest learning rate."""

    work: Path
    art: Path
    seed: int
    minutes: float
    rate: float
    resume: bool


@dataclass(frozen=True, slots=True)
class Counters:
    """What the process that draws and the one that trains tell each other, in samples."""

    written: "Synchronized[int]"
    trained: "Synchronized[int]"
    stop: "Synchronized[int]"
    first: int = 0
    """How many were there before this slice."""

    def ahead(self, uses: float, lead: int) -> bool:
        """Whether so much is drawn already that the drawing process may rest.

        Each sample is used `uses` times on average; `lead` are drawn before the first is used.
        """
        return self.written.value > self.trained.value / uses + max(lead, self.first)


def counters(written: int = 0) -> Counters:
    """At the start, with so many samples there already."""
    return Counters(mp.Value("q", written), mp.Value("q", 0), mp.Value("q", 0), written)


class Task(ABC):
    """What nets of one kind bring to the common loop."""

    file: str
    """Name of the checkpoint in the work folder."""
    key: ClassVar[str]
    """Name of the nets' weights in the checkpoint."""
    batch: ClassVar[int]
    """How many of the drawn samples a step takes."""
    least: ClassVar[int]
    """How many must be there before the first step."""
    draws: ClassVar[bool] = True
    """Whether samples are drawn beside it; else the store is filled by somebody else."""
    before: ClassVar[str] = ""
    """Checkpoint of more nets than these, from which a first slice of them may go on."""

    def __init__(self, nets: nn.Module) -> None:
        self.nets = nets.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    @abstractmethod
    def open(self, told: Slice) -> Counters:
        """Make room for samples, or take over that of an earlier slice."""

    def draw(self, told: Slice, seed: int, shared: Counters) -> None:
        """Draw samples until told to stop; runs in a process of its own."""
        raise NotImplementedError

    @abstractmethod
    def losses(self, made: int, rng: np.random.Generator) -> dict[str, Tensor]:
        """The losses of one step by name, of samples among the `made` first ones."""

    def counts(self) -> dict[str, int | str]:
        """What else the summary of a slice tells."""
        return {}


class Mean:
    """The running mean of the weights, which is what is exported."""

    def __init__(self, nets: nn.Module) -> None:
        self.state = {key: value.detach().clone() for key, value in nets.state_dict().items()}

    def add(self, nets: nn.Module, step: int) -> None:
        """Take one step's weights in."""
        decay = min(DECAY, (1 + step) / (10 + step))
        with torch.no_grad():
            for key, value in nets.state_dict().items():
                held = self.state[key]
                if held.dtype.is_floating_point:
                    held.lerp_(value, 1 - decay)
                else:
                    held.copy_(value)


def grown(now: Mapping[str, Tensor], stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Stored weights of these nets, parts that they did not have then as they are now.

    Raises:
        SystemExit: the stored nets had parts that these have not.
    """
    mine = {key.split(".")[0] for key in now}
    stored = {key: value for key, value in stored.items() if key.split(".")[0] in mine}
    if stray := sorted(stored.keys() - now.keys()):
        raise SystemExit(f"the checkpoint is of other nets: it has {stray[0]}; train without it")
    return {key: stored.get(key, value).clone() for key, value in now.items()}


def slices_in(work: Path, *names: str) -> int:
    """How many slices the first of these checkpoints that is there tells of; 0 if none is."""
    for name in names:
        if (work / name).exists():
            return len(torch.load(work / name, weights_only=True)["slices"])
    return 0


class Trainer:
    """One slice of a task."""

    def __init__(self, task: Task, told: Slice) -> None:
        """Take up the checkpoint if the slice resumes one.

        Raises:
            SystemExit: it resumes and there is none.
        """
        torch.set_num_threads(1)
        told.work.mkdir(parents=True, exist_ok=True)
        self.task, self.told = task, told
        self.checkpoint = told.work / task.file
        self.mean = Mean(task.nets)
        self.optimiser = torch.optim.AdamW(
            task.nets.parameters(), lr=told.rate, weight_decay=0.02, fused=True
        )
        self.slices: list[dict[str, Any]] = []
        self.earlier: dict[str, Any] = {}
        self.step = 0
        self.curve: list[list[float]] = []
        if told.resume:
            self._load()
        self.first = self.step
        self.seed = told.seed + 1000 * len(self.slices)

    def _load(self) -> None:
        """Take over weights, running mean, optimiser and the story so far."""
        paths = [self.told.work / name for name in (self.task.file, self.task.before) if name]
        path = next((each for each in paths if each.exists()), None)
        if path is None:
            raise SystemExit(f"{paths[0]} is missing: train once without --resume, then resume")
        stored: dict[str, Any] = torch.load(path, weights_only=True)
        now = self.task.nets.state_dict()
        self.task.nets.load_state_dict(grown(now, stored[self.task.key]))
        self.mean.state = grown(now, stored["mean"])
        if now.keys() == stored["mean"].keys():  # else the optimiser starts anew
            self.optimiser.load_state_dict(stored["optimiser"])
        self.slices, self.step = list(stored["slices"]), int(stored["step"])
        # Checkpoints of the first slices of D and J keep their curve beside the slices.
        self.earlier = {"curve": stored["curve"]} if "curve" in stored else {}

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            self.task.key: self.task.nets.state_dict(), "mean": self.mean.state,
            "optimiser": self.optimiser.state_dict(), "slices": self.slices, "step": self.step,
            **self.earlier,
        }  # fmt: skip
        spare = self.checkpoint.with_suffix(".new")
        torch.save(state, spare)
        spare.replace(self.checkpoint)

    def run(self) -> Path:
        """Train for the slice's minutes and return the checkpoint.

        Each slice has its own stream of samples (seed plus number of the slice); the learning
        rate falls to nothing over the slice.
        """
        shared = self.task.open(self.told)
        if not self.task.draws:
            self._loop(shared)
        else:
            drawing = mp.get_context("fork").Process(
                target=self.task.draw, args=(self.told, self.seed, shared), daemon=True
            )
            drawing.start()
            try:
                self._loop(shared)
            finally:
                shared.stop.value = 1
                drawing.join(timeout=20)
        print(f"slice {len(self.slices)} done at step {self.step}: {self.slices[-1]}", flush=True)
        return self.checkpoint

    def _loop(self, shared: Counters) -> None:
        """All steps of the slice."""
        begin = saved = time.monotonic()
        while shared.written.value < self.task.least:
            if time.monotonic() - begin > PATIENCE_S:
                raise SystemExit("no samples were drawn in ten minutes: is the art unpacked?")
            time.sleep(0.2)
        rng, smooth = np.random.default_rng(self.seed), np.zeros(0)
        self.task.nets.train()
        while (share := (time.monotonic() - begin) / (60 * self.told.minutes)) < 1:
            losses = self._step(share, shared.written.value, rng)
            now = np.array([float(loss.detach()) for loss in losses.values()])
            smooth = now if not smooth.size else smooth
            smooth += (now - smooth) * max(0.01, 1 / (self.step - self.first))
            shared.trained.value += self.task.batch
            if self.step % REPORT == 0:
                self._tell((time.monotonic() - begin) / 60, smooth, shared)
            if time.monotonic() - saved > SAVE_S:
                self.save()
                saved = time.monotonic()
        named = {name: round(float(v), 4) for name, v in zip(losses, smooth, strict=True)}
        self.slices.append(
            {
                "seed": self.seed, "minutes": round((time.monotonic() - begin) / 60, 1),
                "steps": self.step - self.first, "drawn": int(shared.written.value),
                **self.task.counts(), **named, "rate": self.told.rate, "curve": self.curve,
            }
        )  # fmt: skip
        self.save()

    def _step(self, share: float, made: int, rng: np.random.Generator) -> dict[str, Tensor]:
        """One step at so much of the slice; the losses before it."""
        rate = self.told.rate * min(1.0, (self.step - self.first + 1) / WARM)
        for group in self.optimiser.param_groups:
            group["lr"] = rate * (0.5 + 0.5 * float(np.cos(np.pi * share)))
        losses = self.task.losses(made, rng)
        self.optimiser.zero_grad(set_to_none=True)
        torch.stack(list(losses.values())).sum().backward()
        for net in self.task.nets.children():
            nn.utils.clip_grad_norm_(net.parameters(), CLIP)
        self.optimiser.step()
        self.mean.add(self.task.nets, self.step)
        self.step += 1
        return losses

    def _tell(self, minute: float, smooth: NDArray[np.float64], shared: Counters) -> None:
        """A line of the log and a point of the curve: minute, step, each loss."""
        told = [round(float(loss), 3) for loss in smooth]
        self.curve.append([round(minute, 1), self.step, *told])
        print(
            f"step {self.step} minute {minute:.1f} loss {told} drawn {shared.written.value} "
            f"cpu {time.process_time() / 60:.1f} min",
            flush=True,
        )
