"""Train the readers: draw and train, export, fit the temperature, report. See README.md."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from vision.reader import MODELS, Reader
from vision.training import evaluate, export, provenance, train


def finish(work: Path, art: Path, count: int) -> None:
    """Export the checkpoint, fit the temperature on one half of what was held out, report."""
    export.export(work / "checkpoint.pt")
    limits = evaluate.calibrated(Reader(), work, art, count)
    path = MODELS / "reader.json"
    about = json.loads(path.read_text(encoding="utf-8"))
    about["limits"] = asdict(limits)
    path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    print(evaluate.report(Reader(), work, art, count))


def main() -> None:
    """Read the command line and run one slice."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--art", type=Path, required=True, help="folder with the unpacked art")
    parser.add_argument("--work", type=Path, required=True, help="folder for samples (2.5 GB)")
    parser.add_argument("--minutes", type=float, default=55.0, help="length of the slice")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=2.5e-3, help="highest learning rate")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--only-finish", action="store_true", help="export and report only")
    parser.add_argument("--count", type=int, default=1500, help="cards a row of the report")
    told = parser.parse_args()
    if not told.only_finish:
        provenance.write(Path(__file__).parent / "provenance.json")
        train.run(
            train.Slice(
                work=told.work,
                art=told.art,
                seed=told.seed,
                minutes=told.minutes,
                rate=told.rate,
                resume=told.resume,
            )
        )
    finish(told.work, told.art, told.count)


if __name__ == "__main__":
    main()
