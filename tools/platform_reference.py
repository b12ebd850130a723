"""Write the reference of the platform's interface from its own description.

Run as `make reference`; a test fails while docs/reference/platform.md is not what this writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from web.platform.openapi import document  # noqa: E402 - the path of the checkout comes first

PAGE = ROOT / "docs/reference/platform.md"
FINE = ("200", "304")
"""Statuses that are no error; 304 says that nothing has changed."""
HEAD = """\
# The platform's interface

<!-- Written by `make reference` from web/platform/openapi.py. Do not edit. -->

How to use it is in [Connect a betting platform](../manual/platform.md); the same as OpenAPI 3.1 is
at `/api/openapi.json` of a running studio.
"""


def page() -> str:
    """The whole page."""
    told = document()
    parts = [HEAD]
    for path, calls in told["paths"].items():
        for method, call in calls.items():
            parts.append(section(told, f"{method.upper()} {path}", call))
    parts.append(errors(told))
    return "\n".join(parts)


def section(told: dict[str, Any], title: str, call: dict[str, Any]) -> str:
    """One call: parameters, the body's example, the answer's example, its errors."""
    lines = [f"## `{title}`", "", call["summary"], ""]
    parameters = [told["components"]["parameters"][name_of(each)] for each in call["parameters"]]
    if parameters:
        lines += ["| parameter | in | meaning | range |", "| -- | -- | -- | -- |"]
        lines += [
            f"| `{each['name']}` | {each['in']} | {each['description']} | {bounds(each)} |"
            for each in parameters
        ]
        lines.append("")
    if "requestBody" in call:
        asked = call["requestBody"]["content"]["application/json"]["example"]
        lines += ["Asked:", "", *block(asked)]
    answer = call["responses"]["200"]["content"]["application/json"]["example"]
    lines += ["Answered:", "", *block(answer)]
    failing = [f"`{status}`" for status in call["responses"] if status not in FINE]
    lines += [f"Errors: {' '.join(failing)}", ""]
    return "\n".join(lines)


def errors(told: dict[str, Any]) -> str:
    """What the statuses mean."""
    found = {}
    for calls in told["paths"].values():
        for call in calls.values():
            for status, response in call["responses"].items():
                if status not in FINE:
                    words = told["components"]["responses"][name_of(response)]
                    found[status] = words["description"]
    lines = ["## Errors", "", "| status | meaning |", "| -- | -- |"]
    lines += [f"| `{status}` | {words} |" for status, words in sorted(found.items())]
    return "\n".join([*lines, ""])


def name_of(reference: dict[str, str]) -> str:
    """The name that a reference points to."""
    return reference["$ref"].rpartition("/")[2]


def bounds(parameter: dict[str, Any]) -> str:
    """What a parameter may be."""
    schema = parameter["schema"]
    if schema["type"] != "integer":
        return "text"
    return f"{schema['minimum']} to {schema['maximum']}, else {schema['default']}"


def block(example: Any) -> list[str]:
    """An example as it is sent, wrapped for reading."""
    return ["```json", json.dumps(example, indent=2), "```", ""]


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
