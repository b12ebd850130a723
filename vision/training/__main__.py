"""Train the nets: draw and train, export, fit the limits, report. See README.md."""

import argparse
import json
import multiprocessing as mp
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from vision.reader import MODELS, Reader
from vision.training import corner_train, evaluate, export, provenance, regain, train, trainer

REPORT: Final = Path(__file__).parents[2] / "docs/vision/reader-w-tables.md"
"""Where the tables of the report go."""


def _curves(slices: list[dict[str, Any]]) -> str:
    """The losses at some steps of each slice that kept them: of one net, or of both together."""
    lines = ["| slice | minute | step | loss |", "| -- | -- | -- | -- |"]
    for at, told in enumerate(slices, 1):
        curve = told.get("curve", [])
        kept = [*curve[:: max(1, len(curve) // 10)], *curve[-1:]] if curve else []
        rows = dict.fromkeys(tuple(point) for point in kept)
        name = f"{at} {told.get('net', '').upper()}".strip()
        lines += [
            f"| {name} | {minute} | {step} | {', '.join(map(str, losses))} |"
            for minute, step, *losses in rows
        ]
    return "\n".join(lines)


def finish(work: Path, art: Path, count: int) -> None:
    """Export the checkpoint, fit the limits on one part of what was held out, report the other."""
    export.export(work)
    tell(work, art, count)


def tell(work: Path, art: Path, count: int) -> None:
    """Fit the limits of the exported weights and write the report."""
    path = MODELS / "reader.json"
    limits = evaluate.fitted(Reader(), work, art, 5 * count)
    about = json.loads(path.read_text(encoding="utf-8"))
    about["limits"] = asdict(limits)
    path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    reader = Reader()
    text = (
        f"# The reader of whole cards: tables\n\nWritten by `python -m vision.training`; weights "
        f"{reader.version}, temperature of the ranks {limits.temperature}, of the suits "
        f"{limits.suits}, weight of W {limits.whole}. What the words mean and what follows from "
        "it: reader-w.md.\n\n## Learning\n\n"
        f"{_curves(about['provenance']['slices'])}\n\n## Designs that were held out\n\n"
        f"{evaluate.report(reader, work, art, count)}\n"
    )
    REPORT.write_text(text, encoding="utf-8")
    print(text)


def _slice(told: argparse.Namespace, work: Path, seed: int) -> trainer.Slice:
    """What the command line says of one slice."""
    return trainer.Slice(
        work=work, art=told.art, seed=seed, minutes=told.minutes, rate=told.rate,
        resume=told.resume or told.regain,
    )  # fmt: skip


def _regain(told: argparse.Namespace) -> None:
    """Checkpoints of the committed readers; in a process of its own, as threads outlive no fork.

    Raises:
        SystemExit: it failed.
    """
    where = (told.work, told.art, MODELS, told.seed)
    regaining = mp.get_context("spawn").Process(target=regain.regain, args=where)
    regaining.start()
    regaining.join()
    if regaining.exitcode:
        raise SystemExit("the committed weights were not regained: the reason stands above")


def _readers(told: argparse.Namespace) -> None:
    """One slice of W and I."""
    if not told.only_finish:
        provenance.write(Path(__file__).parent / "provenance.json")
        if told.regain:
            _regain(told)
        train.run(_slice(told, told.work, told.seed))
    finish(told.work, told.art, told.count)


def _corners(told: argparse.Namespace) -> None:
    """One slice of D and J."""
    work = told.work / "corners"
    if not told.only_finish:
        torch.manual_seed(told.seed + 10)
        task = corner_train.Corners(told.found_by)
        trainer.Trainer(task, _slice(told, work, told.seed + 10)).run()
    corner_train.finish(work, told.art, max(20, told.count // 10))


def main() -> None:
    """Read the command line and run one slice of the nets that are named."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--art", type=Path, required=True, help="folder with the unpacked art")
    parser.add_argument("--work", type=Path, required=True, help="folder for samples (5 GB)")
    parser.add_argument("--nets", choices=("readers", "corners", "all"), default="all")
    parser.add_argument("--minutes", type=float, default=55.0, help="length of a slice, at most 60")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--rate", type=float, default=2.5e-3, help="highest learning rate")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument(
        "--regain", action="store_true", help="go on from the committed weights of the readers"
    )
    parser.add_argument("--found-by", default="", help="weights whose D finds corners for J")
    parser.add_argument("--only-finish", action="store_true", help="export and report only")
    parser.add_argument("--count", type=int, default=420, help="cards a row of the report")
    told = parser.parse_args()
    if not 0 < told.minutes <= 60:
        parser.error("--minutes must be above 0 and at most 60: resume for more")
    if told.nets in ("readers", "all"):
        _readers(told)
    if told.nets in ("corners", "all"):
        _corners(told)


if __name__ == "__main__":
    main()
