"""Write the reference of the configuration file from the settings' own docstrings.

Run as `make reference`; a test fails while docs/reference/configuration.md is not what this writes.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args, get_origin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pydantic import BaseModel  # noqa: E402 - the path of the checkout comes first
from pydantic.fields import FieldInfo  # noqa: E402
from pydantic_core import PydanticUndefined  # noqa: E402

from studio import settings  # noqa: E402

PAGE = ROOT / "docs/reference/configuration.md"
HEAD = """\
# Configuration

<!-- Written by `make reference` from studio/settings.py. Do not edit. -->

`cutcard run` reads one TOML file, `config.toml` unless `--config` names another, once at start.
`cutcard check` says in words what it understood. The file in this repository runs as it is, on
simulated devices.

Unknown keys, values out of range and secrets in the file are errors; all of them are told at once,
each in one sentence with the file and the key. Paths are relative to the file. Amounts are whole
minor units of the currency.
"""
SECTIONS = (
    ("[studio]", settings.StudioSettings),
    ("[studio.retention]", settings.Retention),
    ("[web]", settings.WebSettings),
    ("[wallet]", settings.WalletSettings),
    ("[tables.NAME]", settings.TableSettings),
    ("[tables.NAME.shoe]", settings.ShoeSettings),
    ("[tables.NAME.camera]", settings.CameraSettings),
    ("[platforms.NAME]", settings.PlatformSettings),
    ("[obs]", settings.ObsSettings),
)


def enumeration(annotation: Any) -> type[StrEnum] | None:
    """The closed set in an annotation, as in `tuple[Source, ...]`, or None."""
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return annotation
    if get_origin(annotation) is tuple:
        return enumeration(get_args(annotation)[0])
    return None


def is_section(field: FieldInfo) -> bool:
    """Whether a field is a section with a table of its own."""
    candidates = (field.annotation, *get_args(field.annotation))
    return any(isinstance(each, type) and issubclass(each, BaseModel) for each in candidates)


def toml(value: Any) -> str:
    """A default as it would stand in the file."""
    if value is PydanticUndefined:
        return "must be given"
    if value is None:
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return "`[" + ", ".join(f'"{each}"' for each in value) + "]`"
    if isinstance(value, float):
        return f"`{value:g}`"
    if isinstance(value, str):
        return f'`"{value}"`'
    return "–" if value == {} else f"`{value}`"


def allowed(field: FieldInfo) -> str:
    """The range or the closed set of a value, or nothing."""
    closed = enumeration(field.annotation)
    if closed is not None:
        return ", ".join(f"`{each.value}`" for each in closed)
    low = next((each.ge for each in field.metadata if hasattr(each, "ge")), None)
    high = next((each.le for each in field.metadata if hasattr(each, "le")), None)
    return f"{low:g} to {high:g}" if low is not None and high is not None else ""


def section(title: str, model: type[BaseModel]) -> str:
    """One section as a heading, a sentence and a table of its keys."""
    lines = [
        f"## `{title}`",
        "",
        (model.__doc__ or "").strip(),
        "",
        "| key | default | allowed | meaning |",
        "| -- | -- | -- | -- |",
    ]
    for name, field in model.model_fields.items():
        if not is_section(field):
            meaning = " ".join((field.description or "").split()).replace("|", "\\|")
            lines.append(f"| `{name}` | {toml(field.default)} | {allowed(field)} | {meaning} |")
    return "\n".join(lines)


def secrets() -> str:
    """The environment variables, from the docstrings of the secrets."""
    fields = settings.Secrets.model_fields.values()
    lines = ["## Environment", "", (settings.Secrets.__doc__ or "").strip(), ""]
    lines += [f"- {' '.join((field.description or '').split())}" for field in fields]
    lines += [
        "- `CUTCARD_DATABASE`: takes the place of `database`, where its address holds a password.",
        "- `CUTCARD_BROKER`: takes the place of `broker`, likewise.",
        "- `CUTCARD_CAMERA_<TABLE>`: takes the place of that table's camera `source`, likewise.",
    ]
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    return "\n\n".join([HEAD.strip(), *(section(*each) for each in SECTIONS), secrets()]) + "\n"


def main() -> int:
    """Write the page; 0."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
