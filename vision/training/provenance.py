"""Which fonts and which art the samples are drawn with, and under which licence each is."""

import json
import re
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from vision.training import art
from vision.training.glyphs import Font, fonts, held_out

_ART: Final = [
    {
        "name": "playing cards by Adrian Kennard",
        "source": "npm package @heruka_urgyen/react-playing-cards 0.5.0, folder src/images",
        "licence": "art CC0-1.0 (the package's code: MIT, not used)",
        "use": "training",
        "folders": sorted(art.TRAINED.values()),
    },
    {
        "name": "Vector Playing Cards by Byron Knoll",
        "source": "github.com/notpeter/Vector-Playing-Cards, commit 72cb5b2",
        "licence": "public domain or WTFPL",
        "use": "held out",
        "folders": ["knoll/cards-svg"],
    },
    {
        "name": "SVGCards by Saul Spatz, courts after Byron Knoll",
        "source": "github.com/saulspatz/SVGCards, commit f8df287",
        "licence": "public domain",
        "use": "held out",
        "folders": sorted(set(art.HELD_OUT.values()) - {"knoll/cards-svg"}),
    },
]
_EARLIER: Final = [
    {
        "package": "fonts-levien-museum",
        "version": "001.002-5",
        "licence": "OFL-1.1",
        "use": "slices 1 to 4 of W and I only: it lacks letters, which were drawn as boxes",
        "trained": ["Museum Bible", "Museum Foundry"],
    }
]
"""Fonts that training no longer uses, and whose traces the weights may bear."""
_BY_HAND: Final = {
    "fonts-cegui": "OFL-1.1",
    "fonts-gfs": "OFL-1.1",
    "fonts-jura": "OFL-1.1",
    "fonts-levien-museum": "OFL-1.1",
    "fonts-liberation": "GPL-2 with font exception",
    "fonts-ocr-a": "public domain",
    "fonts-oldstandard": "OFL-1.1",
    "fonts-sil-galatia": "OFL-1.1",
    "fonts-adf": "GPL-2+ with font exception",
    "ttf-bitstream-vera": "Bitstream Vera",
    "fonts-arkpandora": "Bitstream Vera",
    "fonts-lindenhill": "MIT or OFL-1.1",
    "fonts-freefont-ttf": "GPL-3+ with font exception",
    "fonts-urw-base35": "AGPL-3 with font exception",
    "fonts-linuxlibertine": "GPL-2+ with font exception and OFL-1.1",
    "fonts-texgyre": "GUST Font License",
    "fonts-tuffy": "public domain",
    "fonts-goudybookletter": "public domain",
    "fonts-prociono": "public domain",
    "fonts-dejavu": "Bitstream Vera",
    "fonts-lmodern": "GUST Font License",
    "fonts-century-catalogue": "OFL-1.0",
    "fonts-tlwg": "GPL-2+ with font exception",
}


def _packages(paths: list[str]) -> dict[str, str]:
    """The package that each file comes from."""
    names = sorted({str(Path(path).resolve()) for path in paths})
    found = subprocess.run(  # noqa: S603
        ["dpkg", "-S", *(name.replace("[", "\\[") for name in names)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    pairs = (line.split(": ", 1) for line in found.splitlines() if ": /" in line)
    owners = {path: owner.split(":")[0] for owner, path in pairs}
    return {path: owners.get(str(Path(path).resolve()), "unknown") for path in paths}


def _licence(package: str) -> str:
    """The fonts' own licence; that of the Debian packaging (GPL) left away where both stand."""
    for start in sorted(_BY_HAND, key=len, reverse=True):
        if package.startswith(start) and package != "fonts-liberation2":
            return _BY_HAND[start]
    try:
        path = Path("/usr/share/doc") / package / "copyright"
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    names = {name.strip() for name in re.findall(r"^License: *(\S.*)$", text, re.MULTILINE)}
    open_ones = {name for name in names if not name.startswith(("GPL", "LGPL", "The", "LaTeX"))}
    return ", ".join(sorted(open_ones or names)) or "unknown"


def _entry(package: str, members: list[Font]) -> dict[str, Any]:
    version = subprocess.run(  # noqa: S603
        ["dpkg-query", "-W", "-f", "${Version}", package],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    families = sorted({font.family for font in members})
    return {
        "package": package,
        "version": version,
        "licence": _licence(package),
        "trained": [name for name in families if held_out(name) is None],
        "held_out": [name for name in families if held_out(name) is not None],
    }


def write(path: Path) -> None:
    """Write the list."""
    packages: dict[str, list[Font]] = defaultdict(list)
    owners = _packages([font.path for font in fonts()])
    for font in fonts():
        packages[owners[font.path]].append(font)
    about = {
        "art": _ART,
        "fonts": [_entry(name, packages[name]) for name in sorted(packages)],
        "fonts_of_earlier_slices": _EARLIER,
        "photographs": "none",
    }
    path.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
