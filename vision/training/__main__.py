"""Train the readers: draw, train, export, fit the temperature. See README.md."""

import argparse
from pathlib import Path

from vision.training import train


def main() -> None:
    """Read the command line and run one slice."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--art", type=Path, required=True, help="folder with the unpacked art")
    parser.add_argument("--work", type=Path, required=True, help="folder for samples (2.5 GB)")
    parser.add_argument("--minutes", type=float, default=55.0, help="length of the slice")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=2.5e-3, help="highest learning rate")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    told = parser.parse_args()
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


if __name__ == "__main__":
    main()
