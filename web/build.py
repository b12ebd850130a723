"""What the front end's build left behind: which files a page needs. Built by `make ui`."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parent / "static"
MANIFEST = STATIC / ".vite" / "manifest.json"
BASE = "/static/"
NO_BUILD = "The screens are not built yet: run `make ui` once, then load this page again."


class NoBuildError(Exception):
    """There is no front end to serve; the text says what to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What a page has to load, as addresses."""

    script: str
    styles: tuple[str, ...]
    preloads: tuple[str, ...]
    build: str
    """Short number of the build, shown in an overlay's preview."""


class Build:
    """The manifest of the build, read again when a new build replaced it."""

    def __init__(self, manifest: Path = MANIFEST) -> None:
        """Take the place of the manifest; nothing is read yet."""
        self.path = manifest
        self._read_at = 0
        self._chunks: dict[str, Any] = {}
        self._number = ""

    def files(self, entry: str) -> Files:
        """The files of an entry, as ``src/dealer.tsx``; raises NoBuildError."""
        chunks = self._load()
        if entry not in chunks:
            raise NoBuildError(NO_BUILD)
        styles: list[str] = []
        preloads: list[str] = []
        self._collect(entry, chunks, styles, preloads, set())
        file = BASE + chunks[entry]["file"]
        if file.endswith(".css"):
            return Files(script="", styles=(file,), preloads=(), build=self._number)
        return Files(
            script=file,
            styles=tuple(dict.fromkeys(styles)),
            preloads=tuple(preloads),
            build=self._number,
        )

    def _load(self) -> dict[str, Any]:
        try:
            changed = self.path.stat().st_mtime_ns
            if changed != self._read_at:
                raw = self.path.read_bytes()
                self._chunks = json.loads(raw)
                self._number = hashlib.sha256(raw).hexdigest()[:8]
                self._read_at = changed
        except (OSError, ValueError) as missing:
            raise NoBuildError(NO_BUILD) from missing
        return self._chunks

    def _collect(
        self,
        name: str,
        chunks: dict[str, Any],
        styles: list[str],
        preloads: list[str],
        seen: set[str],
    ) -> None:
        """Walk the static imports: what they load is needed before the first paint."""
        if name in seen:
            return
        seen.add(name)
        for other in chunks[name].get("imports", ()):
            if other in chunks:
                preloads.append(BASE + chunks[other]["file"])
                self._collect(other, chunks, styles, preloads, seen)
        styles.extend(BASE + style for style in chunks[name].get("css", ()))
