"""How many cases `cutcard play` plays a second: `python -m benchmarks.play FILE…`.

Each case file is played twice. Once by one process, in seconds of the processor, so that other work
on the machine weighs little on it; once by the command itself, on all processors, from its start to
its end by the clock, the lines repeated so that what the start takes is a small part. One JSON line
a file. Needs the worked rounds of `shared/cases`, or any others.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from studio.play import answer, lines_of

CASES = 1_000
"""The command is given about so many."""
WARM = 5
"""Cases that are played before the clock of one process starts."""


def alone(lines: list[str]) -> float:
    """Cases a second of the processor, by one process."""
    for line in lines[:WARM]:
        answer(line)
    begun = time.process_time()
    for line in lines:
        answer(line)
    return len(lines) / (time.process_time() - begun)


def commanded(lines: list[str]) -> float:
    """Cases a second by the clock, by the command with its start.

    Raises:
        CalledProcessError: if a case is not played.
    """
    times = max(1, CASES // len(lines))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        file.write_text("\n".join(lines * times), encoding="utf-8")
        command = [sys.executable, "-m", "studio", "play", "--check", str(file)]
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603  our own command
        return len(lines) * times / (time.perf_counter() - begun)


def main() -> None:
    """Play each file and tell its figures."""
    parser = argparse.ArgumentParser(description="Cases that `cutcard play` plays a second.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    for name in parser.parse_args().files:
        lines = [line.strip() for line in lines_of([name]) if "skipped" not in answer(line)]
        told: dict[str, Any] = {"file": Path(name).name, "cases": len(lines)}
        if lines:
            told["by_one_process"] = round(alone(lines))
            told["by_the_command"] = round(commanded(lines))
            told["processors"] = os.cpu_count()
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
